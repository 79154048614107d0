// Credential checks: a slow check is repeated at its end and not shared with later requests; recording use delays none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { flushUses, type UsedTable } from '../../../src/actions/access/last-used.ts'
import { type Attempt, createSignIn, findByPassword, type SignIn } from '../../../src/actions/access/sign-in.ts'
import { changeAccount } from '../../../src/actions/accounts/change-account.ts'
import { createAppPassword, createToken } from '../../../src/actions/accounts/credentials.ts'
import { createDurationSampler } from '../../../src/actions/accounts/duration-sampler.ts'
import { logIn } from '../../../src/actions/accounts/sessions.ts'
import { type CalendarState, createRevisionReader } from '../../../src/actions/maintenance/revision-reader.ts'
import type { Context } from '../../../src/context.ts'
import { type AccountViewer, OPERATOR } from '../../../src/domain/privacy/viewer.ts'
import { runForClient } from '../../../src/scheduling/current-client.ts'
import { hashPassword, setPasswordCost } from '../../../src/secrets.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { raiseAccountsRevision } from '../../../src/storage/events/calendar.ts'
import type { Db } from '../../../src/storage/tables.ts'
import { FREE_ATTEMPT } from '../../support/free-attempt.ts'
import { assertInTurn, SHORT_HASH } from '../../support/measure/hash-queue.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { withDeadline } from '../../support/measure/wait-for.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { PASSWORD, type World, withWorld } from '../../support/world.ts'

/** A point in the code that the first caller reaches and waits at; later callers pass. */
function makeGate() {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  let isFirst = true
  return {
    reached: reached.promise,
    open: opened.resolve,
    async pass(): Promise<void> {
      if (!isFirst) return
      isFirst = false
      reached.resolve()
      await opened.promise
    },
  }
}

type Gate = ReturnType<typeof makeGate>

/** The refund follows the slow hash, so the first check is held after it has read the account and the password. */
const heldAttempt = (gate: Gate): Attempt => ({
  ...FREE_ATTEMPT,
  refund: () => gate.pass(),
})

/** The same context, whose first write transaction waits at the gate. */
const heldWrites = (ctx: Context, gate: Gate): Context => {
  const { writes } = ctx.storage
  const transaction = () => ({
    execute: async (work: (db: Db) => Promise<unknown>) => {
      await gate.pass()
      return writes.transaction().execute(work)
    },
  })
  return { ...ctx, storage: { ...ctx.storage, writes: { transaction } as unknown as Db } }
}

interface CredentialKind {
  name: string
  table: UsedTable
  prepare(world: World, email: string): Promise<(signIn: SignIn, state: CalendarState) => PendingCheck>
}

type PendingCheck = Promise<AccountViewer | undefined>

const personIn = async ({ app }: World, email: string): Promise<AccountViewer> => {
  const { ctx } = app
  const state = await createRevisionReader(ctx)()
  return (await createSignIn(ctx).withBasic(state, { email, password: PASSWORD }, FREE_ATTEMPT))!
}

const CREDENTIALS: CredentialKind[] = [
  {
    name: 'app password',
    table: 'app_passwords',
    async prepare(world, email) {
      const { password } = await createAppPassword(world.app.ctx, await personIn(world, email), { name: 'phone' }, 'r')
      return (signIn, state) => signIn.withBasic(state, { email, password }, FREE_ATTEMPT)
    },
  },
  {
    name: 'token',
    table: 'api_tokens',
    async prepare(world, email) {
      const wanted = { name: 'script', scopes: ['events:read', 'events:write'] } as const
      const { token } = await createToken(world.app.ctx, await personIn(world, email), wanted, 'r')
      return (signIn, state) => signIn.withToken(state, token, FREE_ATTEMPT)
    },
  },
  {
    name: 'session',
    table: 'sessions',
    async prepare(world, email) {
      const browser = { network: '127.0.0.0/24', userAgent: '' }
      const wish = { email, password: PASSWORD, isRemembered: false, browser, before: undefined, requestId: 'r' }
      const session = (await logIn(world.app.ctx, wish, FREE_ATTEMPT))!
      // Long enough that the use of the session is recorded again.
      world.clock.at += 120_000
      return (signIn, state) => signIn.withSession(state, session.secret)
    },
  },
]

forEachEngine(
  'a repeated wrong password uses no attempt of the network that sent it, but one of any other network',
  (engine) =>
    withWorld(engine, async ({ app, addPerson }) => {
      const email = 'owner@example.org'
      await addPerson(email, 'writer')
      const signIn = createSignIn(app.ctx)
      const tried: string[] = []
      const attemptFrom = (network: string): Attempt => ({
        ...FREE_ATTEMPT,
        network,
        consume: async () => void tried.push(network),
        countRepeat: async () => void tried.push(`${network} again`),
      })
      const state = await createRevisionReader(app.ctx)()
      for (const network of ['192.0.2.1', '192.0.2.1', '198.51.100.1', '192.0.2.1'])
        await signIn.withBasic(state, { email, password: 'a former password' }, attemptFrom(network))
      assert.deepEqual(tried, ['192.0.2.1', '192.0.2.1 again', '198.51.100.1', '192.0.2.1 again'])
    }),
)

forEachEngine('a repeated wrong password is recognised as such, also after the password was changed', (engine) =>
  withWorld(engine, async ({ app, addPerson, clock }) => {
    const { ctx } = app
    await addPerson('owner@example.org', 'writer')
    const signIn = createSignIn(ctx)
    const readState = createRevisionReader(ctx)
    const counted = async (email: string): Promise<string> => {
      const counts: string[] = []
      const note = (name: string) => async () => void counts.push(name)
      const attempt = {
        ...FREE_ATTEMPT,
        consume: note('spend'),
        refund: note('back'),
        failed: note('failed'),
        countRepeat: note('again'),
      }
      await signIn.withBasic(await readState(), { email, password: 'a wrong password' }, attempt)
      return counts.join()
    }
    const both = async () => [await counted('owner@example.org'), await counted('other@example.org')]
    assert.deepEqual(await both(), ['spend,failed', 'spend,failed'])
    clock.at += 60_000
    const hash = await hashPassword('another password')
    await inTransaction(ctx.storage, async (db) => {
      await db.updateTable('users').set({ password_hash: hash }).where('email', '=', 'owner@example.org').execute()
      await raiseAccountsRevision(db)
    })
    for (let i = 0; i < 2; i++) assert.deepEqual(await both(), ['again', 'again'])
    clock.at += 14 * 60_000
    assert.deepEqual(await both(), ['spend,failed', 'spend,failed'], 'both are forgotten at the same time')
  }),
)

test('a password is not checked after all those of another account that its network sent', () =>
  withWorld('sqlite', async ({ app: { ctx } }) => {
    setPasswordCost(SHORT_HASH)
    const check = (email: string) => () =>
      runForClient({ path: ['192.0.2.0/24', '192.0.2.1'] }, () =>
        findByPassword(ctx, { email, password: 'a wrong password' }, FREE_ATTEMPT),
      )
    await assertInTurn(check('busy@example.org'), check('other@example.org'))
  }))

test('requests that waited for one password check continue in short turns of the event loop', () =>
  withWorld('sqlite', async ({ app, addPerson }) => {
    const email = 'owner@example.org'
    await addPerson(email, 'reader')
    const state = await createRevisionReader(app.ctx)()
    const askAll = async (): Promise<void> => {
      const signIn = createSignIn(app.ctx)
      const ask = async (): Promise<void> => {
        assert.ok(await signIn.withBasic(state, { email, password: PASSWORD }, FREE_ATTEMPT))
        // As long as building the first page of a response takes.
        for (const begun = performance.now(); performance.now() - begun < 2; );
      }
      await Promise.all(Array.from({ length: 100 }, ask))
    }
    await assertShortTurns('requests', { ms: 45 }, askAll)
  }))

test('a response that needs no work takes as long as one that does', async () => {
  const pauses: number[] = []
  const durations = createDurationSampler(
    async (ms) => void pauses.push(ms),
    () => 1_000,
  )
  await durations.imitate(990)
  assert.deepEqual(pauses, [], 'nothing is known yet')
  durations.add(60)
  durations.add(70)
  for (let i = 0; i < 100; i++) await durations.imitate(990)
  assert.deepEqual([...new Set(pauses)].sort(), [50, 60])
  pauses.length = 0
  for (let i = 0; i < 64; i++) durations.add(5)
  await durations.imitate(990)
  assert.deepEqual(pauses, [], 'it took longer already')
})

forEachEngine('a password check begun before a suspension authenticates nothing after it', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const email = 'held@example.org'
    const id = await world.addPerson(email, 'writer')
    const shown = { email, password: PASSWORD }
    const readState = createRevisionReader(ctx)
    const gate = makeGate()
    const signIn = createSignIn(ctx)
    const early = signIn.withBasic(await readState(), shown, heldAttempt(gate))
    await gate.reached
    await suspend(ctx, id)
    try {
      const late = signIn.withBasic(await readState(), shown, heldAttempt(gate))
      // A request that joined the held check would wait for the gate.
      const answered = await withDeadline('the later check, which must not join the earlier one', late, 60_000)
      assert.ok(isRefused(answered), 'the later check let the suspended account in')
    } finally {
      gate.open()
    }
    assert.ok(isRefused(await early), 'the earlier check did not read the account again')
  }),
)

for (const { name, table, prepare } of CREDENTIALS)
  forEachEngine(`the use of a ${name} is written in the background, and a suspension holds meanwhile`, (engine) =>
    withWorld(engine, async (world) => {
      const { ctx } = world.app
      const email = 'held@example.org'
      const id = await world.addPerson(email, 'writer')
      const show = await prepare(world, email)
      const readState = createRevisionReader(ctx)
      const gate = makeGate()
      const held = heldWrites(ctx, gate)
      const signIn = createSignIn(held)
      const lastUsed = async () => {
        const { rows } = await sql<{ at: number | null }>`select ${sql.ref(
          table === 'sessions' ? 'last_seen_at' : 'last_used_at',
        )} as at from ${sql.table(table)}`.execute(ctx.storage.reads)
        return rows[0]!.at
      }
      const before = await lastUsed()
      try {
        const early = show(signIn, await readState())
        assert.ok(!isRefused(await withDeadline('a check while the write waits', early, 60_000)))
        await withDeadline('the write', gate.reached, 60_000)
        assert.equal(await lastUsed(), before)
        await suspend(ctx, id)
        assert.ok(isRefused(await show(signIn, await readState())), 'the suspended account was let in')
      } finally {
        gate.open()
      }
      await flushUses(held)
      // A suspension ends sessions; other credentials stay and are refused.
      if (table !== 'sessions') assert.equal(await lastUsed(), world.clock.at)
    }),
  )

forEachEngine(
  'a failed write of the last use fails no request, keeps a session alive, and is retried later',
  (engine) =>
    withWorld(engine, async (world) => {
      const { ctx } = world.app
      await world.addPerson('held@example.org', 'writer')
      const show = await CREDENTIALS.find(({ table }) => table === 'sessions')!.prepare(world, 'held@example.org')
      let isBroken = true
      const { writes } = ctx.storage
      const transaction = () => (isBroken ? { execute: () => Promise.reject(new Error('full')) } : writes.transaction())
      const broken = { ...ctx, storage: { ...ctx.storage, writes: { transaction } as unknown as Db } }
      const signIn = createSignIn(broken)
      const state = await createRevisionReader(ctx)()
      // An unused session of a writer ends after twelve hours.
      for (let hours = 0; hours < 24; hours += 8) {
        assert.ok(!isRefused(await show(signIn, state)), `after ${hours} hours`)
        await flushUses(broken)
        world.clock.at += 8 * 3_600_000
      }
      assert.ok(!isRefused(await show(signIn, state)))
      isBroken = false
      await flushUses(broken)
      const [row] = await ctx.storage.reads.selectFrom('sessions').selectAll().execute()
      assert.equal(row!.last_seen_at, world.clock.at)
      world.clock.at += 13 * 3_600_000
      assert.ok(isRefused(await show(signIn, state)), 'an unused session ends')
    }),
)

const NOT_CONFIRMED = { currentPassword: undefined, createAttempt: () => FREE_ATTEMPT }

const suspend = (ctx: Context, id: string) =>
  changeAccount(
    ctx,
    OPERATOR,
    id,
    { approval_state: 'suspended' },
    { expected: {}, notify: false, requestId: 'r', ...NOT_CONFIRMED },
  )

const isRefused = (person: AccountViewer | undefined): boolean => person === undefined || person.standing !== undefined
