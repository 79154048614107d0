// What a command is, and what the commands share.
import type { ParseArgsOptionsConfig } from 'node:util'
import { openContext } from '../boot.ts'
import { loadConfig } from '../config.ts'
import type { Context } from '../context.ts'

export interface Command {
  name: string
  summary: string
  usage: string
  options: ParseArgsOptionsConfig
  act: (values: Record<string, string | boolean | undefined>, positionals: string[]) => Promise<void>
}

export class HelpWanted extends Error {}

/** Runs something with the database open, beside a running service or without one. */
export async function withContext<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
  const ctx = await openContext(loadConfig())
  try {
    return await work(ctx)
  } finally {
    await ctx.storage.close()
  }
}

/** Everything that comes in on standard input, without the line end. */
export async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}

export const say = (text: string): void => void process.stdout.write(`${text}\n`)
