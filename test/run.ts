// `npm test`: types, lint, then every test on SQLite and on a PostgreSQL that is started here; a plain count at the end.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { writeBatches } from './support/batches.ts'
import { startPostgres } from './support/postgres-server.ts'
import { makeTemplate, onDatabase } from './support/template.ts'

/** Here times are compared: beside more than one other they are chance, and are taken again and again. */
const CALM = [
  'test/non-interference.test.ts',
  'test/api/enumeration.test.ts',
  'test/domain/recurrence/oracle.test.ts',
  'test/http/slow-readers.test.ts',
]

/** These begin before the rest, each in a process of its own, so that nobody waits for one of them in the end. */
const LONG = [
  'test/caldav/soak.test.ts',
  'test/cli/commands.test.ts',
  'test/mail/faults.test.ts',
  'test/cli/setup.test.ts',
  'test/api/feed-readers.test.ts',
]

/** Meant for two cores; the rest waits now and then, for a disk, a browser or a clock, and then another one can go on. */
const AT_ONCE = { calm: 2, rest: 3 }

const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)
const only = args.filter((arg) => !arg.startsWith('--'))

if (only.length === 0) {
  for (const project of ['.', 'web', 'test/web'])
    step(`types in ${project}`, process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      join(root, project),
    ])
  step('lint', process.execPath, [
    join(root, 'node_modules/@biomejs/biome/bin/biome'),
    'check',
    '--error-on-warnings',
    root,
  ])
}
if (!args.includes('--static-only'))
  await runTests(only.length > 0 ? only : globSync('test/**/*.test.ts', { cwd: root }))

function step(name: string, command: string, commandArgs: string[]): void {
  process.stdout.write(`── ${name}\n`)
  const { status } = spawnSync(command, commandArgs, { cwd: root, stdio: 'inherit' })
  if (status !== 0) {
    process.stdout.write(`${name}: failed\n0 passed, 1 failed\n`)
    process.exit(1)
  }
}

async function runTests(files: string[]): Promise<void> {
  const given = process.env.TEST_DATABASE_URL
  const server = given ? undefined : await startPostgres()
  const url = given || server!.url
  process.env.TEST_DATABASE_URL = url
  const template = await makeTemplate(url)
  process.env.TEST_DATABASE_TEMPLATE = template
  process.stdout.write(`── tests: ${files.length} files, on SQLite and PostgreSQL\n`)
  const counts = { passed: 0, failed: 0 }
  const { calm, rest } = processesFor(files)
  await runProcesses(calm, AT_ONCE.calm, counts)
  await runProcesses(rest, AT_ONCE.rest, counts)
  if (given) await onDatabase(url, (client) => client.query(`drop database ${template}`))
  await server?.stop()
  process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`)
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1
}

async function runProcesses(files: string[], concurrency: number, counts: { passed: number; failed: number }) {
  if (files.length === 0) return
  const stream = run({ files, concurrency })
  stream.on('test:pass', (event) => {
    if (event.details.type !== 'suite') counts.passed += 1
  })
  stream.on('test:fail', (event) => {
    if (event.details.type !== 'suite') counts.failed += 1
  })
  const report = stream.compose(spec)
  report.pipe(process.stdout, { end: false })
  await new Promise((resolve) => report.once('end', resolve))
}

/** The rest backwards, so that the browser's stories, the longest of it, come first. */
function processesFor(files: string[]): { calm: string[]; rest: string[] } {
  const names = files
    .map((file) => normalize(file).replaceAll('\\', '/'))
    .sort()
    .reverse()
  const alone = (wanted: string[]) => wanted.filter((file) => names.includes(file)).map((file) => join(root, file))
  const short = names.filter((file) => !CALM.includes(file) && !LONG.includes(file))
  return { calm: alone(CALM), rest: [...alone(LONG), ...writeBatches(root, short)] }
}
