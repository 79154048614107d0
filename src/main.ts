// Entry point of the command line: finds the command in argv, parses its options and runs it.
import { parseArgs } from 'node:util'
import { type Command, type Flags, UsageError } from './cli/command.ts'
import { explain } from './cli/explain.ts'

/** Each command is imported on demand: most need little of the service. */
const commands: readonly { name: string; summary: string; load: () => Promise<Command> }[] = [
  {
    name: 'start',
    summary: 'run the service',
    load: async () => (await import('./cli/start.ts')).start,
  },
  {
    name: 'setup',
    summary: 'choose the settings and create the administrator',
    load: async () => (await import('./cli/setup.ts')).setup,
  },
  {
    name: 'admin create',
    summary: 'create an administrator, or another account',
    load: async () => (await import('./cli/admin-create.ts')).adminCreate,
  },
  {
    name: 'admin grant',
    summary: 'make an existing account an administrator',
    load: async () => (await import('./cli/admin-grant.ts')).adminGrant,
  },
  {
    name: 'import',
    summary: 'import a calendar file',
    load: async () => (await import('./cli/import.ts')).importCommand,
  },
  {
    name: 'export',
    summary: 'export the whole calendar to a file',
    load: async () => (await import('./cli/export.ts')).exportCommand,
  },
  {
    name: 'backup',
    summary: 'copy everything into one file',
    load: async () => (await import('./cli/backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'make a calendar from a backup',
    load: async () => (await import('./cli/restore.ts')).restoreCommand,
  },
  {
    name: 'rewind',
    summary: 'make the calendar what it was at a moment',
    load: async () => (await import('./cli/history/rewind.ts')).rewindCommand,
  },
  {
    name: 'reindex',
    summary: 'rebuild the index and other derived data',
    load: async () => (await import('./cli/reindex.ts')).reindexCommand,
  },
  {
    name: 'doctor',
    summary: 'check the installation and explain what to do',
    load: async () => (await import('./cli/checks/doctor.ts')).doctorCommand,
  },
  {
    name: 'health',
    summary: 'ask the running service whether it is ready',
    load: async () => (await import('./cli/checks/health.ts')).healthCommand,
  },
  {
    name: 'demo',
    summary: 'fill the calendar with the events of a community centre',
    load: async () => (await import('./cli/demo.ts')).demo,
  },
]

const words = process.argv.slice(2)
const command = commands.find(({ name }) => name.split(' ').every((word, i) => words[i] === word))

/** A reader may take the first lines and end, such as `head`; the work is done to its end. */
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.exitCode = 1
})

/** Resolves when the command is done. Not awaited here, because the bundle is CommonJS. */
export const finished: Promise<void> = command
  ? command.load().then((loaded) => run(command.name, loaded, words.slice(command.name.split(' ').length)))
  : isVersion(words[0])
    ? import('./cli/version.ts').then(({ describeVersion }) => void process.stdout.write(`${describeVersion()}\n`))
    : Promise.resolve(printOverview())

function isVersion(word: string | undefined): boolean {
  return word === '--version' || word === '-v' || word === 'version'
}

function printOverview(): void {
  const isHelp = words.length === 0 || words[0] === 'help' || words.includes('--help') || words.includes('-h')
  ;(isHelp ? process.stdout : process.stderr).write(
    isHelp ? overview() : `daybook: there is no command "${words[0]}"\n\n${overview()}`,
  )
  process.exitCode = isHelp ? 0 : 2
}

async function run(name: string, { usage, options, takesName = false, act }: Command, args: string[]): Promise<void> {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: takesName,
    })
    if (positionals.length > 1) throw new UsageError('one file at a time')
    if (values.help) process.stdout.write(`${usage}\n`)
    else await act(values as Flags, positionals[0])
  } catch (error) {
    const isMistyped = error instanceof UsageError || isParseError(error)
    process.stderr.write(`daybook ${name}: ${explain(error)}\n${isMistyped ? `\n${usage}\n` : ''}`)
    process.exitCode = isMistyped ? 2 : 1
  }
}

function isParseError(error: unknown): boolean {
  return String((error as { code?: unknown }).code ?? '').startsWith('ERR_PARSE_ARGS_')
}

function overview(): string {
  const listed = [...commands, { name: '--version', summary: 'print the version' }]
  const rows = listed.map(({ name, summary }) => `  daybook ${name.padEnd(14)} ${summary}`)
  return `Daybook, a self-hosted calendar server.\n\n${rows.join('\n')}\n\nRun a command with --help for its options. Settings: docs/settings.md\n`
}
