// The table of rate limits, and the content of a refusal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../src/errors.ts'
import { networkOf, networksOf, roughNetworkOf } from '../../src/rate-limits/networks.ts'
import type { PolicyName } from '../../src/rate-limits/rate-limit-policy.ts'
import { networkCaller } from '../../src/rate-limits/request-hooks.ts'
import { createRequestLimits, type RequestLimits } from '../../src/rate-limits/request-limits.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type World, withWorld } from '../support/world.ts'

const ON = { settings: { DAYBOOK_RATE_LIMITS: 'on' } }

const withLimits = (
  engine: 'sqlite' | 'postgres',
  tell: (limits: RequestLimits, world: World) => Promise<void>,
): Promise<void> =>
  withWorld(
    engine,
    async (world) => {
      const limits = createRequestLimits(world.app.ctx)
      await tell(limits, world).finally(() => limits.stop())
    },
    ON,
  )

const clientAt = (address: string, isForeignPage = false) => ({ address, isForeignPage })

async function refusalOf(counting: Promise<void>): Promise<AppError> {
  const error = await counting.then(
    () => assert.fail('it was let through'),
    (reason) => reason,
  )
  assert.ok(error instanceof AppError)
  return error
}

const TABLE: [PolicyName, number, number][] = [
  ['register', 5, 1_800],
  ['register-day', 20, 86_400],
  ['register-global', 100, 3_600],
  ['verify', 20, 900],
  ['forgot-email', 5, 1_800],
  ['forgot-ip', 20, 1_800],
  ['forgot-hour', 40, 3_600],
  ['reset', 10, 900],
  ['setup', 10, 900],
  ['login-pair', 10, 900],
  ['login-ip', 50, 900],
  ['login-account', 100, 86_400],
  ['api-user', 600, 60],
  ['api-user-writes', 120, 60],
  ['caldav-writes', 2_000, 600],
  ['caldav-writes-hour', 7_200, 3_600],
  ['public-ip', 600, 300],
  ['page-ip', 3_000, 300],
]

forEachEngine('every policy admits up to its limit and then sends Retry-After', (engine) =>
  withLimits(engine, async (limits, { clock }) => {
    for (const [policy, limit, seconds] of TABLE) {
      await Promise.all(Array.from({ length: limit }, () => limits.count(policy, 'k')))
      const { code, headers } = await refusalOf(limits.count(policy, 'k'))
      assert.equal(code, 'rate_limited')
      assert.equal(headers!['ratelimit-policy'], `"${policy}";q=${limit};w=${seconds}`)
      const wait = headers!['retry-after']!
      assert.match(wait, /^[1-9]\d*$/)
      assert.equal(headers!.ratelimit, `"${policy}";r=0;t=${wait}`)
      const before = clock.at
      clock.at += Number(wait) * 1_000
      await limits.count(policy, 'k')
      clock.at = before
    }
  }),
)

forEachEngine('failures of one account are counted without ever refusing', (engine) =>
  withLimits(engine, async (limits) => {
    for (let i = 0; i < 99; i++) await limits.hit('login-account', 'a')
    assert.equal(await limits.isExhausted('login-account', 'a'), false)
    await limits.hit('login-account', 'a')
    assert.equal(await limits.isExhausted('login-account', 'a'), true)
    await limits.hit('login-account', 'a')
    assert.equal(await limits.isExhausted('login-account', 'b'), false)
  }),
)

test('with limits off everything passes', () =>
  withWorld('sqlite', async ({ app }) => {
    const limits = createRequestLimits(app.ctx)
    for (let i = 0; i < 50; i++) await limits.count('register', 'k')
    await limits.hit('login-account', 'k')
    await limits.refund('register', 'k')
    assert.equal(await limits.isExhausted('register', 'k'), false)
    assert.deepEqual(await app.ctx.storage.reads.selectFrom('rate_limits').selectAll().execute(), [])
    await limits.stop()
  }))

test('an IPv6 client is a /64, and is shown as a /48', () => {
  assert.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:2:ffff:ffff:ffff:ffff'))
  assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'))
  assert.equal(networkOf('198.51.100.7'), '198.51.100.7')
  assert.equal(roughNetworkOf('198.51.100.7'), '198.51.100.0/24')
  assert.equal(roughNetworkOf('2001:db8:1:2::1'), '2001:db8:1::/48')
})

test('an address is counted in its /64, /56 and /48, or by itself and in its /24', () => {
  const named = (address: string) => networksOf(address).map(({ name, width }) => [name, width])
  assert.deepEqual(named('2001:db8:1:abcd::1'), [
    ['2001:db8:1:abcd::/64', undefined],
    ['2001:db8:1:ab00::/56', '56'],
    ['2001:db8:1::/48', '48'],
  ])
  assert.deepEqual(named('::1').slice(1), [
    ['0:0:0:0::/56', '56'],
    ['0:0:0::/48', '48'],
  ])
  assert.deepEqual(named('198.51.100.7'), [
    ['198.51.100.7', undefined],
    ['198.51.100.0/24', '24'],
  ])
  assert.deepEqual(named(''), [['', undefined]])
})

forEachEngine('reads of a wide network are counted together, in memory', (engine) =>
  withLimits(engine, async (limits) => {
    const addressOf = (i: number) => `2001:db8:1:${(i % 4_096).toString(16)}0::1`
    let taken = 0
    while (taken < 20_000 && limits.consumeReadNow(clientAt(addressOf(taken)))) taken += 1
    assert.equal(taken, 9_600)
    limits.refundReadNow(clientAt(addressOf(0)))
    assert.equal(limits.consumeReadNow(clientAt(addressOf(1))), true)
    assert.equal(limits.consumeReadNow(clientAt(addressOf(1))), false)
    const { headers } = await refusalOf(limits.countFrom(clientAt(addressOf(1)), ['public-ip']))
    assert.equal(headers!['ratelimit-policy'], '"public-ip-48";q=9600;w=300')
  }),
)

test('limits that protect accounts survive a restart', () =>
  withLimits('sqlite', async (limits, { app }) => {
    for (let i = 0; i < 5; i++) await limits.count('register', 'k')
    const afterwards = createRequestLimits(app.ctx)
    await refusalOf(afterwards.count('register', 'k'))
    await afterwards.stop()
  }))

forEachEngine('a costly read is charged by its time, to its caller alone', (engine) =>
  withLimits(engine, async (limits) => {
    limits.chargeNetwork(clientAt('dear'), 9)
    for (let i = 0; i < 599; i++) await limits.count('public-ip', 'dear')
    limits.chargeNetwork(clientAt('dear'), 19)
    await limits.count('public-ip', 'dear').then(
      () => assert.fail('599 requests and one unit are 600'),
      (error) => assert.match(error.headers.ratelimit, /^"public-ip";r=0/),
    )
    for (let i = 0; i < 2; i++) limits.chargeAccount('dear', 3_400)
    const { headers } = await refusalOf(limits.count('api-user', 'dear'))
    assert.ok(Number(headers?.['retry-after']) <= 120, 'each is 340 units')
    await limits.count('public-ip', 'another')
    await limits.count('api-user', 'another')
    for (let i = 0; i < 16; i++) limits.chargeNetwork(clientAt(`2001:db8:1:${i.toString(16)}00::1`), 6_000)
    await limits.countFrom(clientAt('2001:db8:1:ff00::1'), ['public-ip']).then(
      () => assert.fail('16 other networks have used up what the /48 has'),
      (error) => assert.match(error.headers.ratelimit, /^"public-ip-48";r=0/),
    )
  }),
)

forEachEngine(
  'reads of foreign pages are counted apart from those of their visitor, guesses of passwords are not',
  (engine) =>
    withLimits(engine, async (limits) => {
      const [visitor, page] = [clientAt('192.0.2.7'), clientAt('192.0.2.7', true)]
      for (const policy of ['public-ip', 'page-ip'] as const) {
        const room = policy === 'public-ip' ? 600 : 3_000
        for (let i = 0; i < room; i++) await limits.countFrom(page, [policy])
        await refusalOf(limits.countFrom(page, [policy]))
        for (let i = 0; i < room; i++) await limits.countFrom(visitor, [policy])
        await refusalOf(limits.countFrom(visitor, [policy]))
      }
      for (let i = 0; i < 10; i++) await limits.countFrom(i % 2 ? page : visitor, ['reset'])
      await refusalOf(limits.countFrom(page, ['reset']))
    }),
)

forEachEngine('costly reads of a foreign page wait in places of their own', (engine) =>
  withLimits(engine, async (limits) => {
    const [visitor, page] = [false, true].map((isForeign) => networkCaller(limits, clientAt('2001:db8::1', isForeign)))
    assert.notEqual(visitor!.key, page!.key)
    assert.equal(visitor!.widerNetworks!.length, 2)
    assert.deepEqual(
      visitor!.widerNetworks!.filter((network) => page!.widerNetworks!.includes(network)),
      [],
    )
  }),
)
