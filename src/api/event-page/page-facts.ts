// What the page of an event shows: the event or one date as the public sees it, and its next dates.
import type { ShownOccurrence } from '../../actions/events/masked-reads.ts'
import type { ShownEvent } from '../../domain/privacy/mask.ts'
import { formatOccurrenceKey } from '../../domain/recurrence/occurrence-key.ts'
import { dayOf } from '../../domain/time/instant.ts'
import { formatBasicDate, formatBasicLocal } from '../../domain/time/text.ts'
import type { Zone } from '../../domain/time/zone.ts'
import type { SharedWords } from '../../words/words.ts'

export interface SitePlace {
  name: string
  /** '' or '/slug'. */
  root: string
  /** The base path of the API. */
  base: string
  origin: string
  /** The calendar's zone, in which times are shown. */
  zone: Zone
}

export interface EventPageFacts {
  site: SitePlace
  /** The event or series. */
  event: ShownEvent
  /** The date that the page is about, if it is about one only. */
  date: ShownOccurrence | undefined
  /** Of a series: what has not ended yet, soonest first. */
  next: readonly ShownOccurrence[]
}

/** Of a masked event the words for one, in place of those that programs get. */
export const titleOf = (event: ShownEvent, { eventPage }: SharedWords): string =>
  event.level === 'masked' ? eventPage.privateEvent : event.details.title

export const isCancelled = (event: ShownEvent): boolean =>
  event.level !== 'masked' && event.details.status === 'cancelled'

/** The event at the date that the page is about; for a series the next one that takes place. */
export function shownAt({ event, date, next }: EventPageFacts): ShownEvent {
  const first = next.find((one) => !isCancelled(one.event)) ?? next[0]
  return date?.event ?? first?.event ?? event
}

export const pagePathOf = ({ root }: SitePlace, { id }: ShownEvent): string => `${root}/events/${id}`

export const datePathOf = (site: SitePlace, date: ShownOccurrence): string =>
  `${pagePathOf(site, date.event)}/${nameOfDate(date)}`

/** The key of a date would tell where a private event was before it was moved, so its time names it. */
function nameOfDate({ event: { level, timing }, key }: ShownOccurrence): string {
  if (level !== 'masked' && key !== undefined) return formatOccurrenceKey(key, timing.allDay)
  return timing.allDay ? formatBasicDate(dayOf(timing.startAt)) : `${formatBasicLocal(timing.startAt)}Z`
}
