// Peer address and scheme: both from the same hop, as trusted proxies report it and no other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { loadConfig } from '../../../src/config.ts'
import { createPeerReader } from '../../../src/http/guard/peer.ts'
import { leastWork } from '../../support/measure/effort.ts'

type Family = 'x-forwarded' | 'forwarded'

/** As seen from behind a proxy at 10.0.0.1, where 10.0.0.0/8 is trusted. */
function seen(family: Family, headers: Record<string, string>, remoteAddress = '10.0.0.1') {
  const { address, isSecure } = readerOf(family)({ socket: { remoteAddress }, headers } as unknown as FastifyRequest)
  return { address, isSecure }
}

const readerOf = (family: Family) =>
  createPeerReader(loadConfig({ DAYBOOK_TRUST_PROXY: '10.0.0.0/8', DAYBOOK_PROXY_HEADER: family }, '/nowhere'))

const CLIENT = '203.0.113.9'

test('behind two trusted proxies the client’s own hop decides whether it used https', () => {
  for (const [first, second, isSecure] of [
    ['https', 'http', true],
    ['http', 'https', false],
    ['https', 'https', true],
    ['http', 'http', false],
  ] as const) {
    const expected = { address: CLIENT, isSecure }
    const forwarded = `for=${CLIENT};proto=${first}, for=10.0.0.5;proto=${second}`
    assert.deepEqual(seen('forwarded', { forwarded }), expected, forwarded)
    const lists = { 'x-forwarded-for': `${CLIENT}, 10.0.0.5`, 'x-forwarded-proto': `${first}, ${second}` }
    assert.deepEqual(seen('x-forwarded', lists), expected, lists['x-forwarded-proto'])
  }
})

test('a single X-Forwarded-Proto holds for all hops', () => {
  for (const chain of [CLIENT, `${CLIENT}, 10.0.0.5`, `${CLIENT}, 10.0.0.5, 10.0.0.6`])
    for (const scheme of ['https', 'HTTPS', 'http'])
      assert.deepEqual(seen('x-forwarded', { 'x-forwarded-for': chain, 'x-forwarded-proto': scheme }), {
        address: CLIENT,
        isSecure: scheme.toLowerCase() === 'https',
      })
})

test('entries that a client adds in front change neither its address nor its scheme', () => {
  const made = { 'x-forwarded-for': `192.0.2.1, 192.0.2.2, ${CLIENT}`, 'x-forwarded-proto': 'https, https, http' }
  assert.deepEqual(seen('x-forwarded', made), { address: CLIENT, isSecure: false })
  const uneven = { 'x-forwarded-for': CLIENT, 'x-forwarded-proto': 'https, http' }
  assert.deepEqual(seen('x-forwarded', uneven), { address: CLIENT, isSecure: false })
  const longer = { 'x-forwarded-for': `192.0.2.1, ${CLIENT}, 10.0.0.5`, 'x-forwarded-proto': 'https, http' }
  assert.deepEqual(seen('x-forwarded', longer), { address: CLIENT, isSecure: true })
  const forwarded = `for=192.0.2.1;proto=https, for=${CLIENT};proto=http`
  assert.deepEqual(seen('forwarded', { forwarded }), { address: CLIENT, isSecure: false })
})

test('entries that a client adds in front cost nothing, however long they are', () => {
  const expected = { address: CLIENT, isSecure: true }
  for (const [front, count] of [
    ['1,', 8_000],
    [',', 16_000],
    [' , 10.0.0.9', 1_400],
  ] as const) {
    const lists = {
      short: { 'x-forwarded-for': `${front.repeat(40)}, ${CLIENT}`, 'x-forwarded-proto': 'https' },
      long: { 'x-forwarded-for': `${front.repeat(count)}, ${CLIENT}`, 'x-forwarded-proto': 'https' },
    }
    const cost = costOf('x-forwarded', lists, expected)
    assert.ok(cost.longMs < 100 + 10 * cost.shortMs, `${count} × ${front}: ${JSON.stringify(cost)}`)
  }
  const last = `for=${CLIENT};proto=https`
  for (const [front, count] of [
    ['for=1,', 2_600],
    [`for=1${';a=b'.repeat(100)},`, 38],
    [`for=1${';a=b'.repeat(4_000)},`, 1],
  ] as const) {
    const lists = {
      short: { forwarded: `${'for=1,'.repeat(40)}${last}` },
      long: { forwarded: front.repeat(count) + last },
    }
    const cost = costOf('forwarded', lists, expected)
    assert.ok(cost.longMs < 100 + 10 * cost.shortMs, `${count} × ${front.slice(0, 12)}: ${JSON.stringify(cost)}`)
  }
})

function costOf(
  family: Family,
  { short, long }: { short: Record<string, string>; long: Record<string, string> },
  expected: { address: string; isSecure: boolean },
): { shortMs: number; longMs: number } {
  const read = readerOf(family)
  const workOn = (headers: Record<string, string>): number => {
    const request = { socket: { remoteAddress: '10.0.0.1' }, headers } as unknown as FastifyRequest
    const { address, isSecure } = read(request)
    assert.deepEqual({ address, isSecure }, expected)
    return leastWork(() => {
      for (let i = 0; i < 500; i++) read(request)
    })
  }
  return { shortMs: workOn(short), longMs: workOn(long) }
}

test('a hop without a scheme is not secure, and headers of an untrusted proxy are ignored', () => {
  const forwarded = `for=${CLIENT}, for=10.0.0.5;proto=https`
  assert.deepEqual(seen('forwarded', { forwarded }), { address: CLIENT, isSecure: false })
  const more = { 'x-forwarded-for': `${CLIENT}, 10.0.0.4, 10.0.0.5`, 'x-forwarded-proto': 'https, https' }
  assert.deepEqual(seen('x-forwarded', more), { address: CLIENT, isSecure: false })
  const lists = { 'x-forwarded-for': CLIENT, 'x-forwarded-proto': 'https' }
  assert.deepEqual(seen('x-forwarded', lists, '192.0.2.7'), { address: '192.0.2.7', isSecure: false })
  assert.deepEqual(seen('x-forwarded', { 'x-forwarded-proto': 'https' }), { address: '10.0.0.1', isSecure: true })
})

test('the address of a connection stays known after the connection is reset', () => {
  const config = loadConfig({ DAYBOOK_TRUST_PROXY: '10.0.0.0/8' }, '/nowhere')
  const socket: { remoteAddress?: string } = { remoteAddress: '10.0.0.1' }
  const request = { socket, headers: { 'x-forwarded-proto': 'https' } } as unknown as FastifyRequest
  const expected = { address: '10.0.0.1', isSecure: true }
  for (let i = 0; i < 2; i++) {
    const { address, isSecure } = createPeerReader(config)(request)
    assert.deepEqual({ address, isSecure }, expected)
    delete socket.remoteAddress
  }
})
