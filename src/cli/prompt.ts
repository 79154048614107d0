// Questions on the terminal.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

export async function ask(question: string, fallback: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(`${question}${fallback ? ` [${fallback}]` : ''}: `)).trim() || fallback
  } finally {
    terminal.close()
  }
}

/** What is typed is not shown. */
export async function askPassword(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('there is no terminal to ask for a password: use --password-stdin')
  process.stdout.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stdout.write('\n')
  }
}
