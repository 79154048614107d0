// Which scheduled backups are kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backupNameAt, listExpired, timeOfBackup } from '../../src/domain/backup-schedule.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time/instant.ts'

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
  const expired = new Set(listExpired(names, { days: 7, weeks: 4, months: 12 }, { written: names[0]!, now: NOON }))
  const kept = names.filter((name) => !expired.has(name)).map((name) => name.slice(8, 21))
  assert.deepEqual(kept, [
    ...['2026-11-18T12', '2026-11-17T18', '2026-11-16T18', '2026-11-15T18', '2026-11-14T18', '2026-11-13T18'],
    ...['2026-11-12T18', '2026-11-08T18', '2026-11-01T18', '2026-10-31T18', '2026-09-30T18', '2026-08-31T18'],
    ...['2026-07-31T18', '2026-06-30T18', '2026-05-31T18', '2026-04-30T18', '2026-03-31T18', '2026-02-28T18'],
    ...['2026-01-31T18', '2025-12-31T18'],
  ])
})

const ONE_DAY = { days: 1, weeks: 0, months: 0 }

test('the newest is kept whatever is set, and files of others are not touched', () => {
  const names = ['notes.txt', 'daybook.db', ...namesEvery(DAY_MS, 3)]
  const last = { written: backupNameAt(NOON), now: NOON }
  assert.deepEqual(listExpired(names, ONE_DAY, last), namesEvery(DAY_MS, 3).slice(1))
  assert.deepEqual(listExpired(['notes.txt'], ONE_DAY, last), [])
  assert.deepEqual(listExpired(namesEvery(DAY_MS, 1), { days: 0, weeks: 0, months: 1 }, last), [])
})

test('names ahead of the clock are neither counted nor deleted', () => {
  const written = backupNameAt(NOON)
  const ahead = [HOUR_MS, DAY_MS, 7_000 * DAY_MS].map((ms) => backupNameAt(NOON + ms))
  const old = namesEvery(DAY_MS, 3).slice(1)
  assert.deepEqual(listExpired([...ahead, written, ...old], ONE_DAY, { written, now: NOON }), old)
})

test('the backup just written is kept, also where another is a few minutes ahead', () => {
  const written = backupNameAt(NOON)
  const soon = backupNameAt(NOON + 5 * MINUTE_MS)
  assert.deepEqual(listExpired([written, soon], ONE_DAY, { written, now: NOON }), [])
})
