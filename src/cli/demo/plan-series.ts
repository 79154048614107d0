// Plans the recurring demo events: start, end and excluded days of each series.
import type { EventFields } from '../../domain/calendar/fields.ts'
import { expandRule } from '../../domain/recurrence/expand.ts'
import { parseRule, type Rule } from '../../domain/recurrence/rule.ts'
import { DAY_MS, type Day, dayOf, type LocalMs, MINUTE_MS, weekdayOf } from '../../domain/time/instant.ts'
import { formatBasicDate, formatBasicLocal } from '../../domain/time/text.ts'
import { WEEKDAY_CODES } from '../../domain/time/weekdays.ts'
import type { Bookings } from './bookings.ts'
import type { Chance } from './chance.ts'
import { type DemoSpan, daysOn, wallAt } from './dates.ts'
import { demoFieldsOf, timed } from './fields.ts'
import type { PlannedEdit, PlannedEvent } from './planned-event.ts'
import { halfTermsOf, schoolYearsAround } from './school-year.ts'
import { COURSES, EDITS, ENDLESS, EXTRA_DATES, PRIVATE_SERIES, TERM_CLASSES } from './series-table.ts'

type Closed = ReadonlySet<Day>

/** A series that began before the span is shown from the first day of the span. */
export function planSeries(
  span: DemoSpan,
  today: Day,
  closed: Closed,
  bookings: Bookings,
  chance: Chance,
): PlannedEvent[] {
  const draft: SeriesPlan = { span, closed, bookings }
  return [
    ...ENDLESS.map((row) => planEndless(draft, row, 'public')),
    ...PRIVATE_SERIES.map((row) => planEndless(draft, row, 'private')),
    ...TERM_CLASSES.flatMap((row) => schoolYearsAround(today).map((year) => planTermClass(draft, row, year))),
    ...COURSES.map((row, i) => planCourse(draft, row, (i + chance()) / COURSES.length)),
  ]
}

interface SeriesPlan {
  span: DemoSpan
  closed: Closed
  bookings: Bookings
}

function planEndless(draft: SeriesPlan, row: (typeof ENDLESS)[number], visibility: 'public' | 'private'): PlannedEvent {
  const extra = (EXTRA_DATES[row.title] ?? [])
    .flatMap((on) => daysOn(draft.span, on))
    .map((day) => wallAt(day, row.time))
    .sort((a, b) => a - b)
  const minutes = Number(row.minutes)
  const fields = demoFieldsOf(row, visibility)
  if (!row.rule) {
    const [start, ...rdates] = extra as [LocalMs, ...LocalMs[]]
    takeAll(draft, row.room, extra, minutes)
    return planned({ ...fields, ...timed(start, minutes), rdates: rdates.map(formatBasicLocal) })
  }
  const walls = expand(readRule(row.rule), wallAt(draft.span.first, row.time), draft.span).slice(1)
  const start = walls[0]!
  takeAll(draft, row.room, [...walls, ...extra], minutes)
  return planned({
    ...fields,
    ...timed(start, minutes),
    rrule: row.rule,
    rdates: extra.filter((wall) => wall > start && !walls.includes(wall)).map(formatBasicLocal),
    exdates: keysOn(walls.slice(1), (day) => draft.closed.has(day)),
  })
}

/** Weekly from the first to the last day of the school year, without the holidays between the half-terms. */
function planTermClass(draft: SeriesPlan, row: (typeof TERM_CLASSES)[number], year: number): PlannedEvent {
  const terms = halfTermsOf(year)
  const isTermTime = (day: Day): boolean =>
    !draft.closed.has(day) && terms.some(({ first, last }) => day >= first && day <= last)
  let first = Math.max(terms[0]!.first, draft.span.first)
  while (!isTermTime(first) || !isWeekday(first, row.weekday)) first += 1
  const last = terms.at(-1)!.last
  const rule = `FREQ=WEEKLY;BYDAY=${row.weekday};UNTIL=${formatBasicDate(last)}`
  const walls = expand(readRule(rule), wallAt(first, row.time), { first, last })
  takeAll(draft, row.room, walls, Number(row.minutes))
  return planned({
    ...demoFieldsOf(row, 'public'),
    ...timed(walls[0]!, Number(row.minutes)),
    rrule: rule,
    exdates: keysOn(walls, (day) => !isTermTime(day)),
  })
}

/** `share` is how far into the span the course begins. */
function planCourse(draft: SeriesPlan, row: (typeof COURSES)[number], share: number): PlannedEvent {
  const { span } = draft
  const rule = `FREQ=WEEKLY;COUNT=${row.count}`
  const latest = span.last - 7 * Number(row.count)
  let first = Math.floor(span.first + (latest - span.first) * share)
  while (!isWeekday(first, row.weekday) || draft.closed.has(first)) first += 1
  const walls = expand(readRule(rule), wallAt(first, row.time), span)
  takeAll(draft, row.room, walls, Number(row.minutes))
  return planned({ ...demoFieldsOf(row, 'public'), ...timed(walls[0]!, Number(row.minutes)), rrule: rule })
}

/** The start comes first, even if the rule does not give it. */
const expand = (rule: Rule, start: LocalMs, { last }: DemoSpan): LocalMs[] =>
  expandRule(rule, start, { from: start, to: (last + 1) * DAY_MS, limit: 1_000 }).walls

function readRule(text: string): Rule {
  const rule = parseRule(text)
  if (typeof rule === 'string') throw new Error(`the demo’s rule ${text} cannot be read: ${rule}`)
  return rule
}

const isWeekday = (day: Day, weekday: string): boolean => WEEKDAY_CODES[weekdayOf(day)] === weekday

const keysOn = (walls: readonly LocalMs[], isLeftOut: (day: Day) => boolean): string[] =>
  walls.filter((wall) => isLeftOut(dayOf(wall))).map(formatBasicLocal)

function takeAll({ bookings }: SeriesPlan, room: string, walls: readonly LocalMs[], minutes: number): void {
  for (const wall of walls) bookings.take(room, wall, wall + minutes * MINUTE_MS)
}

const planned = (fields: EventFields): PlannedEvent => ({
  fields,
  edits: EDITS.filter(({ series }) => series === fields.title).map(
    ({ nth, days, time, title, room, status }): PlannedEdit => ({
      nth: Number(nth),
      ...(days || time ? { move: { days: Number(days), time: time || undefined } } : {}),
      words: {
        ...(title ? { title } : {}),
        ...(room ? { location: room } : {}),
        ...(status ? { status: status as 'tentative' | 'cancelled' } : {}),
      },
    }),
  ),
})
