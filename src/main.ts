// The process: argv becomes a command.
import { parseArgs } from 'node:util'
import { adminCreate } from './cli/admin-create.ts'
import { adminGrant } from './cli/admin-grant.ts'
import { type Command, type Flags, WrongUsage } from './cli/command.ts'
import { demo } from './cli/demo.ts'
import { explain } from './cli/explain.ts'
import { exportCommand } from './cli/export.ts'
import { importCommand } from './cli/import.ts'
import { reindexCommand } from './cli/reindex.ts'
import { setup } from './cli/setup.ts'
import { start } from './cli/start.ts'

const commands: readonly Command[] = [
  start,
  setup,
  adminCreate,
  adminGrant,
  importCommand,
  exportCommand,
  reindexCommand,
  demo,
]

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

async function run({ name, usage, options, takesName = false, act }: Command, args: string[]): Promise<void> {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: takesName,
    })
    if (positionals.length > 1) throw new WrongUsage('one file at a time')
    if (values.help) process.stdout.write(`${usage}\n`)
    else await act(values as Flags, positionals[0])
  } catch (error) {
    const isMistyped = error instanceof WrongUsage || isParseError(error)
    process.stderr.write(`daybook ${name}: ${explain(error)}\n${isMistyped ? `\n${usage}\n` : ''}`)
    process.exitCode = isMistyped ? 2 : 1
  }
}

function isParseError(error: unknown): boolean {
  return String((error as { code?: unknown }).code ?? '').startsWith('ERR_PARSE_ARGS_')
}

function overview(): string {
  const rows = commands.map(({ name, summary }) => `  daybook ${name.padEnd(14)} ${summary}`)
  return `Daybook, a calendar for a site.\n\n${rows.join('\n')}\n\nEach has --help. Settings: docs/operations.md\n`
}
