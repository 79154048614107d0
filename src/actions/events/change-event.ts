// Creates, changes and deletes series for the JSON API; all columns are derived from the text.

import type { Context } from '../../context.ts'
import type { DroppedException } from '../../domain/calendar/dropped.ts'
import type { Series } from '../../domain/calendar/event.ts'
import type { SeriesUpdate } from '../../domain/calendar/update.ts'
import { meetsPrecondition, type Precondition } from '../../domain/precondition.ts'
import type { ShownEvent } from '../../domain/privacy/mask.ts'
import { type Actor, requireAccess, sightOf } from '../../domain/privacy/viewer.ts'
import { runSteps, type Steps } from '../../domain/steps.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { AppError, fail } from '../../errors.ts'
import type { OpenObject } from '../../ical/encode.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { inLongTransaction, inTransaction } from '../../storage/engine/transaction.ts'
import { type IndexSpan, readIndexSpan } from '../../storage/events/calendar.ts'
import { findWholeEventRow } from '../../storage/events/events.ts'
import { lockEventHead } from '../../storage/events/objects.ts'
import { deleteEvent } from '../../storage/history/delete-event.ts'
import type { Db, EventRow, KnownEventRow } from '../../storage/tables.ts'
import { requireActor } from '../access/actor-guard.ts'
import {
  findStoredById,
  isCostlyStored,
  OUTDATED,
  type Preparation,
  prepareWrite,
  requireCurrent,
  requireFewRows,
  requireLight,
  retryOutdated,
  runLight,
  runYielding,
  unlessOutdated,
  withWritePermit,
} from '../costly-work/costly-writes.ts'
import { type Caller, SERVICE_CALLER } from '../costly-work/semaphore.ts'
import { type ChangeSource, serviceSource, sourceOf } from '../history/change-source.ts'
import { deletionBy } from '../history/deletion.ts'
import { currentVersionOf, etagOf, type TaggedRow } from './event-mapper.ts'
import { openText, type Texts, withStoredVisibility, writeTexts } from './event-texts.ts'
import { knownIndexSpan, readCurrentSpan } from './index-span.ts'
import { viewFullRow, viewSeries } from './masked-reads.ts'
import { epochAfter } from './public-text.ts'
import { writeEvent } from './write-event.ts'

export interface SeriesWriteResult<Shown> {
  shown: Shown
  /** Exceptions that match no occurrence of the changed series. */
  dropped: readonly DroppedException[]
}

export interface NewSeries {
  id: string
  series: Series
  /** The span of the index that its rows are derived for. */
  span: IndexSpan
  /** Prepared before the transaction, where that is costly. */
  prepared?: Preparation<NewTexts> | undefined
}

interface NewTexts {
  texts: Texts
  createdAt: Instant
}

export async function insertSeries(
  ctx: Context,
  db: Db,
  source: ChangeSource,
  { id, series, span, prepared }: NewSeries,
): Promise<EventRow> {
  const made = prepared ? prepared.finish() : runLight(newTextsInSteps(ctx, id, series, span))
  if (!prepared) requireFewRows(made.texts.derived)
  return writeEvent(db, { id, source, at: made.createdAt, texts: made.texts, span, before: undefined })
}

/** For a costly new event: does everything that does not need the transaction. */
export async function prepareSeries(
  ctx: Context,
  id: string,
  series: Series,
  span: IndexSpan,
): Promise<Preparation<NewTexts>> {
  return prepareWrite(undefined, span, newTextsInSteps(ctx, id, series, span))
}

function* newTextsInSteps(ctx: Context, id: string, series: Series, span: IndexSpan): Steps<NewTexts> {
  const createdAt = ctx.clock()
  return { texts: yield* writeTexts(ctx, series, span, { id, updated_at: createdAt, mask_epoch: 0 }), createdAt }
}

/** Refuses read-only fields of a request that are not as its author may read them; undefined: the author may read none. */
export type SentBackCheck<Shown> = (shown: Shown | undefined) => void

export interface SeriesChange<Shown> {
  id: string
  expected: Precondition
  /** Compares the request with the stored event, in the transaction: throws where they do not agree. */
  verify?: ((db: Db, row: EventRow) => Promise<void>) | undefined
  /** Computes the new series. It may be called twice; the second result counts. */
  change: (series: Series, row: EventRow) => Steps<SeriesUpdate>
  /**
   * Makes the result for the author inside the transaction, so that it is what was written: this row, and others. Where
   * the change has deleted the event, the row is the deleted one.
   */
  show: (db: Db, written: EventRow) => Promise<Shown>
  /** Rejects a request that is invalid in itself, before anything about the event is revealed. */
  check?: (() => Steps<void>) | undefined
  /** True where the request is costly, whatever it changes. */
  isCostly?: boolean | undefined
  /** The caller that the time of a costly change is charged to. */
  caller?: Caller | undefined
}

/**
 * Finds the event, checks the version, changes and stores it. A costly change is prepared before the transaction, which
 * checks that it is still current.
 */
export async function changeSeries<Shown>(
  ctx: Context,
  author: Actor,
  { id, expected, verify, change, show, check, isCostly = false, caller = SERVICE_CALLER }: SeriesChange<Shown>,
): Promise<SeriesWriteResult<Shown>> {
  const steps = (row: EventRow, span: IndexSpan) => changeInSteps(ctx, author, row, span, change)
  const source = sourceOf(ctx, author)
  const keep = async (
    db: Db,
    row: EventRow,
    changed: ChangedSeries,
    isLong = false,
  ): Promise<SeriesWriteResult<Shown>> => {
    if (changed.isRemoved) await removeRow(ctx, db, author, row)
    const written = changed.kept ? await keepTexts(db, source, row, changed.kept) : row
    if (isLong) await yieldToEventLoop()
    // The public must not learn which occurrences were edited.
    return { shown: await show(db, written), dropped: sightOf(author) === 'full' ? changed.dropped : [] }
  }
  const writeLight = async (): Promise<SeriesWriteResult<Shown>> => {
    const span = await knownIndexSpan(ctx)
    return inTransaction(ctx.storage, async (db) => {
      await requireActor(ctx, db, author, 'write')
      const row = requireExpected(ctx, author, await findWholeEventRow(db, id, true), expected)
      requireLight(row.ical, stored)
      await verify?.(db, row)
      const changed = runLight(steps(row, span))
      if (changed.kept) requireFewRows(changed.kept.texts.derived)
      return keep(db, row, changed)
    })
  }
  const writePrepared = async (): Promise<SeriesWriteResult<Shown>> => {
    const { reads } = ctx.storage
    const stored = await findStoredById(ctx, id)
    const isToPrepare = stored !== undefined && !isStale(ctx, stored, expected)
    const row = isToPrepare ? await findWholeEventRow(reads, id, false) : undefined
    const span = await readCurrentSpan(ctx)
    const prepared = row && (await prepareWrite(row, span, steps(row, span)))
    return inLongTransaction(ctx.storage, async (db) => {
      await requireActor(ctx, db, author, 'write')
      const head = requireExpected(ctx, author, await lockEventHead(db, id), expected)
      const current = requireCurrent(prepared, head, await readIndexSpan(db))
      // Statements with a long text take some 10 ms each on SQLite.
      await yieldToEventLoop()
      await verify?.(db, row!)
      return keep(db, row!, current.finish(), true)
    })
  }
  const stored = await findStoredById(ctx, id)
  const isRefused = stored !== undefined && isStale(ctx, stored, expected)
  if (!isCostly && (isRefused || !isCostlyStored(stored))) {
    if (check) runSteps(check())
    const written = await unlessOutdated(isRefused ? writePrepared : writeLight)
    if (written !== OUTDATED) return written
  }
  return withWritePermit(ctx, caller, async () => {
    if (check) await runYielding(check())
    const written = await retryOutdated(writePrepared)
    // Yields before the result is presented.
    await yieldToEventLoop()
    return written
  })
}

interface ChangedSeries {
  /** Undefined where nothing changes. */
  kept: KeptTexts | undefined
  dropped: readonly DroppedException[]
  /** True where no occurrence is left. */
  isRemoved?: boolean
}

function* changeInSteps(
  ctx: Context,
  author: Actor,
  row: EventRow,
  span: IndexSpan,
  change: SeriesChange<unknown>['change'],
): Steps<ChangedSeries> {
  const before = withStoredVisibility(yield* openText(row.ical, ctx.config.timezone), row)
  yield
  const { series, dropped, isEmpty, movedKeys } = yield* change(before.series, row)
  if (isEmpty) return { kept: undefined, dropped, isRemoved: true }
  // An author who may not read would learn from an unchanged version that a guessed value is the stored one.
  if (series === before.series && sightOf(author) === 'full') return { kept: undefined, dropped }
  // Publishing a private event reveals it, so it needs read access.
  if (row.visibility === 'private' && series.visibility === 'public') requireAccess(author, 'read_full')
  yield
  return { kept: yield* keepInSteps(ctx, row, { ...before, movedKeys }, series, span, true), dropped }
}

/** Stores the series as the next version of the event. Its size is not checked, as no client sent it. */
export async function updateSeries(
  ctx: Context,
  db: Db,
  row: EventRow,
  before: OpenObject,
  series: Series,
  source = serviceSource(ctx),
): Promise<void> {
  const kept = await runYielding(keepInSteps(ctx, row, before, series, await readIndexSpan(db)))
  await keepTexts(db, source, row, kept)
}

interface KeptTexts {
  texts: Texts
  span: IndexSpan
  updatedAt: Instant
}

function* keepInSteps(
  ctx: Context,
  row: EventRow,
  before: OpenObject,
  series: Series,
  span: IndexSpan,
  isSizeChecked = false,
): Steps<KeptTexts> {
  const updatedAt = Math.max(ctx.clock(), row.updated_at)
  const known = { id: row.id, updated_at: updatedAt, mask_epoch: epochAfter(row, series.visibility) }
  const replaced = isSizeChecked ? row.ical : undefined
  return { texts: yield* writeTexts(ctx, series, span, known, before, replaced), span, updatedAt }
}

const keepTexts = (
  db: Db,
  source: ChangeSource,
  row: EventRow,
  { texts, span, updatedAt }: KeptTexts,
): Promise<EventRow> => writeEvent(db, { id: row.id, source, at: updatedAt, texts, span, before: row })

/** An event that is costly to write also has many rows to delete. */
export async function removeSeries(
  ctx: Context,
  author: Actor,
  id: string,
  expected: Precondition,
  caller: Caller = SERVICE_CALLER,
): Promise<void> {
  const remove = (transact: typeof inTransaction): Promise<void> =>
    transact(ctx.storage, async (db) => {
      await requireActor(ctx, db, author, 'write')
      await removeRow(ctx, db, author, requireExpected(ctx, author, await lockEventHead(db, id), expected))
    })
  const stored = await findStoredById(ctx, id)
  const isCostly = stored !== undefined && isCostlyStored(stored) && !isStale(ctx, stored, expected)
  return isCostly ? withWritePermit(ctx, caller, () => remove(inLongTransaction)) : remove(inTransaction)
}

async function removeRow(ctx: Context, db: Db, author: Actor, row: Pick<EventRow, 'key' | 'dav_name'>): Promise<void> {
  const now = ctx.clock()
  await deleteEvent(db, row, now, deletionBy(ctx, author, now))
}

export function requireExpected<Row extends TaggedRow>(
  ctx: Context,
  author: Actor,
  row: Row | undefined,
  expected: Precondition,
): Row {
  if (!row) fail('event_not_found')
  if (!isStale(ctx, row, expected)) return row
  if (sightOf(author) !== 'full') fail('version_mismatch')
  const current = { current_version: row.version, current_etag: etagOf(row, ctx.secret) }
  throw new AppError('version_mismatch', { details: current })
}

const isStale = (ctx: Context, row: TaggedRow, expected: Precondition): boolean =>
  !meetsPrecondition(expected, currentVersionOf(row, ctx.secret))

/** The series at its author's sight; undefined where that is the public's and the public cannot see the event. */
export async function viewWritten(
  ctx: Context,
  db: Db,
  author: Actor,
  written: KnownEventRow,
): Promise<ShownEvent | undefined> {
  if (sightOf(author) === 'public') return viewSeries(ctx, db, 'public', written.id)
  return (await viewFullRow(ctx, db, written)) ?? fail('event_not_found')
}
