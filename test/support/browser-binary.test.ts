// However many processes ask at the same time, one of them searches for the browser and all get the same.
import assert from 'node:assert/strict'
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

test('one search for all who ask', () =>
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

test('a search that fails gives its reason to all who ask', () =>
  withFolder(async (folder) => {
    const fails = () => Promise.reject(new Error('no space left'))
    for (let i = 0; i < 2; i++)
      assert.deepEqual(await requireBrowserBinary(folder, fails), { reason: 'Error: no space left' })
  }))
