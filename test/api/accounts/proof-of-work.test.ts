// Proof of work, where switched on: a puzzle signed by the service, solved, fresh, and accepted once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Challenge, createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { MAX_NOISE, noiseAt, SAMPLE_MS } from '../../../src/actions/accounts/waiting-estimate.ts'
import { createRequestLimits } from '../../../src/rate-limits/request-limits.ts'
import { keyedHash } from '../../../src/secrets.ts'
import { purgeSpentProofs } from '../../../src/storage/accounts/proofs.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { patiently } from '../../support/connection-limits.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

const someone = { email: 'ann@example.org', password: 'gravel under the bridge', display_name: 'Ann' }

const story = (name: string, tell: (world: World) => Promise<void>, proofOfWork = 'on') =>
  forEachEngine(name, (engine) => withWorld(engine, tell, { settings: { DAYBOOK_PROOF_OF_WORK: proofOfWork } }))

const proofProblem = (answer: ApiResponse): string | undefined =>
  answer.body.error?.details?.fields?.find(({ field }: { field: string }) => field === '/proof')?.code

const challengeOf = async ({ anonymous }: World): Promise<Challenge> =>
  (await anonymous.get('/users/challenge')).body.data.challenge

/** The same signed puzzle with a sixteenth of the tries: most tests are not about its cost. */
const easeChallenge = ({ app }: World, { parameters: { cost, data } }: Challenge): Promise<Challenge> =>
  createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost,
    keyPrefix: '0',
    deriveKey,
    data: data ?? {},
    hmacSignatureSecret: keyedHash(app.ctx.secret, 'proof of work'),
  })

const solveEased = async (world: World, challenge: Challenge): Promise<string> =>
  solve(await easeChallenge(world, challenge))

async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey })
  return encode({ challenge, solution })
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

story(
  'switched off, no proof is required, and one that is sent is ignored',
  async ({ anonymous }) => {
    assert.deepEqual((await anonymous.get('/users/challenge')).body, { data: { required: false } })
    assert.equal((await anonymous.post('/users/register', someone)).status, 202)
    assert.equal((await anonymous.post('/users/forgot-password', { email: someone.email, proof: 'x' })).status, 202)
  },
  'off',
)

/** Sets the number of accounts that wait without a verified address, as a flood of registrations leaves them. */
async function addWaiting({ app }: World, count: number): Promise<void> {
  const { reads, writes } = app.ctx.storage
  const template = await reads.selectFrom('users').selectAll().limit(1).executeTakeFirstOrThrow()
  const rows = Array.from({ length: count }, (_, i) => ({
    ...template,
    id: `${i}`.padStart(26, '0'),
    email_key: `p${i}@example.org`,
    approval_state: 'pending_approval' as const,
    email_verified_at: null,
  }))
  await writes.deleteFrom('users').where('approval_state', '=', 'pending_approval').execute()
  await writes.insertInto('users').values(rows).execute()
}

story(
  'on automatic a proof is required from half of the unverified accounts on, and admits more of them',
  async (world) => {
    const { anonymous, clock } = world
    const isRequired = async () => (await anonymous.get('/users/challenge')).body.data.required
    await addWaiting(world, 250 - MAX_NOISE)
    assert.equal(await isRequired(), false)
    await addWaiting(world, 250)
    assert.equal(await isRequired(), false, 'accounts are counted once in a period')
    clock.at += SAMPLE_MS
    assert.equal(await isRequired(), true)
    assert.equal(proofProblem(await anonymous.post('/users/register', someone)), 'required')
    const known = await anonymous.post('/users/register', { ...someone, email: 'writer@example.org' })
    assert.equal(proofProblem(known), 'required', 'whether or not the address has an account')
    const forgot = await anonymous.post('/users/forgot-password', { email: someone.email })
    assert.equal(forgot.status, 202, 'a forgotten password is not concerned')
    clock.at += SAMPLE_MS / 2
    const cheap = await solveEased(world, await challengeOf(world))
    await addWaiting(world, 500)
    clock.at += SAMPLE_MS / 2
    const challenge = await challengeOf(world)
    assert.equal(challenge.parameters.cost, 20_000, 'past what goes without a proof it costs more')
    const hoarded = await anonymous.post('/users/register', { ...someone, proof: cheap })
    assert.equal(proofProblem(hoarded), 'not_allowed', 'a proof made for less is not enough now')
    const proof = await solveEased(world, challenge)
    assert.equal((await anonymous.post('/users/register', { ...someone, proof })).status, 202)
  },
  'auto',
)

story(
  'neither the demand nor its next samples reveal whether a registration was of a new address',
  async (world) => {
    const { anonymous, app, clock } = world
    const isRequired = async () => (await anonymous.get('/users/challenge')).body.data.required
    const demands: boolean[][] = []
    for (const email of ['writer@example.org', 'new@example.org']) {
      clock.at += SAMPLE_MS
      await addWaiting(world, 249 - noiseAt(app.ctx.secret, clock.at))
      const before = await isRequired()
      assert.equal((await anonymous.post('/users/register', { ...someone, email })).status, 202)
      demands.push([before, await isRequired()])
    }
    assert.deepEqual(demands, [
      [false, true],
      [false, true],
    ])
    await addWaiting(world, 250 - MAX_NOISE / 2)
    const samples = new Set<boolean>()
    for (let i = 0; i < 60; i++) {
      clock.at += SAMPLE_MS
      samples.add(await isRequired())
    }
    assert.deepEqual(samples, new Set([true, false]), 'the same count is on either side of the threshold')
  },
  'auto',
)

forEachEngine(
  'on automatic a proof is required from half of the hourly registrations on, whichever node had them',
  (engine) =>
    withWorld(
      engine,
      async ({ anonymous, app }) => {
        const otherNode = createRequestLimits(app.ctx)
        const isRequired = async () => (await anonymous.get('/users/challenge')).body.data.required
        for (let i = 0; i < 49; i++) await otherNode.count('register-global', 'all')
        assert.equal(await isRequired(), false)
        await otherNode.count('register-global', 'all')
        assert.equal(await isRequired(), true)
        assert.equal(proofProblem(await anonymous.post('/users/register', someone)), 'required')
        // A request with a proof has its own limit over the same counts.
        for (let i = 50; i < 100; i++) await otherNode.count('register-global', 'all')
        await assert.rejects(otherNode.count('register-global', 'all'))
        for (let i = 100; i < 500; i++) await otherNode.count('register-proven', 'all')
        await assert.rejects(otherNode.count('register-proven', 'all'))
        await otherNode.stop()
      },
      { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
    ),
)

story('a solved puzzle admits one request within ten minutes; a refused form does not use it up', async (world) => {
  const { anonymous, app, clock } = world
  const answer = await anonymous.get('/users/challenge')
  assert.equal(answer.body.data.required, true)
  assert.equal(answer.headers['cache-control'], 'no-store')
  const { challenge } = answer.body.data
  assert.equal(challenge.parameters.keyPrefix, '00')
  // The puzzle as it is issued does not depend on the database.
  const proof = await (world.engine === 'sqlite' ? solve(challenge) : solveEased(world, challenge))
  const register = (change: object = {}) => anonymous.post('/users/register', { ...someone, proof, ...change })
  const refused = await register({ password: 'short' })
  assert.equal(refused.status, 422)
  assert.equal(proofProblem(refused), undefined)
  clock.at += 10 * 60_000
  assert.equal(proofProblem(await register()), 'not_allowed', 'too late')
  clock.at -= 1
  assert.equal((await register()).status, 202)
  assert.equal(proofProblem(await register()), 'not_allowed', 'once')
  const forgot = await anonymous.post('/users/forgot-password', { email: someone.email, proof })
  assert.equal(proofProblem(forgot), 'not_allowed', 'nor for anything else')
  const kinds = await app.ctx.storage.reads.selectFrom('outbox').select('kind').execute()
  assert.deepEqual(kinds, [{ kind: 'verification' }])
})

story('of many concurrent uses one proof succeeds once, and is stored until it expires', async (world) => {
  const { storage } = world.app.ctx
  const proof = await solveEased(world, await challengeOf(world))
  const answers = await Promise.all(
    Array.from({ length: 30 }, () =>
      patiently(() => world.anonymous.post('/users/forgot-password', { email: 'reader@example.org', proof })),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, ...Array(29).fill(422)])
  assert.deepEqual(await storage.reads.selectFrom('outbox').select('kind').execute(), [{ kind: 'reset' }])
  const count = async () => (await storage.reads.selectFrom('spent_proofs').selectAll().execute()).length
  await inTransaction(storage, (db) => purgeSpentProofs(db, world.clock.at + 10 * 60_000 - 1))
  assert.equal(await count(), 1)
  await inTransaction(storage, (db) => purgeSpentProofs(db, world.clock.at + 10 * 60_000))
  assert.equal(await count(), 0)
})

story('a missing proof is reported together with all other problems', async ({ anonymous }) => {
  const answer = await anonymous.post('/users/register', { ...someone, email: 'x', password: 'short' })
  assert.deepEqual(
    answer.body.error.details.fields.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
    ['/email invalid_format', '/password too_short', '/proof required'],
  )
  assert.equal(proofProblem(await anonymous.post('/users/forgot-password', { email: someone.email })), 'required')
  assert.equal(
    proofProblem(await anonymous.post('/users/register', { ...someone, proof: 'x'.repeat(4_097) })),
    'too_long',
  )
})

test('a forged or altered puzzle is refused without hashing', () =>
  withWorld('sqlite', refusesForged, { settings: { DAYBOOK_PROOF_OF_WORK: 'on' } }))

/** Decided before the database is read. */
async function refusesForged(world: World): Promise<void> {
  const challenge = await easeChallenge(world, await challengeOf(world))
  const solution = (await solveChallenge({ challenge, deriveKey }))!
  const { parameters } = challenge
  const changed = (change: object) =>
    encode({ challenge: { ...challenge, parameters: { ...parameters, ...change } }, solution })
  const forged = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 1,
    keyPrefix: '0',
    deriveKey,
    data: { expires_at: world.clock.at + 60_000 },
    hmacSignatureSecret: 'a secret of somebody else',
  })
  const unsigned = { parameters }
  const hostile: string[] = [
    'x',
    '====',
    '\0',
    encode(null),
    encode([]),
    encode('text'),
    encode({}),
    encode({ challenge: null, solution: null }),
    encode({ challenge: [], solution: [] }),
    encode({ challenge: { parameters: [], signature: 'x' }, solution }),
    encode({ challenge: { parameters: 7, signature: 7 }, solution: 7 }),
    encode({ challenge: { ...challenge, signature: Array(64).fill('a') }, solution }),
    encode({ challenge: unsigned, solution }),
    encode({ challenge, solution: {} }),
    encode({ challenge, solution: { counter: -1, derivedKey: 'zz' } }),
    encode({ challenge, solution: { ...solution, counter: solution.counter + 1 } }),
    encode({ challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } }),
    encode({ challenge, solution: { ...solution, derivedKey: solution.derivedKey.toUpperCase() } }),
    changed({ cost: 2_000_000_000 }),
    changed({ cost: 1 }),
    changed({ cost: { toString: 1 } }),
    changed({ expiresAt: { toString: 1 } }),
    changed({ algorithm: { valueOf: {} }, salt: [[]] }),
    changed({ data: { expires_at: { toString: 1 } } }),
    encode({ challenge, solution: { ...solution, counter: { toString: 1 }, derivedKey: { valueOf: 1 } } }),
    changed({ keyPrefix: '' }),
    changed({ keyLength: 2 ** 31 }),
    changed({ algorithm: 'SCRYPT' }),
    changed({ data: { expires_at: world.clock.at + 1e12 } }),
    changed({ data: null, expiresAt: 'never' }),
    await solve(forged),
    Buffer.from(`${'{"a":'.repeat(400)}1${'}'.repeat(400)}`).toString('base64'),
  ]
  // Working on a single one of them would take minutes.
  for (const proof of hostile) {
    const answer = await world.anonymous.post('/users/register', { ...someone, proof })
    assert.equal(proofProblem(answer), 'not_allowed', `${Buffer.from(proof, 'base64')}`)
  }
  const proof = encode({ challenge, solution })
  assert.equal((await world.anonymous.post('/users/register', { ...someone, proof })).status, 202)
}

forEachEngine('forgot-password needs a proof from half of the hourly mails on, and registering does not', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { anonymous, app } = world
      const otherNode = createRequestLimits(app.ctx)
      const forget = (email: string, proof?: string) => anonymous.post('/users/forgot-password', { email, proof })
      for (let i = 0; i < 49; i++) await otherNode.hit('forgot-global', 'all')
      assert.equal((await anonymous.get('/users/challenge')).body.data.required, false)
      assert.equal((await forget('writer@example.org')).status, 202, 'this one is the fiftieth')
      const challenge = await challengeOf(world)
      assert.equal(challenge.parameters.cost, 5_000)
      for (const email of ['writer@example.org', 'unknown@example.org'])
        assert.equal(proofProblem(await forget(email)), 'required', email)
      assert.equal((await anonymous.post('/users/register', someone)).status, 202)
      assert.equal((await forget('reader@example.org', await solveEased(world, challenge))).status, 202)
      for (let i = 51; i < 100; i++) await otherNode.hit('forgot-global', 'all')
      assert.equal((await challengeOf(world)).parameters.cost, 20_000, 'past the hourly mails it costs more')
      await otherNode.stop()
    },
    { settings: { DAYBOOK_PROOF_OF_WORK: 'auto', DAYBOOK_RATE_LIMITS: 'on' } },
  ),
)
