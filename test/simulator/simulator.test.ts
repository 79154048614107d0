// SeededRandom histories with faults, crashes and clock jumps agree with a small model, on both engines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byRunLength } from '../support/measure/run-length.ts'
import { ENGINES } from '../support/storage/engines.ts'
import { simulate } from './simulate.ts'

const ALL = [1, 2, 3, 4, 5]
/** A short run takes each seed on one engine: the choices are the same on both. */
const SEEDS = byRunLength({ sqlite: [1, 2, 3], postgres: [4, 5] }, { sqlite: ALL, postgres: ALL })
const STEPS = byRunLength(2_000, 10_000)

for (const engine of ENGINES)
  for (const seed of SEEDS[engine])
    test(`${STEPS} steps of seed ${seed} agree with the model (${engine})`, async () => {
      const report = await simulate({ engine, seed, steps: STEPS })
      assert.equal(report.steps, STEPS)
    })

for (const engine of ENGINES)
  test(`a seed makes the same steps and the same responses each time (${engine})`, async () => {
    const first = await simulate({ engine, seed: 6, steps: 300, isHashed: true })
    const second = await simulate({ engine, seed: 6, steps: 300, isHashed: true })
    assert.ok(first.digest)
    assert.equal(first.digest, second.digest)
  })
