// Prepares costly writes outside the transaction: yielding, one at a time, charged to the caller.
import type { Context } from '../../context.ts'
import type { FieldsPatch } from '../../domain/calendar/fields.ts'
import { parseRule } from '../../domain/recurrence/rule.ts'
import { isLongRule, timesADay } from '../../domain/recurrence/sub-daily-limit.ts'
import type { Steps } from '../../domain/steps.ts'
import { fail } from '../../errors.ts'
import { plainRule } from '../../ical/import/sanitize-text.ts'
import { findZoneByTzid } from '../../ical/zones/tzid.ts'
import { createSliceTimer, type Yielder } from '../../scheduling/event-loop.ts'
import type { IndexSpan } from '../../storage/events/calendar.ts'
import type { Derived } from '../../storage/events/derive.ts'
import {
  findEventHeadWithText,
  findHeadWithText,
  findObjectHead,
  findShortEventRow,
  type HeadWithText,
} from '../../storage/events/objects.ts'
import type { Db, EventRow } from '../../storage/tables.ts'
import { type Caller, withPermit } from './semaphore.ts'

/** From this length on an event is costly to write: about 2,000 listed dates, or 80 edited occurrences. */
const COSTLY_CHARS = 16 * 1_024

/** More extra or excluded dates than this are costly. */
const COSTLY_DATES = 200

/** Clients send one or two VTIMEZONE definitions with an event; each has to be parsed and matched. */
const LIGHT_DEFINITIONS = 3

/** The table of a zone takes up to a millisecond to build, once. */
const LIGHT_TZIDS = 10

/** Whether an event with this text is costly to write: it is long, repeats often, or has many dates or zones. */
export function isCostlyText(text: string): boolean {
  if (text.length >= COSTLY_CHARS || CONTROL_CHARACTERS.test(text)) return true
  if (text.length <= LIGHT_WORDS && !MAY_BE_COSTLY.test(text)) return hasManyZones(text)
  const unfolded = text.replace(/\r?\n[ \t]/g, '')
  const rules = [...unfolded.matchAll(/^(?:X-DAYBOOK-)?RRULE(?:;[^:\r\n]*)?:([^\r\n]*)/gim)]
  if (rules.some(([, rule]) => isCostlyRule(rule!))) return true
  const events = unfolded.replace(/^BEGIN[ \t]*:[ \t]*VTIMEZONE\b[\s\S]*?^END[ \t]*:[ \t]*VTIMEZONE\b/gim, '')
  if (isCombined(events) || (/^RRULE\b/im.test(events) && definesUnknownZone(unfolded))) return true
  const dates = unfolded.match(/^(?:EXDATE|RDATE)\b.*$/gim) ?? []
  if (countDates(dates) > COSTLY_DATES || hasManyZones(unfolded) || hasManyWords(events)) return true
  // Each period may become an edited occurrence, which is a copy of the event.
  return countDates(dates.filter((line) => /\bPERIOD\b/i.test(line))) * text.length >= COSTLY_CHARS
}

/**
 * What the checks look for besides zones and words, and folded lines, which may hide it. A text of no more characters
 * than words are light needs no other check without these; most events are such texts.
 */
const MAY_BE_COSTLY = /RULE|[RX]DATE|RANGE|VTIMEZONE|\n[ \t]/i

/** The parser drops them, so that any name may contain one. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** A text of this many octets in UTF-8 has at least COSTLY_CHARS characters. */
const LONG_OCTETS = 4 * COSTLY_CHARS

/** The stored head under a name, to decide whether overwriting it is costly; long texts are not read. */
export const findStoredByName = (ctx: Context, name: string): Promise<HeadWithText | undefined> =>
  findHeadWithText(ctx.storage.reads, name, LONG_OCTETS)

export const findStoredById = (ctx: Context, id: string): Promise<HeadWithText | undefined> =>
  findEventHeadWithText(ctx.storage.reads, id, LONG_OCTETS)

export const isCostlyStored = (head: HeadWithText | undefined): boolean =>
  head !== undefined && (head.short_text === null || isCostlyText(head.short_text))

/** Several rules become dates, and an override of all later occurrences one of each. */
const isCombined = (events: string): boolean =>
  (events.match(/^(?:EX|R)RULE\b/gim)?.length ?? 0) > 1 || /^RECURRENCE-ID\b.*;RANGE=/im.test(events)

/** A rule in a zone that only its definition describes may become dates too. */
const definesUnknownZone = (unfolded: string): boolean =>
  [...unfolded.matchAll(/^TZID(?:;[^:\r\n]*)?:([^\r\n]*)/gim)].some(([, tzid]) => !findZoneByTzid(tzid!.trim()))

const hasManyZones = (unfolded: string): boolean =>
  (unfolded.match(/^BEGIN[ \t]*:[ \t]*VTIMEZONE/gim)?.length ?? 0) > LIGHT_DEFINITIONS ||
  new Set(unfolded.match(/;TZID=(?:"[^"\r\n]*"|[^;:\r\n]*)/gi)).size > LIGHT_TZIDS

/** Each is a row of the search index. */
const LIGHT_WORDS = 1_000

/** Words in scripts without spaces are single characters. */
const hasManyWords = (text: string): boolean =>
  text.length > LIGHT_WORDS &&
  (text.match(/[\u0e00-\u109f\u1780-\u17ff\u2e80-\ud7ff\uf900-\uffef]|[\p{L}\p{N}]+/gu)?.length ?? 0) > LIGHT_WORDS

const countDates = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.split(',').length, 0)

/** Whether an event with these fields is costly to write. */
export const isCostlyFields = ({ rrule, rdates, exdates }: FieldsPatch): boolean =>
  isCostlyRule(rrule ?? '') || (rdates?.length ?? 0) + (exdates?.length ?? 0) > COSTLY_DATES

/** An invalid rule counts as costly: it may become valid once parts of it are removed. */
function isCostlyRule(text: string): boolean {
  const plain = plainRule(text)
  if (plain === '') return false
  const rule = parseRule(plain)
  // A daily rule has some thousand rows in the index.
  return typeof rule === 'string' || isLongRule(rule) || timesADay(rule) > 2
}

/** A result prepared from a row, or the error of its preparation. Valid as long as the row is unchanged. */
export interface Preparation<T> {
  row: EventRow | undefined
  span: IndexSpan
  finish(): T
}

/** Aborts a transaction that would have to do costly work because the row has changed since the preparation. */
class OutdatedPreparationError extends Error {
  override readonly name = 'OutdatedPreparationError'
}

/** Called in the transaction: returns the preparation if it is still valid. */
export function requireCurrent<T>(
  preparation: Preparation<T> | undefined,
  row: PreparedRow | undefined,
  span: IndexSpan,
): Preparation<T> {
  if (!isCurrent(preparation, row, span)) throw new OutdatedPreparationError()
  return preparation
}

/** Called in the transaction: aborts it because another one has changed what it was prepared for. */
export function failOutdated(): never {
  throw new OutdatedPreparationError()
}

/** Called in the transaction: aborts it if its rows were derived for another span, or for other internal categories. */
export function requireSpan(current: IndexSpan, derivedFor: IndexSpan): void {
  if (!isSameSpan(current, derivedFor)) throw new OutdatedPreparationError()
}

/** Called in the transaction of a light write: aborts it if the row is costly, or has become so since `known` was read. */
export function requireLight(text: string | undefined, known?: HeadWithText): void {
  if (text !== undefined && text !== known?.short_text && isCostlyText(text)) throw new OutdatedPreparationError()
}

/** Called in the transaction of a light write: finds and locks the row it replaces, and aborts it if that is costly. */
export async function findLightRow(db: Db, name: string): Promise<EventRow | undefined> {
  const row = await findShortEventRow(db, name, LONG_OCTETS)
  // Long texts are not read: on SQLite that would block the event loop.
  if (!row && (await findObjectHead(db, name))) throw new OutdatedPreparationError()
  return row
}

/** Called in the transaction of a light write: aborts it if its rows take long to store, some 10 µs each on SQLite. */
export function requireFewRows({ occurrences, exceptions, words }: Derived): void {
  if (occurrences.length + exceptions.length + words.length > LIGHT_ROWS) throw new OutdatedPreparationError()
}

/** A series twice a day with an ordinary text has fewer. */
const LIGHT_ROWS = 2_500

/** The steps of a light write take a few milliseconds. */
const LIGHT_MS = 25

/**
 * Runs the steps of a light write at once, in its transaction. Aborts it if they take longer: whatever a text contains
 * that `isCostlyText` does not see, the work is then done with a permit, outside the transaction.
 */
export function runLight<T>(steps: Steps<T>): T {
  const begun = performance.now()
  const used = process.threadCpuUsage()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
    if (performance.now() - begun > LIGHT_MS && usedSince(used) > LIGHT_MS) throw new OutdatedPreparationError()
  }
}

/** In milliseconds; time that other processes took does not count. */
function usedSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** How often a costly write is prepared while other clients change the same event. */
const MAX_TRIES = 3

/** Prepares and writes again if the row has changed; no costly work runs while the transaction holds its lock. */
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

/** Takes the one permit for costly writes; the time is charged to the caller. */
export const withWritePermit = <T>(ctx: Context, caller: Caller, work: () => Promise<T>): Promise<T> =>
  withPermit(ctx, caller, work, { queue: 'writes' })

/** Errors are kept for the transaction, which may have to refuse the write for another reason first. */
export async function prepareWrite<T>(
  row: EventRow | undefined,
  span: IndexSpan,
  steps: Steps<T>,
): Promise<Preparation<T>> {
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

/** Whether its row and the index span are unchanged. */
const isCurrent = <T>(
  preparation: Preparation<T> | undefined,
  row: PreparedRow | undefined,
  span: IndexSpan,
): preparation is Preparation<T> =>
  preparation !== undefined &&
  preparation.row?.id === row?.id &&
  preparation.row?.revision === row?.revision &&
  isSameSpan(preparation.span, span)

const isSameSpan = (a: IndexSpan, b: IndexSpan): boolean =>
  a.from === b.from && a.to === b.to && a.internalCategories === b.internalCategories

/** `pause` yields to the event loop when the time slice is used up; by default these steps get their own. */
export async function runYielding<T>(steps: Steps<T>, pause: Yielder = createSliceTimer().pause): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
    await pause()
  }
}
