// Tests of the statistics that other tests use, against values computed elsewhere.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mannWhitney, median } from './statistics.ts'

const near = (actual: number, expected: number, by = 1e-4) =>
  assert.ok(Math.abs(actual - expected) < by, `${actual} is not ${expected}`)

/** The same random numbers each time. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

test('the median is the middle, or half-way between the two in the middle', () => {
  assert.equal(median([3, 1, 2]), 2)
  assert.equal(median([4, 1, 3, 2]), 2.5)
  assert.equal(median([10, 2]), 6, 'as numbers, not as words')
})

test('samples that do not overlap differ; equal ones do not', () => {
  const row = Array.from({ length: 30 }, (_, i) => i)
  assert.ok(
    mannWhitney(
      row,
      row.map((value) => value + 100),
    ) < 1e-9,
  )
  near(mannWhitney(row, row), 1)
  assert.equal(mannWhitney([5, 5, 5], [5, 5]), 1)
})

test('p values are those of the textbook formula, with and without ties', () => {
  // U = 8 of 5 × 6: mean 15, variance 30, so z = 6.5 / √30.
  near(mannWhitney([1, 2, 3, 7, 10], [4, 5, 6, 8, 9, 11]), 0.23533)
  // Ranks 1.5 1.5 4 | 4 4 6: U = 1, mean 4.5, variance 9/12 · (7 − 30/30).
  near(mannWhitney([1, 1, 2], [2, 2, 3]), 0.15729)
})

test('the order of the values does not matter', () => {
  const chance = createRandom(7)
  const [one, other] = [Array.from({ length: 40 }, chance), Array.from({ length: 50 }, chance)]
  near(mannWhitney(one, other), mannWhitney(other, one), 1e-12)
})

test('samples of one distribution differ about as often as they should, and a shift is detected', () => {
  const chance = createRandom(42)
  const rounds = Array.from({ length: 500 }, () =>
    mannWhitney(Array.from({ length: 100 }, chance), Array.from({ length: 100 }, chance)),
  )
  const alarms = rounds.filter((p) => p < 0.05).length
  assert.ok(alarms >= 10 && alarms <= 45, `${alarms} of 500`)
  const shifted = mannWhitney(
    Array.from({ length: 100 }, chance),
    Array.from({ length: 100 }, () => chance() + 0.25),
  )
  assert.ok(shifted < 0.001, `${shifted}`)
})
