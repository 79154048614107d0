// Events as the objects that calendar programs keep in step with: read by name, in pages, or as what stands in a range.
import type { Context } from '../context.ts'
import type { Series } from '../domain/calendar/event.ts'
import { requireAccess, type Viewer } from '../domain/privacy/viewer.ts'
import { DAY_MS, type Instant } from '../domain/time/instant.ts'
import type { Range } from '../domain/time/window.ts'
import { requireZone } from '../domain/time/zone.ts'
import { fail } from '../errors.ts'
import { parseCalendar } from '../ical/parse.ts'
import type { Component } from '../ical/tree.ts'
import { withZoneTexts } from '../ical/zone-texts.ts'
import {
  findObjectRow,
  listObjectHeadsAfter,
  listObjectRows,
  listObjectRowsAfter,
  listObjectRowsAt,
  listObjectRowsReaching,
  type ObjectHeadRow,
  type ObjectRow,
} from '../storage/objects.ts'
import { inSnapshot } from '../storage/transaction.ts'
import { readText } from './change-event.ts'
import { listKeys, windowOf } from './list-events.ts'
import { etagOf } from './read-event.ts'

export interface ObjectHead {
  /** The last part of its address. */
  name: string
  etag: string
  revision: number
  createdAt: Instant
  updatedAt: Instant
}

export interface CalendarObject extends ObjectHead {
  id: string
  uid: string
  /** As it was sent, or else as we write it. */
  text: string
  /** What the text says, every zone it names defined and known. */
  open(): OpenedObject
}

export interface OpenedObject {
  tree: Component
  series: Series
}

export async function findObject(ctx: Context, viewer: Viewer, name: string): Promise<CalendarObject | undefined> {
  requireAccess(viewer, 'read_full')
  const row = await findObjectRow(ctx.storage.reads, name)
  return row && objectOf(ctx, row)
}

/** In the order of the names; what is not there is left out. */
export async function listObjects(ctx: Context, viewer: Viewer, names: readonly string[]): Promise<CalendarObject[]> {
  requireAccess(viewer, 'read_full')
  const rows = new Map((await listObjectRows(ctx.storage.reads, names)).map((row) => [row.dav_name, row]))
  return names.flatMap((name) => {
    const row = rows.get(name)
    return row ? [objectOf(ctx, row)] : []
  })
}

const HEADS_AT_ONCE = 1_000
/** Each may be a megabyte, twice. */
const OBJECTS_AT_ONCE = 50

/**
 * Every object without its text, page by page as the reader takes them: no connection waits for a slow one. What changes
 * in between is a change like any other, told to whoever asks with a token from before.
 */
export async function* walkHeads(ctx: Context, viewer: Viewer): AsyncGenerator<ObjectHead[]> {
  requireAccess(viewer, 'read_full')
  for (let after = -1; ; ) {
    const rows = await listObjectHeadsAfter(ctx.storage.reads, after, HEADS_AT_ONCE)
    if (rows.length > 0) yield rows.map((row) => headOf(ctx, row))
    if (rows.length < HEADS_AT_ONCE) return
    after = rows.at(-1)!.key
  }
}

/** The longest range that the index is asked for; in a longer one is most of the calendar anyway. */
export const LONGEST_RANGE_MS = 1_830 * DAY_MS

/**
 * Every object, or those with an occurrence in the range; a day without a time is one of the calendar's zone. In a
 * longer range than the longest there may be some that have none.
 */
export async function* walkObjects(ctx: Context, viewer: Viewer, range?: Range): AsyncGenerator<CalendarObject[]> {
  requireAccess(viewer, 'read_full')
  if (range && range.to - range.from <= LONGEST_RANGE_MS) return yield* walkRange(ctx, range)
  const { reads } = ctx.storage
  for (let after = -1; ; ) {
    const rows = range
      ? await listObjectRowsReaching(reads, range, after, OBJECTS_AT_ONCE)
      : await listObjectRowsAfter(reads, after, OBJECTS_AT_ONCE)
    if (rows.length > 0) yield rows.map((row) => objectOf(ctx, row))
    if (rows.length < OBJECTS_AT_ONCE) return
    after = rows.at(-1)!.key
  }
}

async function* walkRange(ctx: Context, range: Range): AsyncGenerator<CalendarObject[]> {
  const window = windowOf(range, requireZone(ctx.config.timezone))
  const found = await inSnapshot(ctx.storage, (db) => listKeys(ctx, db, 'full', window, {}))
  const keys = found ?? fail('too_many_matches')
  keys.sort((a, b) => a - b)
  for (let i = 0; i < keys.length; i += OBJECTS_AT_ONCE) {
    const rows = await listObjectRowsAt(ctx.storage.reads, keys.slice(i, i + OBJECTS_AT_ONCE))
    yield rows.map((row) => objectOf(ctx, row))
  }
}

export const headOf = (ctx: Context, row: ObjectHeadRow): ObjectHead => ({
  name: row.dav_name,
  etag: etagOf(row, ctx.secret),
  revision: row.revision,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

function objectOf(ctx: Context, row: ObjectRow): CalendarObject {
  const whole = (): string => withZoneTexts(row.ical)
  return {
    ...headOf(ctx, row),
    id: row.id,
    uid: row.uid,
    text: row.sent_ical ?? whole(),
    open() {
      const { series } = readText(row.ical, ctx.config.timezone)
      return { tree: parseCalendar(whole()) as Component, series }
    },
  }
}
