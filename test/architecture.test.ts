// Architecture: imports follow the layers without cycles, folders and files stay small, type names are declared once.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const files = globSync('src/**/*.ts', { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Each layer and the layers it may import from. */
const LAYERS: Record<string, string[]> = {
  errors: [],
  words: ['domain'],
  'lru-map': [],
  installation: [],
  'memory-budget': [],
  settings: [],
  'setting-values': [],
  'setting-rules': ['environment', 'settings', 'setting-values', 'domain'],
  secrets: ['errors', 'scheduling', 'domain'],
  domain: ['errors', 'lru-map'],
  ical: ['errors', 'domain'],
  ops: ['domain', 'lru-map'],
  config: ['environment', 'settings', 'setting-values', 'setting-rules', 'domain', 'ops'],
  scheduling: [],
  storage: [
    'environment',
    'errors',
    'lru-map',
    'memory-budget',
    'ops',
    'scheduling',
    'secrets',
    'domain',
    'ical',
    'config',
  ],
  context: ['config', 'domain', 'ops', 'storage'],
  actions: [
    'errors',
    'lru-map',
    'scheduling',
    'secrets',
    'domain',
    'ical',
    'storage',
    'context',
    'config',
    'setting-values',
    'setting-rules',
    'ops',
  ],
  mail: ['words', 'setting-values', 'errors', 'secrets', 'domain', 'storage', 'context', 'config', 'ops'],
  contract: ['errors', 'domain'],
  'rate-limits': ['errors', 'lru-map', 'ops', 'scheduling', 'secrets', 'domain', 'storage', 'context', 'actions'],
  http: [
    'errors',
    'memory-budget',
    'rate-limits',
    'lru-map',
    'scheduling',
    'secrets',
    'domain',
    'actions',
    'contract',
    'config',
    'context',
    'ops',
  ],
  doctor: [
    'environment',
    'errors',
    'installation',
    'secrets',
    'domain',
    'storage',
    'actions',
    'contract',
    'config',
    'settings',
    'context',
    'mail',
    'http',
    'ops',
  ],
  api: [
    'words',
    'environment',
    'errors',
    'doctor',
    'installation',
    'memory-budget',
    'rate-limits',
    'scheduling',
    'domain',
    'actions',
    'contract',
    'config',
    'settings',
    'context',
    'http',
    'ops',
  ],
  caldav: [
    'errors',
    'lru-map',
    'memory-budget',
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
  jobs: ['environment', 'actions', 'config', 'context', 'ops', 'mail', 'scheduling'],
  boot: ['installation', 'config', 'context', 'ops', 'scheduling', 'secrets', 'storage', 'actions'],
  app: ['installation', 'api', 'caldav', 'http', 'actions', 'jobs', 'boot', 'config', 'context', 'mail'],
  cli: [
    'environment',
    'app',
    'doctor',
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
    'installation',
  ],
  main: ['cli', 'config', 'errors'],
  environment: [],
}

const layerOf = (path: string): string =>
  path
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .split('/')[0]!

const importsBy = (path: string, pattern: RegExp): string[] =>
  [...text(path).matchAll(pattern)].map(([, target]) =>
    relative(ROOT, join(ROOT, dirname(path), target!)).replaceAll('\\', '/'),
  )

const importsOf = (path: string): string[] => importsBy(path, /(?:from|import\()\s*'(\.[^']+)'/g)
const staticImportsOf = (path: string): string[] => importsBy(path, /from\s*'(\.[^']+)'/g)

test('imports point inwards', () => {
  const wrong = files.flatMap((path) =>
    importsOf(path)
      .filter((target) => layerOf(target) !== layerOf(path) && !LAYERS[layerOf(path)]?.includes(layerOf(target)))
      .map((target) => `${path} → ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('every layer is in the table', () => {
  assert.deepEqual(
    [...new Set(files.map(layerOf))].filter((layer) => !(layer in LAYERS)),
    [],
  )
})

test('no protocol layer imports storage, where events are not masked', () => {
  const protocols = files.filter((path) => ['http', 'api', 'caldav', 'contract'].includes(layerOf(path)))
  assert.deepEqual(
    protocols.filter((path) => importsOf(path).some((target) => layerOf(target) === 'storage')),
    [],
  )
})

test('the domain reads no clock, makes no random values and has no I/O', () => {
  const pure = files.filter((path) => ['domain', 'ical'].includes(layerOf(path)))
  for (const path of pure)
    assert.doesNotMatch(text(path), /Date\.now|new Date\(\)|Math\.random|from 'node:|Temporal\.Now|process\./, path)
})

test('only the zone table uses Temporal, only config reads the environment, only storage uses SQL', () => {
  const users = (pattern: RegExp): string[] => files.filter((path) => pattern.test(text(path)))
  assert.deepEqual(users(/\bTemporal\./), ['src/domain/time/zone.ts'])
  assert.deepEqual(users(/process\.env/), ['src/config.ts', 'src/environment.ts'])
  assert.deepEqual(
    users(/from 'kysely'|from 'pg'|node:sqlite/).filter((path) => layerOf(path) !== 'storage'),
    [],
  )
})

/** Landed migrations must not change, not even in a comment. */
const isLanded = (path: string): boolean => path.startsWith('src/storage/migrations/')

test('a file begins with a line of at most 100 characters that says what it does, and has 320 lines at most', () => {
  for (const path of files) {
    const lines = text(path).split('\n')
    assert.match(lines[0]!, /^\/\/ \S/, `${path} does not say what it is for`)
    assert.ok(isLanded(path) || lines[0]!.length <= 100, `${path} begins with ${lines[0]!.length} characters`)
    assert.ok(lines.length <= 321, `${path} has ${lines.length} lines`)
  }
})

const webFiles = globSync('web/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['web/dist/**', 'web/build/**'] }).map((path) =>
  path.replaceAll('\\', '/'),
)

test('pages import the contract, the domain and shared words, and nothing else of the server', () => {
  const outside = webFiles.flatMap((path) =>
    importsOf(path)
      .filter((target) => !target.startsWith('web/') && !/^src\/(?:contract|domain|words)\//.test(target))
      .map((target) => `${path} → ${target}`),
  )
  assert.deepEqual(outside, [])
  for (const path of webFiles) {
    const lines = text(path).split('\n')
    assert.match(lines[0]!, /^\/\/ \S/, `${path} does not say what it is for`)
    assert.doesNotMatch(text(path), /innerHTML|\beval\(|document\.write/, path)
    if (path !== 'web/api/contract.ts') assert.ok(lines.length <= 321, `${path} has ${lines.length} lines`)
    if (path !== 'web/api/client.ts') assert.doesNotMatch(text(path), /\bfetch\(/, `${path} goes past the typed client`)
  }
})

/** Each folder or file of the web app and what it may import from; pages are loaded by the router on demand. */
const WEB_LAYERS: Record<string, string[]> = {
  strings: ['words'],
  words: ['strings'],
  site: [],
  api: [],
  ui: ['api', 'site', 'strings', 'words'],
  calendar: ['api', 'strings', 'ui', 'words'],
  app: ['api', 'site', 'strings', 'ui', 'words'],
  pages: ['api', 'app', 'calendar', 'site', 'strings', 'ui', 'words'],
  embed: ['api', 'calendar', 'strings', 'words'],
}

const webLayerOf = (path: string): string => path.split('/')[1]!.replace(/\.tsx?$/, '')

test('imports of the web app point inwards; ui imports nothing of the app or its pages', () => {
  const wrong = webFiles
    .filter((path) => webLayerOf(path) !== 'vite.config')
    .flatMap((path) =>
      staticImportsOf(path)
        .filter((target) => target.startsWith('web/') && webLayerOf(target) !== webLayerOf(path))
        .filter((target) => !WEB_LAYERS[webLayerOf(path)]!.includes(webLayerOf(target)))
        .map((target) => `${path} → ${target}`),
    )
  assert.deepEqual(wrong, [])
})

/** Built pages, results and pictures, of which git ignores most. */
const MADE = ['web/dist/', 'bench/results/', 'test/shots/']

const allFiles = globSync('{src,web,test,bench}/**/*', { cwd: ROOT, withFileTypes: true, exclude: ['web/dist/**'] })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  .filter((path) => !MADE.some((folder) => path.startsWith(folder)))
const codeFiles = allFiles.filter((path) => /\.tsx?$/.test(path))

test('messages and pages name commands as they are run in a release or in a clone', () => {
  const named = codeFiles.filter((path) => /^(?:src|web)\//.test(path) && /npx daybook|npm start/.test(text(path)))
  assert.deepEqual(named, ['src/installation.ts'])
})

test('a folder holds 20 files at most', () => {
  const counts = new Map<string, number>()
  for (const path of allFiles) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  assert.ok(counts.size > 50, 'the folders were found')
  assert.deepEqual(
    [...counts].filter(([, count]) => count > 20),
    [],
  )
})

test('a type name is declared once', () => {
  const places = new Map<string, string[]>()
  for (const path of codeFiles)
    for (const [, name] of text(path).matchAll(/^(?:export )?(?:declare )?(?:interface|type|class) (\w+)/gm))
      places.set(name!, [...(places.get(name!) ?? []), path])
  assert.ok(places.size > 400, 'the types were found')
  assert.deepEqual(
    [...places].filter(([, paths]) => paths.length > 1),
    [],
  )
})

test('no file imports itself by way of others, types included', () => {
  const paths = new Set(codeFiles)
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const begin = trail.indexOf(path)
    if (begin !== -1) cycles.push([...trail.slice(begin), path].join(' → '))
    if (begin !== -1 || done.has(path)) return
    for (const target of importsOf(path)) if (paths.has(target)) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of codeFiles) visit(path, [])
  assert.deepEqual(cycles, [])
})

/** Files of actions that read or write event rows by themselves, and why each may. */
const EVENT_ROWS: Record<string, string[]> = {
  masked: [
    'changes/change-feed',
    'events/busy-times',
    'events/masked-reads',
    'events/event-mapper',
    'events/expand-on-read',
    'events/series-occurrences',
    'feeds/full-feed',
  ],
  fullAccess: [
    'caldav-objects/objects',
    'caldav-objects/head-cache',
    'caldav-objects/walk-objects',
    'caldav-objects/changes',
    'history/trash',
    'history/versions',
    'transfer/export',
  ],
  maskedWhenWritten: ['feeds/feeds', 'feeds/sitemap', 'feeds/upcoming-feed'],
  writes: [
    'caldav-objects/put-object',
    'costly-work/costly-writes',
    'bulk/bulk-events',
    'events/change-event',
    'events/events',
    'events/write-event',
    'history/apply-rewind',
    'history/plan-rewind',
    'history/restore-version',
    'transfer/import',
    'transfer/import-source',
  ],
  maintenance: ['maintenance/compare-derived', 'maintenance/reindex'],
}

test('event rows are read behind the mask, with full access required, or in order to write', () => {
  const readsRows = (path: string): boolean =>
    importsOf(path).some((target) =>
      /^src\/storage\/(?:events\/(?:events|objects|feeds|exceptions|listed-rows)|history\/changes)\.ts$/.test(target),
    )
  const found = files.filter((path) => path.startsWith('src/actions/') && readsRows(path))
  const listed = Object.values(EVENT_ROWS).flat()
  assert.deepEqual(found.sort(), listed.map((name) => `src/actions/${name}.ts`).sort())
  for (const name of EVENT_ROWS.fullAccess!)
    assert.match(text(`src/actions/${name}.ts`), /requireAccess\(viewer, [^)]*'read_full'/, name)
})

test('public reads use only the public views', () => {
  for (const path of [
    'src/storage/events/events.ts',
    'src/storage/events/occurrence-index.ts',
    'src/storage/events/filters.ts',
  ])
    assert.match(text(path), /public_events/, path)
  const asked = [...text('src/storage/events/feeds.ts').matchAll(/\b(?:from|join)\s+(\w+)/g)].map(([, table]) => table)
  assert.deepEqual(
    [...new Set(asked)].sort(),
    ['occurrences', 'public_events', 'public_exceptions', 'public_feed', 'public_updates'],
    'masked text and times',
  )
  for (const path of ['src/domain/privacy/mask.ts', 'src/domain/privacy/public-words.ts', 'src/ical/encode-public.ts'])
    assert.doesNotMatch(
      text(path),
      /delete |\.\.\.event\b|\.\.\.details|\.\.\.series[ ,}]|withProperties/,
      `a mask is built from a list, never cut from the whole: ${path}`,
    )
})
