// What a command is, and what the commands share.
import type { ParseArgsOptionsConfig } from 'node:util'
import { openContext } from '../boot.ts'
import { loadConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { explainOpening } from './explain.ts'

/** What was typed after the command's name. */
export type Flags = Record<string, string | boolean | undefined>

export interface Command {
  name: string
  summary: string
  usage: string
  options: ParseArgsOptionsConfig
  /** Whether a name may stand beside the flags, such as that of a file. */
  takesName?: boolean
  act: (flags: Flags, name?: string) => Promise<void>
}

/** The command cannot be meant like this: the usage is shown with the reason. */
export class WrongUsage extends Error {}

/** Runs something with the database open, beside a running service or without one. */
export async function withContext<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
  const config = loadConfig()
  const ctx = await openContext(config).catch((error) => Promise.reject(explainOpening(error, config)))
  try {
    return await work(ctx)
  } finally {
    await ctx.storage.close()
  }
}

/** The one line that comes in on standard input. */
export async function readPassword(): Promise<string> {
  const text = (await readStandardBytes()).toString('utf8')
  const [line = '', ...more] = text.replace(/\r?\n$/, '').split('\n')
  if (more.length > 0) throw new Error('standard input must hold one line, the password')
  return line
}

export async function readStandardBytes(): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

export const NO_TERMINAL = 'there is no terminal to ask for a password: use --password-stdin'

export const say = (text: string): void => void process.stdout.write(`${text}\n`)
