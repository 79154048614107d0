// Creates, reads, replaces, patches and deletes events.

import type { Context } from '../../context.ts'
import type { Series } from '../../domain/calendar/event.ts'
import type { EventFields, FieldsPatch } from '../../domain/calendar/fields.ts'
import { checkPatch, checkReplacement, patchInSteps, replaceInSteps } from '../../domain/calendar/update.ts'
import { withoutLongTexts } from '../../domain/calendar/words.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { ShownEvent } from '../../domain/privacy/mask.ts'
import { type Actor, requireAccess, sightOf, type Viewer } from '../../domain/privacy/viewer.ts'
import { inOneStep, runSteps, type Steps } from '../../domain/steps.ts'
import { formatUtc } from '../../domain/time/text.ts'
import { fail, failField } from '../../errors.ts'
import { inLongTransaction, inSnapshot, inTransaction } from '../../storage/engine/transaction.ts'
import { findEventRow } from '../../storage/events/events.ts'
import { claimIdempotencyKey } from '../../storage/operations/idempotency.ts'
import type { Db, EventRow } from '../../storage/tables.ts'
import { requireActor } from '../access/actor-guard.ts'
import { runCostlyRead } from '../access/reader-guard.ts'
import {
  isCostlyFields,
  OUTDATED,
  retryOutdated,
  runYielding,
  unlessOutdated,
  withWritePermit,
} from '../costly-work/costly-writes.ts'
import { type Caller, LIGHT_EXCEPTIONS, SERVICE_CALLER } from '../costly-work/semaphore.ts'
import {
  changeSeries,
  insertSeries,
  type NewSeries,
  prepareSeries,
  removeSeries,
  type SeriesWriteResult,
  viewWritten,
} from './change-event.ts'
import { RDATE_CHARACTERS } from './event-mapper.ts'
import { knownIndexSpan, readCurrentSpan } from './index-span.ts'
import { LIGHT_LIST_BYTES } from './list-bytes.ts'
import { type StoredLimits, viewSeries } from './masked-reads.ts'

export interface CreateOptions {
  uid?: string | undefined
  /** A key under which a repeated request is carried out once, and the hash of the request body. */
  idempotency?: { key: string; bodyHash: string } | undefined
  /** The caller that the time of a costly event is charged to. */
  caller?: Caller | undefined
}

export interface Created {
  id: string
  /** At the author's sight; undefined where the author may not see it. */
  event: ShownEvent | undefined
  dropped: string[]
  isReplay: boolean
}

export async function createEvent(
  ctx: Context,
  viewer: Viewer,
  fields: EventFields,
  options: CreateOptions,
): Promise<Created> {
  requireAccess(viewer, 'write')
  // A conflict would tell authors who may not read that an event has this UID.
  if (options.uid !== undefined && sightOf(viewer) !== 'full') failField('/uid', 'not_allowed')
  if (!isCostlyFields(fields)) {
    const made = runSteps(makeNew(ctx, fields, options))
    const span = await knownIndexSpan(ctx)
    const created = await unlessOutdated(() => insertNew(ctx, viewer, { ...made, span }, options))
    if (created !== OUTDATED) return created
  }
  return withWritePermit(ctx, options.caller ?? SERVICE_CALLER, async () => {
    const made = await runYielding(makeNew(ctx, fields, options))
    return retryOutdated(async () => {
      const span = await readCurrentSpan(ctx)
      const prepared = await prepareSeries(ctx, made.id, made.series, span)
      return insertNew(ctx, viewer, { ...made, span, prepared }, options)
    })
  })
}

interface MadeSeries extends NewSeries {
  dropped: string[]
}

function* makeNew(ctx: Context, fields: EventFields, options: CreateOptions): Steps<Omit<MadeSeries, 'span'>> {
  const id = ctx.newId()
  const uid = options.uid ?? `${id}@${ctx.config.publicUrl.hostname}`
  return { id, ...(yield* replaceInSteps(uid, fields, defaultsOf(ctx))) }
}

function insertNew(ctx: Context, author: Actor, made: MadeSeries, { idempotency }: CreateOptions): Promise<Created> {
  const { id, dropped, prepared } = made
  const transact = prepared ? inLongTransaction : inTransaction
  return transact(ctx.storage, async (db) => {
    const by = await requireActor(ctx, db, author, 'write')
    if (idempotency) {
      const { key, bodyHash } = idempotency
      const known = await claimIdempotencyKey(db, by ?? '', key, { bodyHash, eventId: id }, ctx.clock())
      if (known && known.bodyHash !== bodyHash) fail('idempotency_key_reuse')
      if (known) return replay(ctx, db, author, known.eventId)
    }
    const written = await insertSeries(ctx, db, by, made)
    return { id, event: await viewWritten(ctx, db, author, written), dropped, isReplay: false }
  })
}

/** The event that the first request created, in its current state. The first response is not stored. */
async function replay(ctx: Context, db: Db, author: Actor, id: string): Promise<Created> {
  const row = (await findEventRow(db, id)) ?? fail('idempotency_gone')
  return { id, event: await viewWritten(ctx, db, author, row), dropped: [], isReplay: true }
}

const LIGHT_SERIES: StoredLimits = {
  rdateCharacters: RDATE_CHARACTERS * LIGHT_EXCEPTIONS,
  exceptions: LIGHT_EXCEPTIONS,
  bytes: LIGHT_LIST_BYTES,
}

/** A series with many extra dates, or with many or long exceptions, is a costly read. */
export async function getEvent(
  ctx: Context,
  viewer: Viewer,
  id: string,
  caller: Caller = SERVICE_CALLER,
): Promise<ShownEvent> {
  const sight = sightOf(viewer)
  const light = await inSnapshot(ctx.storage, (db) => viewSeries(ctx, db, sight, id, LIGHT_SERIES))
  const readWhole = (db: Db) => viewSeries(ctx, db, sight, id)
  const shown = light === 'costly' ? await runCostlyRead(ctx, viewer, caller, readWhole) : light
  return shown ?? fail('event_not_found')
}

/** Read-only fields may be sent back in a request, as long as their values are unchanged. */
export interface ReadOnlyFields {
  occurrence_key?: unknown
  id?: unknown
  uid?: unknown
  created_at?: unknown
  created_by?: unknown
}

export async function replaceEvent(
  ctx: Context,
  viewer: Viewer,
  id: string,
  fields: EventFields,
  sentBack: ReadOnlyFields,
  expected: Precondition,
  caller?: Caller,
): Promise<SeriesWriteResult<ShownEvent | undefined>> {
  requireAccess(viewer, 'write')
  // Validates without the stored event first: an invalid request is refused before anything about the event is
  // revealed.
  const check = () => checkReplacement(checkableOf(viewer, fields), defaultsOf(ctx))
  const replace = (current: Series, row: EventRow) => {
    checkSentBack(viewer, row, sentBack)
    return replaceInSteps(current.uid, fields, defaultsOf(ctx), current)
  }
  const show = (db: Db, written: EventRow) => viewWritten(ctx, db, viewer, written)
  const isCostly = isCostlyFields(fields)
  return changeSeries(ctx, viewer, { id, expected, change: replace, show, check, isCostly, caller })
}

/**
 * The fields that can be checked without the stored event. For authors who may not read, these are all: accepting a long
 * text because it is stored would tell them that they guessed it.
 */
export const checkableOf = <Fields extends FieldsPatch>(author: Viewer, fields: Fields): Fields =>
  sightOf(author) === 'full' ? withoutLongTexts(fields) : fields

export async function patchEvent(
  ctx: Context,
  viewer: Viewer,
  id: string,
  patch: FieldsPatch,
  sentBack: ReadOnlyFields,
  expected: Precondition,
  caller?: Caller,
): Promise<SeriesWriteResult<ShownEvent | undefined>> {
  requireAccess(viewer, 'write')
  const apply = (current: Series, row: EventRow) => {
    checkSentBack(viewer, row, sentBack)
    return patchInSteps(current, patch, defaultsOf(ctx))
  }
  const show = (db: Db, written: EventRow) => viewWritten(ctx, db, viewer, written)
  const check = () => inOneStep(() => checkPatch(checkableOf(viewer, patch)))
  const isCostly = isCostlyFields(patch)
  return changeSeries(ctx, viewer, { id, expected, change: apply, show, check, isCostly, caller })
}

export async function deleteEvent(
  ctx: Context,
  viewer: Viewer,
  id: string,
  expected: Precondition,
  caller?: Caller,
): Promise<void> {
  requireAccess(viewer, 'write')
  await removeSeries(ctx, viewer, id, expected, caller)
}

function checkSentBack(author: Actor, row: EventRow, sent: ReadOnlyFields): void {
  // One occurrence of a list, sent as if it were the series, would move the series there.
  if (sent.occurrence_key !== undefined && sent.occurrence_key !== null) failField('/occurrence_key', 'not_allowed')
  const kept = { id: row.id, uid: row.uid, created_at: formatUtc(row.created_at), created_by: row.created_by }
  for (const [field, value] of Object.entries(kept)) {
    const given = sent[field as keyof ReadOnlyFields]
    if (given === undefined) continue
    // Comparing would tell authors who may not read whether they guessed the value.
    const mayCompare = field === 'id' || sightOf(author) === 'full'
    if (!mayCompare || given !== value) failField(`/${field}`, 'not_allowed')
  }
}

const defaultsOf = (ctx: Context) => ({ zone: ctx.config.timezone, visibility: ctx.config.defaultVisibility })
