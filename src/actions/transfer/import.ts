// Takes a calendar file in: events are matched by UID, each is written whole or not at all, and nobody is mailed.
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { type Author, authorId, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import type { Steps } from '../../domain/steps.ts'
import { requireZone } from '../../domain/time/zone.ts'
import { AppError } from '../../errors.ts'
import { MAX_FILE_LINES, type SkippedPart } from '../../ical/text/split.ts'
import { createZoneFinder } from '../../ical/zones/foreign-zones.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { raiseRevision, readIndexSpan } from '../../storage/events/calendar.ts'
import { listEventRowsAt, listEventSizesByUid, listVersionsByUid, setRevision } from '../../storage/events/events.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import type { EventRow } from '../../storage/tables.ts'
import { requireAuthor } from '../access/author-guard.ts'
import { createReaderGuard, type ReaderGuard } from '../access/reader-guard.ts'
import { runYielding } from '../costly-work/costly-writes.ts'
import type { Yielder } from '../costly-work/event-loop.ts'
import type { Caller } from '../costly-work/semaphore.ts'
import { batchByBytes } from '../events/byte-batches.ts'
import { writeEvents } from '../events/write-event.ts'
import { createSliceTimer } from '../maintenance/slice-timer.ts'
import { createReportBuilder, type ImportedEvent, type ImportSummary } from './import-report.ts'
import { type Candidate, type ImportSource, indexSource, sourceOfText } from './import-source.ts'
import { type ImportPlan, isToWrite, type Planning, planInSteps, skippedEntry, type WritePlan } from './plan-import.ts'

export interface ImportOptions {
  /** Say what would happen and change nothing. */
  isDryRun?: boolean
  /** Called after each batch; the next one waits for it. */
  onProgress?: (done: number, total: number) => void | Promise<void>
  /** Called for each entry that is skipped, in no particular order: the report lists only some. */
  onSkipped?: (entry: ImportedEvent) => void
  requestId?: string
  /** Files that nobody could send may be as long as they like. */
  maxLines?: number
  /** How many entries the report lists; the counts are of all. */
  maxListed?: number
  /** Ends the import at the next pause; what was written stays, and is audited. */
  signal?: AbortSignal
  /** To whom the time of the import is charged. */
  caller?: Caller
  /** The id of a new event, by its UID, for calendars that must be equal in every byte. */
  idOf?: (uid: string) => string
}

export async function importCalendar(
  ctx: Context,
  viewer: Viewer,
  file: string | ImportSource,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  requireAccess(viewer, 'administer')
  requireAccess(viewer, 'write')
  // The report says whether an event is as the file has it.
  requireAccess(viewer, 'read_full')
  const {
    isDryRun = false,
    onProgress,
    onSkipped,
    requestId,
    maxLines = MAX_FILE_LINES,
    maxListed,
    idOf,
    caller,
    signal,
  } = options
  const source = typeof file === 'string' ? sourceOfText(file) : file
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
  const job: ImportJob = { ctx, author: viewer, isDryRun, findZone, breathe: pause, guard, note }
  let done = 0
  let isIndexed = false
  try {
    const index = await indexSource(source, { maxLines, onSkipped: skip, pause: job.breathe, idOf })
    isIndexed = true
    for await (const batch of index.batches()) {
      batch.skipped.forEach(skip)
      await importBatch(job, batch.events)
      done += batch.groups
      await onProgress?.(done, index.total)
    }
  } finally {
    caller?.charge(Math.min(timer.workedMs(), MAX_CHARGED_MS))
    if (isIndexed && !isDryRun) await writeDown(ctx, viewer, report.build(), requestId ?? null)
  }
  return report.build()
}

/** Only administrators import, and go on working afterwards: a long import is not charged whole. */
const MAX_CHARGED_MS = 300

interface ImportJob extends Pick<Planning, 'ctx' | 'findZone'> {
  author: Author
  isDryRun: boolean
  breathe: Yielder
  /** The report tells what is stored: each part is for an author who may still read it. */
  guard: ReaderGuard
  /** Called when it is certain what became of an entry, so that an import that ends early has counted what it wrote. */
  note(entry: ImportedEvent): void
}

interface Planned {
  event: Candidate
  plan: ImportPlan
}

/** So many rows beside events are written in one transaction, so that nobody waits long for its end. */
const MAX_ROWS = 5_000

const rowsOf = ({
  texts: {
    derived: { occurrences, exceptions, words },
  },
}: WritePlan): number => occurrences.length + exceptions.length + words.length

/** Read, checked and derived before any transaction begins, which is most of the work; then written, many at a time. */
async function importBatch(job: ImportJob, events: readonly Candidate[]): Promise<void> {
  const look = await lookAt(job, events)
  await job.guard()
  let group: Planned[] = []
  let rows = 0
  const carryOutGroup = async (): Promise<void> => {
    await carryOut(job, group)
    group = []
    rows = 0
  }
  for (const event of events) {
    const plan = await runYielding(look(event), job.breathe)
    group.push({ event, plan })
    if (isToWrite(plan)) rows += rowsOf(plan)
    if (rows >= MAX_ROWS) await carryOutGroup()
    await job.breathe()
  }
  await carryOutGroup()
}

/** What is stored under the UIDs of these events, now. */
async function lookAt(
  { ctx, findZone, breathe }: ImportJob,
  events: readonly Candidate[],
): Promise<(event: Candidate) => Steps<ImportPlan>> {
  const uids = events.map(({ uid }) => uid)
  const { reads } = ctx.storage
  const rows = new Map<string, EventRow>()
  for (const batch of batchByBytes(await listEventSizesByUid(reads, uids), ({ octets }) => octets)) {
    const keys = batch.map(({ key }) => key)
    for (const row of await listEventRowsAt(reads, keys)) rows.set(row.uid, row)
    await breathe()
  }
  const planning = { ctx, findZone, now: ctx.clock(), span: await readIndexSpan(ctx.storage.reads) }
  return (event) => planInSteps(planning, event, rows.get(event.uid))
}

/** All of them in one transaction; if that fails, each in one of its own, so that a bad one takes no other with it. */
async function carryOut(job: ImportJob, group: readonly Planned[]): Promise<void> {
  const toWrite = group.map(({ plan }) => plan).filter(isToWrite)
  if (!job.isDryRun && toWrite.length > 0) {
    try {
      await writeWithRetry(job, toWrite)
    } catch (error) {
      if (isTheEnd(error)) throw error
      return carryOutEach(job, group)
    }
  }
  for (const { plan } of group) plan.entries.forEach(job.note)
}

async function carryOutEach(job: ImportJob, group: readonly Planned[]): Promise<void> {
  for (const { event, plan } of group) {
    const entries = isToWrite(plan) ? await importAlone(job, event) : plan.entries
    entries.forEach(job.note)
  }
}

/** A database that restarts, or is busier than a request may wait for, does not end a long import. */
const RETRY_AFTER_MS = [250, 1_000, 4_000]

/** Safe to repeat: what a transaction without an answer did write is found to have changed, and is looked at again. */
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

/** Somebody else may have written it since it was looked at; then it is looked at again. */
const MAX_TRIES = 4

async function importAlone(job: ImportJob, event: Candidate): Promise<ImportedEvent[]> {
  for (let tries = 1; ; tries++) {
    // A new id each time: even the first one may have been taken.
    const anew = { ...event, id: job.ctx.newId() }
    const look = await lookAt(job, [anew])
    const plan = await runYielding(look(anew), job.breathe)
    if (!isToWrite(plan)) return plan.entries
    try {
      await writeWithRetry(job, [plan])
      return plan.entries
    } catch (error) {
      if (isTheEnd(error)) throw error
      if (tries < MAX_TRIES) continue
      job.ctx.log.error('an event of a file could not be stored', { error: (error as Error).name })
      return [skippedEntry(event.parts[0]!, 'not_stored')]
    }
  }
}

/** Neither is a matter of one event: the database is away, or the author of the import may not write any more. */
const isTheEnd = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'storage_unavailable' || error.status === 401 || error.status === 403)

/**
 * First the events, then the counter: the order every writer takes them in, so that none waits for another in a ring.
 * Where one event brings very many rows, the counter is taken when they are written: every other writer needs it.
 */
function writePlans({ ctx, author }: ImportJob, plans: readonly WritePlan[]): Promise<void> {
  const isHeavy = plans.reduce((sum, plan) => sum + rowsOf(plan), 0) > 2 * MAX_ROWS
  return inTransaction(ctx.storage, async (db) => {
    const by = await requireAuthor(ctx, db, author, 'administer', 'write')
    const uids = plans.map(({ uid }) => uid)
    const rows = new Map((await listVersionsByUid(db, uids)).map((row) => [row.uid, row]))
    if (plans.some(({ uid, before }) => !isAsSeen(rows.get(uid), before))) throw new Error('an event has changed')
    const writes = plans.map((plan) => ({ ...plan, by }))
    if (!isHeavy) return writeEvents(db, writes, await raiseRevision(db))
    await writeEvents(db, writes, 0)
    const ids = plans.map(({ id }) => id)
    await setRevision(db, ids, await raiseRevision(db))
  })
}

type VersionedRow = Pick<EventRow, 'id' | 'version'>

const isAsSeen = (row: VersionedRow | undefined, seen: VersionedRow | undefined): boolean =>
  row?.id === seen?.id && row?.version === seen?.version

async function writeDown(ctx: Context, author: Author, report: ImportSummary, requestId: string | null): Promise<void> {
  const { created, updated, unchanged, skipped } = report
  const detail = { created, updated, unchanged, skipped }
  const entry = { action: 'calendar_imported', actorId: authorId(author), subjectId: null, requestId, detail } as const
  await inTransaction(ctx.storage, (db) => insertAudit(db, entry, ctx.clock()))
}
