// `npm test`: types, lint, then every test on SQLite and on a PostgreSQL that is started here; a plain count at the end.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { writeBatches } from './support/batches.ts'
import { startPostgres } from './support/postgres-server.ts'
import { makeTemplate, onDatabase } from './support/template.ts'

/** These begin first, each in a process of its own, so that nobody waits for one of them in the end. */
const LONGEST = [
  'test/non-interference.test.ts',
  'test/domain/recurrence/oracle.test.ts',
  'test/http/slow-readers.test.ts',
  'test/api/enumeration.test.ts',
  'test/cli/commands.test.ts',
  'test/cli/setup.test.ts',
  'test/api/feed-readers.test.ts',
  'test/mail/faults.test.ts',
  'test/caldav/soak.test.ts',
]

/** As many as the cores this is meant for: with more, times that are compared are chance, and are taken again and again. */
const AT_ONCE = 2

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
  let passed = 0
  let failed = 0
  const stream = run({
    files: processesFor(files),
    concurrency: AT_ONCE,
  })
  stream.on('test:pass', (event) => {
    if (event.details.type !== 'suite') passed += 1
  })
  stream.on('test:fail', (event) => {
    if (event.details.type !== 'suite') failed += 1
  })
  const report = stream.compose(spec)
  report.pipe(process.stdout)
  await new Promise((resolve) => report.once('end', resolve))
  if (given) await onDatabase(url, (client) => client.query(`drop database ${template}`))
  await server?.stop()
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
}

/** Backwards, so that the browser's stories, the longest of the rest, come before the rest. */
function processesFor(files: string[]): string[] {
  const names = files
    .map((file) => normalize(file).replaceAll('\\', '/'))
    .sort()
    .reverse()
  const [long, short] = [
    LONGEST.filter((file) => names.includes(file)),
    names.filter((file) => !LONGEST.includes(file)),
  ]
  return [...long.map((file) => join(root, file)), ...writeBatches(root, short)]
}
