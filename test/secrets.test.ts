// Password hashes: clients that wait for one are served in turn.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runForClient } from '../src/scheduling/current-client.ts'
import { hashPassword, PASSWORD_COST, setPasswordCost } from '../src/secrets.ts'
import { assertInTurn, SHORT_HASH } from './support/measure/hash-queue.ts'

after(() => setPasswordCost(PASSWORD_COST))

const NETWORK = ['192.0.2.0/24', '192.0.2.1']

const hashFor = (path: string[]) => () => runForClient({ path }, () => hashPassword('a password'))

for (const [name, busy, other] of [
  ['another network', NETWORK, ['198.51.100.0/24', '198.51.100.1']],
  ['another account of the network', [...NETWORK, 'first'], [...NETWORK, 'second']],
] as const)
  test(`a password hash does not wait for those of ${name}`, async () => {
    setPasswordCost(SHORT_HASH)
    await assertInTurn(hashFor([...busy]), hashFor([...other]))
  })

test('one network takes half of the places of password hashes, and others are served', async () => {
  setPasswordCost(SHORT_HASH)
  const busy = Array.from({ length: 100 }, (_, i) => hashFor([NETWORK[0]!, `192.0.2.${i}`])())
  const ended = Promise.allSettled(busy)
  const others = Array.from({ length: 40 }, (_, i) => hashFor([`198.51.${i}.0/24`, `198.51.${i}.1`])())
  await Promise.all(others)
  const refused = (await ended).filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 100 - 64 - 4)
})

test('more password hashes than may wait are refused, and the others are made', async () => {
  setPasswordCost(SHORT_HASH)
  const made = await Promise.allSettled(Array.from({ length: 140 }, () => hashPassword('a password')))
  const refused = made.filter(({ status }) => status === 'rejected')
  assert.deepEqual([made.length - refused.length, refused.length], [132, 8])
  await hashPassword('a password')
})
