// Describes an RRULE in words: `every second Tuesday until 30 June 2027`.
import { parseRule, type Rule, type RuleDay, type Until } from '../domain/recurrence/rule.ts'
import { type CalendarDate, dateFromDay, dayOf } from '../domain/time/instant.ts'
import { rule as strings } from './english.ts'

/** `zone` is the event’s zone, in which UNTIL is a day. A rule without common words is a custom repetition. */
export function ruleInWords(rrule: string, zone = 'UTC'): string {
  const rule = parseRule(rrule)
  if (typeof rule === 'string' || isUncommon(rule)) return strings.custom
  const pattern = patternOf(rule)
  return pattern === undefined ? strings.custom : `${pattern}${endOf(rule, zone)}`
}

/** BYHOUR, BYWEEKNO and the like have no common words. */
const isUncommon = (rule: Rule): boolean =>
  [rule.byHour, rule.byMinute, rule.bySecond, rule.byWeekNo, rule.byYearDay].some((list) => list.length > 0)

function patternOf(rule: Rule): string | undefined {
  const { frequency, byDay, byMonth, byMonthDay, bySetPos } = rule
  const isPlain = byMonth.length + byMonthDay.length + bySetPos.length === 0
  if (frequency === 'DAILY') {
    if (!isPlain) return undefined
    return byDay.length === 0 ? strings.every(rule.interval, 'DAILY') : rule.interval === 1 ? weekly(rule) : undefined
  }
  if (frequency === 'WEEKLY') return isPlain ? weekly(rule) : undefined
  if (frequency === 'MONTHLY') return byMonth.length === 0 ? monthly(rule) : undefined
  return frequency === 'YEARLY' ? yearly(rule) : undefined
}

function weekly({ byDay, interval }: Rule): string {
  const days = byDay.map(({ weekday }) => weekday)
  if (days.length === 0) return strings.every(interval, 'WEEKLY')
  const isEvery = days.length === 7
  if (interval === 1 && isEvery) return strings.every(1, 'DAILY')
  const names = isEvery ? strings.everyDay : isWorkingWeek(days) ? strings.weekdays : listed(days.map(dayName))
  if (interval === 1) return isWorkingWeek(days) ? strings.everyWeekday : strings.everyNamed(names)
  if (interval === 2 && days.length === 1) return strings.everySecond(names)
  return strings.on(strings.every(interval, 'WEEKLY'), names)
}

const isWorkingWeek = (days: readonly number[]): boolean => days.length === 5 && days.every((day) => day < 5)

function monthly(rule: Rule): string | undefined {
  const every = strings.every(rule.interval, 'MONTHLY')
  if (rule.byDay.length + rule.byMonthDay.length + rule.bySetPos.length === 0) return every
  const days = daysInMonth(rule)
  return days && strings.on(every, days)
}

function yearly(rule: Rule): string | undefined {
  const { byDay, byMonth, byMonthDay, bySetPos } = rule
  const every = strings.every(rule.interval, 'YEARLY')
  if (byDay.length + byMonth.length + byMonthDay.length + bySetPos.length === 0) return every
  if (byMonth.length !== 1) return undefined
  const month = strings.months[byMonth[0]! - 1]!
  if (byDay.length + byMonthDay.length + bySetPos.length === 0) return strings.in(every, month)
  if (byDay.length === 0 && byMonthDay.length === 1 && byMonthDay[0]! > 0)
    return strings.on(every, strings.date(byMonthDay[0]!, month))
  const days = daysInMonth(rule)
  return days && strings.on(every, strings.of(days, month))
}

/** Days of the month by number, or by weekday; both together have no common words. */
function daysInMonth({ byDay, byMonthDay, bySetPos }: Rule): string | undefined {
  if (byDay.length === 0) {
    if (bySetPos.length > 0 || byMonthDay.some((day) => day < -1)) return undefined
    const numbered = byMonthDay.filter((day) => day > 0).map(strings.nth)
    return listed([...numbered.map(strings.the), ...(byMonthDay.includes(-1) ? [strings.lastDay] : [])])
  }
  return byMonthDay.length > 0 ? undefined : placesOf(byDay, bySetPos)
}

/** `the second Tuesday`, whether written as 2TU or as TU with BYSETPOS=2. */
function placesOf(byDay: readonly RuleDay[], bySetPos: readonly number[]): string | undefined {
  if (bySetPos.length === 0) {
    const places = byDay.map(({ ordinal, weekday }) => place(ordinal, dayName(weekday)))
    return places.includes(undefined) ? undefined : listed(places as string[])
  }
  if (bySetPos.length > 1 || byDay.some(({ ordinal }) => ordinal !== 0)) return undefined
  const days = byDay.map(({ weekday }) => weekday)
  if (days.length === 1) return place(bySetPos[0]!, dayName(days[0]!))
  return isWorkingWeek(days) ? place(bySetPos[0]!, strings.weekday) : undefined
}

function place(ordinal: number, name: string): string | undefined {
  const which = ordinal === -1 ? strings.last : strings.ordinals[ordinal - 1]
  return which && strings.the(`${which} ${name}`)
}

const dayName = (weekday: number): string => strings.days[weekday]!

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : strings.and(names.slice(0, -1).join(', '), names.at(-1)!)
}

function endOf({ count, until }: Rule, zone: string): string {
  if (count !== undefined) return strings.times(count)
  if (!until) return ''
  const { year, month, day } = lastDayOf(until, zone)
  return strings.until(strings.date(day, strings.months[month - 1]!, year))
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
