// An event of the demo before it is written, with its edited occurrences.
import type { EventFields, OccurrenceFieldsPatch } from '../../domain/calendar/fields.ts'

/** One occurrence to be edited once the series exists; `nth` counts those that begin after today, from 1. */
export interface PlannedEdit {
  nth: number
  /** Days to move it by, and the time it then begins; absent, it stays where it is. */
  move?: { days: number; time: string | undefined }
  words: OccurrenceFieldsPatch
}

export interface PlannedEvent {
  fields: EventFields
  edits: PlannedEdit[]
}
