// Browser search of a run: one process searches and all get its result; without a browser the tests are skipped.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { requireBrowserBinary } from './browser-binary.ts'
import type { BrowserFound } from './find-browser.ts'

async function withFolder(story: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-test-'))
  try {
    await story(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('concurrent callers share one search', () =>
  withFolder(async (folder) => {
    let searches = 0
    const search = async (): Promise<BrowserFound> => {
      searches += 1
      await nextTurn()
      return { path: '/usr/bin/chromium' }
    }
    const found = await Promise.all(Array.from({ length: 4 }, () => requireBrowserBinary(folder, search)))
    assert.deepEqual(found, Array(4).fill({ path: '/usr/bin/chromium' }))
    assert.equal(searches, 1)
  }))

test('a search that fails gives its reason to all callers', () =>
  withFolder(async (folder) => {
    const fails = () => Promise.reject(new Error('no space left'))
    for (let i = 0; i < 2; i++)
      assert.deepEqual(await requireBrowserBinary(folder, fails), { reason: 'Error: no space left' })
  }))

test('without a browser the tests that need one are skipped, also with the flags of a whole run', () =>
  withFolder(async (folder) => {
    const root = join(import.meta.dirname, '../../..')
    const env: NodeJS.ProcessEnv = { ...process.env, TEST_RUN_FOLDER: folder, CHROME_PATH: join(folder, 'missing') }
    delete env.NODE_TEST_CONTEXT
    for (const flags of [[], [`--import=${join(root, 'test/runner/without-async-hook.ts')}`]]) {
      const args = [...flags, '--test', '--test-reporter=tap', 'test/web/shell.test.ts']
      const { stdout, status } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' })
      assert.match(stdout, /# fail 0/, stdout)
      assert.match(stdout, /# skipped 2/)
      assert.equal(status, 0)
    }
  }))
