// Costly writes: prepared outside the transaction in parts that yield, one at a time, charged to their caller.
import type { Context } from '../context.ts'
import type { EventPatch } from '../domain/calendar/fields.ts'
import { isLongRule } from '../domain/recurrence/frequent.ts'
import { parseRule } from '../domain/recurrence/rule.ts'
import type { Steps } from '../domain/steps.ts'
import type { Range } from '../domain/time/window.ts'
import { plainRule } from '../ical/tidy.ts'
import type { EventRow } from '../storage/tables.ts'
import type { Breather } from './breathe.ts'
import { type Caller, inLine } from './long-reads.ts'
import { createSliceTimer } from './slice-timer.ts'

/** Texts of events from this length on are costly to write: 2,000 dates of a list, or 80 edited occurrences. */
const COSTLY_CHARS = 16 * 1_024

/** So many extra or excluded dates are costly. */
const COSTLY_DATES = 200

/** Programs send one or two definitions of zones with an event; each has to be read and matched. */
const LIGHT_DEFINITIONS = 3

/** The table of a zone takes up to a millisecond to build, once. */
const LIGHT_TZIDS = 10

/** Whether an event with this text is costly to write: it is long, repeats often, or has many dates or zones. */
export function isCostlyText(text: string): boolean {
  if (text.length >= COSTLY_CHARS) return true
  const unfolded = text.replace(/\r?\n[ \t]/g, '')
  const rules = [...unfolded.matchAll(/^(?:X-DAYBOOK-)?RRULE(?:;[^:\r\n]*)?:([^\r\n]*)/gim)]
  if (rules.some(([, rule]) => isCostlyRule(rule!))) return true
  const dates = unfolded.match(/^(?:EXDATE|RDATE)\b.*$/gim) ?? []
  if (countDates(dates) > COSTLY_DATES || hasManyZones(unfolded)) return true
  // Each period may become an edited occurrence, which is a copy of the event.
  return countDates(dates.filter((line) => /\bPERIOD\b/i.test(line))) * text.length >= COSTLY_CHARS
}

const hasManyZones = (unfolded: string): boolean =>
  (unfolded.match(/^BEGIN:VTIMEZONE/gim)?.length ?? 0) > LIGHT_DEFINITIONS ||
  new Set(unfolded.match(/;TZID=(?:"[^"\r\n]*"|[^;:\r\n]*)/gi)).size > LIGHT_TZIDS

const countDates = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.split(',').length, 0)

/** Whether an event with these fields is. */
export const isCostlyFields = ({ rrule, rdates, exdates }: EventPatch): boolean =>
  isCostlyRule(rrule ?? '') || (rdates?.length ?? 0) + (exdates?.length ?? 0) > COSTLY_DATES

/** One that cannot be read may become one that can, once parts of it are left out. */
function isCostlyRule(text: string): boolean {
  const plain = plainRule(text)
  if (plain === '') return false
  const rule = parseRule(plain)
  return typeof rule === 'string' || isLongRule(rule)
}

/** What was prepared from a row, or the error that this ended with. It holds as long as the row is that one. */
export interface Preparation<T> {
  row: EventRow | undefined
  span: Range
  finish(): T
}

/** With a permit of the writes, of which there is one; the time is charged to the caller. */
export const withWritePermit = <T>(ctx: Context, caller: Caller, work: () => Promise<T>): Promise<T> =>
  inLine(ctx, caller, work, { queue: 'writes' })

/** Errors are kept for the transaction, which may have to refuse the write for another reason first. */
export async function prepare<T>(row: EventRow | undefined, span: Range, steps: Steps<T>): Promise<Preparation<T>> {
  try {
    const value = await runYielding(steps)
    return { row, span, finish: () => value }
  } catch (error) {
    const finish = (): never => {
      throw error
    }
    return { row, span, finish }
  }
}

/** Whether nothing that it was made from has changed since. */
export const isCurrent = <T>(
  preparation: Preparation<T> | undefined,
  row: EventRow | undefined,
  span: Range,
): preparation is Preparation<T> =>
  preparation !== undefined &&
  preparation.row?.id === row?.id &&
  preparation.row?.revision === row?.revision &&
  preparation.span.from === span.from &&
  preparation.span.to === span.to

/** `pause` yields to the event loop when it is time to; by default one is made for these steps alone. */
export async function runYielding<T>(steps: Steps<T>, pause: Breather = createSliceTimer().pause): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
    await pause()
  }
}
