// Test selection for a change: tests that load a changed file at any distance, tests that read it, or all.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findBase, listChanged, selectTests } from './changed.ts'
import { listReached, readImports } from './import-graph.ts'

const GRAPH: Record<string, string[]> = {
  'test/api/a.test.ts': ['test/support/world.ts'],
  'test/domain/b.test.ts': ['src/domain/rule.ts'],
  'test/support/world.ts': ['src/app.ts'],
  'src/app.ts': ['src/domain/rule.ts', 'src/http/server.ts'],
  'src/http/server.ts': ['src/app.ts'],
}
const TESTS = [
  'test/api/a.test.ts',
  'test/api/web-app.test.ts',
  'test/docs.test.ts',
  'test/domain/b.test.ts',
  'test/architecture.test.ts',
  'test/web/page.test.ts',
]
const select = (...changed: string[]) => selectTests(TESTS, changed, (path) => GRAPH[path] ?? [])

test('a changed module selects the tests that load it, at any distance', () => {
  const readers = ['test/architecture.test.ts', 'test/docs.test.ts']
  assert.deepEqual(select('src/http/server.ts').tests.toSorted(), ['test/api/a.test.ts', ...readers])
  assert.deepEqual(select('src/domain/rule.ts').tests.toSorted(), [
    'test/api/a.test.ts',
    'test/architecture.test.ts',
    'test/docs.test.ts',
    'test/domain/b.test.ts',
  ])
})

test('a changed test selects itself, a document its test, a page the browser tests', () => {
  assert.deepEqual(select('test/domain/b.test.ts').tests, ['test/domain/b.test.ts', 'test/architecture.test.ts'])
  assert.deepEqual(select('docs/api.md', 'CHANGELOG.md').tests, ['test/docs.test.ts'])
  const browser = ['test/api/web-app.test.ts', 'test/web/page.test.ts']
  assert.deepEqual(select('web/style/base.css').tests, browser)
  assert.deepEqual(select('web/app/frame.tsx').tests, [browser[0], 'test/architecture.test.ts', browser[1]])
})

test('packages and the runner select everything', () => {
  for (const path of ['package-lock.json', 'bin/launcher.mjs', 'test/run.ts', 'test/runner/changed.ts'])
    assert.deepEqual(select(path), { tests: TESTS, untested: [], everythingBecause: path })
  assert.equal(select('test/runner/changed.test.ts').everythingBecause, undefined)
})

test('a file that no test covers is listed', () => {
  assert.deepEqual(select('bench/run.ts'), { tests: [], untested: ['bench/run.ts'] })
})

test('the import graph includes the service started as a process and the pages loaded by the browser', () => {
  const importsOf = readImports(join(import.meta.dirname, '..', '..'))
  const reached = (path: string) => listReached(path, importsOf)
  assert.ok(reached('test/cli/commands.test.ts').has('src/cli/start.ts'), 'a dynamic import of the command line')
  assert.ok(reached('test/web/calendar.test.ts').has('web/calendar/grid.tsx'))
  assert.ok(!reached('test/domain/recurrence/rule.test.ts').has('src/app.ts'))
})

test('changes are the commits since the branch left main, and uncommitted ones', () => {
  const root = mkdtempSync(join(tmpdir(), 'daybook-test-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: root, stdio: 'pipe' })
  const commit = (name: string) => {
    writeFileSync(join(root, name), name)
    git('add', '-A')
    git('commit', '-qm', name)
  }
  try {
    git('init', '-q', '-b', 'main')
    commit('one')
    commit('two')
    assert.equal(findBase(root), 'HEAD~1')
    assert.deepEqual(listChanged(root), ['two'])
    git('checkout', '-qb', 'topic')
    commit('three')
    writeFileSync(join(root, 'one'), 'edited')
    writeFileSync(join(root, 'four'), 'new')
    assert.deepEqual(listChanged(root), ['four', 'one', 'three'])
    assert.deepEqual(listChanged(root, 'HEAD'), ['four', 'one'])
  } finally {
    rmSync(root, { recursive: true })
  }
})
