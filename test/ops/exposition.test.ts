// Prometheus text format: families, labels with odd characters, histograms.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExposition } from '../../src/ops/exposition.ts'
import { Histogram } from '../../src/ops/histogram.ts'
import { parseExposition } from '../support/http/exposition.ts'

test('a family has help, type and samples, with labels escaped', () => {
  const out = createExposition()
  out.gauge('a', 'One\nline \\ only.', 1.5)
  out.counter('b_total', 'Two.', [
    [{ x: 'plain', y: 'a"b\\c\nd' }, 2],
    [{ x: 'other', y: '' }, 0.000000125],
  ])
  assert.equal(
    out.text(),
    [
      '# HELP a One\\nline \\\\ only.',
      '# TYPE a gauge',
      'a 1.5',
      '# HELP b_total Two.',
      '# TYPE b_total counter',
      'b_total{x="plain",y="a\\"b\\\\c\\nd"} 2',
      'b_total{x="other",y=""} 1.25e-7',
      '',
    ].join('\n'),
  )
  parseExposition(out.text())
})

test('a family without a value is left out', () => {
  const out = createExposition()
  out.gauge('a', 'Not known.', undefined)
  out.counter('b_total', 'None.', [])
  out.histogram('c', 'None.', [])
  assert.equal(out.text(), '\n')
})

test('a histogram counts each value in all buckets from its own on', () => {
  const histogram = new Histogram([0.01, 0.1])
  for (const durationMs of [0, 10, 11, 100, 100.1, 5_000]) histogram.observeMs(durationMs)
  const out = createExposition()
  out.histogram('h', 'Durations.', [[{ route: '/events' }, histogram]])
  const { samples } = parseExposition(out.text())
  assert.deepEqual(
    [...samples],
    [
      ['h_bucket{route="/events",le="0.01"}', 2],
      ['h_bucket{route="/events",le="0.1"}', 4],
      ['h_bucket{route="/events",le="+Inf"}', 6],
      ['h_sum{route="/events"}', 5.2211],
      ['h_count{route="/events"}', 6],
    ],
  )
})
