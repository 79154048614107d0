// How an event repeats, in words: the common rules exactly, the others by their gist.
import { parseRule, type Rule, type RuleDay } from '../../src/domain/recurrence/rule.ts'
import { dayOf } from '../../src/domain/time/instant.ts'
import { words } from '../strings.ts'
import { plainDay } from './say.ts'

const say = words.calendar.rule

/** Such as "every 2 weeks on Tuesday, until 30 June 2027". */
export function ruleWords(text: string | null | undefined): string {
  const rule = text ? parseRule(text) : undefined
  if (!rule || typeof rule === 'string') return say.irregular
  const pace = paceOf(rule)
  if (!pace || hasMore(rule)) return say.irregular
  return [[pace, ...daysOf(rule)].join(' '), endOf(rule)].filter(Boolean).join(', ')
}

function paceOf({ frequency, interval }: Rule): string | undefined {
  if (!(frequency in say.each)) return undefined
  const unit = frequency as keyof typeof say.each
  return interval === 1 ? say.each[unit] : say.interval(interval, say.every[unit])
}

/** Parts that would take a sentence of their own. */
const hasMore = ({ byWeekNo, byYearDay, byHour, byMinute, bySetPos }: Rule): boolean =>
  [byWeekNo, byYearDay, byHour, byMinute, bySetPos].some((part) => part.length > 0)

function daysOf({ byDay, byMonthDay, byMonth }: Rule): string[] {
  const isNth = byDay.some(({ ordinal }) => ordinal !== 0)
  return [
    byDay.length > 0 && (isNth ? say.onDay(listed(byDay.map(nthDay))) : say.on(listed(byDay.map(weekday)))),
    byMonthDay.length > 0 && say.onDay(listed(byMonthDay.map(nthOfMonth))),
    byMonth.length > 0 && say.in(listed(byMonth.map(monthName))),
  ].filter((part) => part !== false)
}

function endOf({ count, until }: Rule): string | undefined {
  if (count !== undefined) return say.times(count)
  if (!until) return undefined
  const day = until.kind === 'date' ? until.day : dayOf(until.kind === 'local' ? until.wall : until.instant)
  return say.until(plainDay(day))
}

/** 1 January 2024 was a Monday. */
const weekday = ({ weekday: day }: RuleDay): string =>
  new Date(Date.UTC(2024, 0, 1 + day)).toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' })

const monthName = (month: number): string =>
  new Date(Date.UTC(2024, month - 1, 1)).toLocaleDateString('en-GB', { month: 'long', timeZone: 'UTC' })

const nthDay = (day: RuleDay): string => (day.ordinal === 0 ? weekday(day) : `${nth(day.ordinal)} ${weekday(day)}`)

const nthOfMonth = (day: number): string => (day === -1 ? say.lastDay : nth(day))

function nth(ordinal: number): string {
  if (ordinal === -1) return say.last
  if (ordinal < 0) return say.nthLast(nth(-ordinal))
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th' } as Record<string, string>
  return `${ordinal}${ending[ordinals.select(ordinal)]}`
}

const ordinals = new Intl.PluralRules('en-GB', { type: 'ordinal' })

const listed = (some: readonly string[]): string => new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(some)
