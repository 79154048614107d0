// Types and limits of event fields as sent; `contract/` has checked only their shape.
import type { Status, Transparency, Visibility } from './event.ts'

/** Longest texts in characters that JSON accepts. Calendar programs and files may bring longer ones. */
export const MAX_TEXT_CHARS = { title: 255, description: 10_000, location: 500, category: 64, url: 2_048 } as const

/** Longest text that is stored; as long as a line of a calendar file. JSON accepts it if it was there before. */
export const MAX_STORED_CHARS = 262_144

/** New extra dates, and new excluded dates, that one request may add. */
export const MAX_SENT_DATES = 500

/** A whole event as sent. Absent and null both mean the default. */
export interface EventFields {
  title: string
  description?: string | null
  location?: string | null
  category?: string | null
  url?: string | null
  visibility?: Visibility | null
  status?: Status | null
  transparency?: Transparency | null
  start: string
  end: string
  all_day?: boolean | null
  timezone?: string | null
  rrule?: string | null
  rdates?: string[] | null
  exdates?: string[] | null
}

/** A merge patch: absent keeps, null clears. */
export type FieldsPatch = { [Field in keyof EventFields]?: EventFields[Field] | null }

/** The fields that one occurrence may override. */
export type OccurrenceFieldsPatch = Pick<
  FieldsPatch,
  'title' | 'description' | 'location' | 'category' | 'url' | 'status' | 'start' | 'end'
>

export interface Defaults {
  zone: string
  visibility: Visibility
}
