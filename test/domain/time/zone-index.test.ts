// The index of zones by offset: each zone is read once, and only where its offset is needed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createZoneIndex } from '../../../src/domain/time/zone-index.ts'

const HOUR = 3_600_000

/** Offsets in hours at 0, and changes after it. */
const CLOCKS = {
  West: { offset: 1, changes: [] },
  Early: { offset: 2, changes: [{ at: 10, to: 3 * HOUR }] },
  Late: {
    offset: 2,
    changes: [
      { at: 10, to: 3 * HOUR },
      { at: 20, to: 2 * HOUR },
    ],
  },
  Same: {
    offset: 2,
    changes: [
      { at: 10, to: 3 * HOUR },
      { at: 20, to: 2 * HOUR },
    ],
  },
}
type ClockName = keyof typeof CLOCKS

function createCountedIndex() {
  const reads: string[] = []
  const index = createZoneIndex(['Same', 'Unknown', ...Object.keys(CLOCKS)], 0, 100, {
    findOffset(name, at) {
      reads.push(`${name} at ${at}`)
      const clock = CLOCKS[name as ClockName]
      return clock && (clock.changes.findLast((change) => change.at <= at)?.to ?? clock.offset * HOUR)
    },
    listChanges(name) {
      reads.push(`changes of ${name}`)
      return CLOCKS[name as ClockName].changes
    },
  })
  return { index, reads }
}

test('the first zone is found that has the offset and exactly the changes after an instant', () => {
  const { index } = createCountedIndex()
  const { changes } = CLOCKS.Late
  assert.equal(index.find(0, 2 * HOUR, changes), 'Same')
  assert.equal(index.find(0, 2 * HOUR, changes.slice(0, 1)), 'Early')
  assert.equal(index.find(0, HOUR, []), 'West')
  assert.equal(index.find(15, 3 * HOUR, changes.slice(1)), 'Same')
  assert.equal(index.find(15, 3 * HOUR, []), 'Early')
  assert.equal(index.find(10, 3 * HOUR, changes.slice(1)), 'Same', 'a change at the instant is no change after it')
  assert.equal(index.find(0, 2 * HOUR, []), undefined)
  assert.equal(index.find(0, 2 * HOUR, changes.slice(1)), undefined)
  assert.equal(index.find(0, 2 * HOUR, [...changes, { at: 30, to: 3 * HOUR }]), undefined)
  assert.equal(index.find(0, 4 * HOUR, changes), undefined)
})

test('offsets and changes of a zone are read once, and changes only where the offset matches', () => {
  const { index, reads } = createCountedIndex()
  index.find(0, 4 * HOUR, [])
  assert.deepEqual(reads, ['Same at 0', 'Unknown at 0', 'West at 0', 'Early at 0', 'Late at 0'])
  reads.length = 0
  index.find(0, 2 * HOUR, [])
  assert.deepEqual(reads, ['changes of Same', 'changes of Early', 'changes of Late'])
  reads.length = 0
  for (let to = 0; to < 50; to++) index.find(0, 2 * HOUR, [{ at: 10, to }])
  assert.deepEqual(reads, [])
})
