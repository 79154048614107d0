// Imports a calendar file: matches events by UID, writes each fully or not at all, sends no mail.
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { type Actor, actorIdOf, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import type { Steps } from '../../domain/steps.ts'
import { requireZone } from '../../domain/time/zone.ts'
import { AppError } from '../../errors.ts'
import { MAX_FILE_LINES, type SkippedPart } from '../../ical/text/split.ts'
import { createZoneFinder } from '../../ical/zones/foreign-zones.ts'
import { createSliceTimer, type Yielder } from '../../scheduling/event-loop.ts'
import { inLongTransaction, inTransaction } from '../../storage/engine/transaction.ts'
import { readIndexSpan } from '../../storage/events/calendar.ts'
import { listEventRowsAt, listEventSizesByUid, listVersionsByUid } from '../../storage/events/events.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import type { EventRow } from '../../storage/tables.ts'
import { requireActor } from '../access/actor-guard.ts'
import { settleRequest } from '../access/idempotency.ts'
import { createReaderGuard, type ReaderGuard } from '../access/reader-guard.ts'
import { runYielding } from '../costly-work/costly-writes.ts'
import type { Caller } from '../costly-work/semaphore.ts'
import { batchByBytes } from '../events/byte-batches.ts'
import { raiseAfterWrites, raiseForWrites, writeEvents } from '../events/write-event.ts'
import { sourceOf } from '../history/change-source.ts'
import { listContinued } from '../history/trash.ts'
import { createReportBuilder, type ImportedEvent, type ImportSummary } from './import-report.ts'
import { createTextSource, type ImportCandidate, type ImportSource, indexSource } from './import-source.ts'
import {
  type ImportContext,
  type ImportPlan,
  isToWrite,
  planInSteps,
  skippedEntry,
  type WritePlan,
} from './plan-import.ts'

export interface ImportOptions {
  /** Reports what would happen and changes nothing. */
  isDryRun?: boolean
  /** Called after each batch; the next one waits for it. */
  onProgress?: (done: number, total: number) => void | Promise<void>
  /** Called for each skipped entry, unordered: the report lists only some. */
  onSkipped?: (entry: ImportedEvent) => void
  requestId?: string
  /** The same, where it holds an idempotency key. */
  keyHolder?: string | undefined
  /** The limit of lines; files that are not uploaded may be longer. */
  maxLines?: number
  /** How many entries the report lists; the counts cover all. */
  maxListed?: number
  /** Ends the import at the next pause; what was written stays, and is audited. */
  signal?: AbortSignal
  /** The caller that the time of the import is charged to. */
  caller?: Caller
  /** The id of a new event by its UID, for calendars that must be identical byte for byte. */
  idOf?: (uid: string) => string
}

export async function importCalendar(
  ctx: Context,
  viewer: Viewer,
  file: string | ImportSource,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  requireAccess(viewer, 'administer', 'write')
  // The report reveals whether an event is stored as the file has it.
  requireAccess(viewer, 'read_full')
  const {
    isDryRun = false,
    onProgress,
    onSkipped,
    requestId,
    keyHolder,
    maxLines = MAX_FILE_LINES,
    maxListed,
    idOf,
    caller,
    signal,
  } = options
  const source = typeof file === 'string' ? createTextSource(file) : file
  const report = createReportBuilder(isDryRun, maxListed)
  const note = (entry: ImportedEvent): void => {
    report.add(entry)
    if (entry.reason) onSkipped?.(entry)
  }
  const skip = ({ part, reason }: SkippedPart): void => note(skippedEntry(part, reason))
  const findZone = createZoneFinder(requireZone(ctx.config.timezone))
  const timer = createSliceTimer()
  const guard = createReaderGuard(ctx, viewer, 'administer', 'write', 'read_full')
  const pause = (): Promise<void> | undefined => {
    signal?.throwIfAborted()
    return timer.pause()
  }
  const job: ImportJob = { ctx, author: viewer, keyHolder, isDryRun, findZone, pause, guard, note }
  let done = 0
  let isIndexed = false
  try {
    const index = await indexSource(source, { maxLines, onSkipped: skip, pause, newId: ctx.newId, idOf })
    isIndexed = true
    for await (const batch of index.batches()) {
      batch.skipped.forEach(skip)
      await importBatch(job, batch.events)
      done += batch.groups
      await onProgress?.(done, index.total)
    }
  } finally {
    caller?.charge(Math.min(timer.workedMs(), MAX_CHARGED_MS))
    if (isIndexed && !isDryRun) await recordImport(ctx, viewer, report.build(), requestId ?? null)
  }
  return report.build()
}

/** Only administrators import, and they keep working afterwards: a long import is charged in part only. */
const MAX_CHARGED_MS = 300

interface ImportJob extends Pick<ImportContext, 'ctx' | 'findZone'>, Pick<ImportOptions, 'keyHolder'> {
  author: Actor
  isDryRun: boolean
  pause: Yielder
  /** The report reveals what is stored, so each batch checks that the author may still read. */
  guard: ReaderGuard
  /** Called when the result of an entry is certain, so that an import that ends early has counted what it wrote. */
  note(entry: ImportedEvent): void
}

interface Planned {
  event: ImportCandidate
  plan: ImportPlan
}

/** Rows besides events that are written in one transaction, so that other writers do not wait long for it. */
const MAX_ROWS = 5_000

const rowsOf = ({
  texts: {
    derived: { occurrences, exceptions, words },
  },
}: WritePlan): number => occurrences.length + exceptions.length + words.length

/** Parses, checks and derives before any transaction, which is most of the work; then writes many events at a time. */
async function importBatch(job: ImportJob, events: readonly ImportCandidate[]): Promise<void> {
  const planOf = await createPlanner(job, events)
  await job.guard()
  let group: Planned[] = []
  let rows = 0
  const flushGroup = async (): Promise<void> => {
    await writeGroup(job, group)
    group = []
    rows = 0
  }
  for (const event of events) {
    const plan = await runYielding(planOf(event), job.pause)
    group.push({ event, plan })
    if (isToWrite(plan)) rows += rowsOf(plan)
    if (rows >= MAX_ROWS) await flushGroup()
    await job.pause()
  }
  await flushGroup()
}

/** Reads the stored events with these UIDs; the function it returns plans one event. */
async function createPlanner(
  { ctx, findZone, pause }: ImportJob,
  events: readonly ImportCandidate[],
): Promise<(event: ImportCandidate) => Steps<ImportPlan>> {
  const uids = events.map(({ uid }) => uid)
  const { reads } = ctx.storage
  const rows = new Map<string, EventRow>()
  for (const batch of batchByBytes(await listEventSizesByUid(reads, uids), ({ octets }) => octets)) {
    const keys = batch.map(({ key }) => key)
    for (const row of await listEventRowsAt(reads, keys)) rows.set(row.uid, row)
    await pause()
  }
  const inTrash = await listContinued(ctx, reads, uids)
  const planning = { ctx, findZone, inTrash, now: ctx.clock(), span: await readIndexSpan(ctx.storage.reads) }
  return (event) => planInSteps(planning, event, rows.get(event.uid))
}

/** Writes all in one transaction; if that fails, each in its own, so that one bad event does not affect others. */
async function writeGroup(job: ImportJob, group: readonly Planned[]): Promise<void> {
  const toWrite = group.map(({ plan }) => plan).filter(isToWrite)
  if (!job.isDryRun && toWrite.length > 0) {
    try {
      await writeWithRetry(job, toWrite)
    } catch (error) {
      if (endsImport(error)) throw error
      return writeEach(job, group)
    }
  }
  for (const { plan } of group) plan.entries.forEach(job.note)
}

async function writeEach(job: ImportJob, group: readonly Planned[]): Promise<void> {
  for (const { event, plan } of group) {
    const entries = isToWrite(plan) ? await importAlone(job, event) : plan.entries
    entries.forEach(job.note)
  }
}

/** A database that restarts, or is busier than a request may wait for, does not end a long import. */
const RETRY_AFTER_MS = [250, 1_000, 4_000]

/** Safe to repeat: if a transaction without an answer was committed, its events are found changed and planned again. */
async function writeWithRetry(job: ImportJob, plans: readonly WritePlan[]): Promise<void> {
  for (const waitMs of RETRY_AFTER_MS) {
    try {
      return await writePlans(job, plans)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'storage_unavailable') throw error
      await delay(waitMs)
    }
  }
  await writePlans(job, plans)
}

/** Another writer may have changed it since it was planned; then it is planned again. */
const MAX_TRIES = 4

async function importAlone(job: ImportJob, event: ImportCandidate): Promise<ImportedEvent[]> {
  for (let tries = 1; ; tries++) {
    // A new id each time: even the first one may be taken.
    const anew = { ...event, id: job.ctx.newId() }
    const planOf = await createPlanner(job, [anew])
    const plan = await runYielding(planOf(anew), job.pause)
    if (!isToWrite(plan)) return plan.entries
    try {
      await writeWithRetry(job, [plan])
      return plan.entries
    } catch (error) {
      if (endsImport(error)) throw error
      if (tries < MAX_TRIES) continue
      job.ctx.log.error('an event of a file could not be stored', { error: (error as Error).name })
      return [skippedEntry(event.parts[0]!, 'not_stored')]
    }
  }
}

/** Errors of the whole import: the database is unavailable, or its author may not write any more. */
const endsImport = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'storage_unavailable' || error.status === 401 || error.status === 403)

/**
 * Locks the events first, then the counter: all writers use this order, which avoids deadlocks. If one event brings
 * very many rows, the counter is taken after they are written, because every other writer needs it.
 */
function writePlans({ ctx, author, keyHolder }: ImportJob, plans: readonly WritePlan[]): Promise<void> {
  const isHeavy = plans.reduce((sum, plan) => sum + rowsOf(plan), 0) > 2 * MAX_ROWS
  return inLongTransaction(ctx.storage, async (db) => {
    await requireActor(ctx, db, author, 'administer', 'write')
    await settleRequest(db, author, keyHolder)
    const uids = plans.map(({ uid }) => uid)
    const rows = new Map((await listVersionsByUid(db, uids)).map((row) => [row.uid, row]))
    if (plans.some(({ uid, before }) => !isAsSeen(rows.get(uid), before))) throw new Error('an event has changed')
    const source = sourceOf(ctx, author, 'import')
    const writes = plans.map((plan) => ({ ...plan, source }))
    if (!isHeavy) return writeEvents(db, writes, await raiseForWrites(db, writes))
    await writeEvents(db, writes)
    await raiseAfterWrites(db, writes)
  })
}

type VersionedRow = Pick<EventRow, 'id' | 'version'>

const isAsSeen = (row: VersionedRow | undefined, seen: VersionedRow | undefined): boolean =>
  row?.id === seen?.id && row?.version === seen?.version

async function recordImport(
  ctx: Context,
  author: Actor,
  report: ImportSummary,
  requestId: string | null,
): Promise<void> {
  const { created, updated, unchanged, skipped } = report
  const detail = { created, updated, unchanged, skipped }
  const entry = { action: 'calendar_imported', actorId: actorIdOf(author), subjectId: null, requestId, detail } as const
  await inTransaction(ctx.storage, (db) => insertAudit(db, entry, ctx.clock()))
}
