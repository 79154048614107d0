// The summary of a run: skipped tests never count as passed, and are reported.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatReport, type RunResult } from './report.ts'

const RESULT: RunResult = { counts: { passed: 9, failed: 0, skipped: 0 }, costs: [], wallMs: 65_400, postgresCpuMs: 0 }

test('the last line has the counts', () => {
  assert.equal(formatReport(RESULT), '\n── 1 min 5 s\n9 passed, 0 failed\n')
})

test('tests skipped for lack of a browser are counted in one line that says how to get one', () => {
  const counts = { passed: 9, failed: 1, skipped: 58 }
  const noBrowserBecause = 'no Chromium was found for linux-arm64'
  const lines = formatReport({ ...RESULT, counts, noBrowserBecause })
    .trimEnd()
    .split('\n')
  assert.match(lines.at(-2)!, /58 TESTS WERE LEFT OUT, because no Chromium was found for linux-arm64: install Chromium/)
  assert.match(lines.at(-2)!, /CHROME_PATH/)
  assert.equal(lines.at(-1), '9 passed, 1 failed, 58 skipped')
})

test('the ten costliest files are listed, costliest first', () => {
  const costs = Array.from({ length: 12 }, (_, i) => ({ file: `test/${i}.test.ts`, wallMs: i * 1_000, cpuMs: 500 }))
  const text = formatReport({ ...RESULT, costs, postgresCpuMs: 2_000 })
  assert.match(text, /all: 6\.0 s of CPU in 12 files, 2\.0 s in PostgreSQL/)
  const named = [...text.matchAll(/test\/(\d+)\.test\.ts/g)].map(([, number]) => Number(number))
  assert.deepEqual(named, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
})
