// A planned demo event with its edited occurrences.
import type { EventFields, OccurrenceFieldsPatch } from '../../domain/calendar/fields.ts'

/** One occurrence to edit once the series exists; `nth` counts those that begin after today, from 1. */
export interface PlannedEdit {
  nth: number
  /** Days to move it by, and its new start time; if absent, it is not moved. */
  move?: { days: number; time: string | undefined }
  words: OccurrenceFieldsPatch
}

export interface PlannedEvent {
  fields: EventFields
  edits: PlannedEdit[]
}
