// A clock that is far wrong at start purges nothing and moves no index, until it is right or confirmed.
import assert from 'node:assert/strict'
import { flushUses } from '../../../src/actions/access/last-used.ts'
import { confirmClock } from '../../../src/actions/maintenance/clock-guard.ts'
import { moveIndexToNow, reindex } from '../../../src/actions/maintenance/reindex.ts'
import { MAX_SESSIONS } from '../../../src/domain/account/session.ts'
import { createHousekeeping } from '../../../src/jobs/housekeeping.ts'
import { createLog } from '../../../src/ops/log.ts'
import { hashSecret, newKey } from '../../../src/secrets.ts'
import { findTokenOwner, insertToken, redeemToken } from '../../../src/storage/accounts/tokens.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import type { Json } from '../../support/http/api-response.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, type World, withWorld } from '../../support/world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const START = '2026-07-10T12:00:00Z'

/** Rows that maintenance would purge if the time were years later. */
async function fill(world: World): Promise<void> {
  await world.writer.creates({ title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00', rrule: 'FREQ=WEEKLY' })
  await world.addPerson('stranger@example.org', 'writer', 'pending_approval', false)
  await world.signIn('writer@example.org')
  await createHousekeeping(world.app.ctx).runOnce()
}

interface State {
  people: number
  sessions: number
  span: { index_from: number; index_to: number }
  rows: number
}

async function stateOf({ app }: World): Promise<State> {
  const { reads } = app.ctx.storage
  const count = async (table: 'users' | 'sessions' | 'occurrences'): Promise<number> =>
    (
      await reads
        .selectFrom(table)
        .select((is) => is.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count
  const span = await reads.selectFrom('calendar').select(['index_from', 'index_to']).executeTakeFirstOrThrow()
  return { people: await count('users'), sessions: await count('sessions'), span, rows: await count('occurrences') }
}

const clockOf = async ({ anonymous }: World): Promise<Json> =>
  (await anonymous.send({ method: 'GET', url: '/readyz' })).body.data.checks.clock

forEachEngine('F51: a start with a clock years ahead purges nothing and leaves the index where it is', (engine) =>
  withWorld(engine, async (world) => {
    const { app, clock } = world
    await fill(world)
    const before = await stateOf(world)
    const lines: string[] = []
    app.ctx.log = createLog('warn', (line) => lines.push(line))
    clock.at = Date.parse('2044-03-01T00:00:00Z')
    let uptime = 0
    const housekeeping = createHousekeeping(app.ctx, () => uptime)
    assert.equal(await housekeeping.runOnce(), true)
    assert.deepEqual(await stateOf(world), before)
    assert.deepEqual(await clockOf(world), { status: 'degraded', clock: 'ahead' })
    assert.equal(lines.filter((line) => line.includes('--accept-clock')).length, 1, lines.join(''))
    assert.match(lines.join(''), /the clock is ahead of the last time this calendar was in use/)
    // However long it runs: so far ahead only an administrator can confirm the clock.
    for (let hours = 0; hours < 72; hours += 12) {
      uptime += DAY_MS / 2
      clock.at += DAY_MS / 2
      await housekeeping.runOnce()
    }
    assert.deepEqual(await stateOf(world), before)
    // The clock is corrected, and everything is unchanged.
    clock.at = Date.parse(START) + DAY_MS
    await housekeeping.runOnce()
    assert.deepEqual(await clockOf(world), { status: 'ok' })
    assert.deepEqual(await stateOf(world), before)
    clock.at = Date.parse(START) - 10 * DAY_MS
    await housekeeping.runOnce()
    assert.match(lines.join(''), /the clock is behind the last time this calendar was in use/)
    assert.deepEqual(await stateOf(world), before)
  }),
)

forEachEngine('a service that was off for months continues after a day, or when its clock is confirmed', (engine) =>
  withWorld(engine, async (world) => {
    const { app, clock } = world
    await fill(world)
    const before = await stateOf(world)
    clock.at += 200 * DAY_MS
    let uptime = 0
    const housekeeping = createHousekeeping(app.ctx, () => uptime)
    await housekeeping.runOnce()
    assert.deepEqual(await stateOf(world), before)
    uptime += DAY_MS
    clock.at += DAY_MS
    await housekeeping.runOnce()
    const after = await stateOf(world)
    assert.equal(after.people, before.people - 1)
    assert.ok(after.span.index_to > before.span.index_to)
    assert.deepEqual(await clockOf(world), { status: 'ok' })
    clock.at += 800 * DAY_MS
    const restarted = createHousekeeping(app.ctx, () => uptime)
    await restarted.runOnce()
    assert.deepEqual((await stateOf(world)).span, after.span)
    await confirmClock(app.ctx)
    await restarted.runOnce()
    assert.ok((await stateOf(world)).span.index_to > after.span.index_to)
  }),
)

forEachEngine('reindex moves an index back that a wrong clock had moved away', (engine) =>
  withWorld(engine, async (world) => {
    const { app, clock, writer } = world
    await fill(world)
    const before = await stateOf(world)
    clock.at = Date.parse('2044-03-01T00:00:00Z')
    await moveIndexToNow(app.ctx)
    await reindex(app.ctx)
    assert.notDeepEqual((await stateOf(world)).span, before.span)
    clock.at = Date.parse(START)
    const window = '/events?from=2026-07-01&to=2026-09-01'
    const shown = (await writer.get(window)).body.data.length
    assert.ok(shown > 5, 'reads are right wherever the index is')
    await moveIndexToNow(app.ctx)
    assert.equal((await reindex(app.ctx)).changed, 1)
    const after = await stateOf(world)
    assert.deepEqual([after.span, after.rows], [before.span, before.rows])
    assert.equal((await writer.get(window)).body.data.length, shown)
  }),
)

forEachEngine('a lease that ends far in the future because of a wrong clock is taken over', (engine) =>
  withWorld(engine, async ({ app, clock }) => {
    const expiresAt = Date.parse('2044-03-01T00:00:00Z')
    const lease = { name: 'housekeeping', holder: 'another node', expires_at: expiresAt }
    await app.ctx.storage.writes.insertInto('leases').values(lease).execute()
    assert.equal(await createHousekeeping(app.ctx).runOnce(), true)
    const held = { ...lease, expires_at: clock.at + 60_000 }
    await app.ctx.storage.writes.insertInto('leases').values(held).execute()
    assert.equal(await createHousekeeping(app.ctx).runOnce(), false, 'one that is in time is not')
  }),
)

forEachEngine('F51: tokens made while the clock was wrong neither count as live nor are accepted', (engine) =>
  withWorld(engine, async ({ app, clock, addPerson }) => {
    const userId = await addPerson('lost@example.org', 'reader')
    const insert = async (): Promise<{ isNew: boolean; hash: string }> => {
      const hash = hashSecret(newKey())
      const [purpose, created_at, expires_at] = ['reset' as const, clock.at, clock.at + 3_600_000]
      const token = { hash, purpose, user_id: userId, email_key: 'lost@example.org', created_at, expires_at }
      return { hash, isNew: await inTransaction(app.ctx.storage, (db) => insertToken(db, token)) }
    }
    clock.at += 2 * DAY_MS
    const wrong = [await insert(), await insert(), await insert()]
    assert.deepEqual(
      [...wrong, await insert()].map(({ isNew }) => isNew),
      [true, true, true, false],
    )
    clock.at -= 2 * DAY_MS
    const redeem = (hash: string) => inTransaction(app.ctx.storage, (db) => redeemToken(db, hash, 'reset', clock.at))
    assert.equal(await findTokenOwner(app.ctx.storage.reads, wrong[0]!.hash, 'reset', clock.at), undefined)
    assert.equal(await redeem(wrong[0]!.hash), undefined)
    const right = await insert()
    assert.equal(right.isNew, true)
    assert.equal(await redeem(right.hash), userId)
  }),
)

forEachEngine('F51: a session made while the clock was ahead ends when the clock is right', (engine) =>
  withWorld(engine, async ({ clock, signIn }) => {
    const before = await signIn('writer@example.org')
    clock.at += 300 * DAY_MS
    const wrong = await signIn('admin@example.org')
    assert.equal((await wrong.get('/auth/session')).status, 200)
    clock.at -= 300 * DAY_MS
    assert.equal((await wrong.get('/auth/session')).status, 401)
    assert.equal((await before.get('/auth/session')).status, 200)
  }),
)

forEachEngine('F51: sessions made while the clock was ahead take no place of later ones', (engine) =>
  withWorld(engine, async ({ clock, signIn }) => {
    clock.at += 300 * DAY_MS
    for (let i = 0; i < MAX_SESSIONS; i++) await signIn('writer@example.org')
    clock.at -= 300 * DAY_MS
    const first = await signIn('writer@example.org')
    for (let i = 2; i <= MAX_SESSIONS; i++) {
      clock.at += 1
      await signIn('writer@example.org')
    }
    assert.equal((await first.get('/auth/session')).status, 200)
    clock.at += 1
    await signIn('writer@example.org')
    assert.equal((await first.get('/auth/session')).status, 401, 'the oldest gives way')
  }),
)

forEachEngine('F51: a use while the clock was ahead keeps no session longer, and is corrected by the next', (engine) =>
  withWorld(engine, async ({ app, clock, signIn }) => {
    const used = await Promise.all(
      Array.from({ length: MAX_SESSIONS }, () => signIn('writer@example.org', undefined, true)),
    )
    const ahead = { last_seen_at: clock.at + 7305 * DAY_MS }
    await app.ctx.storage.writes.updateTable('sessions').set(ahead).execute()
    clock.at += 60_000
    assert.equal((await used[0]!.get('/auth/session')).status, 200)
    await flushUses(app.ctx)
    const first = await signIn('writer@example.org')
    await signIn('writer@example.org')
    assert.equal((await first.get('/auth/session')).status, 200)
    const { body } = await first.get('/auth/sessions')
    const seen = body.data.map((one: Json) => Date.parse(one.last_seen_at)).filter((at: number) => at > clock.at)
    assert.equal(seen.length, MAX_SESSIONS - 3, 'all but the used one and the two new ones')
  }),
)

forEachEngine('F51: sessions made while the clock was ahead are listed, so that their owner can end them', (engine) =>
  withWorld(engine, async ({ clock, signIn }) => {
    const statusOf = async (client: Client) => (await client.get('/auth/session')).status
    const home = await signIn('writer@example.org')
    const listed = async (): Promise<Json[]> => (await home.get('/auth/sessions')).body.data
    clock.at += 2 * HOUR_MS
    const lost = [await signIn('writer@example.org'), await signIn('writer@example.org')]
    clock.at -= 2 * HOUR_MS
    assert.deepEqual(await Promise.all(lost.map(statusOf)), [401, 401])
    const others = (await listed()).filter(({ current }) => !current)
    assert.deepEqual(
      others.map(({ created_at, last_seen_at, expires_at }) => [created_at, last_seen_at, expires_at]),
      lost.map(() => ['2026-07-10T14:00:00Z', '2026-07-10T14:00:00Z', '2026-07-11T02:00:00Z']),
    )
    for (const [i, { id }] of others.entries()) {
      assert.equal((await home.delete(`/auth/sessions/${id}`)).status, 204)
      assert.equal((await listed()).length, others.length - i)
    }
    clock.at += 2 * HOUR_MS
    assert.deepEqual(await Promise.all([home, ...lost].map(statusOf)), [200, 401, 401])
  }),
)

forEachEngine('F51: ending all sessions, or a new sign-in, ends those made while the clock was ahead', (engine) =>
  withWorld(engine, async ({ clock, signIn }) => {
    for (const end of [(home: Client) => home.delete('/auth/sessions'), () => signIn('writer@example.org')]) {
      const home = await signIn('writer@example.org')
      clock.at += 2 * HOUR_MS
      const lost = await signIn('writer@example.org')
      clock.at -= 2 * HOUR_MS
      await end(home)
      clock.at += 2 * HOUR_MS
      assert.equal((await lost.get('/auth/session')).status, 401)
    }
  }),
)

forEachEngine('F51: API tokens made while the clock was ahead are listed, and can be revoked', (engine) =>
  withWorld(engine, async ({ clock, signIn, with: withHeaders }) => {
    const home = await signIn('writer@example.org')
    const create = async (): Promise<Client> => {
      const { body } = await home.post('/auth/tokens', { name: 'Script', scopes: ['events:read'] })
      return withHeaders({ authorization: `Bearer ${body.data.token}` })
    }
    const listed = async (): Promise<Json[]> => (await home.get('/auth/tokens')).body.data
    clock.at += 2 * HOUR_MS
    const tokens = [await create(), await create()]
    clock.at -= 2 * HOUR_MS
    assert.equal((await listed()).length, tokens.length)
    for (const [i, { id }] of (await listed()).entries()) {
      assert.equal((await home.delete(`/auth/tokens/${id}`)).status, 204)
      assert.equal((await listed()).length, tokens.length - i - 1)
    }
    clock.at += 2 * HOUR_MS
    for (const token of tokens) assert.equal((await token.get('/auth/session')).status, 401)
  }),
)

forEachEngine(
  'F51: an API token made while the clock was ahead is refused, and an app password is accepted',
  (engine) =>
    withWorld(engine, async ({ clock, signIn, with: withHeaders, as }) => {
      const create = async () => {
        const browser = await signIn('writer@example.org')
        const token = { name: 'Script', scopes: ['events:read'], expires_in_days: 365 }
        const { body } = await browser.post('/auth/tokens', token)
        const { body: app } = await browser.post('/auth/app-passwords', { name: 'Phone' })
        return {
          token: withHeaders({ authorization: `Bearer ${body.data.token}` }),
          phone: as('writer@example.org', app.data.password),
        }
      }
      const statusOf = async (client: Client) => (await client.get('/auth/session')).status
      clock.at += 7305 * DAY_MS
      const wrong = await create()
      assert.deepEqual([await statusOf(wrong.token), await statusOf(wrong.phone)], [200, 200])
      clock.at -= 7305 * DAY_MS
      assert.equal(await statusOf(wrong.token), 401)
      assert.equal(await statusOf(wrong.phone), 200, 'it has no end that a clock could move')
      clock.at += 5 * 60_000
      const soon = await create()
      clock.at -= 5 * 60_000
      assert.equal(await statusOf(soon.token), 200, 'clocks of nodes differ by minutes')
    }),
)
