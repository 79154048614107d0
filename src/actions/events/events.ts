// Creates, reads, replaces, patches and deletes events.

import type { Context } from '../../context.ts'
import type { DroppedException } from '../../domain/calendar/dropped.ts'
import type { Series } from '../../domain/calendar/event.ts'
import type { EventFields, FieldsPatch } from '../../domain/calendar/fields.ts'
import { checkPatch, checkReplacement, patchInSteps, replaceInSteps } from '../../domain/calendar/update.ts'
import { withoutLongTexts } from '../../domain/calendar/words.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { ShownEvent } from '../../domain/privacy/mask.ts'
import { type Actor, requireAccess, sightOf, type Viewer } from '../../domain/privacy/viewer.ts'
import { inOneStep, runSteps, type Steps } from '../../domain/steps.ts'
import { fail, failField } from '../../errors.ts'
import { inLongTransaction, inSnapshot, inTransaction } from '../../storage/engine/transaction.ts'
import { findEventRow } from '../../storage/events/events.ts'
import type { Db, EventRow } from '../../storage/tables.ts'
import { requireActor } from '../access/actor-guard.ts'
import {
  claimInTransaction,
  type EarlierRequest,
  type IdempotentRequest,
  type StoredAnswer,
  storeInTransaction,
} from '../access/idempotency.ts'
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
import { sourceOf } from '../history/change-source.ts'
import { findContinued } from '../history/trash.ts'
import {
  changeSeries,
  insertSeries,
  type NewSeries,
  prepareSeries,
  removeSeries,
  type SentBackCheck,
  type SeriesWriteResult,
  viewWritten,
} from './change-event.ts'
import { RDATE_CHARACTERS } from './event-mapper.ts'
import { knownIndexSpan, readCurrentSpan } from './index-span.ts'
import { LIGHT_LIST_BYTES } from './list-bytes.ts'
import { type StoredLimits, viewSeries } from './masked-reads.ts'

export interface CreateOptions {
  uid?: string | undefined
  /** A request that is carried out once, and its answer. */
  idempotency?: { request: IdempotentRequest; answerOf: (created: Created) => StoredAnswer } | undefined
  /** The caller that the time of a costly event is charged to. */
  caller?: Caller | undefined
}

export interface Created {
  id: string
  /** At the author's sight; undefined where the author may not see it. */
  event: ShownEvent | undefined
  dropped: readonly DroppedException[]
  /** For a repeated request: the answer of the first, if it was kept. */
  replay?: { answer: StoredAnswer | undefined }
  /** The event in the trash that had its UID. */
  continues?: string | undefined
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
  dropped: readonly DroppedException[]
}

function* makeNew(ctx: Context, fields: EventFields, options: CreateOptions): Steps<Omit<MadeSeries, 'span'>> {
  const id = ctx.newId()
  const uid = options.uid ?? `${id}@${ctx.config.publicUrl.hostname}`
  return { id, ...(yield* replaceInSteps(uid, fields, defaultsOf(ctx))) }
}

function insertNew(
  ctx: Context,
  author: Actor,
  made: MadeSeries,
  { idempotency, uid }: CreateOptions,
): Promise<Created> {
  const { id, dropped, prepared } = made
  const transact = prepared ? inLongTransaction : inTransaction
  return transact(ctx.storage, async (db) => {
    await requireActor(ctx, db, author, 'write')
    const earlier = idempotency && (await claimInTransaction(ctx, db, author, idempotency.request, id))
    if (earlier) return replay(ctx, db, author, earlier)
    const written = await insertSeries(ctx, db, sourceOf(ctx, author), made)
    const continues = uid === undefined ? undefined : await findContinued(ctx, db, uid)
    const created = { id, event: await viewWritten(ctx, db, author, written), dropped, continues }
    if (idempotency) await storeInTransaction(db, idempotency.request, idempotency.answerOf(created))
    return created
  })
}

/** The event may have changed since; if it was deleted, the answer would name one that is not there. */
async function replay(ctx: Context, db: Db, author: Actor, { eventId, answer }: EarlierRequest): Promise<Created> {
  const row = (await findEventRow(db, eventId ?? '')) ?? fail('idempotency_gone')
  return { id: row.id, event: await viewWritten(ctx, db, author, row), dropped: [], replay: { answer } }
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

export async function replaceEvent(
  ctx: Context,
  viewer: Viewer,
  id: string,
  fields: EventFields,
  checkSentBack: SentBackCheck<ShownEvent> | undefined,
  expected: Precondition,
  caller?: Caller,
): Promise<SeriesWriteResult<ShownEvent | undefined>> {
  requireAccess(viewer, 'write')
  // Validates without the stored event first: an invalid request is refused before anything about the event is
  // revealed.
  const check = () => checkReplacement(checkableOf(viewer, fields), defaultsOf(ctx))
  const replace = (current: Series) => replaceInSteps(current.uid, fields, defaultsOf(ctx), current)
  const verify = verifySentBack(ctx, viewer, checkSentBack)
  const show = (db: Db, written: EventRow) => viewWritten(ctx, db, viewer, written)
  const isCostly = isCostlyFields(fields)
  return changeSeries(ctx, viewer, { id, expected, verify, change: replace, show, check, isCostly, caller })
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
  checkSentBack: SentBackCheck<ShownEvent> | undefined,
  expected: Precondition,
  caller?: Caller,
): Promise<SeriesWriteResult<ShownEvent | undefined>> {
  requireAccess(viewer, 'write')
  const apply = (current: Series) => patchInSteps(current, patch, defaultsOf(ctx))
  const verify = verifySentBack(ctx, viewer, checkSentBack)
  const show = (db: Db, written: EventRow) => viewWritten(ctx, db, viewer, written)
  const check = () => inOneStep(() => checkPatch(checkableOf(viewer, patch)))
  const isCostly = isCostlyFields(patch)
  return changeSeries(ctx, viewer, { id, expected, verify, change: apply, show, check, isCostly, caller })
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

const verifySentBack = (ctx: Context, author: Actor, check: SentBackCheck<ShownEvent> | undefined) =>
  check && (async (db: Db, row: EventRow) => check(await viewWritten(ctx, db, author, row)))

export const defaultsOf = (ctx: Context) => ({ zone: ctx.config.timezone, visibility: ctx.config.defaultVisibility })
