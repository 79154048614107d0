// What has changed since a program last asked: by revision and name, with what has gone, and no more than was asked for.
import type { Context } from '../context.ts'
import { requireAccess, type Viewer } from '../domain/privacy/viewer.ts'
import { fail } from '../errors.ts'
import { keyedHash } from '../secrets.ts'
import { listGoneNames, readSyncState } from '../storage/gone-names.ts'
import { listChangedHeads, type ObjectHeadRow, type SyncPlace } from '../storage/objects.ts'
import type { Db } from '../storage/tables.ts'
import { inOwnSnapshot, inSnapshot } from '../storage/transaction.ts'
import { type Caller, inLine, SERVICE_CALLER } from './long-reads.ts'
import { headOf, type ObjectHead } from './objects.ts'
import { createReaderGuard } from './reader-guard.ts'
import { createSliceTimer } from './slice-timer.ts'

export interface Changes {
  changed: ObjectHead[]
  gone: string[]
  /** To ask with the next time. */
  token: string
  /** False where there is more than was asked for; the token goes on from here. */
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

/** An empty token asks for everything there is. */
export async function listChanges(
  ctx: Context,
  viewer: Viewer,
  token: string,
  limit: number,
  caller: Caller = SERVICE_CALLER,
): Promise<Changes> {
  requireAccess(viewer, 'read_full')
  const { rows, ...changes } = await readChanges(ctx, token, limit, caller)
  await createReaderGuard(ctx, viewer, 'read_full')()
  // Outside the snapshot: a tag is a hash, and there may be ten thousand.
  const changed: ObjectHead[] = []
  const timer = createSliceTimer()
  for (const row of rows) {
    changed.push(headOf(ctx, row))
    await timer.pause()
  }
  return { changed, ...changes }
}

type ChangedRows = Omit<Changes, 'changed'> & { rows: ObjectHeadRow[] }

const ROWS_AT_ONCE = 500

/** Most clients ask often and find few changes; many are a costly read. */
async function readChanges(ctx: Context, token: string, limit: number, caller: Caller): Promise<ChangedRows> {
  const few = Math.min(limit, ROWS_AT_ONCE)
  const changes = await inSnapshot(ctx.storage, (db) => readChangesIn(ctx, db, token, few))
  if (changes.isComplete || few === limit) return changes
  const readMany = (db: Db) => readChangesIn(ctx, db, token, limit)
  return inLine(ctx, caller, (begin) => inOwnSnapshot(ctx.storage, readMany, begin))
}

async function readChangesIn(ctx: Context, db: Db, token: string, limit: number): Promise<ChangedRows> {
  const { revision, floor } = await readSyncState(db)
  const { place, begun } = token === '' ? { place: START, begun: revision } : readToken(ctx, token)
  // Who is still at the first pages has nothing yet that could have gone before they began.
  const gonePlace = begun !== undefined && begun >= place.revision ? after(begun) : place
  const told = gonePlace.revision - 1
  if (told > revision || told < floor || (place.name && place.revision > revision)) fail('sync_token_invalid')
  const rows = await listInParts((from, most) => listChangedHeads(db, from, most), placeOfHead, place, limit + 1)
  const gone = await listInParts(
    (from, most) => listGoneNames(db, from, most),
    (name) => name,
    gonePlace,
    limit + 1,
  )
  const cut = cutAt(rows.map(placeOfHead), gone, limit)
  return {
    rows: rows.slice(0, cut.changed),
    gone: gone.slice(0, cut.gone).map(({ name }) => name),
    token: cut.last ? tokenIn(ctx, cut.last, begun) : tokenOf(ctx, revision),
    isComplete: cut.last === undefined,
  }
}

const placeOfHead = ({ revision, dav_name: name }: ObjectHeadRow): SyncPlace => ({ revision, name })

async function listInParts<Row>(
  list: (from: SyncPlace, most: number) => Promise<Row[]>,
  placeOf: (row: Row) => SyncPlace,
  from: SyncPlace,
  limit: number,
): Promise<Row[]> {
  const rows: Row[] = []
  const timer = createSliceTimer()
  for (let place = from; rows.length < limit; place = placeOf(rows.at(-1)!)) {
    const most = Math.min(ROWS_AT_ONCE + 1, limit - rows.length)
    const some = await list(place, most)
    for (const row of some) rows.push(row)
    if (some.length < most) break
    await timer.pause()
  }
  return rows
}

const START: SyncPlace = { revision: 0, name: '' }
const after = (revision: number): SyncPlace => ({ revision: revision + 1, name: '' })

interface Cut {
  /** How many of each. */
  changed: number
  gone: number
  /** The last of them; undefined where that is all. */
  last: SyncPlace | undefined
}

/** The first of two lists that are in order. */
function cutAt(changed: readonly SyncPlace[], gone: readonly SyncPlace[], limit: number): Cut {
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

/** By the bytes of names, as the databases go. */
const isBefore = (a: SyncPlace, b: SyncPlace): boolean =>
  a.revision === b.revision ? Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) < 0 : a.revision < b.revision

/** A URI, as RFC 6578 wants it; of another calendar it means nothing here. This one says that a revision is told whole. */
const tokenOf = (ctx: Context, revision: number): string => `data:,${calendarName(ctx)}-${revision}`

/** One that ends inside a revision says at which name, and on the first pages also at which revision they were begun. */
const tokenIn = (ctx: Context, { revision, name }: SyncPlace, begun: number | undefined): string =>
  `${tokenOf(ctx, revision)}${begun !== undefined && begun >= revision ? `-${begun}` : ''}/${encodeURIComponent(name)}`

const calendarName = (ctx: Context): string => keyedHash(ctx.secret, 'sync').slice(0, 16)

const TOKEN = /^data:,([0-9a-f]{16})-(\d{1,15})(?:-(\d{1,15}))?(?:\/([^/]{1,3000}))?$/

function readToken(ctx: Context, token: string): { place: SyncPlace; begun: number | undefined } {
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
