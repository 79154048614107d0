// Type of a command, and helpers that commands share.
import type { ParseArgsOptionsConfig } from 'node:util'
import { decodeUtf8 } from '../domain/utf8.ts'

/** The parsed options of a command. */
export type Flags = Record<string, string | boolean | undefined>

export interface Command {
  usage: string
  options: ParseArgsOptionsConfig
  /** Whether a positional argument is allowed, such as a file name. */
  takesName?: boolean
  act: (flags: Flags, name?: string) => Promise<void>
}

/** Wrong arguments: the usage is printed with the reason. */
export class UsageError extends Error {}

/** The single line on standard input. */
export async function readPassword(): Promise<string> {
  const text = decodeUtf8(await readStandardBytes())
  if (text === undefined) throw new Error('the password on standard input is not valid UTF-8')
  const [line = '', ...more] = text.replace(/\r?\n$/, '').split('\n')
  if (more.length > 0) throw new Error('standard input must contain exactly one line, the password')
  return line
}

export async function readStandardBytes(): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

export const NO_TERMINAL = 'there is no terminal to ask for a password: use --password-stdin'

export const writeLine = (text: string): void => void process.stdout.write(`${text}\n`)
