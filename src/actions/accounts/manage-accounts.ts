// Account administration: list, read, delete, end sessions; keeps the last active administrator.

import type { Context } from '../../context.ts'
import type { ApprovalState } from '../../domain/account/account.ts'
import { type AccountOrder, isActiveAdmin, type ManagedAccount } from '../../domain/account/managed-account.ts'
import { readEmail } from '../../domain/email.ts'
import { foldText } from '../../domain/plain-text.ts'
import { meetsPrecondition, type Precondition } from '../../domain/precondition.ts'
import { actorIdOf, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { AppError, fail } from '../../errors.ts'
import { keyedHash } from '../../secrets.ts'
import { deleteAccount } from '../../storage/accounts/delete-account.ts'
import {
  type AccountFilters,
  countAccountsByState,
  findAccountForChange,
  findManagedAccount,
  hasOtherActiveAdmin,
  listManagedAccounts as listUserRows,
  lockAdmins,
} from '../../storage/accounts/managed-accounts.ts'
import { deleteSessionsOf } from '../../storage/accounts/sessions.ts'
import { inLongTransaction, inSnapshot, inTransaction } from '../../storage/engine/transaction.ts'
import { raiseAccountsRevision } from '../../storage/events/calendar.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import type { Db } from '../../storage/tables.ts'
import { requireActor } from '../access/actor-guard.ts'

export interface AccountListRequest extends Omit<AccountFilters, 'begins'> {
  /** Prefix of an address or a name. */
  text: string | undefined
  order: AccountOrder
  page: number
  perPage: number
}

export interface AccountListing {
  users: ManagedAccount[]
  total: number
  /** Of all users, whatever filters the list has. */
  counts: Record<ApprovalState, number>
}

export async function listAccounts(ctx: Context, viewer: Viewer, request: AccountListRequest): Promise<AccountListing> {
  requireAccess(viewer, 'administer')
  const { text, order, page, perPage, ...filters } = request
  const begins = text ? { emailKey: readEmail(text)?.key ?? text.toLowerCase(), nameKey: foldText(text) } : undefined
  const wanted = { order, offset: (page - 1) * perPage, limit: perPage }
  return inSnapshot(ctx.storage, async (db) => ({
    ...(await listUserRows(db, { ...filters, begins }, wanted)),
    counts: await countAccountsByState(db),
  }))
}

export async function getAccount(ctx: Context, viewer: Viewer, id: string): Promise<ManagedAccount> {
  requireAccess(viewer, 'administer')
  return (await findManagedAccount(ctx.storage.reads, id)) ?? fail('user_not_found')
}

export async function removeAccount(
  ctx: Context,
  viewer: Viewer,
  requestId: string,
  id: string,
  expected: Precondition,
): Promise<void> {
  requireAccess(viewer, 'administer')
  await inLongTransaction(ctx.storage, async (db) => {
    await lockAdmins(db)
    await requireActor(ctx, db, viewer, 'administer')
    const user = await requireAccountForChange(ctx, db, id, expected)
    await requireAdminLeft(ctx, db, user, undefined)
    await deleteAccount(db, id)
    const detail = { role: user.role, approval_state: user.approvalState }
    await insertAudit(
      db,
      { action: 'user_deleted', actorId: actorIdOf(viewer), subjectId: id, requestId, detail },
      ctx.clock(),
    )
    await raiseAccountsRevision(db)
  })
}

/** Ends all sessions of a user; app passwords and tokens stay valid. */
export async function endSessionsOf(ctx: Context, viewer: Viewer, requestId: string, id: string): Promise<void> {
  requireAccess(viewer, 'administer')
  await inTransaction(ctx.storage, async (db) => {
    await lockAdmins(db)
    await requireActor(ctx, db, viewer, 'administer')
    await requireAccountForChange(ctx, db, id, {})
    await deleteSessionsOf(db, id)
    await insertAudit(
      db,
      { action: 'user_sessions_ended', actorId: actorIdOf(viewer), subjectId: id, requestId, detail: {} },
      ctx.clock(),
    )
    await raiseAccountsRevision(db)
  })
}

export async function requireAccountForChange(
  ctx: Context,
  db: Db,
  id: string,
  expected: Precondition,
): Promise<ManagedAccount> {
  const user = (await findAccountForChange(db, { id })) ?? fail('user_not_found')
  const current = accountEtagOf(user, ctx.secret)
  if (!meetsPrecondition(expected, { version: user.version, etag: () => current }))
    throw new AppError('version_mismatch', { details: { current_version: user.version, current_etag: current } })
  return user
}

/** Call it under the admin lock; `after` is undefined when the user is deleted. */
export async function requireAdminLeft(
  ctx: Context,
  db: Db,
  before: ManagedAccount,
  after: ManagedAccount | undefined,
): Promise<void> {
  const needsVerified = ctx.config.requireVerifiedEmail
  if (!isActiveAdmin(before, needsVerified) || (after && isActiveAdmin(after, needsVerified))) return
  if (!(await hasOtherActiveAdmin(db, before.id, needsVerified))) fail('last_admin')
}

/** Opaque; it changes with the version, which a sign-in does not raise, so an administrator's form stays valid. */
export const accountEtagOf = ({ id, version }: ManagedAccount, secret: string): string =>
  `"u-${version}-${keyedHash(secret, `user ${id} ${version}`).slice(0, 8)}"`
