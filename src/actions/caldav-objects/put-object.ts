// CalDAV PUT, DELETE and MOVE: stores the text as sent and derives all else from a normalised copy.

import type { Context } from '../../context.ts'
import { meetsPrecondition, type Precondition } from '../../domain/precondition.ts'
import { type Actor, requireAccess, sightOf, type Viewer } from '../../domain/privacy/viewer.ts'
import { runSteps, type Steps } from '../../domain/steps.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { requireZone } from '../../domain/time/zone.ts'
import { AppError, fail } from '../../errors.ts'
import { type ImportedObject, importEventInSteps, isImported } from '../../ical/import/import-event.ts'
import { printCalendarInSteps } from '../../ical/text/print.ts'
import type { FileEvent } from '../../ical/text/split.ts'
import { isOversized } from '../../ical/text/text-size.ts'
import { createZoneFinder } from '../../ical/zones/foreign-zones.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { inLongTransaction, inTransaction } from '../../storage/engine/transaction.ts'
import { type IndexSpan, raiseRevision, readIndexSpan } from '../../storage/events/calendar.ts'
import {
  findEventRowByName,
  findNameOfUid,
  findObjectHead,
  lockObjectHead,
  lockObjectHeads,
  renameObject,
} from '../../storage/events/objects.ts'
import { insertTombstone } from '../../storage/events/tombstones.ts'
import { deleteEvent } from '../../storage/history/delete-event.ts'
import type { Db, EventRow } from '../../storage/tables.ts'
import { requireActor } from '../access/actor-guard.ts'
import {
  findLightRow,
  findStoredByName,
  isCostlyStored,
  isCostlyText,
  OUTDATED,
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
import { currentVersionOf, type TaggedRow } from '../events/event-mapper.ts'
import { type Texts, textsInSteps } from '../events/event-texts.ts'
import { knownIndexSpan, readCurrentSpan } from '../events/index-span.ts'
import { epochAfter } from '../events/public-text.ts'
import { writeEvent } from '../events/write-event.ts'
import { sourceOf } from '../history/change-source.ts'
import { deletionBy } from '../history/deletion.ts'
import { headOf, type ObjectHead } from './objects.ts'
import { findBeyondYears, parsePutBody, refuse, TIME_REASONS } from './sent-object.ts'
import { isServed } from './served-versions.ts'

export interface PutResult {
  /** Undefined for a viewer who may not read: the ETag contains the version. */
  head: ObjectHead | undefined
  isNew: boolean
}

/**
 * A long text is prepared before the transaction, which then checks that the row it replaces is unchanged. A short text
 * that replaces a costly event is costly too: all rows of that event are read and deleted.
 */
export async function putObject(
  ctx: Context,
  viewer: Viewer,
  name: string,
  text: string,
  expected: Precondition,
  caller: Caller = SERVICE_CALLER,
): Promise<PutResult> {
  requireAccess(viewer, 'write')
  const sent = { name, text, expected }
  let event: FileEvent | undefined
  if (!isCostlyText(text)) {
    event = runSteps(parsePutBody(text))
    const light = { ...sent, event }
    const put = await unlessOutdated(() => putLight(ctx, viewer, light))
    if (put !== OUTDATED) return put
  }
  return withWritePermit(ctx, caller, async () => {
    const costly = { ...sent, event: event ?? (await runYielding(parsePutBody(text))) }
    return retryOutdated(() => putPrepared(ctx, viewer, costly))
  })
}

/** Takes a write permit, charged to the caller, if the event of this name is costly to move or delete. */
const withPermitForName = async <T>(
  ctx: Context,
  caller: Caller,
  name: string,
  work: (transact: typeof inTransaction) => Promise<T>,
): Promise<T> =>
  isCostlyStored(await findStoredByName(ctx, name))
    ? withWritePermit(ctx, caller, () => work(inLongTransaction))
    : work(inTransaction)

interface SentObject {
  name: string
  text: string
  event: FileEvent
  expected: Precondition
}

async function putLight(ctx: Context, viewer: Actor, sent: SentObject): Promise<PutResult> {
  const { name, text } = sent
  const newId = ctx.newId()
  const span = await knownIndexSpan(ctx)
  return writeSent(ctx, viewer, sent, async (db) => {
    const before = await findLightRow(db, name)
    await requireExpected(ctx, db, viewer, before, sent)
    requireLight(before?.ical)
    const adopted = runLight(adoptTexts(ctx, sent, { before, id: before?.id ?? newId, span }))
    requireFewRows(adopted.texts.derived)
    return write(ctx, db, { author: viewer, name, text, before, span, adopted })
  })
}

/** Reads the whole row once, before the transaction; the transaction reads only what shows whether it is unchanged. */
async function putPrepared(ctx: Context, viewer: Actor, sent: SentObject): Promise<PutResult> {
  const { name, text } = sent
  const { reads } = ctx.storage
  const isAsExpected = await isPutExpected(ctx, reads, viewer, await findObjectHead(reads, name), sent.expected)
  const before = isAsExpected ? await findEventRowByName(reads, name) : undefined
  const span = await readCurrentSpan(ctx)
  const id = before?.id ?? ctx.newId()
  const prepared = isAsExpected
    ? await prepareWrite(before, span, adoptTexts(ctx, sent, { before, id, span }))
    : undefined
  const store = async (db: Db): Promise<PutResult> => {
    const head = await lockObjectHead(db, name)
    await requireExpected(ctx, db, viewer, head, sent)
    const current = requireCurrent(prepared, head, await readIndexSpan(db))
    // Statements with a long text take some 10 ms each on SQLite.
    await yieldToEventLoop()
    return write(ctx, db, { author: viewer, name, text, before, span, adopted: current.finish() })
  }
  return writeSent(ctx, viewer, sent, store, inLongTransaction)
}

async function writeSent(
  ctx: Context,
  viewer: Actor,
  { name, event }: SentObject,
  work: (db: Db) => Promise<PutResult>,
  transact = inTransaction,
): Promise<PutResult> {
  try {
    return await transact(ctx.storage, async (db) => {
      await requireActor(ctx, db, viewer, 'write')
      const put = await work(db)
      return sightOf(viewer) === 'full' ? put : { ...put, head: undefined }
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'uid_conflict' || error.details) throw error
    if (sightOf(viewer) !== 'full') throw error
    throw conflictWith((await findNameOfUid(ctx.storage.reads, event.uid)) ?? name)
  }
}

async function requireExpected(
  ctx: Context,
  db: Db,
  viewer: Actor,
  row: StoredVersion | undefined,
  { expected }: SentObject,
): Promise<void> {
  if (!(await isPutExpected(ctx, db, viewer, row, expected))) fail('version_mismatch')
}

/** Names the object that already has the UID, so that the client can find it. */
const conflictWith = (name: string): AppError => new AppError('uid_conflict', { details: { name } })

interface Adopting {
  before: EventRow | undefined
  id: string
  span: IndexSpan
}

/** Everything that is stored of an object, under its existing or new id. */
interface AdoptedTexts {
  id: string
  updatedAt: Instant
  texts: Texts
}

function* adoptTexts(ctx: Context, sent: SentObject, { before, id, span }: Adopting): Steps<AdoptedTexts> {
  const { name, event } = sent
  if (before && before.uid !== event.uid) throw conflictWith(name)
  const adopted = yield* adopt(ctx, event, before)
  const updatedAt = Math.max(ctx.clock(), before?.updated_at ?? 0)
  const epoch = before ? epochAfter(before, adopted.series.visibility) : 0
  yield
  const ical = yield* printCalendarInSteps(adopted.tree)
  if (isOversized(ical)) refuse('too_large')
  yield
  const known = { id, updated_at: updatedAt, mask_epoch: epoch }
  return { id, updatedAt, texts: yield* textsInSteps(ctx, ical, adopted, span, known) }
}

interface Writing {
  author: Actor
  name: string
  text: string
  before: EventRow | undefined
  span: IndexSpan
  adopted: AdoptedTexts
}

async function write(ctx: Context, db: Db, { author, name, text, before, span, adopted }: Writing): Promise<PutResult> {
  const { id, updatedAt: at, texts } = adopted
  const source = sourceOf(ctx, author)
  const written = await writeEvent(db, { id, source, at, texts, span, before, sent: { name, text } })
  return { head: headOf(ctx, written), isNew: !before }
}

export async function deleteObject(
  ctx: Context,
  viewer: Viewer,
  name: string,
  etags?: readonly string[],
  caller: Caller = SERVICE_CALLER,
): Promise<void> {
  requireAccess(viewer, 'write')
  const remove = (transact: typeof inTransaction): Promise<void> =>
    transact(ctx.storage, async (db) => {
      await requireActor(ctx, db, viewer, 'write')
      const row = (await lockObjectHead(db, name)) ?? fail('event_not_found')
      if (!isExpected(ctx, row, { etags })) fail('version_mismatch')
      const now = ctx.clock()
      await deleteEvent(db, row, now, deletionBy(ctx, viewer, now))
    })
  await withPermitForName(ctx, caller, name, remove)
}

export interface MoveOptions {
  /** False refuses any object at the destination; otherwise one with another UID is refused. */
  overwrite: boolean
  etags?: readonly string[] | undefined
}

export async function moveObject(
  ctx: Context,
  viewer: Viewer,
  from: string,
  to: string,
  { overwrite, etags }: MoveOptions,
  caller: Caller = SERVICE_CALLER,
): Promise<void> {
  requireAccess(viewer, 'write')
  const move = (transact: typeof inTransaction): Promise<void> =>
    transact(ctx.storage, async (db) => {
      await requireActor(ctx, db, viewer, 'write')
      const held = await lockObjectHeads(db, [from, to])
      const row = held.find(({ dav_name }) => dav_name === from) ?? fail('event_not_found')
      if (!isExpected(ctx, row, { etags })) fail('version_mismatch')
      const there = held.find(({ dav_name }) => dav_name === to)
      if (there && (!overwrite || there.key === row.key)) fail('destination_taken')
      // No two objects have the same UID (RFC 4791 §5.3.2.1).
      if (there) throw conflictWith(to)
      // After the events, as in every other write: a transaction that holds the counter blocks all other writers.
      const revision = await raiseRevision(db)
      await renameObject(db, row.key, to, revision)
      await insertTombstone(db, from, revision, ctx.clock())
    })
  await withPermitForName(ctx, caller, from, move)
}

const isExpected = (ctx: Context, row: TaggedRow | undefined, expected: Precondition): boolean =>
  meetsPrecondition(expected, row && currentVersionOf(row, ctx.secret))

type StoredVersion = TaggedRow & Pick<EventRow, 'dav_name' | 'revision'>

/**
 * A PUT over an existing object needs a matching ETag. Some clients never send one: theirs is accepted if they have
 * received the stored version, or always or never, by the setting.
 */
async function isPutExpected(
  ctx: Context,
  db: Db,
  viewer: Actor,
  row: StoredVersion | undefined,
  expected: Precondition,
): Promise<boolean> {
  if (!isExpected(ctx, row, expected)) return false
  const { caldavBlindWrites: setting } = ctx.config
  if (!row || expected.etags !== undefined || setting === 'on') return true
  return setting === 'served' && isServed(ctx, db, viewer, { name: row.dav_name, revision: row.revision })
}

function* adopt(ctx: Context, event: FileEvent, before: EventRow | undefined): Steps<ImportedObject> {
  const zone = requireZone(ctx.config.timezone)
  const adopted = yield* importEventInSteps(event, {
    zone,
    // Without CLASS an event keeps its visibility, and a new one gets the default.
    visibility: before?.visibility ?? ctx.config.defaultVisibility,
    now: ctx.clock(),
    findZone: createZoneFinder(zone),
  })
  const [left] = adopted.left
  if (left) refuse(left.reason, left.line, TIME_REASONS.includes(left.reason) ? findBeyondYears(event) : undefined)
  return isImported(adopted) ? adopted : fail('object_invalid')
}
