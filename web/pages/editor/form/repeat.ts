// Converts an RRULE to the choices of the form and back; a rule it cannot show stays text.
import { formatRule, parseRule, type Rule, type RuleDay, type Until } from '../../../../src/domain/recurrence/rule.ts'
import { type Day, dateFromDay, dayOf, daysInMonth, weekdayOf } from '../../../../src/domain/time/instant.ts'
import { formatDate, parseTimeText } from '../../../../src/domain/time/text.ts'
import { findZone, toWall } from '../../../../src/domain/time/zone.ts'

export const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
export type OfferedFrequency = (typeof FREQUENCIES)[number]

/** Which day of a month, derived from the start date. */
export type DayChoice = 'day' | 'last_day' | 'weekday' | 'last_weekday'

/** The form’s values. Choices that do not apply now are kept, so that switching back loses nothing. */
export interface Repeat {
  kind: 'none' | OfferedFrequency | 'custom'
  interval: string
  /** Monday is 0. */
  weekdays: readonly number[]
  on: DayChoice
  ends: 'never' | 'until' | 'count'
  until: string
  count: string
  /** The rule as text, if the form cannot show it otherwise. */
  text: string
}

export const noRepeat = (startDate: string): Repeat => ({
  kind: 'none',
  interval: '1',
  weekdays: [monthPlaceOf(startDate).weekday],
  on: 'day',
  ends: 'never',
  until: '',
  count: '10',
  text: '',
})

/** The first field that is still empty or invalid, if any. */
export function findInvalidField({
  kind,
  interval,
  ends,
  until,
  count,
}: Repeat): 'interval' | 'until' | 'count' | undefined {
  if (kind === 'none' || kind === 'custom') return undefined
  if (!isCount(interval)) return 'interval'
  if (ends === 'until' && !until) return 'until'
  return ends === 'count' && !isCount(count) ? 'count' : undefined
}

const isCount = (text: string): boolean => Number.isInteger(Number(text)) && Number(text) > 0

/** The RRULE for the API. UNTIL is a date, which includes the whole day. */
export function ruleOf(repeat: Repeat, startDate: string): string | null {
  if (repeat.kind === 'none') return null
  if (repeat.kind === 'custom') return repeat.text.trim() || null
  const until = repeat.ends === 'until' ? parseTimeText(repeat.until) : undefined
  const text = formatRule({
    ...(parseRule(`FREQ=${repeat.kind}`) as Rule),
    interval: Number(repeat.interval),
    ...(repeat.ends === 'count' ? { count: Number(repeat.count) } : {}),
    ...(until?.kind === 'date' ? { until } : {}),
    ...daysOf(repeat, startDate),
  })
  // A rule with an open step is invalid, so that it equals no saved one.
  return repeat.ends === 'until' && until?.kind !== 'date' ? `${text};UNTIL=` : text
}

function daysOf(
  { kind, weekdays, on }: Repeat,
  startDate: string,
): Partial<Pick<Rule, 'byDay' | 'byMonth' | 'byMonthDay'>> {
  const { month, day, weekday, ordinal } = monthPlaceOf(startDate)
  if (kind === 'WEEKLY') return { byDay: weekdays.map((one) => ({ weekday: one, ordinal: 0 })) }
  if (kind !== 'MONTHLY' && kind !== 'YEARLY') return {}
  if (kind === 'YEARLY' && on === 'day') return {}
  const inMonth = kind === 'YEARLY' ? { byMonth: [month] } : {}
  switch (on) {
    case 'day':
      return { ...inMonth, byMonthDay: [day] }
    case 'last_day':
      return { ...inMonth, byMonthDay: [-1] }
    case 'weekday':
      return { ...inMonth, byDay: [{ weekday, ordinal }] }
    case 'last_weekday':
      return { ...inMonth, byDay: [{ weekday, ordinal: -1 }] }
  }
}

/** A rule is shown as a choice only if that choice produces an equivalent rule; otherwise it is custom. */
export function repeatOf(rrule: string | null, startDate: string, zone: string): Repeat {
  const none = noRepeat(startDate)
  if (rrule === null) return none
  const rule = parseRule(rrule)
  const custom: Repeat = { ...none, kind: 'custom', text: rrule }
  if (typeof rule === 'string') return custom
  const choice = choiceOf(rule, none, zone)
  const again = choice && parseRule(ruleOf(choice, startDate)!)
  if (!again || typeof again === 'string' || !dayChoices(startDate).includes(choice.on)) return custom
  return patternText(again, startDate) === patternText(rule, startDate) ? { ...choice, text: rrule } : custom
}

function choiceOf(rule: Rule, none: Repeat, zone: string): Repeat | undefined {
  const kind = FREQUENCIES.find((one) => one === rule.frequency)
  if (!kind) return undefined
  const ends = rule.until ? 'until' : rule.count !== undefined ? 'count' : 'never'
  return {
    ...none,
    kind,
    interval: String(rule.interval),
    weekdays: kind === 'WEEKLY' && rule.byDay.length > 0 ? rule.byDay.map(({ weekday }) => weekday) : none.weekdays,
    on: dayChoiceOf(rule),
    ends,
    until: rule.until ? lastDateOf(rule.until, zone) : '',
    count: rule.count === undefined ? none.count : String(rule.count),
  }
}

function dayChoiceOf({ frequency, byDay, byMonthDay, bySetPos }: Rule): DayChoice {
  if (frequency !== 'MONTHLY' && frequency !== 'YEARLY') return 'day'
  if (byDay.length > 0) return (bySetPos[0] ?? byDay[0]!.ordinal) < 0 ? 'last_weekday' : 'weekday'
  return byMonthDay[0] === -1 ? 'last_day' : 'day'
}

function lastDateOf(until: Until, zone: string): string {
  if (until.kind === 'date') return formatDate(until.day)
  if (until.kind === 'local') return formatDate(dayOf(until.wall))
  const found = findZone(zone)
  return formatDate(dayOf(found ? toWall(found, until.instant) : until.instant))
}

/** The rule without UNTIL and with the parts implied by DTSTART written out, to compare two rules. */
function patternText({ until: _, ...rule }: Rule, startDate: string): string {
  const { month, day, weekday } = monthPlaceOf(startDate)
  const { frequency, byDay, byMonth, byMonthDay, bySetPos } = rule
  const isBare = byDay.length + byMonthDay.length + byMonth.length === 0
  const isOneDay = byDay.length === 1 && bySetPos.length === 1 && byDay[0]!.ordinal === 0
  const weekStart = frequency === 'WEEKLY' && rule.interval > 1 ? rule.weekStart : 0
  const byDays: readonly RuleDay[] =
    frequency === 'WEEKLY' && isBare
      ? [{ weekday, ordinal: 0 }]
      : isOneDay && (frequency === 'MONTHLY' || byMonth.length === 1)
        ? [{ weekday: byDay[0]!.weekday, ordinal: bySetPos[0]! }]
        : byDay
  return formatRule({
    ...rule,
    weekStart,
    byDay: byDays,
    bySetPos: byDays === byDay ? bySetPos : [],
    byMonth: frequency === 'YEARLY' && isBare ? [month] : byMonth,
    byMonthDay: isBare && (frequency === 'MONTHLY' || frequency === 'YEARLY') ? [day] : byMonthDay,
  })
}

/** Adapts choices derived from the start date to a new start date, where possible. */
export function moveWithStart(repeat: Repeat, before: string, after: string): Repeat {
  const [from, to] = [monthPlaceOf(before), monthPlaceOf(after)]
  const isStartOnly = repeat.weekdays.length === 1 && repeat.weekdays[0] === from.weekday
  return {
    ...repeat,
    weekdays: isStartOnly ? [to.weekday] : repeat.weekdays,
    on: dayChoices(after).includes(repeat.on) ? repeat.on : fallbackChoice(repeat.on, to),
  }
}

/** Moves the whole series, including its end date, from one start date to another. */
export function shiftDays(repeat: Repeat, before: string, after: string): Repeat {
  const [from, to] = [monthPlaceOf(before), monthPlaceOf(after)]
  const shift = to.weekday - from.weekday + 7
  const weekdays = repeat.weekdays.map((weekday) => (weekday + shift) % 7).sort((a, b) => a - b)
  return { ...moveWithStart(repeat, before, after), weekdays, until: shiftDate(repeat.until, to.at - from.at) }
}

const fallbackChoice = (on: DayChoice, place: MonthPlace): DayChoice =>
  on === 'weekday' || (on === 'last_weekday' && place.ordinal > 4)
    ? 'last_weekday'
    : on === 'last_weekday'
      ? 'weekday'
      : 'day'

/** An invalid date is returned as it was typed. */
export function shiftDate(date: string, days: number): string {
  const read = parseTimeText(date)
  return read?.kind === 'date' ? formatDate(read.day + days) : date
}

/** The choices that describe this day in its month. */
export function dayChoices(startDate: string): DayChoice[] {
  const place = monthPlaceOf(startDate)
  return [
    'day' as const,
    ...(place.isLastDay ? (['last_day'] as const) : []),
    ...(place.ordinal <= 4 ? (['weekday'] as const) : []),
    ...(place.isLastWeekday ? (['last_weekday'] as const) : []),
  ]
}

export interface MonthPlace {
  at: Day
  month: number
  day: number
  weekday: number
  /** 1 for the first of its weekday in the month, 2 for the second … */
  ordinal: number
  isLastDay: boolean
  isLastWeekday: boolean
}

/** Falls back to day 0 (1 January 1970) for a date that is not yet valid. */
export function monthPlaceOf(date: string): MonthPlace {
  const read = parseTimeText(date)
  const at = read?.kind === 'date' ? read.day : 0
  const { year, month, day } = dateFromDay(at)
  const last = daysInMonth(year, month)
  return {
    at,
    month,
    day,
    weekday: weekdayOf(at),
    ordinal: Math.ceil(day / 7),
    isLastDay: day === last,
    isLastWeekday: day > last - 7,
  }
}
