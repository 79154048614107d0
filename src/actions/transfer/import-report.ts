// Report of an import: counts of everything, and a bounded list of entries, skipped ones first.
import type { SkipReason } from '../../domain/calendar/skip-reasons.ts'

export type ImportResult = 'created' | 'updated' | 'unchanged' | 'skipped'

export interface ImportedEvent {
  /** Null where the file gave none. */
  uid: string | null
  /** Its first characters, for people to know it by. */
  title: string
  result: ImportResult
  reason?: SkipReason
  /** Where in the file it begins, or the line of it that cannot be read. */
  line: number
}

export interface ImportSummary extends Record<ImportResult, number> {
  isDryRun: boolean
  /** In the order of the file; `MAX_LISTED` at most, or as many as the caller wants. */
  events: ImportedEvent[]
  /** Whether there were more. */
  isTruncated: boolean
}

/** A file can have a million entries; so many are listed. */
const MAX_LISTED = 10_000

export interface ReportBuilder {
  add(entry: ImportedEvent): void
  build(): ImportSummary
}

export function createReportBuilder(isDryRun: boolean, maxListed = MAX_LISTED): ReportBuilder {
  const counts: Record<ImportResult, number> = { created: 0, updated: 0, unchanged: 0, skipped: 0 }
  const skipped: ImportedEvent[] = []
  const taken: ImportedEvent[] = []
  return {
    add(entry) {
      counts[entry.result] += 1
      const list = entry.result === 'skipped' ? skipped : taken
      if (list.length < maxListed) list.push(entry)
    },
    build() {
      const events = [...skipped, ...taken].slice(0, maxListed).sort((a, b) => a.line - b.line)
      const total = counts.created + counts.updated + counts.unchanged + counts.skipped
      return { isDryRun, ...counts, events, isTruncated: total > events.length }
    },
  }
}
