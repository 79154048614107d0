// Without node:test's async hook no error is lost: one outside every awaited promise fails its file.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const PRELOAD = join(import.meta.dirname, 'without-async-hook.ts')

const CASES = {
  'a callback that throws': 'setImmediate(() => { throw new Error("by itself") })',
  'a rejection that is not handled': 'Promise.reject(new Error("by itself"))',
}

for (const [name, statement] of Object.entries(CASES))
  test(`${name} fails the file and is printed`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'daybook-test-'))
    const file = join(folder, 'one.test.mjs')
    writeFileSync(
      file,
      `import { test } from 'node:test'
       test('passes', async () => { ${statement}; await new Promise((resolve) => setTimeout(resolve, 20)) })`,
    )
    try {
      const { NODE_TEST_CONTEXT: _inside, ...env } = process.env
      const { status, stdout } = spawnSync(process.execPath, ['--import', PRELOAD, file], { env, encoding: 'utf8' })
      assert.equal(status, 1, stdout)
      assert.match(stdout, /by itself/)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
