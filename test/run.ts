// `npm test`: types, lint, then every test on SQLite and on a PostgreSQL started here; counts and costs at the end.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { groupFiles, writeBatches } from './runner/batches.ts'
import { listChanged, selectTests } from './runner/changed.ts'
import { childrenCpuMs, MARK, readCosts } from './runner/file-costs.ts'
import { listReached, readImports } from './runner/import-graph.ts'
import { formatReport, type TestCounts } from './runner/report.ts'
import { createRunFolder } from './runner/run-folder.ts'
import { runStaticChecks } from './runner/static-checks.ts'
import { requireBrowserBinary } from './support/browser/browser-binary.ts'
import { byRunLength } from './support/measure/run-length.ts'
import { startPostgres } from './support/storage/postgres-server.ts'
import { makeTemplate, onDatabase } from './support/storage/template.ts'

/** Tests that compare times: two run at once and not more; the longest first, so that neither core waits. */
const CALM = [
  'test/http/connections/slow-readers.test.ts',
  'test/api/accounts/enumeration.test.ts',
  'test/non-interference.test.ts',
  'test/domain/recurrence/oracle.test.ts',
]

/** Tests that wait for time limits and use little CPU: they run beside all others from the beginning. */
const WAITING = [
  'test/storage/engine/write-queue.test.ts',
  'test/mail/faults.test.ts',
  'test/mail/transport.test.ts',
  'test/mail/limits.test.ts',
  'test/mail/stopping.test.ts',
]

/** Long tests start before the rest, each in its own process, so that the run does not wait for one at the end. */
const LONG = [
  'test/simulator/simulator.test.ts',
  'test/caldav/soak.test.ts',
  'test/cli/commands.test.ts',
  'test/cli/setup.test.ts',
  'test/api/feeds/feed-readers.test.ts',
]

/** Folders whose processes take longest come first, so that short ones fill the end of the run, as those of `domain`. */
const LONG_FOLDERS = ['web', 'cli', 'api', 'caldav', 'actions', 'storage', 'http', 'mail']

/** For two cores; tests wait now and then for a disk, a browser or a clock, and then another one can run. */
const AT_ONCE = { waiting: 2, calm: 2, rest: 4 }

/** No test process takes this long; one that does hangs, and is killed. */
const HUNG_AFTER_MS = byRunLength(20, 120) * 60_000

/**
 * Most objects of a test are short-lived; with a larger young generation the garbage collector copies fewer. A process
 * ends before its old generation fills this many MiB, so that collecting the whole heap is work for nothing.
 */
const NODE_FLAGS = ['--max-semi-space-size=64', '--initial-old-space-size=512']

/** A file named on the command line keeps the hook: there the test of an error matters more than the time. */
const WHOLE_RUN_FLAGS = [`--import=${pathToFileURL(join(import.meta.dirname, 'runner/without-async-hook.ts'))}`]

type Counting = TestCounts & { skippedBecause: Map<string, number> }

interface TestEvent {
  type: string
  data: { name?: string; message?: string; skip?: string | boolean; details?: { type?: string } }
}

const root = join(import.meta.dirname, '..')
const importsOf = readImports(root)
const args = process.argv.slice(2)
const named = args.filter((arg) => !arg.startsWith('--'))
const changedSince = args.find((arg) => /^--changed(?:=|$)/.test(arg))

if (named.length === 0) {
  const failed = await runStaticChecks(root, (text) => void process.stdout.write(text))
  if (failed !== undefined) {
    process.stdout.write(`${failed}: failed\n0 passed, 1 failed\n`)
    process.exit(1)
  }
}
if (!args.includes('--static-only')) await runTests(chooseFiles())

function chooseFiles(): string[] {
  const all = globSync('test/**/*.test.ts', { cwd: root }).map(withSlashes)
  if (named.length > 0) return named.map(withSlashes).flatMap(listNamed)
  if (changedSince === undefined) return all
  const changed = listChanged(root, changedSince.split('=')[1] || undefined)
  const { tests, untested, everythingBecause } = selectTests(all, changed, importsOf)
  process.stdout.write(`── changed: ${changed.length} files; they touch ${tests.length} of ${all.length} test files\n`)
  if (everythingBecause) process.stdout.write(`   everything, because of ${everythingBecause}\n`)
  else for (const file of tests) process.stdout.write(`   ${file}\n`)
  for (const file of untested) process.stdout.write(`   without a test: ${file}\n`)
  return tests
}

/** A file, or every test in a folder. */
function listNamed(path: string): string[] {
  if (path.endsWith('.test.ts') && existsSync(join(root, path))) return [path]
  const found = globSync(join(path, '**/*.test.ts'), { cwd: root }).map(withSlashes)
  if (found.length > 0) return found
  process.stderr.write(`${path} is neither a test file nor a folder with tests\n`)
  process.exit(1)
}

/** Finds and unpacks the browser before the tests begin, so that the files of a process load without waiting for it. */
function usesBrowser(file: string): boolean {
  return listReached(file, importsOf).has('test/support/browser/browser.ts')
}

function withSlashes(path: string): string {
  return normalize(path).replaceAll('\\', '/')
}

async function runTests(files: string[]): Promise<void> {
  const begunAt = performance.now()
  // As in `npm start`: without it each process, and each thread that reads SQLite, strips the types of its modules anew.
  process.env.NODE_COMPILE_CACHE ||= join(root, 'node_modules/.cache/compiled')
  const folder = createRunFolder()
  const given = process.env.TEST_DATABASE_URL
  const browser = files.some(usesBrowser) ? requireBrowserBinary(folder) : undefined
  const server = given ? undefined : await startPostgres()
  await browser
  const url = given || server!.url
  process.env.TEST_DATABASE_URL = url
  const template = await makeTemplate(url)
  process.env.TEST_DATABASE_TEMPLATE = template
  process.stdout.write(`── tests: ${files.length} files, on SQLite and PostgreSQL, temporary files in ${folder}\n`)
  const counts = { passed: 0, failed: 0, skipped: 0, skippedBecause: new Map<string, number>() }
  const { waiting, calm, rest } = planProcesses(files)
  const waited = runProcesses(writeBatches(root, folder, waiting), AT_ONCE.waiting, counts)
  await runProcesses(writeBatches(root, folder, calm), AT_ONCE.calm, counts)
  await runProcesses(writeBatches(root, folder, rest), AT_ONCE.rest, counts)
  await waited
  if (given) await onDatabase(url, (client) => client.query(`drop database ${template}`))
  const postgresCpuMs = server ? childrenCpuMs(server.pid) : 0
  await server?.stop()
  const wallMs = performance.now() - begunAt
  const noBrowserBecause = readNoBrowserReason(folder)
  const listedFiles = args.includes('--costs') ? files.length : undefined
  process.stdout.write(
    formatReport({ counts, costs: readCosts(folder), wallMs, postgresCpuMs, noBrowserBecause, listedFiles }),
  )
  process.exitCode = counts.failed === 0 && (counts.passed > 0 || files.length === 0) ? 0 : 1
}

function readNoBrowserReason(folder: string): string | undefined {
  const note = join(folder, 'browser.json')
  return existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')).reason : undefined
}

async function runProcesses(files: string[], concurrency: number, counts: Counting): Promise<void> {
  if (files.length === 0) return
  const execArgv = named.length > 0 ? NODE_FLAGS : [...NODE_FLAGS, ...WHOLE_RUN_FLAGS]
  const report = new spec()
  report.pipe(process.stdout, { end: false })
  const printed = new Promise((resolve) => report.once('end', resolve))
  for await (const event of run({ files, concurrency, timeout: HUNG_AFTER_MS, execArgv })) {
    if (isMark(event.data) || isSummary(event.data)) continue
    countTest(event, counts)
    report.write(event)
  }
  report.end()
  await printed
}

function isMark({ name }: TestEvent['data']): boolean {
  return name?.startsWith(MARK) ?? false
}

/** Node's own summary counts the marks, and each phase separately. */
function isSummary({ message }: TestEvent['data']): boolean {
  return /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(message ?? '')
}

function countTest({ type, data }: TestEvent, counts: Counting): void {
  if ((type !== 'test:pass' && type !== 'test:fail') || data.details?.type === 'suite') return
  if (type === 'test:fail') counts.failed += 1
  else if (data.skip !== undefined && data.skip !== false) countSkipped(data.skip, counts)
  else counts.passed += 1
}

function countSkipped(skip: string | true, counts: Counting): void {
  const reason = typeof skip === 'string' && skip !== '' ? skip : 'no reason given'
  counts.skipped += 1
  counts.skippedBecause.set(reason, (counts.skippedBecause.get(reason) ?? 0) + 1)
}

/** Each inner list is a process. */
function planProcesses(files: string[]): { waiting: string[][]; calm: string[][]; rest: string[][] } {
  const place = (file: string): number => {
    const found = LONG_FOLDERS.indexOf(file.split('/')[1]!)
    return found < 0 ? LONG_FOLDERS.length : found
  }
  const names = files.toSorted().sort((a, b) => place(a) - place(b))
  const alone = (wanted: string[]) => wanted.filter((file) => names.includes(file)).map((file) => [file])
  const short = names.filter((file) => ![...WAITING, ...CALM, ...LONG].includes(file))
  return { waiting: alone(WAITING), calm: alone(CALM), rest: [...alone(LONG), ...groupFiles(short)] }
}
