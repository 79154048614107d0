// A check of credentials that takes long: what it proves is read again at its end, and no later request joins it.
import assert from 'node:assert/strict'
import { changeUser } from '../../src/actions/change-user.ts'
import { createAppPassword, createToken } from '../../src/actions/credentials.ts'
import { logIn } from '../../src/actions/sessions.ts'
import { type Attempt, makeSignIn, type SignIn } from '../../src/actions/sign-in.ts'
import { type CalendarState, makeStateReader } from '../../src/actions/state.ts'
import type { Context } from '../../src/context.ts'
import { OPERATOR, type Person } from '../../src/domain/privacy/viewer.ts'
import type { Db } from '../../src/storage/tables.ts'
import { forEachEngine } from '../support/engines.ts'
import { withDeadline } from '../support/wait-for.ts'
import { PASSWORD, type World, withWorld } from '../support/world.ts'

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
  spend: async () => {},
  giveBack: () => gate.pass(),
  failed: async () => {},
  again: async () => {},
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

interface Credential {
  name: string
  prepare(world: World, email: string): Promise<(signIn: SignIn, state: CalendarState, attempt: Attempt) => Check>
}

type Check = Promise<Person | undefined>

const personIn = async ({ app }: World, email: string): Promise<Person> => {
  const { ctx } = app
  const state = await makeStateReader(ctx)()
  const free = { spend: async () => {}, giveBack: async () => {}, failed: async () => {}, again: async () => {} }
  return (await makeSignIn(ctx).withBasic(state, { email, password: PASSWORD }, free))!
}

const CREDENTIALS: Credential[] = [
  {
    name: 'password',
    prepare: async (_world, email) => (signIn, state, attempt) =>
      signIn.withBasic(state, { email, password: PASSWORD }, attempt),
  },
  {
    name: 'app password',
    async prepare(world, email) {
      const { password } = await createAppPassword(world.app.ctx, await personIn(world, email), { name: 'phone' }, 'r')
      return (signIn, state, attempt) => signIn.withBasic(state, { email, password }, attempt)
    },
  },
  {
    name: 'token',
    async prepare(world, email) {
      const wanted = { name: 'script', scopes: ['events:read', 'events:write'] } as const
      const { token } = await createToken(world.app.ctx, await personIn(world, email), wanted, 'r')
      return (signIn, state, attempt) => signIn.withToken(state, token, attempt)
    },
  },
  {
    name: 'session',
    async prepare(world, email) {
      const browser = { network: '127.0.0.0/24', userAgent: '' }
      const wish = { email, password: PASSWORD, isRemembered: false, browser, before: undefined, requestId: 'r' }
      const free = { spend: async () => {}, giveBack: async () => {}, failed: async () => {}, again: async () => {} }
      const session = (await logIn(world.app.ctx, wish, free))!
      // Long enough that the session is written down as used again.
      world.clock.at += 120_000
      return (signIn, state) => signIn.withSession(state, session.secret)
    },
  },
]

for (const { name, prepare } of CREDENTIALS)
  forEachEngine(`a check of a ${name} begun before a suspension proves nothing after it`, (engine) =>
    withWorld(engine, async (world) => {
      const { ctx } = world.app
      const email = 'held@example.org'
      const id = await world.addPerson(email, 'writer')
      const show = await prepare(world, email)
      const readState = makeStateReader(ctx)
      const gate = makeGate()
      const signIn = makeSignIn(name === 'password' ? ctx : heldWrites(ctx, gate))
      const early = show(signIn, await readState(), heldAttempt(gate))
      await gate.reached
      const options = { expected: {}, notify: false, requestId: 'r' }
      await changeUser(ctx, OPERATOR, id, { approval_state: 'suspended' }, options)
      try {
        const late = show(signIn, await readState(), heldAttempt(gate))
        // A request that joined the held check would wait for the gate.
        const answered = await withDeadline('the later check, which must not join the earlier one', late, 60_000)
        assert.ok(isRefused(answered), 'the later check let the suspended account in')
      } finally {
        gate.open()
      }
      assert.ok(isRefused(await early), 'the earlier check did not read the account again')
    }),
  )

const isRefused = (person: Person | undefined): boolean => person === undefined || person.standing !== undefined
