// Credential cache: expired entries leave memory by a timer, without another request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCredentialCache, type VerifiedCredential } from '../../../src/actions/access/credential-cache.ts'
import type { Context } from '../../../src/context.ts'
import type { AccountViewer } from '../../../src/domain/privacy/viewer.ts'
import { LruMap } from '../../../src/lru-map.ts'

const STATE = { revision: 1, accountsRevision: 1 }

test('expired credentials and refusals leave memory although no request follows', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const stored = t.mock.method(LruMap.prototype, 'set')
  let now = 0
  const cache = createCredentialCache({ clock: () => now } as Context)
  const viewer = {} as AccountViewer
  const verified: VerifiedCredential = { viewer, recheck: async () => viewer, forMs: 40_000 }
  await cache.prove(STATE, 'right', '192.0.2.1', async () => verified)
  await cache.prove(STATE, 'wrong', '192.0.2.1', async () => ({ recheck: async () => true, forMs: 100_000 }))
  const maps = stored.mock.calls.map((call) => call.this as LruMap<string, unknown>)
  const sizesAfter = (ms: number): number[] => {
    now += ms
    t.mock.timers.tick(ms)
    return maps.map(({ size }) => size)
  }
  assert.deepEqual(sizesAfter(0), [1, 1])
  assert.deepEqual(sizesAfter(30_000), [1, 1], 'both are still valid')
  assert.deepEqual(sizesAfter(30_000), [0, 1])
  assert.deepEqual(sizesAfter(30_000), [0, 1])
  assert.deepEqual(sizesAfter(30_000), [0, 0], 'the timer goes on while an entry is left')
})
