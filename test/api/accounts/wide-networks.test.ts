// Rate limits of wide networks: guesses and registrations from an IPv6 /48 or IPv4 /24 are counted together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPermit } from '../../../src/actions/costly-work/semaphore.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { withWorld } from '../../support/world.ts'

const settings = {
  DAYBOOK_RATE_LIMITS: 'on',
  DAYBOOK_TRUST_PROXY: '127.0.0.1',
  DAYBOOK_PUBLIC_URL: 'https://calendar.example.org',
}

const from = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' })

/** Each in another /56 of the same /48. */
const inOne48 = (i: number): string => `2001:db8:1:${(i * 256).toString(16)}::1`
/** Each in another /64 of the same /56. */
const inOne56 = (i: number): string => `2001:db8:2:${i.toString(16)}::1`
const inOne24 = (i: number): string => `192.0.2.${i + 1}`

/** How many are let through before the first 429, and the policy that refused. */
async function countUntilRefused(send: (i: number) => Promise<ApiResponse>, most: number): Promise<[number, string]> {
  for (let i = 0; i < most; i++) {
    const answer = await send(i)
    if (answer.status === 429) return [i, /^"([^"]+)"/.exec(String(answer.headers['ratelimit-policy']))![1]!]
  }
  return [most, 'none']
}

forEachEngine('guesses and registrations are counted by wider networks too', (engine) =>
  withWorld(
    engine,
    async ({ anonymous }) => {
      const wrong = { email: 'new@example.org', password: 'short', display_name: 'A' }
      const register = (address: string) => anonymous.post('/users/register', wrong, from(address))
      assert.deepEqual(await countUntilRefused((i) => register(inOne48(i)), 60), [20, 'register-48'])
      assert.deepEqual(await countUntilRefused((i) => register(inOne56(i)), 60), [10, 'register-56'])
      assert.deepEqual(await countUntilRefused((i) => register(inOne24(i)), 60), [40, 'register-24'])
      assert.equal((await register('2001:db8:3::1')).status, 422, 'another network is not concerned')

      const guess = (address: string, i: number) =>
        anonymous.post('/auth/login', { email: 'writer@example.org', password: `wrong ${i}` }, from(address))
      assert.deepEqual(await countUntilRefused((i) => guess(inOne48(i), i), 60), [40, 'login-pair-48'])
      const verify = (address: string) => anonymous.post('/users/verify', { token: 'x' }, from(address))
      assert.deepEqual(await countUntilRefused((i) => verify(inOne56(i)), 60), [40, 'verify-56'])

      // Mails to reset a password are limited to 100 an hour for all accounts together.
      const forgot = (address: string, i: number) =>
        anonymous.post('/users/forgot-password', { email: `p${i}@example.org` }, from(address))
      assert.deepEqual(await countUntilRefused((i) => forgot(inOne24(i), i), 60), [40, 'forgot-hour-24'])
      assert.equal((await forgot('198.51.100.1', 99)).status, 202)
    },
    { settings },
  ),
)

forEachEngine(
  'a request refused for a wide network is not counted in the narrow one, and a correct password is refunded',
  (engine) =>
    withWorld(
      engine,
      async ({ anonymous, app }) => {
        const verify = (address: string) => anonymous.post('/users/verify', { token: 'x' }, from(address))
        await countUntilRefused((i) => verify(inOne56(i)), 60)
        const namesBefore = await app.ctx.storage.reads.selectFrom('rate_limits').selectAll().execute()
        assert.equal((await verify(inOne56(200))).status, 429)
        const namesAfter = await app.ctx.storage.reads.selectFrom('rate_limits').selectAll().execute()
        assert.equal(namesAfter.length, namesBefore.length)
        for (let i = 0; i < 45; i++) {
          const email = 'writer@example.org'
          const answer = await anonymous.post(
            '/auth/login',
            { email, password: 'correct horse battery' },
            from(inOne48(i)),
          )
          assert.equal(answer.status, 200, answer.text)
        }
      },
      { settings },
    ),
)

test('costly reads of one /48 leave waiting places to other networks', () =>
  withWorld(
    'sqlite',
    async ({ anonymous, app }) => {
      const gate = Promise.withResolvers<void>()
      const running = ['x', 'y'].map((key) => withPermit(app.ctx, { key, charge: () => {} }, () => gate.promise))
      const ask = (address: string, i: number) => anonymous.get(`/public/calendar.ics?category=${i}`, from(address))
      let refused = 0
      const crowd = Array.from({ length: 17 }, async (_, i) => {
        const { status } = await ask(inOne48(i), i)
        if (status === 503) refused += 1
        return status
      })
      // Requests that come to the queue after the gate is open would find room.
      await waitFor('all but the eight that wait are refused', () => refused === 9)
      const other = ask('2001:db8:9::1', 17)
      assert.equal((await ask(inOne48(18), 18)).status, 503)
      gate.resolve()
      assert.equal((await other).status, 200)
      const statuses = await Promise.all(crowd)
      assert.equal(statuses.filter((status) => status === 200).length, 8, statuses.join())
      await Promise.all(running)
    },
    { settings },
  ))
