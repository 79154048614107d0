// The change feed: what was created, updated and deleted since a token, as the reader sees it.
import type { Context } from '../../context.ts'
import { type Sight, sightOf, type Viewer } from '../../domain/privacy/viewer.ts'
import { fail } from '../../errors.ts'
import { inSnapshot } from '../../storage/engine/transaction.ts'
import { type ChangedRow, listChanged, listGone, readFeedState } from '../../storage/history/changes.ts'
import type { Db } from '../../storage/tables.ts'
import { runCostlyResponse } from '../access/reader-guard.ts'
import { type Caller, LIGHT_EXCEPTIONS } from '../costly-work/semaphore.ts'
import { LIGHT_LIST_BYTES, MAX_LIST_BYTES } from '../events/list-bytes.ts'
import { type ShownOccurrence, type StoredLimits, viewStored } from '../events/masked-reads.ts'
import type { SyncCounters } from '../maintenance/revision-reader.ts'
import {
  counterOf,
  currentToken,
  type FeedPosition,
  parseSyncToken,
  type SyncCursor,
  tokenAt,
  tokenInside,
} from './sync-token.ts'

export type FeedEntry =
  | { change: 'created' | 'updated'; id: string; shown: ShownOccurrence }
  | { change: 'deleted'; id: string }

export interface FeedPage {
  entries: FeedEntry[]
  /** The token for the next request. */
  token: string
  /** Whether the next request has more: of this list, or changes that were made while it came in pages. */
  hasMore: boolean
}

export interface FeedRequest {
  /** Undefined: from the beginning, with every event. */
  token: string | undefined
  limit: number
  /** The counters as the request began: most requests find nothing new, and read nothing else. */
  stored: SyncCounters
}

/** A page with many exceptions or long texts is a costly read. */
export async function writeChanges<T>(
  ctx: Context,
  viewer: Viewer,
  { token, limit, stored }: FeedRequest,
  caller: Caller,
  write: (page: FeedPage) => Promise<T>,
): Promise<T> {
  const sight = sightOf(viewer)
  const cursor = token === undefined ? BEGINNING : parseSyncToken(ctx, sight, token)
  if (!cursor.page && cursor.since === counterOf(sight, stored))
    return write({ entries: [], token: currentToken(ctx, sight, stored), hasMore: false })
  const light = await inSnapshot(ctx.storage, (db) => readPage(ctx, db, sight, cursor, limit, LIGHT))
  if (light) return write(light)
  const readWhole = (db: Db): Promise<FeedPage> => readShortened(ctx, db, sight, cursor, limit)
  return runCostlyResponse(ctx, viewer, caller, readWhole, write)
}

const BEGINNING: SyncCursor = { since: undefined }

const LIGHT: StoredLimits = { exceptions: LIGHT_EXCEPTIONS, bytes: LIGHT_LIST_BYTES }

/** A page with too many bytes is cut; a single event is returned whatever its size. */
async function readShortened(ctx: Context, db: Db, sight: Sight, cursor: SyncCursor, limit: number): Promise<FeedPage> {
  for (let most = limit; most > 1; most = Math.floor(most / 4)) {
    const page = await readPage(ctx, db, sight, cursor, most, { bytes: MAX_LIST_BYTES })
    if (page) return page
  }
  return (await readPage(ctx, db, sight, cursor, 1, {}))!
}

/** Undefined where the limits are exceeded. */
async function readPage(
  ctx: Context,
  db: Db,
  sight: Sight,
  cursor: SyncCursor,
  limit: number,
  limits: StoredLimits,
): Promise<FeedPage | undefined> {
  const { revision, floor } = await readFeedState(db, sight)
  const { since, page } = cursor
  if (since !== undefined && (since < floor || since > revision)) fail('sync_token_expired')
  if (page && (page.until > revision || page.after.revision > page.until)) fail('sync_token_expired')
  const until = page?.until ?? revision
  const after = page?.after ?? { revision: (since ?? -1) + 1, name: '', isGone: false }
  const listed = await listEntries(db, sight, after, until, limit + 1, since)
  const some = listed.slice(0, limit)
  const entries = await viewEntries(ctx, db, sight, some, since, limits)
  if (!entries) return undefined
  const last = some.at(-1)
  const goesOn = listed.length > limit && last !== undefined
  const token = goesOn ? tokenInside(ctx, sight, { since, page: { after: last, until } }) : tokenAt(ctx, sight, until)
  return { entries, token, hasMore: goesOn || until < revision }
}

type ListedChange = FeedPosition & { row: ChangedRow | undefined }

/** Both lists in one order. A reader without any event yet has none that could have been deleted. */
async function listEntries(
  db: Db,
  sight: Sight,
  { revision, name, isGone }: FeedPosition,
  until: number,
  limit: number,
  since: number | undefined,
): Promise<ListedChange[]> {
  const begin = (from: number) => ({ revision: from, name: '' })
  const changed = await listChanged(db, sight, isGone ? begin(revision + 1) : { revision, name }, until, limit)
  const gone =
    since === undefined ? [] : await listGone(db, sight, isGone ? { revision, name } : begin(revision), until, limit)
  const all: ListedChange[] = [
    ...changed.map((row) => ({ revision: row.revision, name: row.name, isGone: false, row })),
    ...gone.map((place) => ({ ...place, isGone: true, row: undefined })),
  ]
  // Each list is sorted, and sorting is stable: only whole revisions move, changed events first.
  return all.sort((one, other) => one.revision - other.revision).slice(0, limit)
}

async function viewEntries(
  ctx: Context,
  db: Db,
  sight: Sight,
  listed: readonly ListedChange[],
  since: number | undefined,
  limits: StoredLimits,
): Promise<FeedEntry[] | undefined> {
  const keys = listed.flatMap(({ row }) => (row ? [{ event_key: row.key }] : []))
  const items = await viewStored(ctx, db, sight, keys, limits)
  if (!items) return undefined
  const byId = new Map(items.map((shown) => [shown.event.id, shown]))
  return listed.flatMap(({ name, row }): FeedEntry[] => {
    if (!row) return [{ change: 'deleted', id: name }]
    const shown = byId.get(row.id)
    const isNew = since === undefined || row.createdRevision > since
    return shown ? [{ change: isNew ? 'created' : 'updated', id: row.id, shown }] : []
  })
}
