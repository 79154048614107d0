// The summary of a run: skipped tests never count as passed, and are reported.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatReport, type RunResult } from './report.ts'

const COUNTS = { passed: 9, failed: 0, skipped: 0, skippedBecause: new Map<string, number>() }
const RESULT: RunResult = { counts: COUNTS, costs: [], wallMs: 65_400, postgresCpuMs: 0 }

test('the last line has the counts', () => {
  assert.equal(formatReport(RESULT), '\n── 1 min 5 s\n9 passed, 0 failed\n')
})

test('skipped tests are counted by reason, and a missing browser comes with how to get one', () => {
  const noBrowserBecause = 'no Chromium was found for linux-arm64'
  const skippedBecause = new Map([
    [noBrowserBecause, 58],
    ['needs nginx: apt-get install nginx', 2],
  ])
  const counts = { passed: 9, failed: 1, skipped: 60, skippedBecause }
  const lines = formatReport({ ...RESULT, counts, noBrowserBecause })
    .trimEnd()
    .split('\n')
  assert.equal(lines.at(-4), '!! 60 TESTS WERE SKIPPED')
  assert.match(lines.at(-3)!, /^ {3}58: no Chromium was found for linux-arm64: install Chromium.*CHROME_PATH/)
  assert.equal(lines.at(-2), '   2: needs nginx: apt-get install nginx')
  assert.equal(lines.at(-1), '9 passed, 1 failed, 60 skipped')
})

test('the ten costliest files are listed, costliest first', () => {
  const costs = Array.from({ length: 12 }, (_, i) => ({ file: `test/${i}.test.ts`, wallMs: i * 1_000, cpuMs: 500 }))
  const text = formatReport({ ...RESULT, costs, postgresCpuMs: 2_000 })
  assert.match(text, /all: 6\.0 s of CPU in 12 files, 2\.0 s in PostgreSQL/)
  const named = [...text.matchAll(/test\/(\d+)\.test\.ts/g)].map(([, number]) => Number(number))
  assert.deepEqual(named, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
})
