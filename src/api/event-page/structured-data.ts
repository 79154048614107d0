// schema.org/Event of a public event, for search engines.
import type { FullEvent, OpenEvent, ShownEvent } from '../../domain/privacy/mask.ts'
import { parseRule, type Rule } from '../../domain/recurrence/rule.ts'
import { dayOf } from '../../domain/time/instant.ts'
import { formatDate, formatInstant } from '../../domain/time/text.ts'
import { requireZone } from '../../domain/time/zone.ts'
import { datePathOf, type EventPageFacts, isCancelled, pagePathOf, shownAt } from './page-facts.ts'

const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const PERIODS: Partial<Record<Rule['frequency'], string>> = { DAILY: 'D', WEEKLY: 'W', MONTHLY: 'M', YEARLY: 'Y' }

/** Undefined for a private event. */
export function structuredData(facts: EventPageFacts): object | undefined {
  const { site, event, date } = facts
  const shown = shownAt(facts)
  if (shown.level === 'masked' || event.level === 'masked') return undefined
  const { title, description, location } = shown.details
  const path = date ? datePathOf(site, date) : pagePathOf(site, event)
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: title,
    url: `${site.origin}${path}`,
    ...timesOf(shown),
    eventStatus: `https://schema.org/${isCancelled(shown) ? 'EventCancelled' : 'EventScheduled'}`,
    ...(description && { description }),
    ...(location && { location: { '@type': 'Place', name: location, address: location } }),
    organizer: { '@type': 'Organization', name: site.name, url: `${site.origin}${site.root}/` },
    ...(date ? {} : scheduleOf(event)),
  }
}

/** A day is a date; the last one is included. */
function timesOf({ timing: { allDay, zone, startAt, durationMs } }: ShownEvent) {
  const endAt = startAt + durationMs
  if (allDay) return { startDate: formatDate(dayOf(startAt)), endDate: formatDate(dayOf(endAt) - 1) }
  return { startDate: formatInstant(startAt, requireZone(zone)), endDate: formatInstant(endAt, requireZone(zone)) }
}

/** For rules that schema.org has words for; other series have their next date only. */
function scheduleOf({ repetition, timing }: OpenEvent | FullEvent): object {
  const rule = repetition?.rrule ? parseRule(repetition.rrule) : undefined
  if (!rule || typeof rule === 'string') return {}
  const period = PERIODS[rule.frequency]
  const isOdd = [rule.byHour, rule.byMinute, rule.bySecond, rule.byWeekNo, rule.byYearDay, rule.bySetPos].some(
    (list) => list.length > 0,
  )
  const hasOrdinals = rule.byDay.some(({ ordinal }) => ordinal !== 0)
  if (!period || isOdd || hasOrdinals || rule.byMonthDay.some((day) => day < 0)) return {}
  const start = formatInstant(timing.startAt, requireZone(timing.zone))
  return {
    eventSchedule: {
      '@type': 'Schedule',
      startDate: timing.allDay ? formatDate(dayOf(timing.startAt)) : start.slice(0, 10),
      repeatFrequency: `P${rule.interval}${period}`,
      ...(rule.count !== undefined && { repeatCount: rule.count }),
      ...(rule.until && { endDate: lastDayOf(rule.until) }),
      ...(rule.byDay.length > 0 && {
        byDay: rule.byDay.map(({ weekday }) => `https://schema.org/${DAY_NAMES[weekday]}`),
      }),
      ...(rule.byMonth.length > 0 && { byMonth: rule.byMonth }),
      ...(rule.byMonthDay.length > 0 && { byMonthDay: rule.byMonthDay }),
      ...(!timing.allDay && { startTime: start.slice(11, 19), scheduleTimezone: timing.zone }),
      duration: `PT${timing.durationMs / 60_000}M`,
    },
  }
}

const lastDayOf = (until: NonNullable<Rule['until']>): string =>
  formatDate(until.kind === 'date' ? until.day : dayOf(until.kind === 'local' ? until.wall : until.instant))
