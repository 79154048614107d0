// Reads events as CalDAV objects: by name, in pages, or by time range.
import type { Context } from '../../context.ts'
import type { Series } from '../../domain/calendar/event.ts'
import { requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import type { Steps } from '../../domain/steps.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { requireZone, type Zone } from '../../domain/time/zone.ts'
import { findMain } from '../../ical/decode.ts'
import { interopTextInSteps } from '../../ical/interop-text.ts'
import { isParseProblem, parseInSteps } from '../../ical/text/parse.ts'
import type { Component } from '../../ical/text/tree.ts'
import { createTzidResolver, type TzidResolver } from '../../ical/zones/resolve-tzid.ts'
import { withZoneTexts } from '../../ical/zones/zone-texts.ts'
import {
  findObjectHead,
  findObjectRow,
  findShortObjectRow,
  type ObjectHeadRow,
  type ObjectRow,
} from '../../storage/events/objects.ts'
import { runYielding } from '../costly-work/costly-writes.ts'
import { type Caller, SERVICE_CALLER, withPermit } from '../costly-work/semaphore.ts'
import { etagOf } from '../events/event-mapper.ts'
import { openText } from '../events/event-texts.ts'

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

/** For whom objects are read. */
export interface ReadingOptions {
  caller?: Caller | undefined
  /** True for the next part of a response that is being sent: it waits for a permit and is never refused. */
  isContinued?: boolean
}

export async function findObject(
  ctx: Context,
  viewer: Viewer,
  name: string,
  { caller = SERVICE_CALLER, isContinued = false }: ReadingOptions = {},
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

export const headOf = (ctx: Context, row: ObjectHeadRow): ObjectHead => ({
  name: row.dav_name,
  // Computed when it is read: a response may be made of many heads whose ETags are already written.
  get etag() {
    return etagOf(row, ctx.secret)
  },
  revision: row.revision,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export function* objectInSteps(ctx: Context, row: ObjectRow): Steps<CalendarObject> {
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
