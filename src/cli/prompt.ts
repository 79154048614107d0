// Prompts on the terminal with one line reader, so that piped lines answer one after another.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { concealPassword } from './conceal.ts'

export interface Prompt {
  /** Whether a person can be asked again. */
  isTerminal: boolean
  /** The typed line, trimmed; empty when nothing was typed or no more lines come in. */
  ask(question: string): Promise<string>
  /** The same, untrimmed and not echoed. */
  askHidden(question: string): Promise<string>
  /** Prints why it asks again. */
  say(text: string): void
  close(): void
}

type Input = NodeJS.ReadableStream & { isTTY?: boolean }

export function openPrompt(input: Input = process.stdin, output: NodeJS.WritableStream = process.stdout): Prompt {
  const isTerminal = input.isTTY === true
  let isHidden = false
  const echo = new Writable({
    write(chunk, encoding, done) {
      if (!isHidden) output.write(chunk, encoding)
      done()
    },
  })
  // Wrapping long lines requires the width of the real output.
  Object.defineProperty(echo, 'columns', { get: () => (output as { columns?: number }).columns })
  // No history: the arrow keys would bring a password back.
  const reader = createInterface({ input, output: echo, terminal: isTerminal, historySize: 0 })
  const nextLine = queueOf(reader)
  reader.on('SIGINT', () => {
    output.write('\n')
    process.exit(130)
  })

  async function answer(question: string): Promise<string> {
    if (isTerminal) {
      // Through the reader, which redraws the question while the answer is edited.
      reader.setPrompt(question)
      reader.prompt()
    } else output.write(question)
    const line = await nextLine()
    if (line === undefined && isTerminal) throw new Error('stopped; nothing was written')
    return line ?? ''
  }

  return {
    isTerminal,
    async ask(question) {
      const text = (await answer(question)).trim()
      // A terminal shows the typing itself; piped answers end up in logs.
      if (!isTerminal) output.write(`${concealPassword(text)}\n`)
      return text
    },
    async askHidden(question) {
      output.write(question)
      isHidden = true
      try {
        return await answer('')
      } finally {
        isHidden = false
        output.write('\n')
      }
    },
    say: (text) => void output.write(`  ${text}\n`),
    close: () => reader.close(),
  }
}

/** Lines may arrive faster than questions; undefined when there are no more. */
function queueOf(reader: NodeJS.EventEmitter): () => Promise<string | undefined> {
  const lines: string[] = []
  let isEnded = false
  let wake = (): void => {}
  reader.on('line', (line: string) => {
    lines.push(line)
    wake()
  })
  reader.on('close', () => {
    isEnded = true
    wake()
  })
  return async () => {
    while (lines.length === 0 && !isEnded) await new Promise<void>((resolve) => (wake = resolve))
    return lines.shift()
  }
}

/** Asked twice on a terminal, because the typing is not shown; a piped line is taken as it is. */
export async function askNewPassword(prompt: Prompt): Promise<string> {
  for (;;) {
    const password = await prompt.askHidden('New password (12 characters or more): ')
    if (!prompt.isTerminal || (await prompt.askHidden('Repeat the password: ')) === password) return password
    prompt.say('The passwords do not match.')
  }
}

/** For commands that ask for nothing else; `otherwise` is the error if there is no terminal. */
export async function requireNewPassword(otherwise: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Error(otherwise)
  const prompt = openPrompt()
  try {
    return await askNewPassword(prompt)
  } finally {
    prompt.close()
  }
}
