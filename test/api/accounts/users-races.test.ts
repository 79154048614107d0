// Concurrent requests with one token or one address: the database lets exactly one succeed.
import assert from 'node:assert/strict'
import { noiseAt } from '../../../src/actions/accounts/waiting-estimate.ts'
import { verifyPassword } from '../../../src/secrets.ts'
import { patiently } from '../../support/connection-limits.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { mintToken } from '../../support/tokens.ts'
import { openWorld, type World, withWorld } from '../../support/world.ts'

const ROUNDS = byRunLength(2, 5)
const RACERS = 100
/** Each of these hashes a password. */
const REGISTRATIONS = byRunLength(30, 100)

const race = (send: (i: number) => Promise<ApiResponse>): Promise<ApiResponse[]> =>
  Promise.all(Array.from({ length: RACERS }, (_, i) => patiently(() => send(i))))

const tally = (answers: ApiResponse[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim())).map(
      ([name, group]) => [name, group!.length],
    ),
  )

const userOf = ({ app }: World, id: string) =>
  app.ctx.storage.reads.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

forEachEngine('F11: of a hundred concurrent uses of one verification token, one succeeds', (engine) =>
  withWorld(engine, async (world) => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await world.addPerson(`p${round}@example.org`, 'writer', 'pending_approval', false)
      const token = await mintToken(world, 'verify', id)
      const answers = await race(() => world.anonymous.post('/users/verify', { token }))
      assert.deepEqual(tally(answers), { 200: 1, '422 token_invalid_or_expired': RACERS - 1 })
      const user = await userOf(world, id)
      assert.equal(user.version, 2)
      assert.notEqual(user.email_verified_at, null)
    }
    const audit = await world.app.ctx.storage.reads.selectFrom('audit').selectAll().execute()
    assert.equal(audit.filter(({ action }) => action === 'email_verified').length, ROUNDS)
  }),
)

forEachEngine('F11: of a hundred concurrent uses of one reset token, one sets the password', (engine) =>
  withWorld(engine, async (world) => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await world.addPerson(`p${round}@example.org`, 'writer')
      const token = await mintToken(world, 'reset', id)
      const passwordOf = (i: number) => `gravel bridge number ${i}`
      const answers = await race((i) =>
        world.anonymous.post('/users/reset-password', { token, password: passwordOf(i) }),
      )
      assert.deepEqual(tally(answers), { 200: 1, '422 token_invalid_or_expired': RACERS - 1 })
      const winner = answers.findIndex(({ status }) => status === 200)
      const user = await userOf(world, id)
      assert.equal(user.version, 2)
      assert.ok(await verifyPassword(passwordOf(winner), user.password_hash))
    }
  }),
)

forEachEngine('F11: of several nodes on one database, one accepts the reset token', (engine) =>
  withWorld(engine, async (world) => {
    const others = []
    for (let i = 0; i < 3; i++) others.push(await openWorld(engine, world.place, { place: world.place }))
    try {
      const nodes = [world, ...others]
      for (let round = 0; round < ROUNDS; round++) {
        const id = await world.addPerson(`p${round}@example.org`, 'writer')
        const token = await mintToken(world, 'reset', id)
        const answers = await race((i) =>
          nodes[i % nodes.length]!.anonymous.post('/users/reset-password', {
            token,
            password: `gravel bridge number ${i}`,
          }),
        )
        assert.deepEqual(tally(answers), { 200: 1, '422 token_invalid_or_expired': RACERS - 1 })
        assert.equal((await userOf(world, id)).version, 2)
      }
    } finally {
      for (const other of others) await other.app.close()
    }
  }),
)

forEachEngine('of several tokens of one account used at once, the first ends the others', (engine) =>
  withWorld(engine, async (world) => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await world.addPerson(`p${round}@example.org`, 'writer', 'approved', false)
      const tokens = [await mintToken(world, 'verify', id), await mintToken(world, 'verify', id)]
      const resets = [await mintToken(world, 'reset', id), await mintToken(world, 'reset', id)]
      const [verified, reset] = await Promise.all([
        race((i) => world.anonymous.post('/users/verify', { token: tokens[i % 2] })),
        Promise.all(
          resets.map((token) =>
            world.anonymous.post('/users/reset-password', { token, password: 'gravel under the bridge' }),
          ),
        ),
      ])
      assert.ok((tally(verified)['200'] ?? 0) <= 1, 'a reset that came first ends them all')
      assert.deepEqual(tally(reset), { 200: 1, '422 token_invalid_or_expired': 1 })
    }
  }),
)

forEachEngine('F14: an address registered many times at once has one account and at most two mails', (engine) =>
  withWorld(engine, async (world) => {
    const register = (i: number) =>
      world.anonymous.post('/users/register', {
        email: i % 2 === 0 ? 'ann@example.org' : 'ANN@Example.org',
        password: `gravel bridge number ${i}`,
        display_name: `Ann ${i}`,
      })
    const answers = await atOnce(REGISTRATIONS, register)
    assert.deepEqual(tally(answers), { 202: REGISTRATIONS })
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    const { reads } = world.app.ctx.storage
    const rows = await reads.selectFrom('users').selectAll().where('email_key', '=', 'ann@example.org').execute()
    assert.equal(rows.length, 1)
    const number = rows[0]!.display_name.split(' ')[1]!
    assert.ok(await verifyPassword(`gravel bridge number ${number}`, rows[0]!.password_hash), 'whole, not mixed')
    await world.app.deliverMail()
    const mails = await reads.selectFrom('outbox').selectAll().execute()
    assert.equal(mails.length, REGISTRATIONS)
    const sent = mails.filter(({ status }) => status === 'sent')
    assert.deepEqual(
      sent.map(({ kind }) => kind).filter((kind) => kind === 'verification'),
      ['verification'],
    )
    assert.ok(sent.length <= 2, `${sent.length} mails`)
    assert.equal(mails.filter(({ status }) => status === 'waiting').length, 0)
  }),
)

forEachEngine('the last few places for unverified addresses are not given twice', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { reads, writes } = world.app.ctx.storage
      const template = await reads.selectFrom('users').selectAll().limit(1).executeTakeFirstOrThrow()
      const rows = Array.from({ length: 497 - noiseAt(world.app.ctx.secret, world.clock.at) }, (_, i) => ({
        ...template,
        id: `${i}`.padStart(26, '0'),
        email_key: `p${i}@example.org`,
        approval_state: 'pending_approval' as const,
        email_verified_at: null,
      }))
      await writes.insertInto('users').values(rows).execute()
      const answers = await atOnce(20, (i) =>
        world.anonymous.post('/users/register', {
          email: `late${i}@example.org`,
          password: 'gravel under the bridge',
          display_name: 'Late',
        }),
      )
      assert.deepEqual(tally(answers), { 202: 3, '429 rate_limited': 17 })
    },
    { settings: { DAYBOOK_PROOF_OF_WORK: 'off' } },
  ),
)

const atOnce = (count: number, send: (i: number) => Promise<ApiResponse>): Promise<ApiResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => patiently(() => send(i))))
