// Reads events as CalDAV objects: by name, in pages, or by time range.
import type { Context } from '../../context.ts'
import type { Series } from '../../domain/calendar/event.ts'
import { requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import type { Steps } from '../../domain/steps.ts'
import { DAY_MS, type Instant } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { requireZone, type Zone } from '../../domain/time/zone.ts'
import { fail } from '../../errors.ts'
import { findMain } from '../../ical/decode.ts'
import { interopTextInSteps } from '../../ical/interop-text.ts'
import { isParseProblem, parseInSteps } from '../../ical/text/parse.ts'
import type { Component } from '../../ical/text/tree.ts'
import { createTzidResolver, type TzidResolver } from '../../ical/zones/resolve-tzid.ts'
import { withZoneTexts } from '../../ical/zones/zone-texts.ts'
import { createSliceTimer, type Yielder } from '../../scheduling/event-loop.ts'
import { inOwnSnapshot, inSnapshot } from '../../storage/engine/transaction.ts'
import {
  findObjectHead,
  findObjectRow,
  findShortObjectRow,
  listObjectHeadsAfter,
  listObjectHeadsAt,
  listObjectHeadsNamed,
  listObjectHeadsReaching,
  listObjectRowsAt,
  type ObjectHeadRow,
  type ObjectRow,
  type SizedHeadRow,
} from '../../storage/events/objects.ts'
import type { Db } from '../../storage/tables.ts'
import { createReaderGuard } from '../access/reader-guard.ts'
import { runYielding } from '../costly-work/costly-writes.ts'
import { type Caller, LIGHT_EXCEPTIONS, SERVICE_CALLER, withPermit } from '../costly-work/semaphore.ts'
import { batchByBytes } from '../events/byte-batches.ts'
import { etagOf } from '../events/event-mapper.ts'
import { openText } from '../events/event-texts.ts'
import { listTruncatedKeys } from '../events/expand-on-read.ts'
import { listKeys, windowOf } from '../events/list-events.ts'

export interface ObjectHead {
  /** The last segment of its URL path. */
  name: string
  etag: string
  revision: number
  createdAt: Instant
  updatedAt: Instant
  /** Length of the text in octets, if requested. */
  size?: number
}

export interface CalendarObject extends ObjectHead {
  id: string
  uid: string
  /** The text as the client sent it, or as this service generates it. */
  text: string
  /** Parses the text; floating times are in the zone. */
  open(zone: Zone): Steps<OpenedObject>
}

export interface OpenedObject {
  tree: Component
  series: Series
  /** Resolves the times of a line of the tree. */
  known: TzidResolver
}

/** Longer texts are read and generated with a permit: a parsed tree takes some 60 times as much as short lines. */
export const LONG_TEXT_OCTETS = 16 * 1_024

export async function findObject(
  ctx: Context,
  viewer: Viewer,
  name: string,
  { caller = SERVICE_CALLER, isContinued = false }: Pick<ObjectSelection, 'caller' | 'isContinued'> = {},
): Promise<CalendarObject | undefined> {
  requireAccess(viewer, 'read_full')
  const { reads } = ctx.storage
  const short = await findShortObjectRow(reads, name, LONG_TEXT_OCTETS)
  if (short) return runYielding(objectInSteps(ctx, short))
  if (!(await findObjectHead(reads, name))) return undefined
  const readLong = async (): Promise<CalendarObject | undefined> => {
    const row = await findObjectRow(reads, name)
    return row && runYielding(objectInSteps(ctx, row))
  }
  return withPermit(ctx, caller, readLong, { isContinued })
}

/** Without the text. The length of a text that no client sent is known only once it is generated. */
export async function findHead(
  ctx: Context,
  viewer: Viewer,
  name: string,
  isSized: boolean,
  caller?: Caller,
): Promise<ObjectHead | undefined> {
  requireAccess(viewer, 'read_full')
  const row = await findObjectHead(ctx.storage.reads, name)
  if (!row || !isSized) return row && headOf(ctx, row)
  if (row.sent_octets !== null) return { ...headOf(ctx, row), size: row.sent_octets }
  const object = await findObject(ctx, viewer, name, { caller })
  return object && { ...object, size: Buffer.byteLength(object.text) }
}

/** Selects all objects, those with an occurrence in a range, or those with these names, in the order of the names. */
export interface ObjectSelection {
  range?: Range | undefined
  names?: readonly string[]
  caller?: Caller | undefined
  /** True for the next part of a response that is being sent: it waits for a permit and is never refused. */
  isContinued?: boolean
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
  requireAccess(viewer, 'read_full')
  const read = createTextReader(ctx, selection)
  const guard = createReaderGuard(ctx, viewer, 'read_full')
  for await (const rows of walkRows(ctx, selection)) {
    const batches = batchHeads(rows, () => true)
    for (const some of batches) {
      const texts = await read(some, batches.length > 1 || some.some(isLong))
      await guard()
      yield some.flatMap(({ key, dav_name: foundAs }) => {
        const object = texts.get(key)
        // It may have been renamed meanwhile; then there is no object of this name.
        return object && (!selection.names || object.name === foundAs) ? [object] : []
      })
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
  { range, names, caller = SERVICE_CALLER }: ObjectSelection,
): AsyncGenerator<SizedHeadRow[]> {
  if (names) return yield* walkNamed(ctx, names)
  if (range && range.to - range.from <= LONGEST_RANGE_MS) return yield* walkRange(ctx, range, caller)
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
async function* walkNamed(ctx: Context, names: readonly string[]): AsyncGenerator<SizedHeadRow[]> {
  for (let i = 0; i < names.length; i += HEADS_AT_ONCE) {
    const some = names.slice(i, i + HEADS_AT_ONCE)
    const found = await listObjectHeadsNamed(ctx.storage.reads, some)
    const rows = new Map(found.map((row) => [row.dav_name, row]))
    yield some.flatMap((name) => rows.get(name) ?? [])
  }
}

async function* walkRange(ctx: Context, range: Range, caller: Caller): AsyncGenerator<SizedHeadRow[]> {
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
  for (let i = 0; i < keys.length; i += HEADS_AT_ONCE)
    yield await listObjectHeadsAt(ctx.storage.reads, keys.slice(i, i + HEADS_AT_ONCE))
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

export const headOf = (ctx: Context, row: ObjectHeadRow): ObjectHead => ({
  name: row.dav_name,
  etag: etagOf(row, ctx.secret),
  revision: row.revision,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

function* objectInSteps(ctx: Context, row: ObjectRow): Steps<CalendarObject> {
  const text = row.sent_ical ?? (yield* ownText(ctx, row))
  return { ...headOf(ctx, row), id: row.id, uid: row.uid, text, open: (zone) => openObject(ctx, row, zone) }
}

function* ownText(ctx: Context, { ical }: ObjectRow): Steps<string> {
  return yield* withZoneTexts(yield* interopTextInSteps(ical, ctx.config.timezone))
}

function* openObject(ctx: Context, row: ObjectRow, zone: Zone): Steps<OpenedObject> {
  const { series } = yield* openText(row.ical, zone.name)
  yield
  const tree = (yield* findSent(row)) ?? ((yield* parseInSteps(yield* ownText(ctx, row))) as Component)
  return { tree, series, known: yield* createTzidResolver(tree, series, requireZone(ctx.config.timezone)) }
}

/** Undefined for an occurrence sent without its series: only our own text has it as a complete event. */
function* findSent({ sent_ical: sent }: ObjectRow): Steps<Component | undefined> {
  const tree = sent === null ? undefined : yield* parseInSteps(sent.replace(/^\ufeff/, ''))
  return tree && !isParseProblem(tree) && findMain(tree) ? tree : undefined
}
