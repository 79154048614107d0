// The log throttle: one error line of a kind per minute, with the number of lines left out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../src/ops/log.ts'
import { throttleErrors } from '../../src/ops/log-throttle.ts'

test('an error of one kind is logged once a minute, and the next line counts those left out', () => {
  const lines: Record<string, unknown>[] = []
  let now = 0
  const log = throttleErrors(
    createLog('info', (line) => lines.push(JSON.parse(line))),
    () => now,
  )
  const fail = (id: number, error: string): void => log.error('a request failed', { request_id: `r${id}`, error })
  for (let i = 0; i < 1_000; i++) fail(i, 'TypeError')
  fail(1_000, 'RangeError')
  now = 59_999
  fail(1_001, 'TypeError')
  assert.deepEqual(
    lines.map(({ at: _, ...line }) => line),
    [
      { level: 'error', message: 'a request failed', request_id: 'r0', error: 'TypeError' },
      { level: 'error', message: 'a request failed', request_id: 'r1000', error: 'RangeError' },
    ],
  )
  now = 60_000
  fail(1_002, 'TypeError')
  assert.equal(lines.at(-1)!.suppressed, 1_000)
  now = 120_000
  fail(1_003, 'TypeError')
  assert.equal('suppressed' in lines.at(-1)!, false)
  for (let i = 0; i < 3; i++) log.warn('mail was refused')
  assert.equal(lines.length, 7, 'warnings are not throttled')
})

test('the number of throttled kinds is bounded: the oldest are evicted', () => {
  let count = 0
  const log = throttleErrors(
    createLog('error', () => (count += 1)),
    () => 0,
  )
  for (let i = 0; i < 5_000; i++) for (let n = 0; n < 2; n++) log.error('x', { event_id: `${i}` })
  assert.equal(count, 5_000)
})
