// The summary of a test run: the costliest files, what was skipped and why, and the counts as the last line.
import { HOW_TO_GET_A_BROWSER } from '../support/browser/find-browser.ts'
import type { FileCost } from './file-costs.ts'

export interface TestCounts {
  passed: number
  failed: number
  skipped: number
  /** How many tests gave each reason for being skipped. */
  skippedBecause: ReadonlyMap<string, number>
}

export interface RunResult {
  counts: TestCounts
  costs: readonly FileCost[]
  wallMs: number
  postgresCpuMs: number
  /** Why there was no browser, if there was none. */
  noBrowserBecause?: string | undefined
  /** How many of the costliest files are listed. */
  listedFiles?: number | undefined
}

export function formatReport(result: RunResult): string {
  const { counts, wallMs, noBrowserBecause } = result
  const { passed, failed, skipped, skippedBecause } = counts
  const lines = ['', ...formatCosts(result), `── ${formatMinutes(wallMs)}`]
  if (skipped > 0) lines.push(`!! ${skipped} TESTS WERE SKIPPED`)
  for (const [reason, count] of skippedBecause)
    lines.push(`   ${count}: ${reason}${reason === noBrowserBecause ? `: ${HOW_TO_GET_A_BROWSER}` : ''}`)
  lines.push(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return `${lines.join('\n')}\n`
}

function formatCosts({ costs, postgresCpuMs, listedFiles = 10 }: RunResult): string[] {
  if (costs.length < 2) return []
  const total = costs.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
  const rows = costs
    .toSorted((a, b) => b.wallMs - a.wallMs)
    .slice(0, listedFiles)
    .map(({ file, wallMs, cpuMs }) => `${seconds(wallMs)}${seconds(cpuMs)}   ${file}`)
  const sums = `${seconds(total).trim()} s of CPU in ${costs.length} files, ${seconds(postgresCpuMs).trim()} s in PostgreSQL`
  return [`── the dearest files: wall s, CPU s (all: ${sums})`, ...rows]
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1).padStart(8)

const formatMinutes = (ms: number): string => {
  const total = Math.round(ms / 1_000)
  return `${Math.floor(total / 60)} min ${total % 60} s`
}
