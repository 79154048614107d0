// The house stays as it was drawn: imports point inwards, files stay small, and only the right rooms have a door to the world.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const files = globSync('src/**/*.ts', { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Each room and the rooms it may look into. What is not named is closed. */
const ROOMS: Record<string, string[]> = {
  errors: [],
  settings: [],
  'setting-values': [],
  secrets: ['errors', 'domain'],
  domain: ['errors'],
  ical: ['errors', 'domain'],
  ops: [],
  config: ['settings', 'setting-values', 'domain', 'ops'],
  scheduling: [],
  storage: ['errors', 'scheduling', 'secrets', 'domain', 'ical', 'config'],
  context: ['config', 'domain', 'ops', 'storage'],
  actions: [
    'errors',
    'scheduling',
    'secrets',
    'domain',
    'ical',
    'storage',
    'context',
    'config',
    'setting-values',
    'ops',
  ],
  mail: ['setting-values', 'errors', 'secrets', 'domain', 'storage', 'context', 'config', 'ops'],
  contract: ['errors', 'domain'],
  http: ['errors', 'scheduling', 'secrets', 'domain', 'actions', 'contract', 'config', 'context', 'ops'],
  api: ['errors', 'domain', 'actions', 'contract', 'config', 'settings', 'context', 'http', 'ops'],
  caldav: [
    'errors',
    'scheduling',
    'domain',
    'ical',
    'actions',
    'contract',
    'config',
    'context',
    'secrets',
    'http',
    'ops',
  ],
  jobs: ['actions', 'context', 'ops', 'mail'],
  boot: ['config', 'context', 'ops', 'secrets', 'storage', 'actions'],
  app: ['api', 'caldav', 'http', 'actions', 'jobs', 'boot', 'config', 'context', 'mail'],
  cli: [
    'app',
    'boot',
    'scheduling',
    'http',
    'actions',
    'domain',
    'config',
    'context',
    'errors',
    'storage',
    'contract',
    'mail',
  ],
  main: ['cli', 'config', 'errors'],
}

const roomOf = (path: string): string =>
  path
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .split('/')[0]!

const importsOf = (path: string): string[] =>
  [...text(path).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target]) =>
    relative(ROOT, join(ROOT, dirname(path), target!)).replaceAll('\\', '/'),
  )

test('imports point inwards', () => {
  const wrong = files.flatMap((path) =>
    importsOf(path)
      .filter((target) => roomOf(target) !== roomOf(path) && !ROOMS[roomOf(path)]?.includes(roomOf(target)))
      .map((target) => `${path} → ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('every room is on the plan', () => {
  assert.deepEqual(
    [...new Set(files.map(roomOf))].filter((room) => !(room in ROOMS)),
    [],
  )
})

test('no mouth can reach an unmasked event', () => {
  const mouths = files.filter((path) => ['http', 'api', 'caldav', 'contract'].includes(roomOf(path)))
  assert.deepEqual(
    mouths.filter((path) => importsOf(path).some((target) => roomOf(target) === 'storage')),
    [],
  )
})

test('the domain has no clock, no chance and no I/O', () => {
  const pure = files.filter((path) => ['domain', 'ical'].includes(roomOf(path)))
  for (const path of pure)
    assert.doesNotMatch(text(path), /Date\.now|new Date\(\)|Math\.random|from 'node:|Temporal\.Now|process\./, path)
})

test('only the zone table asks Temporal, only config reads the environment, only storage speaks SQL', () => {
  const users = (pattern: RegExp): string[] => files.filter((path) => pattern.test(text(path)))
  assert.deepEqual(users(/\bTemporal\./), ['src/domain/time/zone.ts'])
  assert.deepEqual(users(/process\.env/), ['src/config.ts'])
  assert.deepEqual(
    users(/from 'kysely'|from 'pg'|node:sqlite/).filter((path) => roomOf(path) !== 'storage'),
    [],
  )
})

test('files are of one idea: opened by a line that says it, closed before 320 lines', () => {
  for (const path of files) {
    const lines = text(path).split('\n')
    assert.match(lines[0]!, /^\/\/ \S/, `${path} does not say what it is for`)
    assert.ok(lines.length <= 321, `${path} has ${lines.length} lines`)
  }
})

const webFiles = globSync('web/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['web/dist/**', 'web/build/**'] }).map((path) =>
  path.replaceAll('\\', '/'),
)

test('the pages know the contract and the pure rules of the calendar, and nothing else of the server', () => {
  const outside = webFiles.flatMap((path) =>
    importsOf(path)
      .filter((target) => !target.startsWith('web/') && !/^src\/(?:contract|domain)\//.test(target))
      .map((target) => `${path} → ${target}`),
  )
  assert.deepEqual(outside, [])
  for (const path of webFiles) {
    const lines = text(path).split('\n')
    assert.match(lines[0]!, /^\/\/ \S/, `${path} does not say what it is for`)
    assert.doesNotMatch(text(path), /innerHTML|\beval\(|document\.write/, path)
    if (path !== 'web/strings.ts' && path !== 'web/api/contract.ts')
      assert.ok(lines.length <= 321, `${path} has ${lines.length} lines`)
    if (path !== 'web/api/client.ts') assert.doesNotMatch(text(path), /\bfetch\(/, `${path} goes past the typed client`)
  }
})

test('public reads ask only the public views', () => {
  for (const path of [
    'src/storage/events/events.ts',
    'src/storage/events/occurrence-index.ts',
    'src/storage/events/filters.ts',
  ])
    assert.match(text(path), /public_events/, path)
  const asked = [...text('src/storage/events/feeds.ts').matchAll(/\b(?:from|join)\s+(\w+)/g)].map(([, table]) => table)
  assert.deepEqual(
    [...new Set(asked)].sort(),
    ['occurrences', 'public_events', 'public_exceptions', 'public_feed'],
    'masked text and times',
  )
  for (const path of ['src/domain/privacy/mask.ts', 'src/domain/privacy/public-words.ts', 'src/ical/encode-public.ts'])
    assert.doesNotMatch(
      text(path),
      /delete |\.\.\.event\b|\.\.\.details|\.\.\.series[ ,}]|withProperties/,
      `a mask is built from a list, never cut from the whole: ${path}`,
    )
})
