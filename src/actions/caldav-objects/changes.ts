// CalDAV sync: pages of changed and deleted objects since a sync token. RFC 6578.
import type { Context } from '../../context.ts'
import { requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { fail } from '../../errors.ts'
import { keyedHash } from '../../secrets.ts'
import { inSnapshot } from '../../storage/engine/transaction.ts'
import { listChangedHeads, type ObjectHeadRow } from '../../storage/events/objects.ts'
import type { SyncPosition } from '../../storage/events/sync-position.ts'
import { listTombstones, readSyncState } from '../../storage/events/tombstones.ts'
import type { Db } from '../../storage/tables.ts'
import { createReaderGuard } from '../access/reader-guard.ts'
import { headOf, type ObjectHead } from './objects.ts'

export interface ChangesPage {
  changed: ObjectHead[]
  gone: string[]
  /** On the last page only. */
  end: ChangesEnd | undefined
}

export interface ChangesEnd {
  /** The sync token for the next request. */
  token: string
  /** All changes up to this revision were listed, if complete. */
  revision: number
  /** False where the limit cut the result short; the token continues from here. */
  isComplete: boolean
}

export interface Collection {
  revision: number
  syncToken: string
}

export async function readCollection(ctx: Context, viewer: Viewer): Promise<Collection> {
  requireAccess(viewer, 'read_full')
  const { revision } = await readSyncState(ctx.storage.reads)
  return { revision, syncToken: tokenOf(ctx, revision) }
}

const CHANGES_AT_ONCE = 500

/**
 * Changes up to the revision at which the first page is read, page by page as the consumer takes them. Later changes
 * have a later revision, so they are reported for the next token and no name is reported twice. An empty token lists all.
 */
export async function* walkChanges(
  ctx: Context,
  viewer: Viewer,
  token: string,
  limit: number,
): AsyncGenerator<ChangesPage> {
  requireAccess(viewer, 'read_full')
  const guard = createReaderGuard(ctx, viewer, 'read_full')
  let cursor = token === '' ? undefined : readToken(ctx, token)
  let until: number | undefined
  for (let left = limit; ; ) {
    const page = await inSnapshot(ctx.storage, (db) => readPage(db, cursor, until, Math.min(left, CHANGES_AT_ONCE)))
    await guard()
    const { rows, gone, next } = page
    left -= rows.length + gone.length
    until = page.until
    const end = next && left > 0 ? undefined : endOf(ctx, until, next)
    yield { changed: rows.map((row) => headOf(ctx, row)), gone, end }
    if (end) return
    cursor = next
  }
}

const endOf = (ctx: Context, until: number, next: Cursor | undefined): ChangesEnd =>
  next
    ? { token: tokenIn(ctx, next), revision: until, isComplete: false }
    : { token: tokenOf(ctx, until), revision: until, isComplete: true }

/** The position at which the last page ended. */
interface Cursor {
  place: SyncPosition
  /** The revision at which an initial synchronisation began. */
  begun: number | undefined
}

interface ChangePage {
  rows: ObjectHeadRow[]
  gone: string[]
  until: number
  /** Undefined on the last page. */
  next: Cursor | undefined
}

async function readPage(
  db: Db,
  cursor: Cursor | undefined,
  until: number | undefined,
  limit: number,
): Promise<ChangePage> {
  const { revision, floor } = await readSyncState(db)
  const { place, begun } = cursor ?? { place: START, begun: revision }
  // In an initial synchronisation the client has no objects from before it began, so older tombstones are skipped.
  const gonePlace = begun !== undefined && begun >= place.revision ? after(begun) : place
  const known = gonePlace.revision - 1
  if (known > revision || known < floor || (place.name && place.revision > revision)) fail('sync_token_invalid')
  const last = until ?? revision
  const rows = await listChangedHeads(db, place, last, limit + 1)
  const gone = await listTombstones(db, gonePlace, last, limit + 1)
  const cut = cutAt(rows.map(placeOfHead), gone, limit)
  return {
    rows: rows.slice(0, cut.changed),
    gone: gone.slice(0, cut.gone).map(({ name }) => name),
    until: last,
    next: cut.last && { place: cut.last, begun },
  }
}

const placeOfHead = ({ revision, dav_name: name }: ObjectHeadRow): SyncPosition => ({ revision, name })

const START: SyncPosition = { revision: 0, name: '' }
const after = (revision: number): SyncPosition => ({ revision: revision + 1, name: '' })

interface Cut {
  /** How many rows of each list. */
  changed: number
  gone: number
  /** The position of the last row; undefined where both lists are complete. */
  last: SyncPosition | undefined
}

/** Merges two sorted lists up to the limit. */
function cutAt(changed: readonly SyncPosition[], gone: readonly SyncPosition[], limit: number): Cut {
  if (changed.length + gone.length <= limit) return { changed: changed.length, gone: gone.length, last: undefined }
  const cut: Cut = { changed: 0, gone: 0, last: undefined }
  while (cut.changed + cut.gone < limit) {
    const [head, name] = [changed[cut.changed], gone[cut.gone]]
    const kind = head && (!name || isBefore(head, name)) ? 'changed' : 'gone'
    cut.last = kind === 'changed' ? head : name
    cut[kind] += 1
  }
  return cut
}

/** Compares names by their bytes, as the databases do. */
const isBefore = (a: SyncPosition, b: SyncPosition): boolean =>
  a.revision === b.revision ? Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) < 0 : a.revision < b.revision

/** A URI, as RFC 6578 requires, with a hash of the calendar: tokens of others are invalid. Covers whole revisions. */
const tokenOf = (ctx: Context, revision: number): string => `data:,${calendarName(ctx)}-${revision}`

/** A token inside a revision adds the last name and, in an initial synchronisation, the revision at which it began. */
const tokenIn = (ctx: Context, { place: { revision, name }, begun }: Cursor): string =>
  `${tokenOf(ctx, revision)}${begun !== undefined && begun >= revision ? `-${begun}` : ''}/${encodeURIComponent(name)}`

const calendarName = (ctx: Context): string => keyedHash(ctx.secret, 'sync').slice(0, 16)

const TOKEN = /^data:,([0-9a-f]{16})-(\d{1,15})(?:-(\d{1,15}))?(?:\/([^/]{1,3000}))?$/

function readToken(ctx: Context, token: string): Cursor {
  const [, calendar, since, begun, name] = TOKEN.exec(token) ?? []
  if (calendar !== calendarName(ctx)) fail('sync_token_invalid')
  const revision = Number(since)
  const place = name === undefined ? after(revision) : { revision, name: readName(name) }
  return { place, begun: begun === undefined ? undefined : Number(begun) }
}

function readName(text: string): string {
  try {
    const name = decodeURIComponent(text)
    return name.includes('\0') ? fail('sync_token_invalid') : name
  } catch {
    return fail('sync_token_invalid')
  }
}
