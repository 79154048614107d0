// Personal feed links: created, renamed, deleted by their owner; the secret URL is the credential.
import type { Context } from '../../context.ts'
import { findStandingProblem } from '../../domain/account/account.ts'
import { cleanText } from '../../domain/plain-text.ts'
import type { AccountViewer } from '../../domain/privacy/viewer.ts'
import { HOUR_MS } from '../../domain/time/instant.ts'
import { fail, failField } from '../../errors.ts'
import { hashSecret, newKey } from '../../secrets.ts'
import { MAX_CREDENTIALS } from '../../storage/accounts/credentials.ts'
import {
  countFeedLinks,
  deleteFeedLink,
  findFeedLink,
  insertFeedLink,
  listFeedLinks,
  renameFeedLink,
  type StoredFeedLink,
} from '../../storage/accounts/feed-links.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { settleIdempotencyKey } from '../../storage/operations/idempotency.ts'
import { requireOwner } from '../access/actor-guard.ts'
import { findPendingUse, recordUse } from '../access/last-used.ts'
import { recordAudit } from '../accounts/record-audit.ts'

export type { StoredFeedLink }

export interface FeedLinkInput {
  name: string
  detail?: 'full' | 'masked' | undefined
  category?: string | null | undefined
  /** Any of these, and `category`. */
  categories?: readonly string[] | undefined
}

export const listOwnFeedLinks = (ctx: Context, { account }: AccountViewer): Promise<StoredFeedLink[]> =>
  listFeedLinks(ctx.storage.reads, account.id)

export async function createFeedLink(
  ctx: Context,
  viewer: AccountViewer,
  wanted: FeedLinkInput,
  requestId: string,
): Promise<{ made: StoredFeedLink; secret: string }> {
  const secret = newKey()
  const made: StoredFeedLink = {
    id: ctx.newId(),
    name: readLine('/name', wanted.name),
    detail: wanted.detail ?? 'full',
    categories: readCategories(wanted),
    createdAt: ctx.clock(),
    lastUsedAt: null,
  }
  await inTransaction(ctx.storage, async (db) => {
    await requireOwner(ctx, db, viewer)
    if ((await countFeedLinks(db, viewer.account.id)) >= MAX_CREDENTIALS) fail('too_many_credentials')
    await insertFeedLink(db, {
      id: made.id,
      hash: hashSecret(secret),
      user_id: viewer.account.id,
      name: made.name,
      detail: made.detail,
      categories: made.categories.length > 0 ? JSON.stringify(made.categories) : null,
      created_at: made.createdAt,
      last_used_at: null,
    })
    await recordAudit(ctx, db, 'feed_link_created', viewer.account, made.id, requestId)
    await settleIdempotencyKey(db, viewer.account.id, requestId)
  })
  return { made, secret }
}

export async function renameOwnFeedLink(
  ctx: Context,
  accountViewer: AccountViewer,
  id: string,
  name: string,
): Promise<StoredFeedLink> {
  const cleaned = readLine('/name', name)
  const link = await inTransaction(ctx.storage, async (db) => {
    await requireOwner(ctx, db, accountViewer)
    return renameFeedLink(db, accountViewer.account.id, id, cleaned)
  })
  return link ?? fail('feed_not_found')
}

export const deleteOwnFeedLink = (
  ctx: Context,
  accountViewer: AccountViewer,
  id: string,
  requestId: string,
): Promise<void> =>
  inTransaction(ctx.storage, async (db) => {
    await requireOwner(ctx, db, accountViewer)
    if (!(await deleteFeedLink(db, accountViewer.account.id, id))) fail('feed_not_found')
    await recordAudit(ctx, db, 'feed_link_deleted', accountViewer.account, id, requestId)
  })

/** How often the use of a link is recorded. */
const USED_MS = HOUR_MS

/** Looked up on every request: a link stops working once it is deleted or its owner may not read any more. */
export async function requireLinkedFeed(ctx: Context, secret: string): Promise<StoredFeedLink> {
  const link = await requireFeedLink(ctx, secret)
  const lastUsedAt = findPendingUse(ctx, 'feed_links', link.id) ?? link.lastUsedAt
  if (lastUsedAt === null || Math.abs(ctx.clock() - lastUsedAt) >= USED_MS) recordUse(ctx, 'feed_links', link.id)
  return link
}

/** The same check after the feed was built, without recording another use. */
export async function requireFeedLink(ctx: Context, secret: string): Promise<StoredFeedLink> {
  const found = SECRET.test(secret) ? await findFeedLink(ctx.storage.reads, hashSecret(secret)) : undefined
  if (!found || findStandingProblem(found.account, ctx.config.requireVerifiedEmail)) fail('feed_not_found')
  return found.link
}

const SECRET = /^[\w-]{43}$/

const readLine = (field: string, text: string): string => {
  const line = cleanText(text)
  return line === undefined || line === '' || line.includes('\n') ? failField(field, 'invalid_format') : line
}

function readCategories({ category, categories = [] }: FeedLinkInput): string[] {
  const one = category?.trim() ? [readLine('/category', category)] : []
  const more = categories.flatMap((text, i) => (text.trim() ? [readLine(`/categories/${i}`, text)] : []))
  return [...new Set([...one, ...more])]
}
