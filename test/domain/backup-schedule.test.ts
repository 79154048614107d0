// Which scheduled backups are kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backupNameAt, listExpired, timeOfBackup } from '../../src/domain/backup-schedule.ts'
import { DAY_MS, HOUR_MS } from '../../src/domain/time/instant.ts'

const NOON = Date.parse('2026-11-18T12:00:00Z')
const namesEvery = (ms: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => backupNameAt(NOON - i * ms))

test('a name gives its time, and other files have none', () => {
  assert.equal(backupNameAt(NOON), 'daybook-2026-11-18T120000Z.backup')
  assert.equal(timeOfBackup('daybook-2026-11-18T120000Z.backup'), NOON)
  const others = ['daybook.db', 'daybook-2026-11-18.backup', 'daybook-2026-99-18T120000Z.backup', 'a.backup']
  for (const name of [...others, 'daybook-2026-11-18T120000Z.backup.12.new'])
    assert.equal(timeOfBackup(name), undefined)
})

test('the last one of each day, week and month is kept', () => {
  const names = namesEvery(6 * HOUR_MS, 4 * 500)
  const expired = new Set(listExpired(names, { days: 7, weeks: 4, months: 12 }))
  const kept = names.filter((name) => !expired.has(name)).map((name) => name.slice(8, 21))
  assert.deepEqual(kept, [
    ...['2026-11-18T12', '2026-11-17T18', '2026-11-16T18', '2026-11-15T18', '2026-11-14T18', '2026-11-13T18'],
    ...['2026-11-12T18', '2026-11-08T18', '2026-11-01T18', '2026-10-31T18', '2026-09-30T18', '2026-08-31T18'],
    ...['2026-07-31T18', '2026-06-30T18', '2026-05-31T18', '2026-04-30T18', '2026-03-31T18', '2026-02-28T18'],
    ...['2026-01-31T18', '2025-12-31T18'],
  ])
})

test('the newest is kept whatever is set, and files of others are not touched', () => {
  const names = ['notes.txt', 'daybook.db', ...namesEvery(DAY_MS, 3)]
  assert.deepEqual(listExpired(names, { days: 1, weeks: 0, months: 0 }), namesEvery(DAY_MS, 3).slice(1))
  assert.deepEqual(listExpired(['notes.txt'], { days: 1, weeks: 0, months: 0 }), [])
  assert.deepEqual(listExpired(namesEvery(DAY_MS, 1), { days: 0, weeks: 0, months: 1 }), [])
})
