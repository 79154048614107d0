// `npm run bench -- --compare FILE`: each row as a ratio of costs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareRuns, type StoredCalendar } from '../../bench/compare.ts'

const calendar = (perSecond: number, cpu: number, more: Partial<StoredCalendar> = {}): StoredCalendar => ({
  engine: 'SQLite 3.53.4',
  events: 1_000,
  cells: [
    { request: 'ceiling: month', connections: 1, per_second: 9_000 },
    { request: 'GET month, warm', connections: 1, per_second: perSecond, server_cpu: cpu },
    { request: 'GET event', connections: 16, per_second: perSecond },
  ],
  ...more,
})

test('a row is compared by its cost, dearer rows first, and only rows of both runs', () => {
  const before = [calendar(1_000, 0.8, { start_s: 1.2, memory: { rss_mib: 400, pss_mib: 300 } })]
  const now = [
    calendar(500, 0.4, {
      engine: 'SQLite 3.54.0',
      start_s: 0.6,
      start_bundle_s: 0.3,
      memory: { rss_mib: 200, pss_mib: 150 },
    }),
    calendar(500, 0.4, { events: 10_000 }),
  ]
  assert.deepEqual(compareRuns(before, now).trim().split('\n'), [
    '1 of 4 rows are dearer by over a quarter than in the earlier run.',
    'DEARER  2.00 ×              SQLite, 1000 events: GET event × 16',
    '        2.00 ×  1.00 × CPU  SQLite, 1000 events: GET month, warm × 1',
    '        0.50 ×              SQLite, 1000 events: memory after serving',
    '        0.50 ×              SQLite, 1000 events: start of a checkout',
  ])
  assert.match(compareRuns(before, [calendar(1, 1, { events: 5 })]), /no row in common/)
})
