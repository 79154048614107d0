// The response cache: keyed by revision, with expiry and a budget, and one build for concurrent requests.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../../src/errors.ts'
import {
  type CachedResponse,
  createResponseCache,
  type ResponseCache,
} from '../../../src/http/responses/response-cache.ts'
import { divideMemory } from '../../../src/memory-budget.ts'
import { runForClient } from '../../../src/scheduling/current-client.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { waitFor } from '../../support/measure/wait-for.ts'

const ANSWERS = divideMemory(512).answers

const answer = (text: string, until?: number): CachedResponse => ({
  body: Buffer.from(text),
  etag: `"${text}"`,
  headers: {},
  ...(until === undefined ? {} : { until }),
})

test('a response is cached for its revision and until it expires', () => {
  const cache = createResponseCache(ANSWERS)
  cache.keep(1, 'a', answer('one', 100))
  assert.equal(cache.find(1, 'a', 99)?.body.toString(), 'one')
  assert.equal(cache.find(1, 'a', 100), undefined)
  assert.equal(cache.find(1, 'b', 0), undefined)
  assert.equal(cache.find(2, 'a', 0), undefined, 'the calendar has changed')
  assert.equal(cache.find(1, 'a', 0), undefined, 'and nothing brings the old one back')
  cache.keep(1, 'a', answer('late'))
  assert.equal(cache.find(2, 'a', 0), undefined)
})

test('the byte budget is enforced by evicting the least recently used entries', () => {
  const cache = createResponseCache({ maxBytes: 10_000, maxAnswerBytes: 3_000 })
  cache.keep(1, 'too large', answer('x'.repeat(3_001)))
  assert.equal(cache.find(1, 'too large', 0), undefined)
  for (let i = 0; i < 5; i++) {
    cache.keep(1, `answer ${i}`, answer(`${i}`.repeat(1_500)))
    cache.find(1, 'answer 0', 0)
  }
  assert.ok(cache.find(1, 'answer 0', 0))
  assert.equal(cache.find(1, 'answer 1', 0), undefined)
  assert.ok(cache.find(1, 'answer 4', 0))
})

test('the longest list is cached, and a flood of long ones does not evict the short ones', () => {
  const cache = createResponseCache(ANSWERS)
  const mib = 1_024 * 1_024
  const long = (bytes: number): CachedResponse => ({ body: Buffer.alloc(bytes), etag: '"x"', headers: {} })
  cache.keep(1, 'month', answer('short'))
  cache.keep(1, 'years', long(8 * mib))
  assert.equal(cache.find(1, 'years', 0)?.body.length, 8 * mib)
  for (let i = 0; i < 20; i++) cache.keep(1, `years ${i}`, long(5 * mib))
  assert.equal(cache.find(1, 'years', 0), undefined)
  assert.ok(cache.find(1, 'years 19', 0))
  assert.ok(cache.find(1, 'month', 0))
  cache.keep(1, 'month', long(5 * mib))
  cache.keep(1, 'month', answer('short again'))
  assert.equal(cache.find(1, 'month', 0)?.body.toString(), 'short again')
})

test('a hundred concurrent requests cost one build; the next revision costs another', async () => {
  const cache = createResponseCache(ANSWERS)
  let made = 0
  const make = async (): Promise<CachedResponse> => {
    made += 1
    await new Promise((resolve) => setImmediate(resolve))
    return answer(`answer ${made}`)
  }
  const first = await Promise.all(Array.from({ length: 100 }, () => cache.take(1, 'a', 0, make)))
  assert.equal(made, 1)
  assert.equal(new Set(first).size, 1)
  const mixed = await Promise.all([1, 2, 2, 1, 2].map((revision) => cache.take(revision, 'a', 0, make)))
  assert.equal(mixed[1]!.body.toString(), mixed[2]!.body.toString())
  assert.notEqual(mixed[0], mixed[1], 'a reader of the change never gets the earlier response')
})

test('a request that joins a build does not get a response that has expired for it', async () => {
  const cache = createResponseCache(ANSWERS)
  const { promise, resolve } = Promise.withResolvers<CachedResponse>()
  const before = cache.take(1, 'a', 99, () => promise)
  const after = cache.take(1, 'a', 100, async () => answer('today'))
  resolve(answer('yesterday', 100))
  assert.equal((await before).body.toString(), 'yesterday')
  assert.equal((await after).body.toString(), 'today')
})

test('a failure reaches all who waited, and is not cached', async () => {
  const cache = createResponseCache(ANSWERS)
  let made = 0
  const failing = Array.from({ length: 3 }, () =>
    cache.take(1, 'a', 0, async () => {
      made += 1
      throw new AppError('event_not_found')
    }),
  )
  for (const result of await Promise.allSettled(failing)) assert.equal(result.status, 'rejected')
  assert.equal(made, 1)
  assert.equal((await cache.take(1, 'a', 0, async () => answer('yes'))).body.toString(), 'yes')
})

test('a refused build affects only the caller whose queue was full; the others share one build', async () => {
  const cache = createResponseCache(ANSWERS)
  const made: string[] = []
  const ask = (caller: string, refuse = false, key = 'a'): Promise<string> =>
    cache
      .take(1, key, 0, async () => {
        made.push(caller)
        await new Promise((resolve) => setImmediate(resolve))
        if (refuse) throw new AppError('service_unavailable')
        return answer(`for ${caller}`)
      })
      .then(({ body }) => body.toString())
      .catch((error: AppError) => error.code)
  const answers = await Promise.all([ask('full', true), ask('full too', true), ask('one'), ask('two'), ask('three')])
  assert.deepEqual(answers, ['service_unavailable', 'service_unavailable', 'for one', 'for one', 'for one'])
  assert.deepEqual(made, ['full', 'full too', 'one'])
  assert.equal(cache.find(1, 'a', 0)?.body.toString(), 'for one')
  made.length = 0
  const crowd = Array.from({ length: 9 }, (_, i) => ask(`full ${i}`, true, 'b'))
  assert.equal(await ask('last', false, 'b'), 'for last')
  await Promise.all(crowd)
  assert.deepEqual(made.slice(0, 3), ['full 0', 'full 1', 'full 2'], 'each in turn')
  assert.equal(made.length, 10, 'and then all by themselves')
})

/** Builds that the test completes, and for which client each was started. */
function createBuilds() {
  const begun: { customer: string; settle: PromiseWithResolvers<CachedResponse> }[] = []
  const take = (cache: ResponseCache, customer: string): Promise<string> =>
    runForClient({ path: [customer, `${customer}.1`] }, () =>
      cache.take(1, 'a', 0, () => {
        const settle = Promise.withResolvers<CachedResponse>()
        begun.push({ customer, settle })
        return settle.promise
      }),
    ).then(({ body }) => body.toString())
  return { begun, take, customers: () => begun.map(({ customer }) => customer) }
}

test('other clients build a response too when the first is slow, three at most, and the first result is for all', async () => {
  const cache = createResponseCache(ANSWERS)
  const { begun, take, customers } = createBuilds()
  const asked = ['a', 'a', 'b', 'b', 'c', 'd', 'e'].map((customer) => take(cache, customer))
  assert.deepEqual(customers(), ['a'])
  await waitFor('two others make it too', () => begun.length === 3, { deadlineMs: 20_000 })
  assert.deepEqual(customers(), ['a', 'b', 'c'])
  const late = take(cache, 'f')
  begun[0]!.settle.reject(new AppError('service_unavailable'))
  begun[2]!.settle.resolve(answer('of c'))
  assert.deepEqual(new Set(await Promise.all([...asked, late])), new Set(['of c']))
  assert.equal(await take(cache, 'g'), 'of c')
  begun[1]!.settle.resolve(answer('of b'))
  assert.equal(begun.length, 3)
})

test('all requests fail when the last build fails, and the whole feed is built once', async () => {
  const cache = createResponseCache(ANSWERS)
  const { begun, take } = createBuilds()
  const asked = ['a', 'b'].map((customer) => take(cache, customer).catch((error: AppError) => error.code))
  await waitFor('another makes it too', () => begun.length === 2, { deadlineMs: 20_000 })
  for (const { settle } of begun) settle.reject(new AppError('event_not_found'))
  assert.deepEqual(await Promise.all(asked), ['event_not_found', 'event_not_found'])
  const [single, alone] = [createResponseCache(ANSWERS, 1), createBuilds()]
  const whole = ['a', 'b'].map((customer) => alone.take(single, customer))
  const beside = ['a', 'b'].map((customer) => take(cache, customer))
  await waitFor('another makes the other one', () => begun.length === 4, { deadlineMs: 20_000 })
  assert.deepEqual(alone.customers(), ['a'])
  alone.begun[0]!.settle.resolve(answer('whole'))
  begun[3]!.settle.resolve(answer('part'))
  assert.deepEqual(await Promise.all([...whole, ...beside]), ['whole', 'whole', 'part', 'part'])
})

test('requests that joined a build continue in short turns', async () => {
  const cache = createResponseCache(ANSWERS)
  let sent = 0
  const ask = async (making: Promise<CachedResponse>): Promise<void> => {
    await cache.take(1, `list ${sent}`, 0, () => making)
    // Other steps of the request come before the response is written.
    for (let i = 0; i < 5; i++) await undefined
    // As long as writing a long response to a connection takes.
    for (const begun = performance.now(); performance.now() - begun < 2; );
    sent += 1
  }
  const answerAll = async (): Promise<void> => {
    const making = Promise.withResolvers<CachedResponse>()
    const asked = Array.from({ length: 100 }, () => ask(making.promise))
    making.resolve(answer('list'))
    await Promise.all(asked)
  }
  const newTurn = async (): Promise<void> => {
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve))
  }
  await assertShortTurns('answers', { ms: 45 }, answerAll, newTurn)
})

test('data attached to an entry counts, and is evicted with it', () => {
  const cache = createResponseCache({ maxBytes: 10_000, maxAnswerBytes: 3_000 })
  const [one, two] = [answer('one'), answer('two')]
  cache.keep(1, 'one', one)
  cache.keep(1, 'two', two)
  const before = cache.bytes()
  assert.equal(cache.charge('two', two, 5_000), true)
  assert.equal(cache.bytes(), before + 5_000)
  assert.equal(cache.charge('two', answer('another'), 1), false, 'not the answer that is kept')
  assert.equal(cache.charge('two', two, 4_000), true)
  assert.equal(cache.find(1, 'one', 0), undefined, 'the oldest went')
  assert.ok(cache.bytes() <= 10_000)
  assert.equal(cache.charge('two', two, 9_000), false, 'more than all there is')
  assert.equal(cache.bytes(), 0)
  const long = { ...answer('x'), headers: { link: 'y'.repeat(6_000) } }
  cache.keep(1, 'headers count', long)
  assert.equal(cache.find(1, 'headers count', 0), undefined)
})

test('the ETag of a response too long to cache is kept until the calendar changes or the response expires', () => {
  const cache = createResponseCache({ maxBytes: 10_000, maxAnswerBytes: 3_000 })
  cache.keep(1, 'long', answer('x'.repeat(5_000), 100))
  assert.equal(cache.find(1, 'long', 0), undefined)
  assert.deepEqual(cache.findValidator(1, 'long', 0), { etag: `"${'x'.repeat(5_000)}"`, bytes: 5_000, until: 100 })
  assert.equal(cache.findValidator(1, 'long', 100), undefined)
  for (let i = 0; i < 200; i++) cache.keep(1, `long ${i}`, answer(`${i}`.padEnd(5_000)))
  assert.equal(cache.findValidator(1, 'long', 0), undefined, 'they are bounded')
  assert.ok(cache.findValidator(1, 'long 199', 0))
  assert.equal(cache.findValidator(2, 'long 199', 0), undefined)
  assert.equal(cache.findValidator(1, 'long 199', 0), undefined)
})
