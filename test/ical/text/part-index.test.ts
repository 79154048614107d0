// The index of a file's VEVENTs: grouped by the hash of the UID, each group in the order of the file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPartIndex } from '../../../src/ical/text/part-index.ts'
import type { FileCalendar } from '../../../src/ical/text/scan.ts'

const calendar: FileCalendar = {
  zoneName: undefined,
  definitions: new Map(),
  definitionsInAnyCase: new Map(),
  method: undefined,
  access: undefined,
}

test('groups come in the order of their hashes, and the parts of each in the order of the file', () => {
  const index = createPartIndex()
  // Hashes of all lengths up to 50 bits, each several times; more than the index has room for at first.
  const hashes = Array.from({ length: 5_000 }, (_, i) => ((i % 1_250) * 900_719_925_473) % 2 ** (i % 2 ? 50 : 12))
  hashes.push(0, 2 ** 50 - 1, 2 ** 49, 2 ** 39, 2 ** 26, 2 ** 13)
  for (const [i, hash] of hashes.entries()) index.add(hash, { at: i * 2 ** 20, length: i + 1, line: i, calendar })
  const expected = [...Map.groupBy(hashes.keys(), (i) => hashes[i]!)].sort(([a], [b]) => a - b)
  assert.equal(index.countGroups(), expected.length)
  assert.deepEqual(
    [...index.groups(1_000)].map(({ hash, parts }) => [hash, parts.map(({ line }) => line)]),
    expected,
  )
  assert.deepEqual(
    [...index.groups(1)].map(({ parts }) => parts.map(({ at, length }) => [at, length])),
    expected.map(([, rows]) => [[rows[0]! * 2 ** 20, rows[0]! + 1]]),
  )
})
