// Sync tokens of the change feed: opaque positions in the order of changes, for each sight.
import type { Context } from '../../context.ts'
import type { Sight } from '../../domain/privacy/viewer.ts'
import { fail } from '../../errors.ts'
import { keyedHash } from '../../secrets.ts'
import type { SyncPosition } from '../../storage/events/sync-position.ts'
import type { SyncCounters } from '../maintenance/revision-reader.ts'

/** Where a reader of the change feed is. */
export interface SyncCursor {
  /** The reader has every change up to this revision; undefined at the beginning. */
  since: number | undefined
  /** Inside a list that came in pages: the last entry, and the revision up to which the list goes. */
  page?: { after: FeedPosition; until: number } | undefined
}

/** The changed events of a revision come before the deleted ones. */
export interface FeedPosition extends SyncPosition {
  isGone: boolean
}

/** The token of a reader who has everything up to the counters. The public counter does not count hidden changes. */
export const currentToken = (ctx: Context, sight: Sight, stored: SyncCounters): string =>
  tokenAt(ctx, sight, counterOf(sight, stored))

export const counterOf = (sight: Sight, { revision, publicRevision }: SyncCounters): number =>
  sight === 'full' ? revision : publicRevision

export const tokenAt = (ctx: Context, sight: Sight, revision: number): string =>
  `${prefixOf(ctx, sight)}-${revision.toString(36)}`

/** A token inside a list adds where the page ended. */
export function tokenInside(ctx: Context, sight: Sight, { since, page }: Required<SyncCursor>): string {
  const { after, until } = page!
  const name = Buffer.from(after.name).toString('base64url')
  const place = `${until.toString(36)}-${after.revision.toString(36)}-${after.isGone ? 'd' : 'c'}-${name}`
  return `${prefixOf(ctx, sight)}-${since === undefined ? '' : since.toString(36)}-${place}`
}

/** A letter for the sight, and a hash of the calendar: tokens of others have expired. */
const prefixOf = (ctx: Context, sight: Sight): string =>
  `${sight === 'full' ? 'f' : 'p'}${keyedHash(ctx.secret, 'changes').slice(0, 16)}`

const TOKEN = /^([fp][0-9a-f]{16})-([0-9a-z]{1,10})?(?:-([0-9a-z]{1,10})-([0-9a-z]{1,10})-([cd])-([\w-]{1,4000}))?$/

export function parseSyncToken(ctx: Context, sight: Sight, token: string): SyncCursor {
  const [whole, prefix, since, until, revision, kind, name = ''] = TOKEN.exec(token) ?? []
  if (whole === undefined || (since === undefined && until === undefined)) failMalformed()
  if (prefix !== prefixOf(ctx, sight)) fail('sync_token_expired')
  const cursor: SyncCursor = { since: since === undefined ? undefined : numberFrom(since) }
  if (until === undefined) return cursor
  const after = { revision: numberFrom(revision!), name: nameFrom(name), isGone: kind === 'd' }
  return { ...cursor, page: { after, until: numberFrom(until) } }
}

const failMalformed = (): never => fail('invalid_parameter', { parameter: 'since' })

function numberFrom(text: string): number {
  const value = Number.parseInt(text, 36)
  return Number.isSafeInteger(value) ? value : failMalformed()
}

/** PostgreSQL has no NUL in texts. */
function nameFrom(text: string): string {
  const name = Buffer.from(text, 'base64url').toString()
  return name === '' || name.includes('\0') ? failMalformed() : name
}
