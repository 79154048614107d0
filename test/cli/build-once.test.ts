// A build runs when an input has changed, however the change is made, and not when only times have.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { waitFor } from '../support/measure/wait-for.ts'

interface BuildOnce {
  buildOnce(options: { marker: string; inputs: string[]; except?: string; build: () => void }): void
  isBuilt(options: { marker: string; inputs: string[]; except?: string }): boolean
}

const { buildOnce, isBuilt } = (await import(
  join(import.meta.dirname, '..', '..', 'bin', 'build-once.mjs')
)) as BuildOnce

test('a build runs again for another content, even with the size and times of before, and for nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-build-'))
  const source = join(folder, 'src', 'a.ts')
  const options = {
    marker: join(folder, 'src', 'dist', '.built-from'),
    inputs: [join(folder, 'src'), join(folder, 'lock.json')],
    except: join(folder, 'src', 'dist'),
  }
  let builds = 0
  const build = (): number => {
    const before = builds
    buildOnce({
      ...options,
      build() {
        builds++
        mkdirSync(options.except, { recursive: true })
      },
    })
    return builds - before
  }
  try {
    mkdirSync(join(folder, 'src'))
    writeFileSync(source, 'one')
    writeFileSync(join(folder, 'lock.json'), '{}')
    assert.equal(build(), 1, 'missing')
    assert.equal(build(), 0)
    assert.ok(!isBuilt(options), 'times this new prove nothing yet')
    await waitFor('the times are old enough to be trusted', () => build() === 0 && isBuilt(options))

    const { atime, mtime } = statSync(source)
    writeFileSync(source, 'two')
    utimesSync(source, atime, mtime)
    assert.ok(!isBuilt(options))
    assert.equal(build(), 1, 'same size, same modification time')
    utimesSync(source, new Date(), new Date())
    assert.equal(build(), 0, 'another time only')
    renameSync(source, join(folder, 'src', 'b.ts'))
    assert.equal(build(), 1, 'another name')
    rmSync(options.marker)
    assert.equal(build(), 1, 'a build that did not end')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
