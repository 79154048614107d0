// Purges delete in bounded batches, each in its own transaction, so that requests run in between.
import assert from 'node:assert/strict'
import { purgeExpired } from '../../../src/actions/maintenance/housekeeping.ts'
import type { Context } from '../../../src/context.ts'
import type { Db, Tables } from '../../../src/storage/tables.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { withWorld } from '../../support/world.ts'

const MAX_ROWS = 500
/** More than two batches. */
const ROWS = 1_050

const PURGED = [
  'idempotency_keys',
  'outbox',
  'tokens',
  'users',
  'sessions',
  'rate_limits',
  'spent_proofs',
  'traces',
  'audit',
  'gone_names',
  'gone_events',
  'public_gone_events',
  'trash',
  'event_versions',
  'bulk_changes',
] as const satisfies readonly (keyof Tables)[]

type PurgedTable = (typeof PURGED)[number]

/** One old row of each table. */
const oldRow = (table: PurgedTable, i: number, userId: string): object =>
  ({
    idempotency_keys: { user_id: userId, key: `k${i}`, body_hash: 'h', event_id: 'e', created_at: 0 },
    outbox: {
      id: `o${i}`,
      kind: 'reset',
      user_id: null,
      email_key: null,
      status: 'sent',
      attempts: 1,
      next_at: 0,
      claimed_by: null,
      claimed_until: 0,
      problem: null,
      created_at: 0,
      done_at: 1,
    },
    tokens: {
      hash: `t${i}`,
      purpose: 'reset',
      user_id: userId,
      email_key: 'a',
      created_at: 0,
      expires_at: 1,
      used_at: null,
    },
    users: {
      id: `u${i}`,
      email: `old${i}@example.org`,
      email_key: `old${i}@example.org`,
      display_name: 'Old',
      name_key: 'old',
      password_hash: 'x',
      role: 'writer',
      approval_state: 'pending_approval',
      created_at: 0,
      version: 1,
    },
    sessions: {
      id: `s${i}`,
      hash: `s${i}`,
      user_id: userId,
      is_remembered: 0,
      created_at: 0,
      last_seen_at: 0,
      client_net: '',
      user_agent: '',
    },
    rate_limits: { name: `r${i}`, started_at: 0, hits: 1, hits_before: 0, expires_at: 1 },
    spent_proofs: { proof: `p${i}`, expires_at: 1 },
    traces: { at: 0, entry: '{}' },
    audit: { at: 0, request_id: null, actor_id: null, action: 'login_failed', subject_id: null, detail: '{}' },
    // Many names of one revision, as after a deletion of many.
    trash: {
      ...{ event_id: `e${i}`, uid: `e${i}`, dav_name: `e${i}`, visibility: 'private', title: 'Old', all_day: 0 },
      ...{ timezone: 'Europe/London', start_at: 0, duration_ms: 0, is_recurring: 0, ical: '' },
      ...{ sent_ical: null, mask_epoch: 0, version: 1, created_at: 0, updated_at: 0, created_by: null },
      ...{ deleted_at: 1, deleted_by: null, deleted_with: 'operator', credential_id: null },
    },
    event_versions: {
      ...{ event_key: i, version: 1, changed_at: 0, changed_by: null, changed_with: null, credential_id: null },
      ...{ changed_through: null, visibility: 'private', ended_at: 1, deleted_by: null, deleted_with: null, octets: 0 },
      ...{ packing: i % 4, same_version: null, ical: null, sent_ical: null, packed: null },
    },
    bulk_changes: {
      ...{ credential: `c${i}`, user_id: userId, changed_with: 'token', credential_id: `c${i}` },
      ...{ began_at: 1, last_at: 1 },
    },
    gone_events: { event_id: `e${i}`, revision: 1 + Math.floor(i / 600), gone_at: 1 },
    public_gone_events: { event_id: `e${i}`, revision: 1 + Math.floor(i / 600), gone_at: 1 },
    gone_names: { dav_name: `n${i}`, revision: 1 + Math.floor(i / 600), gone_at: 1 },
  })[table]

const countRows = async (db: Db, table: PurgedTable): Promise<number> =>
  (
    await db
      .selectFrom(table)
      .select((is) => is.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count

/** The same context; records the rows that each transaction deletes. */
function watchDeletions({ storage, ...ctx }: Context): { ctx: Context; deleted: Map<PurgedTable, number[]> } {
  const deleted = new Map<PurgedTable, number[]>()
  const count = (db: Db) => Promise.all(PURGED.map((table) => countRows(db, table)))
  const transaction = () => ({
    execute: (work: (db: Db) => Promise<unknown>) =>
      storage.writes.transaction().execute(async (db) => {
        const before = await count(db)
        const result = await work(db)
        for (const [i, after] of (await count(db)).entries())
          if (after < before[i]!) deleted.set(PURGED[i]!, [...(deleted.get(PURGED[i]!) ?? []), before[i]! - after])
        return result
      }),
  })
  const writes = new Proxy(storage.writes, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name, target)),
  })
  return { ctx: { ...ctx, storage: { ...storage, writes } }, deleted }
}

forEachEngine('a purge deletes many rows in batches, and only expired ones', (engine) =>
  withWorld(engine, async (world) => {
    const { writes } = world.app.ctx.storage
    const { id } = await writes.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow()
    await world.signIn('writer@example.org')
    await world.app.flushTraces()
    const kept = await Promise.all(PURGED.map((table) => countRows(writes, table)))
    for (const table of PURGED)
      for (let i = 0; i < ROWS; i += 350)
        await writes
          .insertInto(table)
          .values(Array.from({ length: 350 }, (_, j) => oldRow(table, i + j, id)) as never)
          .execute()
    const { ctx, deleted } = watchDeletions(world.app.ctx)
    await purgeExpired(ctx)
    for (const [i, table] of PURGED.entries()) {
      const counts = deleted.get(table) ?? []
      assert.ok(Math.max(...counts) <= MAX_ROWS, `${table}: ${counts.join(', ')} rows at once`)
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        ROWS,
        table,
      )
      // Each batch of accounts is an entry of the audit trail.
      const added = table === 'audit' ? deleted.get('users')!.length : 0
      assert.equal(await countRows(writes, table), kept[i]! + added, `${table}: what is not over stays`)
    }
    const { sync_floor } = await writes.selectFrom('calendar').select('sync_floor').executeTakeFirstOrThrow()
    assert.equal(sync_floor, 2)
  }),
)
