// Two other implementations of RFC 5545 recurrence, and the named classes of rules on which they deviate from it.
import ICAL from 'ical.js'
import { RRuleTemporal } from 'rrule-temporal'
import { weekYearOf } from '../../../src/domain/recurrence/day-sets.ts'
import { isSubDaily, type Rule } from '../../../src/domain/recurrence/rule.ts'
import { dayOf, type LocalMs } from '../../../src/domain/time/instant.ts'
import type { ArbitrarySeries } from './arbitrary-rules.ts'

export interface Deviation {
  name: string
  applies(series: ArbitrarySeries): boolean
}

export interface Oracle {
  name: string
  deviations: readonly Deviation[]
  /** The occurrences after the start, up to and including `until`; undefined when the oracle gives up. */
  ask(series: ArbitrarySeries, until: LocalMs, limit: number): LocalMs[] | undefined
}

const hasNumberedDay = (rule: Rule) => rule.byDay.some((day) => day.ordinal !== 0)
const namesDay = (rule: Rule) => rule.byDay.length + rule.byMonthDay.length + rule.byYearDay.length > 0
const countsInYear = (rule: Rule) => rule.frequency === 'YEARLY' && rule.byMonth.length === 0
const hasSeveralTimes = (rule: Rule) => Math.max(rule.byHour.length, rule.byMinute.length, rule.bySecond.length) > 1
const isMonthlyOrYearly = (rule: Rule) => rule.frequency === 'MONTHLY' || rule.frequency === 'YEARLY'

export const rruleTemporal: Oracle = {
  name: 'rrule-temporal',
  deviations: [
    {
      // Entries of a list are alternatives; only the numbered ones are returned.
      name: 'YEARLY;BYDAY with plain and numbered weekdays together, without BYMONTH',
      applies: ({ rule }) => countsInYear(rule) && hasNumberedDay(rule) && rule.byDay.some((day) => day.ordinal === 0),
    },
    {
      // Note 2 of the table makes BYDAY a limit here; it is treated as an expansion that ignores the other part.
      name: 'YEARLY;BYDAY numbered, with BYMONTHDAY, without BYMONTH',
      applies: ({ rule }) => countsInYear(rule) && hasNumberedDay(rule) && rule.byMonthDay.length > 0,
    },
    {
      // A year may have no 53rd such weekday; the count runs on into the next year.
      name: 'YEARLY;BYDAY numbered 53',
      applies: ({ rule }) => rule.byDay.some((day) => Math.abs(day.ordinal) === 53),
    },
    {
      // Its years begin with week 1 too, but it counts from the calendar year of the start and loses days of that week.
      name: 'BYWEEKNO with a start in a week of another year',
      applies: ({ rule, start }) =>
        rule.byWeekNo.length > 0 && weekYearOf(dayOf(start), rule.weekStart) !== new Date(start).getUTCFullYear(),
    },
    {
      // The same note: BYDAY limits BYYEARDAY; it is ignored.
      name: 'YEARLY;BYYEARDAY with BYDAY',
      applies: ({ rule }) => rule.byYearDay.length > 0 && rule.byDay.length > 0,
    },
  ],
  ask({ text, start }, until, limit) {
    const rule = new RRuleTemporal({
      rruleString: `${text};UNTIL=${basic(until)}Z`,
      dtstart: Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO('UTC'),
    })
    const walls: LocalMs[] = []
    try {
      rule.all((at) => {
        if (at.epochMilliseconds > start) walls.push(at.epochMilliseconds)
        return walls.length < limit
      })
    } catch (error) {
      if (error instanceof Error && /Maximum iterations/.test(error.message)) return undefined
      throw error
    }
    return walls.slice(0, limit)
  },
}

/** ical.js can search for a next occurrence endlessly; every step passes through this method of its iterator. */
interface Capped {
  check_contracting_rules(): boolean
}
const MAX_LOOKS = 5_000

export const icalJs: Oracle = {
  name: 'ical.js',
  deviations: [
    {
      // The first instance is returned before any part is applied, and the phase is lost with it.
      name: 'a start that the rule does not produce',
      applies: ({ isAligned }) => !isAligned,
    },
    {
      // A part no finer than the frequency is a limit; it is iterated value by value without regard to INTERVAL.
      name: 'HOURLY, MINUTELY, SECONDLY;INTERVAL with BYHOUR, BYMINUTE or BYSECOND',
      applies: ({ rule }) =>
        isSubDaily(rule) && rule.interval > 1 && rule.byHour.length + rule.byMinute.length + rule.bySecond.length > 0,
    },
    {
      // Week numbers are read as days since 1 January, and BYDAY and BYMONTH beside them mostly ignored.
      name: 'BYWEEKNO',
      applies: ({ rule }) => rule.byWeekNo.length > 0,
    },
    {
      // BYSETPOS is supported only for MONTHLY;BYDAY; elsewhere the whole set is returned.
      name: 'BYSETPOS beyond MONTHLY;BYDAY',
      applies: ({ rule }) =>
        rule.bySetPos.length > 0 &&
        !(rule.frequency === 'MONTHLY' && rule.byDay.length > 0 && rule.byMonthDay.length === 0),
    },
    {
      // The first day of a month is only tested for position 1, never for a position from the end.
      name: 'MONTHLY;BYDAY;BYSETPOS from the end',
      applies: ({ rule }) => rule.bySetPos.some((position) => position < 0),
    },
    {
      // The search for a fifth weekday advances the month before the iteration has begun.
      name: 'MONTHLY;BYMONTH several, with BYDAY numbered 5',
      applies: ({ rule }) =>
        rule.frequency === 'MONTHLY' &&
        rule.byMonth.length > 1 &&
        rule.byDay.some((day) => Math.abs(day.ordinal) === 5),
    },
    {
      // The set holds a day once, however often it is listed; here it comes twice and ends in an error.
      name: 'YEARLY;BYDAY with the same weekday in two entries',
      applies: ({ rule }) =>
        rule.frequency === 'YEARLY' && new Set(rule.byDay.map((day) => day.weekday)).size < rule.byDay.length,
    },
    {
      // Steps go from one listed month to the next, so every listed month counts as one interval.
      name: 'MONTHLY;INTERVAL with BYMONTH',
      applies: ({ rule }) => rule.frequency === 'MONTHLY' && rule.interval > 1 && rule.byMonth.length > 0,
    },
    {
      // The iteration begins at the first listed month, wherever the start is.
      name: 'MONTHLY;BYMONTH, the start not in the first of them',
      applies: ({ rule, start }) =>
        rule.frequency === 'MONTHLY' &&
        rule.byMonth.length > 1 &&
        rule.byMonth[0] !== new Date(start).getUTCMonth() + 1,
    },
    {
      // As a limit, a day of the month is compared with the number as written: -1 never matches.
      name: 'BYMONTHDAY from the end, as a limit',
      applies: ({ rule }) => !isMonthlyOrYearly(rule) && rule.byMonthDay.some((day) => day < 0),
    },
    {
      // After the last time of a day the iteration continues at the first of the next period, match or not.
      name: 'MONTHLY or YEARLY with several times a day',
      applies: (series) => isMonthlyOrYearly(series.rule) && hasSeveralTimes(series.rule),
    },
    {
      // Both must hold (notes 1 and 2); the search drops days already passed, or gives up after 48 steps.
      name: 'MONTHLY or YEARLY with BYMONTHDAY and BYDAY',
      applies: ({ rule }) => isMonthlyOrYearly(rule) && rule.byMonthDay.length > 0 && rule.byDay.length > 0,
    },
    {
      // Only one digit of the number is read: 20MO is 0MO.
      name: 'BYDAY numbered beyond 9',
      applies: ({ rule }) => rule.byDay.some((day) => Math.abs(day.ordinal) > 9),
    },
    {
      // Every month of the year has such a day; only the start's month is visited.
      name: 'YEARLY;BYMONTHDAY without BYMONTH',
      applies: ({ rule }) => rule.frequency === 'YEARLY' && rule.byMonthDay.length > 0 && rule.byMonth.length === 0,
    },
    {
      // A day that a month lacks must be skipped; it is carried into the next month, or 29 February into 1 March.
      name: 'YEARLY with a day of the month that some month or year lacks',
      applies: ({ rule, start }) =>
        rule.frequency === 'YEARLY' &&
        (rule.byMonthDay.some((day) => Math.abs(day) > 28) || (!namesDay(rule) && new Date(start).getUTCDate() > 28)) &&
        (rule.byMonth.length > 0 || new Date(start).getUTCMonth() === 1),
    },
    {
      // Days from the end are counted once, by the length of one month, and used for all.
      name: 'YEARLY;BYMONTH several, with BYMONTHDAY from the end',
      applies: ({ rule }) =>
        rule.frequency === 'YEARLY' && rule.byMonth.length > 1 && rule.byMonthDay.some((day) => day < 0),
    },
    {
      // Refused as invalid, though the table allows it.
      name: 'BYYEARDAY with BYMONTH',
      applies: ({ rule }) => rule.byYearDay.length > 0 && rule.byMonth.length > 0,
    },
  ],
  ask({ text, start }, until, limit) {
    const iterator = ICAL.Recur.fromString(`${text};UNTIL=${basic(until)}`).iterator(
      ICAL.Time.fromDateTimeString(new Date(start).toISOString().slice(0, 19)),
    )
    let looks = 0
    const capped = iterator as unknown as Capped
    const check = capped.check_contracting_rules.bind(iterator)
    capped.check_contracting_rules = () => {
      if (++looks > MAX_LOOKS) throw new GaveUp()
      return check()
    }
    const walls: LocalMs[] = []
    try {
      for (let at = iterator.next(); at && walls.length < limit; at = iterator.next()) {
        const wall = Date.UTC(at.year, at.month - 1, at.day, at.hour, at.minute, at.second)
        if (wall > start) walls.push(wall)
      }
    } catch (error) {
      if (error instanceof GaveUp) return undefined
      throw error
    }
    return walls
  },
}

class GaveUp extends Error {}

const basic = (wall: LocalMs): string => new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
