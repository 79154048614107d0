// Asserts that a password hash is made before those of another client that wait already.
import assert from 'node:assert/strict'
import type { PasswordCost } from '../../../src/secrets.ts'

/** A millisecond or two, so that hashes wait for each other. */
export const SHORT_HASH: PasswordCost = { memoryKib: 2_048, passes: 1, parallelism: 1 }

const WAITING = 60

/** In order of arrival, all but the three that run beside it would be made before it. */
export async function assertInTurn(hashBusy: () => Promise<unknown>, hashOther: () => Promise<unknown>): Promise<void> {
  let made = 0
  const busy = Array.from({ length: WAITING }, async () => {
    await hashBusy()
    made += 1
  })
  // Those of the busy client wait before the other asks.
  await new Promise((resolve) => setImmediate(resolve))
  await hashOther()
  const before = made
  await Promise.all(busy)
  assert.ok(before < WAITING / 2, `${before} of ${WAITING} were made before it`)
}
