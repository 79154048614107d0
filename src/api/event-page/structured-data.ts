// schema.org/Event of a public event, for search engines.
import type { ShownOccurrence } from '../../actions/events/masked-reads.ts'
import { sortedUnique } from '../../domain/calendar/repeat.ts'
import type { FullEvent, OpenEvent, ShownEvent } from '../../domain/privacy/mask.ts'
import { parseRule, type Rule } from '../../domain/recurrence/rule.ts'
import { DAY_MS, dayOf, type LocalMs, MINUTE_MS, wallOfDay } from '../../domain/time/instant.ts'
import { formatDate, formatInstant, formatLocal } from '../../domain/time/text.ts'
import { requireZone, toWall } from '../../domain/time/zone.ts'
import { type EventPageFacts, isCancelled, movedFrom, pathOf, shownAt, shownDateOf } from './page-facts.ts'
import { picturePathOf } from './preview-path.ts'

const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const PERIODS: Partial<Record<Rule['frequency'], string>> = { DAILY: 'D', WEEKLY: 'W', MONTHLY: 'M', YEARLY: 'Y' }

/** With more excluded dates, a series has no schedule: they would be most of the page. */
const MAX_EXCLUDED = 100

/** Undefined for a private event. */
export function structuredData(facts: EventPageFacts): object | undefined {
  const { site, event, date } = facts
  const shown = shownAt(facts)
  if (shown.level === 'masked' || event.level === 'masked') return undefined
  const { title, description, location } = shown.details
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: title,
    url: `${site.origin}${pathOf(facts)}`,
    image: [`${site.origin}${picturePathOf(facts)}`],
    ...timesOf(shown),
    ...statusOf(facts, shown),
    ...(description && { description }),
    ...(location && placeOf(location)),
    organizer: { '@type': 'Organization', name: site.name, url: `${site.origin}${site.root}/` },
    ...(date ? {} : scheduleOf(event, facts.next)),
  }
}

/** A cancelled date, and a moved one: the time that the rule gives has no event. */
const isElsewhere = (one: ShownOccurrence): boolean => isCancelled(one.event) || movedFrom(one) !== undefined

/** A moved date says where it was, as search engines ask for. */
function statusOf(facts: EventPageFacts, shown: ShownEvent): object {
  if (isCancelled(shown)) return { eventStatus: 'https://schema.org/EventCancelled' }
  const moved = movedFrom(shownDateOf(facts))
  if (!moved) return { eventStatus: 'https://schema.org/EventScheduled' }
  const { allDay, zone } = shown.timing
  return {
    eventStatus: 'https://schema.org/EventRescheduled',
    previousStartDate: allDay ? formatDate(moved.day) : formatInstant(moved.at, requireZone(zone)),
  }
}

/** An address of the web, as of a video call, is a place online. */
function placeOf(location: string): object {
  if (/^https?:\/\/\S+$/.test(location))
    return {
      eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
      location: { '@type': 'VirtualLocation', url: location },
    }
  return {
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: { '@type': 'Place', name: location, address: location },
  }
}

/** A day is a date; the last one is included. */
function timesOf({ timing: { allDay, zone, startAt, durationMs } }: ShownEvent) {
  const endAt = startAt + durationMs
  if (allDay) return { startDate: formatDate(dayOf(startAt)), endDate: formatDate(dayOf(endAt) - 1) }
  return { startDate: formatInstant(startAt, requireZone(zone)), endDate: formatInstant(endAt, requireZone(zone)) }
}

/** For rules that schema.org has words for; other series have their next date only. */
function scheduleOf({ repetition, timing }: OpenEvent | FullEvent, next: readonly ShownOccurrence[]): object {
  const rule = repetition?.rrule ? parseRule(repetition.rrule) : undefined
  if (!rule || typeof rule === 'string') return {}
  const period = PERIODS[rule.frequency]
  const isOdd = [rule.byHour, rule.byMinute, rule.bySecond, rule.byWeekNo, rule.byYearDay, rule.bySetPos].some(
    (list) => list.length > 0,
  )
  const hasOrdinals = rule.byDay.some(({ ordinal }) => ordinal !== 0)
  if (!period || isOdd || hasOrdinals || rule.byMonthDay.some((day) => day < 0)) return {}
  const { allDay, startWall, zone } = timing
  const changed = next.flatMap((one) => (one.key !== undefined && isElsewhere(one) ? [one.key] : []))
  const excluded = sortedUnique([...(repetition?.exdates ?? []), ...changed])
  if (excluded.length > MAX_EXCLUDED) return {}
  return {
    eventSchedule: {
      '@type': 'Schedule',
      startDate: formatDate(dayOf(startWall)),
      repeatFrequency: `P${rule.interval}${period}`,
      ...(rule.count !== undefined && { repeatCount: rule.count }),
      ...(rule.until && { endDate: lastDayOf(rule.until, timing) }),
      ...(rule.byDay.length > 0 && {
        byDay: rule.byDay.map(({ weekday }) => `https://schema.org/${DAY_NAMES[weekday]}`),
      }),
      ...(rule.byMonth.length > 0 && { byMonth: rule.byMonth }),
      ...(rule.byMonthDay.length > 0 && { byMonthDay: rule.byMonthDay }),
      ...(excluded.length > 0 && { exceptDate: excluded.map((wall) => dateOf(wall, allDay)) }),
      // The first date itself is an hour later if it is at an hour that the zone leaves out.
      ...(!allDay && { startTime: formatLocal(startWall).slice(11), scheduleTimezone: zone }),
      duration: lengthOf(timing),
    },
  }
}

/** A time without an offset is one of the schedule's zone. */
const dateOf = (wall: LocalMs, allDay: boolean): string => (allDay ? formatDate(dayOf(wall)) : formatLocal(wall))

function lengthOf({ allDay, durationMs }: ShownEvent['timing']): string {
  if (allDay) return `P${durationMs / DAY_MS}D`
  return durationMs % MINUTE_MS === 0 ? `PT${durationMs / MINUTE_MS}M` : `PT${durationMs / 1_000}S`
}

/** The day in the zone of the series, or the one before if the event begins later in the day. */
function lastDayOf(until: NonNullable<Rule['until']>, { zone, startWall }: ShownEvent['timing']): string {
  if (until.kind === 'date') return formatDate(until.day)
  const last = until.kind === 'local' ? until.wall : toWall(requireZone(zone), until.instant)
  return formatDate(dayOf(last - (startWall - wallOfDay(dayOf(startWall)))))
}
