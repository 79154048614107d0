// Report of an import: counts of everything, and a bounded list of entries, skipped ones first.
import type { SkipReason } from '../../domain/calendar/skip-reasons.ts'

export type ImportResult = 'created' | 'updated' | 'unchanged' | 'skipped'

export interface ImportedEvent {
  /** Null where the file has none. */
  uid: string | null
  /** Absent for what is not stored here: a skipped entry, or a new event in a dry run. */
  id?: string
  /** The first characters, so that a reader can recognise the event. */
  title: string
  result: ImportResult
  reason?: SkipReason
  /** The line of the file where it begins, or the line that cannot be read. */
  line: number
  /** Of a new event: the one in the trash that had its UID. */
  continues?: string | undefined
}

export interface ImportSummary extends Record<ImportResult, number> {
  isDryRun: boolean
  /** In the order of the file; at most `MAX_LISTED`, or as many as the caller wants. */
  events: ImportedEvent[]
  /** Whether there were more entries than are listed. */
  isTruncated: boolean
}

/** The limit of listed entries; a file can have a million. */
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
    add(given) {
      // The id of a new event is used by no event after a dry run.
      const { id: _, ...withoutId } = given
      const entry = isDryRun && given.result === 'created' ? withoutId : given
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
