// What has changed since a program last asked: by revision, in order, with what has gone, and never cut inside a revision.
import type { Context } from '../context.ts'
import { requireAccess, type Viewer } from '../domain/privacy/viewer.ts'
import { fail } from '../errors.ts'
import { keyedHash } from '../secrets.ts'
import { listGoneNames, readSyncState } from '../storage/gone-names.ts'
import { listChangedHeads } from '../storage/objects.ts'
import type { Db } from '../storage/tables.ts'
import { inSnapshot } from '../storage/transaction.ts'
import { headOf, type ObjectHead } from './objects.ts'

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
export async function listChanges(ctx: Context, viewer: Viewer, token: string, limit: number): Promise<Changes> {
  requireAccess(viewer, 'read_full')
  return inSnapshot(ctx.storage, async (db) => {
    const { revision, floor } = await readSyncState(db)
    const { since, begun } = token === '' ? { since: 0, begun: revision } : readToken(ctx, token)
    // Who is still at the first pages has nothing yet that could have gone before they began.
    const goneSince = Math.max(since, begun ?? 0)
    if (goneSince > revision || goneSince < floor) fail('sync_token_invalid')
    const upTo = await cutAt(db, since, goneSince, revision, limit)
    const isComplete = upTo === revision
    const changed = await listChangedHeads(db, since, upTo, NO_LIMIT)
    const gone = await listGoneNames(db, goneSince, upTo, NO_LIMIT)
    return {
      changed: changed.map((row) => headOf(ctx, row)),
      gone: gone.map(({ name }) => name),
      token: tokenOf(ctx, upTo, isComplete || upTo >= goneSince ? undefined : begun),
      isComplete,
    }
  })
}

const NO_LIMIT = 1_000_000_000

/** The last whole revision that fits; the first one is given whole however much it is, or nobody would get past it. */
async function cutAt(db: Db, since: number, goneSince: number, revision: number, limit: number): Promise<number> {
  const changed = await listChangedHeads(db, since, revision, limit + 1)
  const gone = await listGoneNames(db, goneSince, revision, limit + 1)
  const revisions = [...changed, ...gone].map((one) => one.revision).sort((a, b) => a - b)
  if (revisions.length <= limit) return revision
  const first = revisions[0]!
  const next = revisions[limit]!
  return next > first ? (revisions.slice(0, limit).findLast((one) => one < next) ?? first) : first
}

/**
 * A URI, as RFC 6578 wants it; of another calendar it means nothing here. On the first pages it also says at which
 * revision they were begun.
 */
const tokenOf = (ctx: Context, revision: number, begun?: number): string =>
  `data:,${calendarName(ctx)}-${revision}${begun === undefined ? '' : `-${begun}`}`

const calendarName = (ctx: Context): string => keyedHash(ctx.secret, 'sync').slice(0, 16)

function readToken(ctx: Context, token: string): { since: number; begun: number | undefined } {
  const [, name, since, begun] = /^data:,([0-9a-f]{16})-(\d{1,15})(?:-(\d{1,15}))?$/.exec(token) ?? []
  if (name !== calendarName(ctx)) fail('sync_token_invalid')
  return { since: Number(since), begun: begun === undefined ? undefined : Number(begun) }
}
