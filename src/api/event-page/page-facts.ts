// What the page of an event shows: the event or one date as the public sees it, and its next dates.
import type { ShownOccurrence } from '../../actions/events/masked-reads.ts'
import type { Language } from '../../domain/languages.ts'
import type { ShownEvent } from '../../domain/privacy/mask.ts'
import { formatOccurrenceKey } from '../../domain/recurrence/occurrence-key.ts'
import { type Day, dayOf, type Instant } from '../../domain/time/instant.ts'
import { formatBasicDate, formatBasicLocal } from '../../domain/time/text.ts'
import { requireZone, toInstant, type Zone } from '../../domain/time/zone.ts'
import { formatTimes } from '../../words/format-times.ts'
import type { SharedWords } from '../../words/words.ts'
import { presentPlace } from '../events/present.ts'

export interface SitePlace {
  name: string
  /** '' or '/slug'. */
  root: string
  /** The base path of the API. */
  base: string
  origin: string
  /** The calendar's zone, in which times are shown. */
  zone: Zone
  /** The calendar's own, for what programs fetch: pictures and oEmbed. They keep one for all readers. */
  language: Language
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

/** The facts with the words of the reader's language. */
export interface WrittenFacts extends EventPageFacts {
  words: SharedWords
  language: Language
  /** The language, if the address of the page chose it. */
  chosen: Language | undefined
}

/** Of a masked event the words for one, in place of those that programs get. */
export const titleOf = (event: ShownEvent, { eventPage }: SharedWords): string =>
  event.level === 'masked' ? eventPage.privateEvent : event.details.title

export const isCancelled = (event: ShownEvent): boolean =>
  event.level !== 'masked' && event.details.status === 'cancelled'

/** In words, such as "Tuesday 14 July 2026, 19:30 to 21:00". */
export const whenOf = (event: ShownEvent, { zone }: SitePlace, { times }: SharedWords): string =>
  formatTimes(presentPlace(event, zone), zone.name, times)

/** The same for previews, which have no other place to say that it is cancelled. */
export const statusAndWhen = (event: ShownEvent, site: SitePlace, words: SharedWords): string =>
  isCancelled(event) ? `${words.eventPage.cancelledMark} · ${whenOf(event, site, words)}` : whenOf(event, site, words)

/** The date that the page is about; for a series the next one that takes place. */
export const shownDateOf = ({ date, next }: EventPageFacts): ShownOccurrence | undefined =>
  date ?? next.find((one) => !isCancelled(one.event)) ?? next[0]

/** The event at that date. */
export const shownAt = (facts: EventPageFacts): ShownEvent => shownDateOf(facts)?.event ?? facts.event

export const pagePathOf = ({ root }: SitePlace, { id }: ShownEvent): string => `${root}/events/${id}`

export const datePathOf = (site: SitePlace, date: ShownOccurrence): string =>
  `${pagePathOf(site, date.event)}/${nameOfDate(date)}`

/** The path of the page. */
export const pathOf = ({ site, event, date }: EventPageFacts): string =>
  date ? datePathOf(site, date) : pagePathOf(site, event)

/** The day and the time at which a moved date would have been. */
export function movedFrom(date: ShownOccurrence | undefined): { day: Day; at: Instant } | undefined {
  if (date?.key === undefined || date.event.level === 'masked') return undefined
  const { allDay, zone, startAt, startWall } = date.event.timing
  const nominal = allDay ? date.key : toInstant(requireZone(zone), date.key)
  return startWall === date.key || nominal === startAt ? undefined : { day: dayOf(date.key), at: nominal }
}

/** The key of a date would tell where a private event was before it was moved, so its time names it. */
export function nameOfDate({ event: { level, timing }, key }: ShownOccurrence): string {
  if (level !== 'masked' && key !== undefined) return formatOccurrenceKey(key, timing.allDay)
  return timing.allDay ? formatBasicDate(dayOf(timing.startAt)) : `${formatBasicLocal(timing.startAt)}Z`
}
