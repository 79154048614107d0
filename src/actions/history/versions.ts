// The history of an event: lists its versions with what each changed, and compares two of them.
import type { Context } from '../../context.ts'
import { compareEvents, type EventDifference, type ShownVersion } from '../../domain/calendar/compare-events.ts'
import type { FullEvent } from '../../domain/privacy/mask.ts'
import { requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { DAY_MS, type Instant } from '../../domain/time/instant.ts'
import { fail } from '../../errors.ts'
import { findWholeEventRow } from '../../storage/events/events.ts'
import {
  countVersions,
  type FoundVersion,
  findVersion,
  type ListedVersion,
  listNames,
  listVersions,
  type VersionChoice,
} from '../../storage/history/versions.ts'
import type { ChangeMeans, Db, EventRow, EventVersionRow } from '../../storage/tables.ts'
import { runCostlyRead } from '../access/reader-guard.ts'
import { type Caller, SERVICE_CALLER } from '../costly-work/semaphore.ts'
import type { PageRequest } from '../lists/list-request.ts'
import { viewVersion } from './view-version.ts'

/** Who made a version, and by what means. */
export interface VersionEntry {
  version: number
  at: Instant
  by: string | null
  byName: string | undefined
  with: ChangeMeans['updated_with']
  credentialName: string | undefined
  through: ChangeMeans['updated_through']
  isCurrent: boolean
  /** If the event was deleted in this version, and restored later. */
  deleted: VersionDeletion | undefined
}

interface VersionDeletion {
  at: Instant
  by: string | null
  byName: string | undefined
  with: NonNullable<EventVersionRow['deleted_with']>
}

export interface Comparison {
  before: FullEvent
  after: FullEvent
  changes: EventDifference[]
}

export interface ListedEntry extends VersionEntry {
  /** Against the version before it; undefined for the first one that is kept, and where the texts are too long. */
  comparison: Comparison | undefined
}

export interface HistoryPage {
  entries: ListedEntry[]
  total: number
}

/** Texts that are compared for one page; the first two are always compared. */
const COMPARED_CHARS = 1_024 * 1_024

/** The versions of an event, the current one first. */
export function readHistory(
  ctx: Context,
  viewer: Viewer,
  id: string,
  { page, perPage }: PageRequest,
  caller: Caller = SERVICE_CALLER,
): Promise<HistoryPage> {
  requireAccess(viewer, 'write', 'read_full')
  return runCostlyRead(ctx, viewer, caller, async (db) => {
    const row = await requireRow(db, id)
    const oldest = oldestOf(ctx)
    const total = 1 + (await countVersions(db, row.key, oldest))
    const first = (page - 1) * perPage
    const limit = perPage - (first === 0 ? 1 : 0)
    const earlier =
      first < total ? await listVersions(db, row.key, oldest, { offset: Math.max(0, first - 1), limit }) : []
    const listed = first === 0 ? [currentOf(row), ...earlier] : earlier
    const comparisons = await compareListed(ctx, db, row, listed)
    const names = await namesOf(db, listed)
    const entries = listed.map((version, i) => ({ ...entryOf(version, names, row), comparison: comparisons[i] }))
    return { entries, total }
  })
}

/** Each with the one before it, until the texts are too long together. */
async function compareListed(
  ctx: Context,
  db: Db,
  row: EventRow,
  listed: readonly ListedVersion[],
): Promise<(Comparison | undefined)[]> {
  const comparisons: (Comparison | undefined)[] = []
  let chars = 0
  let after: ShownVersion | undefined
  for (const { version } of listed) {
    if (chars > COMPARED_CHARS) break
    after ??= await viewStored(ctx, row, await findKept(ctx, db, row, version))
    const before = await viewStored(ctx, row, await findKept(ctx, db, row, version, 'before'))
    chars += before?.ical.length ?? 0
    comparisons.push(after && before && comparisonOf(before, after))
    after = before
  }
  return comparisons
}

const comparisonOf = (before: ShownVersion, after: ShownVersion): Comparison => ({
  before: before.event,
  after: after.event,
  changes: compareEvents(before, after),
})

/** With the one before it: what it changed. The one after it: what that changed. The current: what restoring changes. */
export type Against = 'previous' | 'next' | 'current'

export interface ReadVersion extends VersionEntry {
  event: FullEvent
  /** Undefined where there is no such version. */
  comparison: (Comparison & { against: number }) | undefined
}

export function readVersion(
  ctx: Context,
  viewer: Viewer,
  id: string,
  version: number,
  against: Against,
  caller: Caller = SERVICE_CALLER,
): Promise<ReadVersion> {
  requireAccess(viewer, 'write', 'read_full')
  return runCostlyRead(ctx, viewer, caller, async (db) => {
    const row = await requireRow(db, id)
    const found = (await findKept(ctx, db, row, version)) ?? fail('version_not_found')
    const shown = (await viewStored(ctx, row, found)) ?? fail('version_not_found')
    const other = await viewStored(ctx, row, await findOther(ctx, db, row, version, against))
    const comparison = other && (against === 'next' ? comparisonOf(shown, other) : comparisonOf(other, shown))
    const names = await namesOf(db, [found])
    return {
      ...entryOf(found, names, row),
      event: shown.event,
      comparison: comparison && { ...comparison, against: other.event.record.version },
    }
  })
}

const findOther = (ctx: Context, db: Db, row: EventRow, version: number, against: Against) =>
  against === 'current'
    ? findKept(ctx, db, row, row.version)
    : findKept(ctx, db, row, version, against === 'next' ? 'after' : 'before')

const requireRow = async (db: Db, id: string): Promise<EventRow> =>
  (await findWholeEventRow(db, id, false)) ?? fail('event_not_found')

/** Versions that ended before are due to be purged, and not shown. */
export const oldestOf = (ctx: Context): Instant => ctx.clock() - ctx.config.historyDays * DAY_MS

/** The current version counts as one, and has not ended. */
async function findKept(
  ctx: Context,
  db: Db,
  row: EventRow,
  version: number,
  choice: VersionChoice = 'same',
): Promise<FoundVersion | undefined> {
  if (choice === 'same' && version === row.version) return currentOf(row)
  const found = await findVersion(db, row.key, version, choice)
  if (found) return found.ended_at < oldestOf(ctx) ? undefined : found
  return choice === 'after' && version < row.version ? currentOf(row) : undefined
}

const currentOf = (row: EventRow): FoundVersion => ({
  event_key: row.key,
  version: row.version,
  changed_at: row.updated_at,
  changed_by: row.updated_by,
  changed_with: row.updated_with,
  credential_id: row.updated_credential_id,
  changed_through: row.updated_through,
  visibility: row.visibility,
  ended_at: Number.MAX_SAFE_INTEGER,
  deleted_by: null,
  deleted_with: null,
  octets: 0,
  ical: row.ical,
  sent_ical: row.sent_ical,
})

async function viewStored(
  ctx: Context,
  { id, key, created_at, created_by }: EventRow,
  found: FoundVersion | undefined,
): Promise<ShownVersion | undefined> {
  if (!found) return undefined
  const { version, visibility, changed_at: changedAt, changed_by: changedBy, ical } = found
  const made = { createdAt: created_at, createdBy: created_by }
  return viewVersion(ctx, { id, key, version, visibility, ...made, changedAt, changedBy, ical })
}

const namesOf = (db: Db, listed: readonly ListedVersion[]): Promise<Map<string, string>> =>
  listNames(
    db,
    listed.flatMap((version) => [version.changed_by, version.credential_id, version.deleted_by]),
  )

function entryOf(found: ListedVersion, names: ReadonlyMap<string, string>, row: EventRow): VersionEntry {
  const nameOf = (id: string | null): string | undefined => (id === null ? undefined : names.get(id))
  const { deleted_by, deleted_with } = found
  return {
    version: found.version,
    at: found.changed_at,
    by: found.changed_by,
    byName: nameOf(found.changed_by),
    with: found.changed_with,
    credentialName: nameOf(found.credential_id),
    through: found.changed_through,
    isCurrent: found.version === row.version,
    deleted:
      deleted_with === null
        ? undefined
        : { at: found.ended_at, by: deleted_by, byName: nameOf(deleted_by), with: deleted_with },
  }
}
