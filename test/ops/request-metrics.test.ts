// Request counters: a bounded number of series, no allocation and little work for each request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRequestMetrics, type RouteSeries } from '../../src/ops/request-metrics.ts'
import { newId } from '../../src/secrets.ts'
import { leastWork } from '../support/measure/effort.ts'

/** Counts what a route gets that offers GET and HEAD. */
function makeSeries(requests = createRequestMetrics()): RouteSeries {
  const series = requests.seriesOf('/events')
  series.offer(['GET', 'HEAD'])
  return series
}

test('methods that a route does not offer add no series to it', () => {
  const requests = createRequestMetrics()
  const series = makeSeries(requests)
  for (const method of ['GET', 'PUT', 'PROPFIND', 'BREW']) series.record(method, 405, 1)
  const methodsOf = (one: RouteSeries): string[] => [...one.list()].map(({ method }) => method)
  assert.deepEqual(methodsOf(series), ['GET'])
  assert.deepEqual(methodsOf(requests.unmatched), ['PUT', 'PROPFIND', 'other'])
})

test('unknown methods and statuses count as other', () => {
  const series = createRequestMetrics().unmatched
  for (const method of ['GET', 'BREW', 'get', '', '__proto__', 'constructor']) series.record(method, 200, 1)
  for (const status of [0, 99, 299, 600, 999, -1, Number.NaN]) series.record('GET', status, 1)
  const counted = [...series.list()].map(({ method, statuses }) => [method, statuses])
  assert.deepEqual(counted, [
    [
      'GET',
      [
        ['200', 1],
        ['other', 7],
      ],
    ],
    ['other', [['200', 5]]],
  ])
})

test('a route has one series for all clients', () => {
  const requests = createRequestMetrics()
  makeSeries(requests).record('GET', 200, 1)
  makeSeries(requests).record('GET', 404, 1)
  assert.equal(requests.seriesOf('/events'), requests.seriesOf('/events'))
  assert.deepEqual(
    requests.list().map(({ route }) => route),
    ['/events', 'unmatched'],
  )
})

const ROUNDS = 200_000

test('counting a request costs less than making its request id', () => {
  const series = makeSeries()
  const ids = (): void => {
    for (let i = 0; i < ROUNDS; i++) newId()
  }
  const counts = (): void => {
    for (let i = 0; i < ROUNDS; i++) series.record(i % 3 ? 'GET' : 'HEAD', i % 5 ? 200 : 304, (i % 100) / 10)
  }
  ids()
  counts()
  const ratio = leastWork(counts) / leastWork(ids)
  assert.ok(ratio < 0.5, `${ratio.toFixed(3)} of the cost of an id`)
})

test('counting a request allocates nothing', () => {
  const series = makeSeries()
  const count = (): void => {
    for (let i = 0; i < ROUNDS; i++) series.record('GET', 200, 0.25)
  }
  count()
  const grown = Math.min(
    ...Array.from({ length: 5 }, () => {
      const before = process.memoryUsage().heapUsed
      count()
      return process.memoryUsage().heapUsed - before
    }),
  )
  // Less than a word for each of ten requests; the measurement itself allocates a little.
  assert.ok(grown < ROUNDS, `${grown} bytes for ${ROUNDS} requests`)
})
