// Costly writes: prepared outside the transaction in parts that yield, one at a time, charged to their caller.
import type { Context } from '../../context.ts'
import type { FieldsPatch } from '../../domain/calendar/fields.ts'
import { parseRule } from '../../domain/recurrence/rule.ts'
import { isLongRule } from '../../domain/recurrence/sub-daily-limit.ts'
import type { Steps } from '../../domain/steps.ts'
import type { Range } from '../../domain/time/window.ts'
import { fail } from '../../errors.ts'
import { plainRule } from '../../ical/import/sanitize-text.ts'
import { findEventHeadWithText, findHeadWithText, type HeadWithText } from '../../storage/events/objects.ts'
import type { EventRow } from '../../storage/tables.ts'
import { createSliceTimer } from '../maintenance/slice-timer.ts'
import type { Yielder } from './event-loop.ts'
import { type Caller, withPermit } from './semaphore.ts'

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

/** No text of fewer characters has so many octets in UTF-8. */
const LONG_OCTETS = 4 * COSTLY_CHARS

/** What is stored under a name, for the decision whether to write over it is costly: a long text is not read for that. */
export const findStoredByName = (ctx: Context, name: string): Promise<HeadWithText | undefined> =>
  findHeadWithText(ctx.storage.reads, name, LONG_OCTETS)

export const findStoredById = (ctx: Context, id: string): Promise<HeadWithText | undefined> =>
  findEventHeadWithText(ctx.storage.reads, id, LONG_OCTETS)

export const isCostlyStored = (head: HeadWithText | undefined): boolean =>
  head !== undefined && (head.short_text === null || isCostlyText(head.short_text))

const hasManyZones = (unfolded: string): boolean =>
  (unfolded.match(/^BEGIN:VTIMEZONE/gim)?.length ?? 0) > LIGHT_DEFINITIONS ||
  new Set(unfolded.match(/;TZID=(?:"[^"\r\n]*"|[^;:\r\n]*)/gi)).size > LIGHT_TZIDS

const countDates = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.split(',').length, 0)

/** Whether an event with these fields is. */
export const isCostlyFields = ({ rrule, rdates, exdates }: FieldsPatch): boolean =>
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

/** Ends a transaction that would have to do costly work: the row is another than the one that was prepared for. */
class OutdatedPreparationError extends Error {
  override readonly name = 'OutdatedPreparationError'
}

/** In the transaction: what was prepared, which must still hold. */
export function requireCurrent<T>(
  preparation: Preparation<T> | undefined,
  row: PreparedRow | undefined,
  span: Range,
): Preparation<T> {
  if (!isCurrent(preparation, row, span)) throw new OutdatedPreparationError()
  return preparation
}

/** In the transaction of a write that was taken for light: the row has become costly since. */
export function requireLight(text: string | undefined): void {
  if (text !== undefined && isCostlyText(text)) throw new OutdatedPreparationError()
}

/** How often a costly write is prepared where others change the same event meanwhile. */
const MAX_TRIES = 3

/** Prepares and writes again where the transaction found another row; nothing costly is done while it holds the lock. */
export async function retryOutdated<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const result = await unlessOutdated(attempt)
    if (result !== OUTDATED) return result
  }
  fail('service_unavailable')
}

export const OUTDATED = Symbol('outdated')

export async function unlessOutdated<T>(attempt: () => Promise<T>): Promise<T | typeof OUTDATED> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof OutdatedPreparationError) return OUTDATED
    throw error
  }
}

/** With a permit of the writes, of which there is one; the time is charged to the caller. */
export const withWritePermit = <T>(ctx: Context, caller: Caller, work: () => Promise<T>): Promise<T> =>
  withPermit(ctx, caller, work, { queue: 'writes' })

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

type PreparedRow = Pick<EventRow, 'id' | 'revision'>

/** Whether nothing that it was made from has changed since. */
const isCurrent = <T>(
  preparation: Preparation<T> | undefined,
  row: PreparedRow | undefined,
  span: Range,
): preparation is Preparation<T> =>
  preparation !== undefined &&
  preparation.row?.id === row?.id &&
  preparation.row?.revision === row?.revision &&
  preparation.span.from === span.from &&
  preparation.span.to === span.to

/** `pause` yields to the event loop when it is time to; by default one is made for these steps alone. */
export async function runYielding<T>(steps: Steps<T>, pause: Yielder = createSliceTimer().pause): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
    await pause()
  }
}
