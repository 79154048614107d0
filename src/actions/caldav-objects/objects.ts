// Events as the objects that calendar programs keep in step with: read by name, in pages, or as what stands in a range.
import type { Context } from '../../context.ts'
import type { Series } from '../../domain/calendar/event.ts'
import { requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import type { Steps } from '../../domain/steps.ts'
import { DAY_MS, type Instant } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { requireZone } from '../../domain/time/zone.ts'
import { fail } from '../../errors.ts'
import { findMain } from '../../ical/decode.ts'
import { agreedTextInSteps } from '../../ical/interop-text.ts'
import { isParseProblem, parseInSteps } from '../../ical/text/parse.ts'
import type { Component } from '../../ical/text/tree.ts'
import { makeKnownLine, type TzidResolver } from '../../ical/zones/resolve-tzid.ts'
import { withZoneTexts } from '../../ical/zones/zone-texts.ts'
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
import type { Yielder } from '../costly-work/event-loop.ts'
import { type Caller, LIGHT_EXCEPTIONS, SERVICE_CALLER, withPermit } from '../costly-work/semaphore.ts'
import { batchByBytes } from '../events/byte-batches.ts'
import { etagOf } from '../events/event-mapper.ts'
import { openText } from '../events/event-texts.ts'
import { listCutKeys } from '../events/expand-on-read.ts'
import { listKeys, windowOf } from '../events/list-events.ts'
import { createSliceTimer } from '../maintenance/slice-timer.ts'

export interface ObjectHead {
  /** The last part of its address. */
  name: string
  etag: string
  revision: number
  createdAt: Instant
  updatedAt: Instant
  /** Of its text, in octets, where that was asked for. */
  size?: number
}

export interface CalendarObject extends ObjectHead {
  id: string
  uid: string
  /** As it was sent, or else as we write it. */
  text: string
  /** What the text says. */
  open(): Steps<OpenedObject>
}

export interface OpenedObject {
  tree: Component
  series: Series
  /** A line of the tree as its times are understood. */
  known: TzidResolver
}

/** A longer text is read and put together with a permit: a tree takes some 60 times as much as short lines. */
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

/** Without its text. The length of a text that was not sent is known only when the text was put together. */
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

/** Which objects: all there are, those with an occurrence in a range, or those of these names, in their order. */
export interface ObjectSelection {
  range?: Range | undefined
  names?: readonly string[]
  caller?: Caller | undefined
  /** True where this is the next part of an answer that is being sent: it can only wait. */
  isContinued?: boolean
}

/** The longest range that the index is asked for; in a longer one is most of the calendar anyway. */
export const LONGEST_RANGE_MS = 1_830 * DAY_MS

/**
 * Objects without their texts, page by page as the reader takes them: no connection waits for a slow one. What changes in
 * between is a change like any other, told to whoever asks with a token from before. A day without a time is one of the
 * calendar's zone; in a longer range than the longest there may be some that have no occurrence.
 */
export async function* walkHeads(
  ctx: Context,
  viewer: Viewer,
  sought: ObjectSelection = {},
): AsyncGenerator<ObjectHead[]> {
  requireAccess(viewer, 'read_full')
  const guard = createReaderGuard(ctx, viewer, 'read_full')
  for await (const rows of walkRows(ctx, sought)) {
    await guard()
    yield rows.map((row) => headOf(ctx, row))
  }
}

/** The same with their texts. */
export async function* walkObjects(
  ctx: Context,
  viewer: Viewer,
  sought: ObjectSelection = {},
): AsyncGenerator<CalendarObject[]> {
  requireAccess(viewer, 'read_full')
  const read = createTextReader(ctx, sought)
  const guard = createReaderGuard(ctx, viewer, 'read_full')
  for await (const rows of walkRows(ctx, sought)) {
    const batches = batchHeads(rows, () => true)
    for (const some of batches) {
      const texts = await read(some, batches.length > 1 || some.some(isLong))
      await guard()
      yield some.flatMap(({ key, dav_name: foundAs }) => {
        const object = texts.get(key)
        // Somebody may have renamed it meanwhile; then it is not there under this name.
        return object && (!sought.names || object.name === foundAs) ? [object] : []
      })
    }
  }
}

/** Objects with the lengths of their texts. Those of ours are read for that: the zones they name are told with them. */
export async function* walkSizes(
  ctx: Context,
  viewer: Viewer,
  sought: ObjectSelection = {},
): AsyncGenerator<ObjectHead[]> {
  requireAccess(viewer, 'read_full')
  const isOurs = (row: SizedHeadRow): boolean => row.sent_octets === null
  const read = createTextReader(ctx, sought)
  const guard = createReaderGuard(ctx, viewer, 'read_full')
  for await (const rows of walkRows(ctx, sought)) {
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

/** Each has a tag, which is a hash. */
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

/** What is not there is left out. */
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
    const cut = found && (await listCutKeys(db, window, isCostly ? Number.POSITIVE_INFINITY : LIGHT_EXCEPTIONS))
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
    // What was begun can only wait: its answer may be under way.
    isBegun = true
    return texts
  }
}

/** Cut where the texts that are to be read become too much; one text may be a megabyte, as sent and as put right. */
const batchHeads = (rows: readonly SizedHeadRow[], isRead: (row: SizedHeadRow) => boolean): SizedHeadRow[][] => [
  ...batchByBytes(rows, (row) => (isRead(row) ? row.octets + (row.sent_octets ?? ZONE_OCTETS) : 0)),
]

/** A text of ours gets the definitions of its zones: 800 octets each, a few have 4,500. */
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

/** One that cannot be put together is left out and named in the log; the others are served. */
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
  return { ...headOf(ctx, row), id: row.id, uid: row.uid, text, open: () => openObject(ctx, row) }
}

function* ownText(ctx: Context, { ical }: ObjectRow): Steps<string> {
  return yield* withZoneTexts(yield* agreedTextInSteps(ical, ctx.config.timezone))
}

function* openObject(ctx: Context, row: ObjectRow): Steps<OpenedObject> {
  const { series } = yield* openText(row.ical, ctx.config.timezone)
  yield
  const tree = (yield* findSent(row)) ?? ((yield* parseInSteps(yield* ownText(ctx, row))) as Component)
  return { tree, series, known: yield* makeKnownLine(tree, series, requireZone(ctx.config.timezone)) }
}

/** An occurrence sent without its series is kept as an event of its own, and is only so in the text we keep. */
function* findSent({ sent_ical: sent }: ObjectRow): Steps<Component | undefined> {
  const tree = sent === null ? undefined : yield* parseInSteps(sent.replace(/^\ufeff/, ''))
  return tree && !isParseProblem(tree) && findMain(tree) ? tree : undefined
}
