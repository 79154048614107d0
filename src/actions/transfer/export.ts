// Exports the whole calendar with all details as iCalendar text, streamed from one snapshot.
import type { Context } from '../../context.ts'
import { actorIdOf, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import type { Steps } from '../../domain/steps.ts'
import { findZone, type Zone } from '../../domain/time/zone.ts'
import { AppError, fail } from '../../errors.ts'
import { HEADER } from '../../ical/encode.ts'
import { interopTextInSteps } from '../../ical/interop-text.ts'
import { eventBlocks, findZoneNames } from '../../ical/text/extract-vevents.ts'
import { foldLine } from '../../ical/text/print.ts'
import { escapeText } from '../../ical/text/tree.ts'
import { timeZoneText } from '../../ical/zones/vtimezone.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { inTransaction, openSnapshot } from '../../storage/engine/transaction.ts'
import { listTextSizesAfter, listTextsAt, type TextRow } from '../../storage/events/events.ts'
import { markUnreadable } from '../../storage/events/index-work.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import type { Db } from '../../storage/tables.ts'
import { requireActor } from '../access/actor-guard.ts'
import { createReaderGuard, type ReaderGuard } from '../access/reader-guard.ts'
import { runYielding } from '../costly-work/costly-writes.ts'
import { SERVICE_CALLER, withPermit } from '../costly-work/semaphore.ts'
import { batchByBytes } from '../events/byte-batches.ts'
import { openText } from '../events/event-texts.ts'
import { bufferInFile, type OnWhole, type ProducerPermit } from '../feeds/file-buffer.ts'

const SIZES_AT_ONCE = 500

export interface ExportOptions {
  requestId?: string
  /** Called with the id of each event that is left out because its text cannot be read. */
  onUnreadable?: (id: string) => void
}

/** Writes the audit entry first; the snapshot is opened when the first piece is read. */
export async function exportCalendar(
  ctx: Context,
  viewer: Viewer,
  { requestId, onUnreadable }: ExportOptions = {},
): Promise<AsyncGenerator<string>> {
  requireAccess(viewer, 'administer', 'read_full')
  const entry = {
    action: 'calendar_exported',
    actorId: actorIdOf(viewer),
    subjectId: null,
    requestId: requestId ?? null,
    detail: {},
  } as const
  const audited = inTransaction(ctx.storage, async (db) => {
    await requireActor(ctx, db, viewer, 'administer', 'read_full')
    await insertAudit(db, entry, ctx.clock())
  })
  await (viewer.kind === 'operator' ? audited.catch((error) => warnUnaudited(ctx, error)) : audited)
  return writeCalendar(ctx, createReaderGuard(ctx, viewer, 'administer', 'read_full'), onUnreadable)
}

/** On a full disk the operator must be able to save the calendar, although nothing can be written to the database. */
function warnUnaudited(ctx: Context, error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'storage_unavailable') throw error
  ctx.log.warn('this export is not in the audit trail: the database cannot be written')
}

/** Downloads in progress at once; each has a temporary file. */
const MAX_DOWNLOADS = 4
const downloads = new WeakMap<Context, number>()

/**
 * The same for a client over the network, which may be slow: the snapshot is closed once the whole text is in a
 * temporary file. One file is written at a time; too many unfinished downloads refuse another.
 */
export async function exportForDownload(
  ctx: Context,
  viewer: Viewer,
  { onWhole, ...options }: ExportOptions & { onWhole?: OnWhole | undefined } = {},
): Promise<AsyncGenerator<Buffer>> {
  requireAccess(viewer, 'administer')
  if ((downloads.get(ctx) ?? 0) >= MAX_DOWNLOADS) fail('service_unavailable')
  const texts = await exportCalendar(ctx, viewer, options)
  return sendBuffered(ctx, texts, createReaderGuard(ctx, viewer, 'administer', 'read_full'), onWhole)
}

async function* sendBuffered(
  ctx: Context,
  texts: AsyncGenerator<string>,
  guard: ReaderGuard,
  onWhole: OnWhole | undefined,
): AsyncGenerator<Buffer> {
  downloads.set(ctx, (downloads.get(ctx) ?? 0) + 1)
  const inExportQueue: ProducerPermit = (work) =>
    withPermit(ctx, SERVICE_CALLER, work, { queue: 'exports', isContinued: true })
  try {
    for await (const bytes of bufferInFile(texts, inExportQueue, onWhole)) {
      await guard()
      yield bytes
    }
  } finally {
    downloads.set(ctx, downloads.get(ctx)! - 1)
  }
}

async function* writeCalendar(
  ctx: Context,
  guard: ReaderGuard,
  onUnreadable: (id: string) => void = () => {},
): AsyncGenerator<string> {
  const { db, close } = await openSnapshot(ctx.storage)
  try {
    // VTIMEZONEs come before the events that use them, so all events are read once before the first output.
    const zones = new Map<string, Zone>()
    const unreadable = new Set<number>()
    for await (const rows of readRows(db)) {
      await guard()
      for (const row of rows) {
        if (await isReadable(ctx, row)) await runYielding(collectZones(await readBlocks(ctx, row), zones))
        else {
          unreadable.add(row.key)
          ctx.log.error('an event cannot be read and was left out of the export', { event_id: row.id })
          onUnreadable(row.id)
        }
      }
    }
    if (unreadable.size > 0) await noteUnreadable(ctx, [...unreadable])
    yield headOf(ctx)
    for (const name of [...zones.keys()].sort()) yield timeZoneText(zones.get(name)!)
    for await (const rows of readRows(db)) {
      await guard()
      const blocks: string[] = []
      for (const row of rows) if (!unreadable.has(row.key)) blocks.push(await readBlocks(ctx, row))
      yield blocks.join('')
    }
    yield 'END:VCALENDAR\r\n'
  } finally {
    await close()
  }
}

/** Zone names looked up without a pause; an event may name tens of thousands that do not exist. */
const NAMES_AT_ONCE = 10

function* collectZones(blocks: string, zones: Map<string, Zone>): Steps<void> {
  let count = 0
  for (const name of yield* findZoneNames(blocks)) {
    if (zones.has(name)) continue
    count += 1
    if (count % NAMES_AT_ONCE === 0) yield
    const zone = findZone(name)
    if (zone?.name === name) zones.set(name, zone)
  }
}

const isReadable = async ({ config }: Context, { ical }: TextRow): Promise<boolean> => {
  try {
    await runYielding(openText(ical, config.timezone))
    return true
  } catch {
    return false
  }
}

/** Readiness and diagnostics count them from now on. A read-only database can still be exported. */
const noteUnreadable = (ctx: Context, keys: readonly number[]): Promise<void> =>
  inTransaction(ctx.storage, async (db) => {
    for (const key of keys) await markUnreadable(db, key)
  }).catch(() => {})

/** The VEVENTs of an event as stored, except for rules that clients would read differently. */
const readBlocks = async ({ config }: Context, { ical }: TextRow): Promise<string> =>
  eventBlocks(await runYielding(interopTextInSteps(ical, config.timezone)))

/** Ordered by UID, in batches of few bytes. */
async function* readRows(db: Db): AsyncGenerator<TextRow[]> {
  for (let after = ''; ; ) {
    const sizes = await listTextSizesAfter(db, after, SIZES_AT_ONCE)
    for (const batch of batchByBytes(sizes, ({ octets }) => octets)) {
      const keys = batch.map(({ key }) => key)
      yield await listTextsAt(db, keys)
      // A consumer that takes everything at once must not block other requests.
      await yieldToEventLoop()
    }
    if (sizes.length < SIZES_AT_ONCE) return
    after = sizes.at(-1)!.uid
  }
}

function headOf({ config: { siteName, timezone } }: Context): string {
  const lines = [
    'BEGIN:VCALENDAR',
    ...HEADER.map(({ name, value }) => `${name}:${value}`),
    `NAME:${escapeText(siteName)}`,
    `X-WR-CALNAME:${escapeText(siteName)}`,
    `X-WR-TIMEZONE:${timezone}`,
  ]
  return lines.map((line) => `${foldLine(line)}\r\n`).join('')
}
