// Plans the move of a whole series: shifts start, end and rule by as far as one date was dragged.
import { dayOf } from '../../../../src/domain/time/instant.ts'
import { formatDate, formatLocal } from '../../../../src/domain/time/text.ts'
import type { Event, EventPatch, Occurrence } from '../../../api/contract.ts'
import { loadTemporal } from '../../../app/temporal.ts'
import { wallIn } from '../form/event-values.ts'
import { repeatOf, ruleOf, shiftDays } from '../form/repeat.ts'
import { restOfRule } from '../form/rest-of-rule.ts'

/** As in the API: dates for all-day events (the end is exclusive), otherwise date-times with their offset. */
export interface TimeSpan {
  start: string
  end: string
  isAllDay: boolean
}

export interface MovePlan {
  there: EventPatch
  back: EventPatch
}

/** Undefined if the start day changes and the rule is custom, so that its days cannot be shifted. */
export async function planMove(series: Event, item: Occurrence, to: TimeSpan): Promise<MovePlan | undefined> {
  await loadTemporal()
  const wall = (text: string) => wallIn(text, series.timezone)!
  const by = wall(to.start) - wall(item.start_date ?? item.start)
  const length = wall(to.end) - wall(to.start)
  const start = wall(series.start_date ?? series.start) + by
  const text = (at: number): string => (to.isAllDay ? formatDate(dayOf(at)) : formatLocal(at))
  const there = { start: text(start), end: text(start + length), all_day: to.isAllDay }
  const back = {
    start: series.start_date ?? series.start,
    end: series.end_date ?? series.end,
    all_day: series.all_day,
    rrule: series.rrule,
  }
  const [before, after] = [formatDate(dayOf(start - by)), formatDate(dayOf(start))]
  const repeat = repeatOf(series.rrule, before, series.timezone)
  if (repeat.kind === 'custom') return before === after ? { there, back } : undefined
  return { there: { ...there, rrule: ruleOf(shiftDays(repeat, before, after), after) }, back }
}

/** The rule for a date and all later ones after that date has moved; undefined where it is custom. */
export async function planLaterRule(series: Event, item: Occurrence, to: TimeSpan): Promise<string | undefined> {
  await loadTemporal()
  const dayAt = (text: string): string => formatDate(dayOf(wallIn(text, series.timezone)!))
  const [before, after] = [dayAt(item.start_date ?? item.start), dayAt(to.start)]
  const repeat = repeatOf(restOfRule(series, item.occurrence_key!), before, series.timezone)
  return repeat.kind === 'custom' ? undefined : (ruleOf(shiftDays(repeat, before, after), after) ?? undefined)
}
