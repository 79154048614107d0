// Walks CalDAV objects in pages: heads, texts or sizes; all, by name, or by time range.
import type { Context } from '../../context.ts'
import { requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { DAY_MS } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { requireZone } from '../../domain/time/zone.ts'
import { fail } from '../../errors.ts'
import { createSliceTimer, type Yielder } from '../../scheduling/event-loop.ts'
import { inOwnSnapshot, inSnapshot } from '../../storage/engine/transaction.ts'
import {
  listObjectHeadsAfter,
  listObjectHeadsAt,
  listObjectHeadsNamed,
  listObjectHeadsReaching,
  listObjectRowsAt,
  type ObjectRow,
  type SizedHeadRow,
} from '../../storage/events/objects.ts'
import type { Db } from '../../storage/tables.ts'
import { createReaderGuard } from '../access/reader-guard.ts'
import { runYielding } from '../costly-work/costly-writes.ts'
import { type Caller, LIGHT_EXCEPTIONS, SERVICE_CALLER, withPermit } from '../costly-work/semaphore.ts'
import { batchByBytes } from '../events/byte-batches.ts'
import { listTruncatedKeys } from '../events/expand-on-read.ts'
import { listKeys, windowOf } from '../events/list-events.ts'

import type { KnownHeads } from './head-cache.ts'
import {
  type CalendarObject,
  headOf,
  LONG_TEXT_OCTETS,
  type ObjectHead,
  objectInSteps,
  type ReadingOptions,
} from './objects.ts'

/** Selects all objects, those with an occurrence in a range, or those with these names, in the order of the names. */
export interface ObjectSelection extends ReadingOptions {
  range?: Range | undefined
  names?: readonly string[]
  /** Where heads are looked up before they are read. */
  heads?: KnownHeads | undefined
}

/** An object, or only its head if its text was not needed. */
export interface FoundObject {
  head: ObjectHead
  object: CalendarObject | undefined
}

/** The longest range that is looked up in the index; a longer one contains most of the calendar anyway. */
export const LONGEST_RANGE_MS = 1_830 * DAY_MS

/**
 * Heads without texts, in pages as the consumer takes them, so no database connection is held for a slow client. An
 * object that changes meanwhile is reported to the next sync with an earlier token. All-day events are placed in the
 * calendar's zone; a range above LONGEST_RANGE_MS may include objects without an occurrence in it.
 */
export async function* walkHeads(
  ctx: Context,
  viewer: Viewer,
  selection: ObjectSelection = {},
): AsyncGenerator<ObjectHead[]> {
  requireAccess(viewer, 'read_full')
  const guard = createReaderGuard(ctx, viewer, 'read_full')
  for await (const rows of walkRows(ctx, selection)) {
    await guard()
    yield rows.map((row) => headOf(ctx, row))
  }
}

/** The same with their texts. */
export async function* walkObjects(
  ctx: Context,
  viewer: Viewer,
  selection: ObjectSelection = {},
): AsyncGenerator<CalendarObject[]> {
  for await (const page of walkUnknown(ctx, viewer, selection, () => false))
    yield page.flatMap(({ object }) => object ?? [])
}

/** The same, but the texts of objects for which `isKnown` are not read. */
export async function* walkUnknown(
  ctx: Context,
  viewer: Viewer,
  selection: ObjectSelection,
  isKnown: (head: ObjectHead) => boolean,
): AsyncGenerator<FoundObject[]> {
  requireAccess(viewer, 'read_full')
  const read = createTextReader(ctx, selection)
  const guard = createReaderGuard(ctx, viewer, 'read_full')
  for await (const rows of walkRows(ctx, selection)) {
    const known = new Map<SizedHeadRow, ObjectHead>()
    for (const row of rows) {
      const head = headOf(ctx, row)
      if (isKnown(head)) known.set(row, head)
    }
    const isRead = (row: SizedHeadRow): boolean => !known.has(row)
    const batches = batchHeads(rows, isRead)
    for (const some of batches) {
      const unknown = some.filter(isRead)
      const texts = await read(unknown, unknown.length > 0 && (batches.length > 1 || unknown.some(isLong)))
      await guard()
      const found = some.flatMap((row): FoundObject[] => {
        const head = known.get(row)
        if (head) return [{ head, object: undefined }]
        const object = texts.get(row.key)
        // It may have been renamed meanwhile; then there is no object of this name.
        return object && (!selection.names || object.name === row.dav_name) ? [{ head: object, object }] : []
      })
      // The page has them: it may wait long for the client of a response.
      texts.clear()
      yield found
    }
  }
}

/** Heads with the lengths of their texts. Generated texts are read for that: their zone definitions count too. */
export async function* walkSizes(
  ctx: Context,
  viewer: Viewer,
  selection: ObjectSelection = {},
): AsyncGenerator<ObjectHead[]> {
  requireAccess(viewer, 'read_full')
  const isOurs = (row: SizedHeadRow): boolean => row.sent_octets === null
  const read = createTextReader(ctx, selection)
  const guard = createReaderGuard(ctx, viewer, 'read_full')
  for await (const rows of walkRows(ctx, selection)) {
    const batches = batchHeads(rows, isOurs)
    const isPermitNeeded = rows.some(isOurs) && (batches.length > 1 || rows.some((row) => isOurs(row) && isLong(row)))
    for (const some of batches) {
      const texts = await read(some.filter(isOurs), isPermitNeeded)
      await guard()
      yield some.flatMap((row) => {
        const size = row.sent_octets ?? sizeOf(texts.get(row.key))
        return size === undefined ? [] : [{ ...headOf(ctx, row), size }]
      })
    }
  }
}

const isLong = ({ octets, sent_octets: sent }: SizedHeadRow): boolean => octets + (sent ?? 0) >= LONG_TEXT_OCTETS

const sizeOf = (object: CalendarObject | undefined): number | undefined => object && Buffer.byteLength(object.text)

/** Page size; each head has an ETag, which takes one hash. */
const HEADS_AT_ONCE = 500

async function* walkRows(
  ctx: Context,
  { range, names, heads, caller = SERVICE_CALLER }: ObjectSelection,
): AsyncGenerator<SizedHeadRow[]> {
  if (names) return yield* walkNamed(ctx, names, heads)
  if (range && range.to - range.from <= LONGEST_RANGE_MS) return yield* walkRange(ctx, range, caller, heads)
  const { reads } = ctx.storage
  for (let after = -1; ; ) {
    const rows = range
      ? await listObjectHeadsReaching(reads, range, after, HEADS_AT_ONCE)
      : await listObjectHeadsAfter(reads, after, HEADS_AT_ONCE)
    if (rows.length > 0) yield rows
    if (rows.length < HEADS_AT_ONCE) return
    after = rows.at(-1)!.key
  }
}

/** Unknown names are left out. */
async function* walkNamed(
  ctx: Context,
  names: readonly string[],
  heads: KnownHeads | undefined,
): AsyncGenerator<SizedHeadRow[]> {
  for (let i = 0; i < names.length; i += HEADS_AT_ONCE) {
    const some = names.slice(i, i + HEADS_AT_ONCE)
    const found = await (heads?.listNamed(some) ?? listObjectHeadsNamed(ctx.storage.reads, some))
    const rows = new Map(found.map((row) => [row.dav_name, row]))
    yield some.flatMap((name) => rows.get(name) ?? [])
  }
}

async function* walkRange(
  ctx: Context,
  range: Range,
  caller: Caller,
  heads: KnownHeads | undefined,
): AsyncGenerator<SizedHeadRow[]> {
  const window = windowOf(range, requireZone(ctx.config.timezone))
  const listIn = async (db: Db, isCostly: boolean): Promise<number[] | undefined> => {
    const found = await listKeys(ctx, db, 'full', window, isCostly)
    const cut = found && (await listTruncatedKeys(db, window, isCostly ? Number.POSITIVE_INFINITY : LIGHT_EXCEPTIONS))
    return cut && [...new Set([...found, ...cut])]
  }
  const listCostly = async (db: Db): Promise<number[]> => (await listIn(db, true)) ?? fail('too_many_matches')
  const keys =
    (await inSnapshot(ctx.storage, (db) => listIn(db, false))) ??
    (await withPermit(ctx, caller, (begin) => inOwnSnapshot(ctx.storage, listCostly, begin)))
  keys.sort((a, b) => a - b)
  for (let i = 0; i < keys.length; i += HEADS_AT_ONCE) {
    const some = keys.slice(i, i + HEADS_AT_ONCE)
    yield await (heads?.listAt(some) ?? listObjectHeadsAt(ctx.storage.reads, some))
  }
}

/** Reads texts by key. More than one batch, or a long text, is read with permits; none is held while texts are sent. */
type TextReader = (heads: readonly SizedHeadRow[], isPermitNeeded: boolean) => Promise<Map<number, CalendarObject>>

function createTextReader(ctx: Context, { caller = SERVICE_CALLER, isContinued = false }: ObjectSelection): TextReader {
  let isBegun = isContinued
  return async (heads, isPermitNeeded) => {
    const read = (): Promise<Map<number, CalendarObject>> => readTexts(ctx, heads)
    const texts = await (isPermitNeeded ? withPermit(ctx, caller, read, { isContinued: isBegun }) : read())
    // Later parts always wait for a permit: their response may already be on its way.
    isBegun = true
    return texts
  }
}

/** Batches by the octets of the texts to read; one text may be a megabyte, both as sent and as normalised. */
const batchHeads = (rows: readonly SizedHeadRow[], isRead: (row: SizedHeadRow) => boolean): SizedHeadRow[][] => [
  ...batchByBytes(rows, (row) => (isRead(row) ? row.octets + (row.sent_octets ?? ZONE_OCTETS) : 0)),
]

/** Generated texts include their zone definitions: about 800 octets each, a few have 4,500. */
const ZONE_OCTETS = 1_024

async function readTexts(ctx: Context, heads: readonly SizedHeadRow[]): Promise<Map<number, CalendarObject>> {
  const texts = new Map<number, CalendarObject>()
  if (heads.length === 0) return texts
  const keys = heads.map(({ key }) => key)
  const { pause } = createSliceTimer()
  for (const row of await listObjectRowsAt(ctx.storage.reads, keys)) {
    const object = await openSafely(ctx, row, pause)
    if (object) texts.set(row.key, object)
    await pause()
  }
  return texts
}

/** An event that cannot be read is left out and logged; the others are served. */
async function openSafely(ctx: Context, row: ObjectRow, pause: Yielder): Promise<CalendarObject | undefined> {
  try {
    return await runYielding(objectInSteps(ctx, row), pause)
  } catch {
    ctx.log.error('an event could not be read', { event_id: row.id })
    return undefined
  }
}
