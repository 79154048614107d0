// Account enumeration: responses, headers and timing do not reveal whether an address has an account.
import assert from 'node:assert/strict'
import type { InjectOptions, Response } from 'light-my-request'
import { SAMPLE_MS } from '../../../src/actions/accounts/waiting-estimate.ts'
import { hashPassword, PASSWORD_COST, type PasswordCost, setPasswordCost } from '../../../src/secrets.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { mannWhitney, median } from '../../support/measure/statistics.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { PASSWORD, type World, withWorld } from '../../support/world.ts'

const PAIRS = byRunLength(12, 100)
const MOST_MS = 5
/** On a busy machine everything takes longer, and random differences grow with it. */
const MOST_SHARE = 0.03
const LEAST_P = 0.01
/** Other load disturbs single rounds; a real difference shows in every round. */
const TRIES = 3
/** The last round in any case: medians that differ while the ranks do not are noise of a busy machine. */
const MOST_ROUNDS = byRunLength(5, 8)

/** A hash still takes longer than the rest of a request, and its noise hides less of the rest. */
const QUARTER: PasswordCost = { ...PASSWORD_COST, memoryKib: PASSWORD_COST.memoryKib / 2, passes: 1 }
const COST = byRunLength(QUARTER, PASSWORD_COST)

const KNOWN = 'known@example.org'

/** A request for this address; the number makes each one different. */
type RequestFor = (world: World, email: string, number: number) => InjectOptions

const post = ({ app }: World, path: string, payload: object): InjectOptions => ({
  method: 'POST',
  url: `${app.site.base}${path}`,
  headers: { 'content-type': 'application/json' },
  payload,
})

const register: RequestFor = (world, email, number) =>
  post(world, '/users/register', { email, password: `gravel bridge number ${number}`, display_name: 'Somebody' })

const forgot: RequestFor = (world, email) => post(world, '/users/forgot-password', { email })

const logIn: RequestFor = (world, email, number) =>
  post(world, '/auth/login', { email, password: `wrong password ${number}` })

const basic: RequestFor = ({ app }, email, number) => ({
  method: 'GET',
  url: `${app.site.base}/events?from=2026-07-01&to=2026-07-02`,
  headers: { authorization: `Basic ${Buffer.from(`${email}:wrong password ${number}`).toString('base64')}` },
})

interface TimedAnswers {
  known: number[]
  unknown: number[]
  /** The distinct responses; there is one where nothing is revealed. */
  answers: Set<string>
}

let numbers = 0

/** One of each in alternating order, so that changes in load affect both. */
async function measure(world: World, ask: RequestFor): Promise<TimedAnswers> {
  const measured: TimedAnswers = { known: [], unknown: [], answers: new Set() }
  const take = async (kind: 'known' | 'unknown') => {
    numbers += 1
    const request = ask(world, kind === 'known' ? KNOWN : `nobody${`${numbers}`.padStart(6, '0')}@example.org`, numbers)
    const started = performance.now()
    const answer = await world.app.server.inject(request)
    measured[kind].push(performance.now() - started)
    measured.answers.add(textOf(answer))
  }
  for (let pair = 0; pair < PAIRS; pair++)
    for (const kind of pair % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const))
      await take(kind)
  // Only so many may wait at once, and every request counts until the next sample.
  world.clock.at += SAMPLE_MS
  await world.app.ctx.storage.writes.deleteFrom('users').where('email_key', 'like', 'nobody%').execute()
  return measured
}

/** Everything but the two headers with the time and the request id. */
const textOf = ({ statusCode, headers, body }: Response): string => {
  const compared = Object.entries(headers)
    .filter(([name]) => name !== 'date' && name !== 'x-request-id')
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([statusCode, compared, body])
}

async function assertNoEnumeration(world: World, ask: RequestFor, status: number): Promise<void> {
  setPasswordCost(COST)
  const id = await world.addPerson(KNOWN, 'writer')
  // With the cost of the dummy hash: the other hashes of these tests cost nothing to check.
  await world.app.ctx.storage.writes
    .updateTable('users')
    .set({ password_hash: await hashPassword(PASSWORD) })
    .where('id', '=', id)
    .execute()
  await world.app.server.inject(ask(world, KNOWN, 0))
  const seen: string[] = []
  const all: Pick<TimedAnswers, 'known' | 'unknown'> = { known: [], unknown: [] }
  let differences = 0
  for (let round = 0; round < MOST_ROUNDS && differences < TRIES; round++) {
    const { known, unknown, answers } = await measure(world, ask)
    assert.equal(answers.size, 1, [...answers].join('\n'))
    assert.match([...answers][0]!, new RegExp(`^\\[${status},`))
    const p = mannWhitney(known, unknown)
    // Random differences have changing signs and cancel out over all rounds; a real difference does not.
    all.known.push(...known)
    all.unknown.push(...unknown)
    const difference = median(all.known) - median(all.unknown)
    const most = Math.max(MOST_MS, MOST_SHARE * median(unknown))
    if (Math.abs(difference) < most && p > LEAST_P) return
    if (p <= LEAST_P) differences += 1
    seen.push(`${difference.toFixed(2)} ms apart, p = ${p.toFixed(5)}`)
  }
  assert.ok(differences < TRIES, seen.join('; '))
}

const story = (name: string, ask: RequestFor, status: number, settings: Record<string, string> = {}) =>
  forEachEngine(`${name} does not reveal whether an address has an account`, (engine) =>
    withWorld(engine, (world) => assertNoEnumeration(world, ask, status), { settings }),
  )

// Without verification registering has the most work: administrators are notified as well.
story('registering', register, 202, { DAYBOOK_REQUIRE_VERIFIED_EMAIL: 'off', DAYBOOK_PROOF_OF_WORK: 'off' })
story('a forgotten password', forgot, 202)
story('signing in', logIn, 401)
story('Basic', basic, 401)

forEachEngine('a wrong password gets the same response in every state of an account', (engine) =>
  withWorld(engine, async (world) => {
    const emails = ['nobody@example.org', 'not an address', 'reader@example.org', 'admin@example.org']
    for (const state of ['pending_approval', 'rejected', 'suspended'] as const) {
      await world.addPerson(`${state}@example.org`, 'writer', state)
      emails.push(`${state}@example.org`)
    }
    await world.addPerson('unverified@example.org', 'writer', 'approved', false)
    for (const ask of [logIn, basic]) {
      const answers = new Set<string>()
      for (const email of [...emails, 'unverified@example.org'])
        answers.add(textOf(await world.app.server.inject(ask(world, email, 0))))
      assert.equal(answers.size, 1, [...answers].join('\n'))
    }
  }),
)
