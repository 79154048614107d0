// Which unfinished files a backup removes: those of dead processes of its own host and PID namespace, and old ones.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DAY_MS } from '../../../src/domain/time/instant.ts'
import {
  type Maker,
  readMaker,
  removeLeftovers,
  unfinishedNameOf,
} from '../../../src/storage/backup/unfinished-file.ts'

/** PIDs of Linux, macOS and Windows are lower. */
const DEAD = 2_147_483_646
const NOW = Date.parse('2026-11-18T12:00:00Z')
const own = readMaker()
const dead: Maker = { ...own, pid: DEAD }
const elsewhere: Maker = { place: own.place === '00000000' ? '11111111' : '00000000', pid: DEAD }

/** Makes empty files of these ages, and returns the names that are left. */
function leave(files: Record<string, number>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'unfinished-'))
  try {
    for (const [name, age] of Object.entries(files)) {
      writeFileSync(join(folder, name), '')
      utimesSync(join(folder, name), (NOW - age) / 1_000, (NOW - age) / 1_000)
    }
    removeLeftovers(join(folder, 'a.backup'), own, NOW)
    return readdirSync(folder).sort()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('F58: the unfinished file of another PID namespace or host is kept for a day', () => {
  for (const pid of [DEAD, process.pid, process.ppid]) {
    const name = unfinishedNameOf('b.backup', { ...elsewhere, pid })
    const journal = `${name}-journal`
    assert.deepEqual(leave({ [name]: 0, [journal]: 0 }), [name, journal])
    assert.deepEqual(leave({ [name]: DAY_MS, [journal]: DAY_MS }), [name, journal])
    assert.deepEqual(leave({ [name]: DAY_MS + 1_000, [journal]: DAY_MS + 1_000 }), [])
    assert.deepEqual(leave({ [name]: 2 * DAY_MS, [journal]: 0 }), [name, journal], 'its journal is still written')
  }
})

test('F58: a dead process of the same host and PID namespace leaves nothing, and one that lives keeps its file', () => {
  const name = unfinishedNameOf('b.backup', dead)
  assert.deepEqual(leave({ [name]: 0, [`${name}-wal`]: 0, [unfinishedNameOf('a.backup', own)]: 0 }), [])
  const kept = unfinishedNameOf('b.backup', { ...own, pid: process.ppid })
  assert.deepEqual(leave({ [kept]: DAY_MS }), [kept])
})

test('a file that an earlier version named by its PID alone is removed after a day, and other files never', () => {
  const [fresh, old] = [`b.backup.${DEAD}.new`, `c.backup.${DEAD}.new-journal`]
  const others = [
    `notes.${DEAD}.new`,
    'c.backup.new',
    'c.backup',
    'a.backup.zz-1.new',
    `${unfinishedNameOf('notes', dead)}`,
  ]
  const files = Object.fromEntries([...others.map((name) => [name, 9 * DAY_MS]), [fresh, 0], [old, 2 * DAY_MS]])
  assert.deepEqual(leave(files), [...others, fresh].sort())
})

test('the name of an unfinished file is valid on every system', () => {
  assert.match(unfinishedNameOf('a.backup'), new RegExp(`^a\\.backup\\.[0-9a-f]{8}-${process.pid}\\.new$`))
})
