// The time on nodes whose machine clocks disagree.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openContext } from '../../../src/boot.ts'
import { loadConfig } from '../../../src/config.ts'
import { hashSecret, newKey } from '../../../src/secrets.ts'
import { insertToken, redeemToken } from '../../../src/storage/accounts/tokens.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { makePlace } from '../../support/storage/engines.ts'
import { openWorld } from '../../support/world.ts'

const MINUTE = 60_000

test('F17: nodes five minutes apart agree on when a token has expired', async () => {
  const place = await makePlace('postgres')
  const world = await openWorld('postgres', place, { place })
  const userId = await world.addPerson('a@example.org', 'writer')
  const settings = { ...place.settings, DAYBOOK_LOG_LEVEL: 'silent' }
  const nodes = await Promise.all(
    [5 * MINUTE, -5 * MINUTE].map((skew) =>
      openContext(loadConfig(settings, place.folder), { localClock: () => Date.now() + skew }),
    ),
  )
  try {
    // Far less than the five minutes, and far more than a busy machine takes to query the database.
    for (const ctx of nodes) assert.ok(Math.abs(ctx.clock() - Date.now()) < MINUTE)
    const token = async (endsInMs: number): Promise<string> => {
      const hash = hashSecret(newKey())
      const now = Date.now()
      await inTransaction(nodes[0]!.storage, (db) =>
        insertToken(db, {
          hash,
          purpose: 'verify',
          user_id: userId,
          email_key: 'a@example.org',
          created_at: now,
          expires_at: now + endsInMs,
        }),
      )
      return hash
    }
    for (const ctx of nodes) {
      const redeem = (hash: string) => inTransaction(ctx.storage, (db) => redeemToken(db, hash, 'verify', ctx.clock()))
      assert.equal(await redeem(await token(-MINUTE)), undefined)
      assert.equal(await redeem(await token(MINUTE)), userId)
    }
  } finally {
    for (const ctx of nodes) await ctx.storage.close()
    await world.app.close()
    await place.remove()
  }
})

test('F17: a clock that is set back by an hour does not go back for the service', async () => {
  const place = await makePlace('postgres')
  let skew = 0
  const settings = { ...place.settings, DAYBOOK_LOG_LEVEL: 'silent' }
  const ctx = await openContext(loadConfig(settings, place.folder), { localClock: () => Date.now() + skew })
  try {
    const before = ctx.clock()
    skew = -60 * MINUTE
    // The two clocks are read one after the other, so they differ by what the machine did in between.
    assert.ok(Math.abs(ctx.clock() - before) < MINUTE)
    skew = 0
    assert.ok(Math.abs(ctx.clock() - before) < MINUTE)
  } finally {
    await ctx.storage.close()
    await place.remove()
  }
})
