// Event model: details, timing, recurrence and overrides of a series.

import type { Rule } from '../recurrence/rule.ts'
import type { Instant, LocalMs } from '../time/instant.ts'

export const VISIBILITIES = ['public', 'private'] as const
export const STATUSES = ['confirmed', 'tentative', 'cancelled'] as const
export const TRANSPARENCIES = ['opaque', 'transparent'] as const

export type Visibility = (typeof VISIBILITIES)[number]
export type Status = (typeof STATUSES)[number]
export type Transparency = (typeof TRANSPARENCIES)[number]

/** The texts of an event; a single occurrence may have its own. An absent one is an empty value, never `undefined`. */
export interface Details {
  title: string
  description: string | null
  location: string | null
  category: string | null
  url: string | null
  status: Status
}

/**
 * Times of an event. For a timed event `startWall` is the wall time in `zone` and `startAt` its instant. An all-day
 * event is a run of dates without a zone: `startAt` equals `startWall`, the date's midnight as if in UTC, and `zone` is
 * only the zone of its calendar.
 */
export interface Timing {
  allDay: boolean
  zone: string
  startWall: LocalMs
  startAt: Instant
  durationMs: number
  /** A local time without a zone (RFC 5545 §3.3.5), read in the calendar's. */
  floating?: true
}

/** One occurrence with its own details or timing. `key` is the nominal start it replaces. */
export interface Override {
  key: LocalMs
  details: Details
  timing: Timing
  /** Only if it differs from that of the series. */
  transparency?: Transparency
}

/** An event, single or recurring: one object in the API, CalDAV and feeds, never split. */
export interface Series {
  uid: string
  visibility: Visibility
  transparency: Transparency
  details: Details
  timing: Timing
  rule: Rule | undefined
  rdates: readonly LocalMs[]
  exclusions: readonly LocalMs[]
  overrides: readonly Override[]
  /** What programs wrote into `CATEGORIES` after the first value, of all occurrences; absent where nothing is. */
  moreCategories?: readonly string[]
}

/** A series without its exceptions. */
export type SeriesBase = Omit<Series, 'exclusions' | 'overrides' | 'moreCategories'>

export const isRecurring = (series: Pick<Series, 'rule' | 'rdates'>): boolean =>
  series.rule !== undefined || series.rdates.length > 0

/** Whether every occurrence is overridden or excluded. */
export const isAllEdited = ({ rule, rdates, overrides, exclusions }: Series): boolean =>
  rule === undefined && overrides.length + exclusions.length > rdates.length

export const DETAIL_FIELDS = ['title', 'description', 'location', 'category', 'url', 'status'] as const
