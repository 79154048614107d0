// The process: argv becomes a command.
import { parseArgs } from 'node:util'
import { adminCreate } from './cli/admin-create.ts'
import { type Command, HelpWanted } from './cli/command.ts'
import { demo } from './cli/demo.ts'
import { reindexCommand } from './cli/reindex.ts'
import { setup } from './cli/setup.ts'
import { start } from './cli/start.ts'
import { ConfigError } from './config.ts'
import { AppError } from './errors.ts'

const commands: readonly Command[] = [start, setup, adminCreate, reindexCommand, demo]

const words = process.argv.slice(2)
const command = commands.find(({ name }) => name.split(' ').every((word, i) => words[i] === word))

if (!command) {
  const isHelp = words.length === 0 || words[0] === 'help' || words.includes('--help') || words.includes('-h')
  ;(isHelp ? process.stdout : process.stderr).write(
    isHelp ? overview() : `daybook: there is no command "${words[0]}"\n\n${overview()}`,
  )
  process.exitCode = isHelp ? 0 : 2
} else {
  await run(command, words.slice(command.name.split(' ').length))
}

async function run({ name, usage, options, act }: Command, args: string[]): Promise<void> {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    if (values.help) throw new HelpWanted()
    await act(values as Record<string, string | boolean | undefined>, positionals)
  } catch (error) {
    if (error instanceof HelpWanted) process.stdout.write(`${usage}\n`)
    else {
      process.stderr.write(`daybook ${name}: ${explain(error)}\n`)
      process.exitCode = 1
    }
  }
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (error instanceof AppError) {
    const fields = (error.details?.fields ?? []) as { field: string; message: string }[]
    return [error.message, ...fields.map(({ field, message }) => `${field.slice(1)}: ${message}`)].join(' ')
  }
  return error instanceof Error ? error.message : String(error)
}

function overview(): string {
  const rows = commands.map(({ name, summary }) => `  daybook ${name.padEnd(14)} ${summary}`)
  return `Daybook, a calendar for a site.\n\n${rows.join('\n')}\n\nEach has --help. Settings: docs/operations.md\n`
}
