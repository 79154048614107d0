// Recurrence rule as data: parses, validates and formats RRULE. RFC 5545 §3.3.10.
import {
  type Day,
  dayFromDate,
  type Instant,
  isRealDate,
  type LocalMs,
  wallFromParts,
  wallOfDay,
} from '../time/instant.ts'
import { WEEKDAY_CODES } from '../time/weekdays.ts'

export type Frequency = 'SECONDLY' | 'MINUTELY' | 'HOURLY' | 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

export type Until = { kind: 'date'; day: Day } | { kind: 'local'; wall: LocalMs } | { kind: 'utc'; instant: Instant }

/** A weekday (Monday is 0) and which one of its month or year; ordinal 0 means every one. */
export interface RuleDay {
  weekday: number
  ordinal: number
}

/** Lists are sorted, unique, and empty if the part is absent. */
export interface Rule {
  readonly frequency: Frequency
  readonly interval: number
  readonly count?: number
  readonly until?: Until
  readonly weekStart: number
  readonly byMonth: readonly number[]
  readonly byWeekNo: readonly number[]
  readonly byYearDay: readonly number[]
  readonly byMonthDay: readonly number[]
  readonly byDay: readonly RuleDay[]
  readonly byHour: readonly number[]
  readonly byMinute: readonly number[]
  readonly bySecond: readonly number[]
  readonly bySetPos: readonly number[]
}

export type RuleProblem = 'rrule_invalid' | 'rrule_unsupported'

export const MAX_RULE_LENGTH = 512
export const MAX_INTERVAL = 1_000
export const MAX_COUNT = 10_000

const FREQUENCIES: readonly string[] = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']
const MAX_ORDINAL = 53

/** The parts that are lists of numbers, in output order. BYDAY is written between BYMONTHDAY and BYHOUR. */
const DATE_LISTS = [
  { part: 'BYMONTH', key: 'byMonth', least: 1, most: 12, signed: false },
  { part: 'BYWEEKNO', key: 'byWeekNo', least: 1, most: 53, signed: true },
  { part: 'BYYEARDAY', key: 'byYearDay', least: 1, most: 366, signed: true },
  { part: 'BYMONTHDAY', key: 'byMonthDay', least: 1, most: 31, signed: true },
] as const
const TIME_LISTS = [
  { part: 'BYHOUR', key: 'byHour', least: 0, most: 23, signed: false },
  { part: 'BYMINUTE', key: 'byMinute', least: 0, most: 59, signed: false },
  { part: 'BYSECOND', key: 'bySecond', least: 0, most: 60, signed: false },
  { part: 'BYSETPOS', key: 'bySetPos', least: 1, most: 366, signed: true },
] as const
const LISTS = [...DATE_LISTS, ...TIME_LISTS]
type NumberList = (typeof LISTS)[number]

const PARTS = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST', 'BYDAY', ...LISTS.map((list) => list.part)])

export const isSubDaily = (rule: Rule): boolean =>
  rule.frequency === 'SECONDLY' || rule.frequency === 'MINUTELY' || rule.frequency === 'HOURLY'

/** Parses a rule in any letter case and part order; the length is checked before any other work. */
export function parseRule(text: string): Rule | RuleProblem {
  if (text.length > MAX_RULE_LENGTH) return 'rrule_invalid'
  const upper = text.toUpperCase()
  const parts = splitParts(upper.startsWith('RRULE:') ? upper.slice('RRULE:'.length) : upper)
  const rule = parts && readRule(parts)
  if (!rule || !isConsistent(rule)) return 'rrule_invalid'
  return rule.interval > MAX_INTERVAL || (rule.count ?? 1) > MAX_COUNT ? 'rrule_unsupported' : rule
}

/** One text per rule: fixed part order, sorted lists, defaults left out. */
export function formatRule(rule: Rule): string {
  const parts = [`FREQ=${rule.frequency}`]
  const add = (part: string, values: readonly (string | number)[]) => {
    if (values.length > 0) parts.push(`${part}=${values.join(',')}`)
  }
  if (rule.interval !== 1) parts.push(`INTERVAL=${rule.interval}`)
  if (rule.count !== undefined) parts.push(`COUNT=${rule.count}`)
  if (rule.until) parts.push(`UNTIL=${formatUntil(rule.until)}`)
  for (const { part, key } of DATE_LISTS) add(part, rule[key])
  add('BYDAY', rule.byDay.map(formatDay))
  for (const { part, key } of TIME_LISTS) add(part, rule[key])
  if (rule.weekStart !== 0) parts.push(`WKST=${WEEKDAY_CODES[rule.weekStart]}`)
  return parts.join(';')
}

/** Name and value of every part; undefined when one is unknown, empty or given twice. */
function splitParts(text: string): Map<string, string> | undefined {
  const parts = new Map<string, string>()
  for (const piece of text.split(';')) {
    const equals = piece.indexOf('=')
    const name = piece.slice(0, Math.max(equals, 0))
    if (!PARTS.has(name) || parts.has(name)) return undefined
    parts.set(name, piece.slice(equals + 1))
  }
  return parts
}

/** Each part by itself; undefined when one is invalid. */
function readRule(parts: Map<string, string>): Rule | undefined {
  const frequency = parts.get('FREQ') ?? ''
  const interval = readAmount(parts.get('INTERVAL') ?? '1')
  const weekStart = WEEKDAY_CODES.indexOf(parts.get('WKST') ?? 'MO')
  const byDay = readDays(parts.get('BYDAY'))
  const limits = readLimits(parts)
  if (!isFrequency(frequency) || !interval || weekStart < 0 || !byDay || !limits) return undefined

  const lists: Record<string, number[]> = {}
  for (const list of LISTS) {
    const values = readNumbers(parts.get(list.part), list)
    if (!values) return undefined
    lists[list.key] = values
  }
  const { byMonth, byWeekNo, byYearDay, byMonthDay, byHour, byMinute, bySecond, bySetPos } = lists as Record<
    NumberList['key'],
    number[]
  >
  const dates = { byMonth, byWeekNo, byYearDay, byMonthDay, byDay }
  return { frequency, interval, ...limits, weekStart, ...dates, byHour, byMinute, bySecond, bySetPos }
}

/** Combinations of parts that RFC 5545 §3.3.10 forbids. */
function isConsistent(rule: Rule): boolean {
  const { frequency, byDay } = rule
  const isYearly = frequency === 'YEARLY'
  const hasOrdinal = byDay.some((day) => day.ordinal !== 0)
  if (hasOrdinal && !isYearly && frequency !== 'MONTHLY') return false
  if (hasOrdinal && rule.byWeekNo.length > 0) return false
  if (rule.byWeekNo.length > 0 && !isYearly) return false
  if (rule.byYearDay.length > 0 && (frequency === 'DAILY' || frequency === 'WEEKLY' || frequency === 'MONTHLY')) {
    return false
  }
  if (rule.byMonthDay.length > 0 && frequency === 'WEEKLY') return false
  const hasOtherPart = byDay.length > 0 || LISTS.some(({ key }) => key !== 'bySetPos' && rule[key].length > 0)
  return rule.bySetPos.length === 0 || hasOtherPart
}

/** COUNT or UNTIL, never both; undefined when invalid. */
function readLimits(parts: Map<string, string>): Pick<Rule, 'count' | 'until'> | undefined {
  const countText = parts.get('COUNT')
  const untilText = parts.get('UNTIL')
  if (countText !== undefined && untilText !== undefined) return undefined
  if (countText !== undefined) {
    const count = readAmount(countText)
    return count ? { count } : undefined
  }
  if (untilText === undefined) return {}
  const until = readUntil(untilText)
  return until && { until }
}

function isFrequency(text: string): text is Frequency {
  return FREQUENCIES.includes(text)
}

/** A whole number from 1 up. Zero gives undefined, because INTERVAL=0 and COUNT=0 are invalid. */
const readAmount = (text: string): number | undefined => (/^\d+$/.test(text) && Number(text)) || undefined

function readNumbers(text: string | undefined, list: NumberList): number[] | undefined {
  if (text === undefined) return []
  const numbers = new Set<number>()
  const shape = list.signed ? /^[+-]?\d{1,3}$/ : /^\d{1,2}$/
  for (const item of text.split(',')) {
    const number = Number(item)
    const size = Math.abs(number)
    if (!shape.test(item) || size < list.least || size > list.most) return undefined
    // A leap second is read as the second before it: minutes have sixty seconds here.
    numbers.add(list.part === 'BYSECOND' ? Math.min(number, 59) : number)
  }
  return [...numbers].sort((a, b) => a - b)
}

function readDays(text: string | undefined): RuleDay[] | undefined {
  if (text === undefined) return []
  const days = new Map<number, RuleDay>()
  for (const item of text.split(',')) {
    const weekday = WEEKDAY_CODES.indexOf(item.slice(-2))
    const prefix = item.slice(0, -2)
    const ordinal = Number(prefix)
    if (weekday < 0 || Math.abs(ordinal) > MAX_ORDINAL) return undefined
    if (prefix !== '' && (ordinal === 0 || !/^[+-]?\d{1,2}$/.test(prefix))) return undefined
    days.set(ordinal * 7 + weekday, { weekday, ordinal })
  }
  return [...days.values()].sort((a, b) => a.ordinal - b.ordinal || a.weekday - b.weekday)
}

/** Any real date of the years 1 to 9999: clients write 99991231 for "never ends". */
function readUntil(text: string): Until | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (year === 0 || !isRealDate(year, month, day) || hour > 23 || minute > 59 || second > 60) return undefined
  if (match[4] === undefined) return { kind: 'date', day: dayFromDate(year, month, day) }
  const wall = wallFromParts(year, month, day, hour, minute, Math.min(second, 59))
  return match[7] === 'Z' ? { kind: 'utc', instant: wall } : { kind: 'local', wall }
}

const formatDay = ({ weekday, ordinal }: RuleDay): string => `${ordinal === 0 ? '' : ordinal}${WEEKDAY_CODES[weekday]}`

function formatUntil(until: Until): string {
  if (until.kind === 'date') return formatWall(wallOfDay(until.day)).slice(0, 8)
  return until.kind === 'utc' ? `${formatWall(until.instant)}Z` : formatWall(until.wall)
}

/** Years 1 to 9999 only, where the ISO text has four year digits. */
const formatWall = (wall: LocalMs): string => new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
