// Rewinds the calendar to a moment: each event gets its text of then as an ordinary new version.
import type { Context } from '../../context.ts'
import { readEmail } from '../../domain/email.ts'
import { type Actor, actorIdOf, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { DAY_MS, type Instant } from '../../domain/time/instant.ts'
import { formatUtc, parseTimeText } from '../../domain/time/text.ts'
import { requireZone, startOfDay, toInstant } from '../../domain/time/zone.ts'
import { fail, failField } from '../../errors.ts'
import { createSliceTimer } from '../../scheduling/event-loop.ts'
import { findAccountByEmailKey } from '../../storage/accounts/accounts.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import { createReaderGuard } from '../access/reader-guard.ts'
import type { Caller } from '../costly-work/semaphore.ts'
import { batchByBytes } from '../events/byte-batches.ts'
import { applyRewind, foreseeRewind } from './apply-rewind.ts'
import { type PlannedRewind, planRewind, type RewindReason } from './plan-rewind.ts'

export interface RewindRequest {
  /** ISO 8601; without an offset in the zone of the calendar. */
  to: string
  /** The address of the account whose changes are undone; undefined: all changes. */
  by?: string | undefined
}

export interface RewindOptions {
  /** Says what would happen and changes nothing. */
  isDryRun?: boolean
  /** Called for each event when its result is certain; the report lists only some. */
  onEntry?: (entry: RewoundEvent) => void
  requestId?: string
  /** The same, where it holds an idempotency key. */
  keyHolder?: string | undefined
  signal?: AbortSignal
  caller?: Caller
  /** How many events the report lists; the counts cover all. */
  maxListed?: number
}

export interface RewoundEvent {
  id: string
  title: string
  result: 'deleted' | 'changed' | 'restored' | 'skipped'
  /** Why it was skipped. */
  reason: RewindReason | undefined
  becomesPublic: boolean
}

export interface RewindSummary {
  isDryRun: boolean
  to: Instant
  /** Rewinding to this moment undoes it. */
  undoTo: Instant | undefined
  deleted: number
  changed: number
  restored: number
  skipped: number
  /** Private events that are public again. */
  published: number
  events: RewoundEvent[]
  isTruncated: boolean
}

/** Changes since are kept from this moment on. */
export const rewindableSince = ({ config, clock }: Context): Instant =>
  clock() - Math.min(config.historyDays, config.trashDays) * DAY_MS

export async function rewindCalendar(
  ctx: Context,
  viewer: Viewer,
  request: RewindRequest,
  options: RewindOptions = {},
): Promise<RewindSummary> {
  requireAccess(viewer, 'administer', 'write', 'read_full')
  const to = readMoment(ctx, request.to)
  const person = request.by === undefined ? undefined : await requirePerson(ctx, request.by)
  const { isDryRun = false, signal, caller, keyHolder } = options
  const startedAt = ctx.clock()
  const timer = createSliceTimer()
  const guard = createReaderGuard(ctx, viewer, 'administer', 'write', 'read_full')
  const pause = (): Promise<void> | undefined => {
    signal?.throwIfAborted()
    return timer.pause()
  }
  const report = createReport({ isDryRun, to, undoTo: isDryRun ? undefined : startedAt }, options)
  let isPlanned = false
  try {
    const planned = await planRewind(ctx, { to, person }, pause)
    isPlanned = true
    for (const entry of planned.filter(({ reason }) => reason)) report.add(entry, entry.reason)
    const toApply = planned.filter(({ reason }) => !reason)
    for (const batch of batchByBytes(toApply, ({ octets }) => octets)) {
      await (isDryRun ? foreseeRewind : applyRewind)(
        { ctx, author: viewer, startedAt, pause, note: report.add, keyHolder },
        batch,
      )
      await pause()
    }
    // The report says what is stored.
    await guard()
  } finally {
    caller?.charge(Math.min(timer.workedMs(), MAX_CHARGED_MS))
    if (isPlanned && !isDryRun) await recordRewind(ctx, viewer, report.result, person, options.requestId ?? null)
  }
  return report.result
}

/** Only administrators rewind, and they keep working afterwards. */
const MAX_CHARGED_MS = 300

function createReport(
  head: Pick<RewindSummary, 'isDryRun' | 'to' | 'undoTo'>,
  { onEntry, maxListed = MAX_LISTED }: RewindOptions,
) {
  const counts = { deleted: 0, changed: 0, restored: 0, skipped: 0, published: 0 }
  const result: RewindSummary = { ...head, ...counts, events: [], isTruncated: false }
  const add = (planned: PlannedRewind, reason: RewindReason | undefined): void => {
    const { id, title, action, becomesPublic } = planned
    const entry = { id, title, result: reason ? 'skipped' : RESULTS[action], reason, becomesPublic } as const
    result[entry.result] += 1
    if (becomesPublic && !reason) result.published += 1
    if (result.events.length < maxListed) result.events.push(entry)
    else result.isTruncated = true
    onEntry?.(entry)
  }
  return { result, add }
}

const MAX_LISTED = 1_000

const RESULTS = { delete: 'deleted', change: 'changed', restore: 'restored' } as const

/** Fractions of a second, as the moment before a rewind has them. */
const FRACTION = /(?<=\d{2}:?\d{2}:?\d{2})[.,](\d{1,3})\d*/

function readMoment(ctx: Context, text: string): Instant {
  const parsed = parseTimeText(text) ?? failField('/to', 'invalid_format')
  const zone = requireZone(ctx.config.timezone)
  const seconds =
    parsed.kind === 'date'
      ? startOfDay(zone, parsed.day)
      : parsed.kind === 'instant'
        ? parsed.instant
        : toInstant(zone, parsed.wall)
  const moment = seconds + Number((FRACTION.exec(text)?.[1] ?? '').padEnd(3, '0'))
  if (moment > ctx.clock()) failField('/to', 'not_allowed')
  const since = rewindableSince(ctx)
  return moment < since ? fail('rewind_too_early', { from: formatUtc(since) }) : moment
}

async function requirePerson(ctx: Context, address: string): Promise<string> {
  const email = readEmail(address) ?? failField('/by', 'invalid_format')
  const found = await findAccountByEmailKey(ctx.storage.reads, email.key)
  return found?.account.id ?? fail('user_not_found')
}

async function recordRewind(
  ctx: Context,
  author: Actor,
  { to, deleted, changed, restored, skipped }: RewindSummary,
  person: string | undefined,
  requestId: string | null,
): Promise<void> {
  const detail = { to: formatUtc(to), deleted, changed, restored, skipped }
  const entry = {
    action: 'calendar_rewound',
    actorId: actorIdOf(author),
    subjectId: person ?? null,
    requestId,
  } as const
  await inTransaction(ctx.storage, (db) => insertAudit(db, { ...entry, detail }, ctx.clock()))
}
