// Changes an account's state, role, address or name; the admin lock keeps an active administrator.
import type { Context } from '../../context.ts'
import type { Account, ApprovalState } from '../../domain/account/account.ts'
import {
  type AccountPatch,
  addsTrust,
  differencesOf,
  type ManagedAccount,
  patchAccount,
  readDisplayName,
} from '../../domain/account/managed-account.ts'
import { readEmail } from '../../domain/email.ts'
import type { Precondition } from '../../domain/precondition.ts'
import { type Actor, actorIdOf, OPERATOR, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { Problems } from '../../domain/problems.ts'
import { fail, failField } from '../../errors.ts'
import { hashPassword } from '../../secrets.ts'
import { findAccountByEmailKey, resetCredentials } from '../../storage/accounts/accounts.ts'
import {
  findAccountForChange,
  findManagedAccount,
  lockAdmins,
  updateAccount,
} from '../../storage/accounts/managed-accounts.ts'
import { deleteSessionsOf } from '../../storage/accounts/sessions.ts'
import { voidTokens } from '../../storage/accounts/tokens.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { raiseAccountsRevision } from '../../storage/events/calendar.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import { clearSetupCode } from '../../storage/operations/instance.ts'
import { insertMail } from '../../storage/operations/outbox.ts'
import type { Db } from '../../storage/tables.ts'
import { requireActor } from '../access/actor-guard.ts'
import { confirmPassword, type PasswordConfirmation } from '../access/confirm-password.ts'
import { requireAccountForChange, requireAdminLeft } from './manage-accounts.ts'
import { checkNewPassword } from './password-rules.ts'
import { mailPasswordLink, replaceDisputedPassword } from './passwords.ts'

/** The password is that of the administrator who makes another one in a session. */
export interface ChangeOptions extends PasswordConfirmation {
  expected: Precondition
  /** Whether the user is notified of the decision by mail. */
  notify: boolean
  requestId: string
}

export interface ChangedAccount {
  user: ManagedAccount
  /** Whether a link to choose a password was mailed to the user. */
  isSentPasswordLink: boolean
}

export async function changeAccount(
  ctx: Context,
  viewer: Viewer,
  id: string,
  sent: AccountPatch,
  { expected, notify, requestId, ...confirmation }: ChangeOptions,
): Promise<ChangedAccount> {
  requireAccess(viewer, 'administer')
  const patch = readPatch(sent)
  // A new administrator would outlive the stolen session or token, and could do all that needs a password.
  if (patch.role === 'admin') await confirmPassword(ctx, viewer, confirmation)
  // The decision is about the state at the time it arrives: of two at once, the later one does not refer to the first.
  const from = (await findManagedAccount(ctx.storage.reads, id))?.approvalState
  return inTransaction(ctx.storage, async (db) => {
    await lockAdmins(db)
    await requireActor(ctx, db, viewer, 'administer')
    const before = await requireAccountForChange(ctx, db, id, expected)
    const changed = await storeChange(ctx, db, before, patch, { author: viewer, requestId, from })
    // The mail with the link already says that the account is approved; it mentions no other decision.
    const isInLinkMail = changed.isSentPasswordLink && changed.user.approvalState === 'approved'
    if (notify && !isInLinkMail) await mailDecision(ctx, db, before, changed.user)
    return changed
  })
}

/**
 * The operator's last resort: makes any account an active administrator. If its address is not verified, or the account
 * was requested more than once, another person may have chosen the password, so a new one is required.
 */
export async function grantAdministration(
  ctx: Context,
  email: string,
  password: string | undefined,
): Promise<Pick<Account, 'email'>> {
  const emailKey = (readEmail(email) ?? failField('/email', 'invalid_format')).key
  const { account } = (await findAccountByEmailKey(ctx.storage.reads, emailKey)) ?? fail('user_not_found')
  const passwordHash = password === undefined ? undefined : await hashNewPassword(ctx, password, account)
  return inTransaction(ctx.storage, async (db) => {
    await lockAdmins(db)
    const before = (await findAccountForChange(db, { emailKey })) ?? fail('user_not_found')
    const isInDoubt = before.emailVerifiedAt === null || before.passwordState !== 'set'
    if (isInDoubt && passwordHash === undefined) failField('/password', 'required')
    const step = before.approvalState === 'approved' ? {} : { approval_state: 'approved' as const }
    await clearSetupCode(db)
    const patch = { ...step, role: 'admin', email_verified: true } as const
    const { user } = await storeChange(ctx, db, before, patch, { author: OPERATOR, requestId: null })
    if (passwordHash !== undefined) await replacePassword(ctx, db, before.id, passwordHash)
    return user
  })
}

async function hashNewPassword(ctx: Context, password: string, owner: Account): Promise<string> {
  const problems = new Problems()
  await checkNewPassword(ctx, password, owner, problems)
  problems.throwIfAny()
  return hashPassword(password)
}

/** Also ends all sessions, app passwords, tokens and mailed links from before. */
async function replacePassword(ctx: Context, db: Db, id: string, passwordHash: string): Promise<void> {
  const now = ctx.clock()
  await resetCredentials(db, id, passwordHash)
  for (const purpose of ['reset', 'verify'] as const) await voidTokens(db, id, purpose, now)
  await insertMail(db, { id: ctx.newId(), kind: 'password_changed', to: { userId: id } }, now)
  const audit = { action: 'password_reset', actorId: null, subjectId: id, requestId: null, detail: {} } as const
  await insertAudit(db, audit, now)
}

function readPatch({ approval_state, role, email_verified, display_name }: AccountPatch): AccountPatch {
  const given = { approval_state, role, email_verified, display_name }
  if (Object.values(given).every((value) => value === undefined)) failField('', 'required')
  if (display_name === undefined) return given as AccountPatch
  const read = readDisplayName(display_name)
  if ('problem' in read) failField('/display_name', read.problem)
  return { ...given, display_name: read.name } as AccountPatch
}

interface Cause {
  author: Actor
  requestId: string | null
  from?: ApprovalState | undefined
}

async function storeChange(
  ctx: Context,
  db: Db,
  before: ManagedAccount,
  patch: AccountPatch,
  { author, requestId, from }: Cause,
): Promise<ChangedAccount> {
  const now = ctx.clock()
  const actorId = actorIdOf(author)
  const changed = patchAccount(before, patch, { by: actorId, at: now, from })
  const detail = differencesOf(before, changed)
  if (Object.keys(detail).length === 0) return { user: before, isSentPasswordLink: false }
  await requireAdminLeft(ctx, db, before, changed)
  const after = { ...changed, version: before.version + 1 }
  if (!(await updateAccount(db, before, after))) fail('version_mismatch')
  if (losesSessions(before, after)) await deleteSessionsOf(db, before.id)
  await insertAudit(db, { action: 'user_changed', actorId, subjectId: before.id, requestId, detail }, now)
  await raiseAccountsRevision(db)
  const isSentPasswordLink =
    addsTrust(before, after) && (await issuePasswordLink(ctx, db, after, { actorId, requestId }))
  return { user: isSentPasswordLink ? { ...after, passwordState: 'none' } : after, isSentPasswordLink }
}

/** Mails a link to choose a password to an account that is trusted from now on but has no password of its owner. */
async function issuePasswordLink(
  ctx: Context,
  db: Db,
  { id, passwordState }: ManagedAccount,
  cause: { actorId: string | null; requestId: string | null },
): Promise<boolean> {
  if (passwordState !== 'none') return replaceDisputedPassword(ctx, db, id, cause)
  await mailPasswordLink(ctx, db, id)
  return true
}

/** A user whose role changes or who is no longer approved must sign in again. */
const losesSessions = (before: ManagedAccount, after: ManagedAccount): boolean =>
  before.role !== after.role || (before.approvalState === 'approved' && after.approvalState !== 'approved')

async function mailDecision(
  ctx: Context,
  db: Db,
  before: ManagedAccount,
  { id, approvalState }: ManagedAccount,
): Promise<void> {
  if (approvalState === before.approvalState || approvalState === 'pending_approval') return
  await insertMail(db, { id: ctx.newId(), kind: approvalState, to: { userId: id } }, ctx.clock())
}
