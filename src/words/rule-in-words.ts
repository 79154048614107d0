// Describes an RRULE in words: `every second Tuesday until 30 June 2027`.
import { parseRule, type Rule, type RuleDay, type Until } from '../domain/recurrence/rule.ts'
import { type CalendarDate, dateFromDay, dayOf } from '../domain/time/instant.ts'
import type { RuleWords } from './rule-words.ts'

/** `zone` is the event’s zone, in which UNTIL is a day. A rule without common words is a custom repetition. */
export function ruleInWords(rrule: string, words: RuleWords, zone = 'UTC'): string {
  const rule = parseRule(rrule)
  if (typeof rule === 'string' || isUncommon(rule)) return words.custom
  const pattern = patternOf(rule, words)
  return pattern === undefined ? words.custom : `${pattern}${endOf(rule, words, zone)}`
}

/** BYHOUR, BYWEEKNO and the like have no common words. */
const isUncommon = (rule: Rule): boolean =>
  [rule.byHour, rule.byMinute, rule.bySecond, rule.byWeekNo, rule.byYearDay].some((list) => list.length > 0)

function patternOf(rule: Rule, words: RuleWords): string | undefined {
  const { frequency, byDay, byMonth, byMonthDay, bySetPos } = rule
  const isPlain = byMonth.length + byMonthDay.length + bySetPos.length === 0
  if (frequency === 'DAILY') {
    if (!isPlain) return undefined
    if (byDay.length === 0) return words.every(rule.interval, 'DAILY')
    return rule.interval === 1 ? weekly(rule, words) : undefined
  }
  if (frequency === 'WEEKLY') return isPlain ? weekly(rule, words) : undefined
  if (frequency === 'MONTHLY') return byMonth.length === 0 ? monthly(rule, words) : undefined
  return frequency === 'YEARLY' ? yearly(rule, words) : undefined
}

function weekly({ byDay, interval }: Rule, words: RuleWords): string {
  const days = byDay.map(({ weekday }) => weekday)
  const every = words.every(interval, 'WEEKLY')
  if (days.length === 0) return every
  if (days.length === 7) return interval === 1 ? words.every(1, 'DAILY') : words.allDaysOf(every)
  if (isWorkingWeek(days)) return interval === 1 ? words.everyWeekday : words.weekdaysOf(every)
  if (interval === 1) return words.everyDays(days)
  return interval === 2 && days.length === 1 ? words.everySecondDay(days[0]!) : words.weekOn(every, days)
}

const isWorkingWeek = (days: readonly number[]): boolean => days.length === 5 && days.every((day) => day < 5)

function monthly(rule: Rule, words: RuleWords): string | undefined {
  const every = words.every(rule.interval, 'MONTHLY')
  if (rule.byDay.length + rule.byMonthDay.length + rule.bySetPos.length === 0) return every
  const days = daysInMonth(rule, words)
  return days && words.on(every, days, rule.interval, 'MONTHLY')
}

function yearly(rule: Rule, words: RuleWords): string | undefined {
  const { byDay, byMonth, byMonthDay, bySetPos } = rule
  const every = words.every(rule.interval, 'YEARLY')
  if (byDay.length + byMonth.length + byMonthDay.length + bySetPos.length === 0) return every
  if (byMonth.length !== 1) return undefined
  const month = byMonth[0]!
  if (byDay.length + byMonthDay.length + bySetPos.length === 0) return words.in(every, month)
  if (byDay.length === 0 && byMonthDay.length === 1 && byMonthDay[0]! > 0)
    return words.onDate(every, words.date(byMonthDay[0]!, month))
  const days = daysInMonth(rule, words)
  return days && words.on(every, words.of(days, month), rule.interval, 'YEARLY')
}

/** Days of the month by number, or by weekday; both together have no common words. */
function daysInMonth({ byDay, byMonthDay, bySetPos }: Rule, words: RuleWords): string | undefined {
  if (byDay.length === 0) {
    if (bySetPos.length > 0 || byMonthDay.some((day) => day < -1)) return undefined
    const numbered = byMonthDay.filter((day) => day > 0).map(words.monthDay)
    return words.and([...numbered, ...(byMonthDay.includes(-1) ? [words.lastDay] : [])])
  }
  return byMonthDay.length > 0 ? undefined : placesOf(byDay, bySetPos, words)
}

/** `the second Tuesday`, whether written as 2TU or as TU with BYSETPOS=2. */
function placesOf(byDay: readonly RuleDay[], bySetPos: readonly number[], words: RuleWords): string | undefined {
  if (bySetPos.length === 0) {
    if (!byDay.every(({ ordinal }) => isCommonPlace(ordinal))) return undefined
    return words.and(byDay.map(({ ordinal, weekday }) => words.place(ordinal, weekday)))
  }
  const which = bySetPos[0]!
  if (bySetPos.length > 1 || !isCommonPlace(which) || byDay.some(({ ordinal }) => ordinal !== 0)) return undefined
  const days = byDay.map(({ weekday }) => weekday)
  if (days.length === 1) return words.place(which, days[0]!)
  return isWorkingWeek(days) ? words.place(which, 'weekday') : undefined
}

const isCommonPlace = (which: number): boolean => which === -1 || (which >= 1 && which <= 5)

function endOf({ count, until }: Rule, words: RuleWords, zone: string): string {
  if (count !== undefined) return words.times(count)
  if (!until) return ''
  const { year, month, day } = lastDayOf(until, zone)
  return words.until(words.date(day, month, year))
}

function lastDayOf(until: Until, zone: string): CalendarDate {
  if (until.kind === 'utc') return dateIn(zone, until.instant)
  return dateFromDay(until.kind === 'date' ? until.day : dayOf(until.wall))
}

/** Uses Intl, so that describing a rule does not load the Temporal polyfill. */
function dateIn(timeZone: string, instant: number): CalendarDate {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const [year, month, day] = format.format(instant).split('-').map(Number) as [number, number, number]
  return { year, month, day }
}
