// Sessions: sign in, sign out, list, end; a password change ends all other sessions.
import type { Context } from '../../context.ts'
import { isSessionLive, isSessionOver, sessionEndsAt } from '../../domain/account/session.ts'
import { type AccountViewer, createAccountViewer } from '../../domain/privacy/viewer.ts'
import { Problems } from '../../domain/problems.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { fail, failField } from '../../errors.ts'
import { hashPassword, hashSecret, isOutdatedHash, newKey } from '../../secrets.ts'
import {
  type AccountWithHash,
  lockAccount,
  lockAccountWithHash,
  setLastLogin,
  setPasswordHash,
} from '../../storage/accounts/accounts.ts'
import {
  deleteOldestSessions,
  deleteSession,
  deleteSessionByHash,
  deleteSessionsOf,
  findSession,
  insertSession,
  listSessions,
  type SessionWithClient,
} from '../../storage/accounts/sessions.ts'
import { voidTokens } from '../../storage/accounts/tokens.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import { insertMail } from '../../storage/operations/outbox.ts'
import type { Db } from '../../storage/tables.ts'
import { requireOwner } from '../access/actor-guard.ts'
import { type Attempt, findByPassword } from '../access/sign-in.ts'
import { checkNewPassword } from './password-rules.ts'
import { recordAudit } from './record-audit.ts'

/** Describes the browser that signs in, so that its owner recognises the session. */
export interface BrowserInfo {
  network: string
  userAgent: string
}

export interface NewSession {
  accountViewer: AccountViewer
  /** The value of the cookie; it is returned only here. */
  secret: string
  endsAt: Instant
  isRemembered: boolean
}

export interface LogIn {
  email: string
  password: string
  isRemembered: boolean
  browser: BrowserInfo
  /** The secret of a session this browser had before; that session ends. */
  before: string | undefined
  requestId: string
}

/**
 * Undefined when the password is wrong. An account that may not act gets the reason, but no session. Another sign-in may
 * have replaced an outdated hash of the same password meanwhile: then the password is checked once more.
 */
export async function logIn(ctx: Context, input: LogIn, attempt: Attempt): Promise<NewSession | undefined> {
  const session = await tryLogIn(ctx, input, attempt)
  if (session !== 'hash_changed') return session
  const again = await tryLogIn(ctx, input, attempt)
  return again === 'hash_changed' ? undefined : again
}

async function tryLogIn(
  ctx: Context,
  input: LogIn,
  attempt: Attempt,
): Promise<NewSession | 'hash_changed' | undefined> {
  const owner = await findByPassword(ctx, input, attempt)
  if (!owner) return undefined
  const fresh = isOutdatedHash(owner.passwordHash) ? await hashPassword(input.password) : undefined
  const session = await inTransaction(ctx.storage, async (db) => {
    const now = await lockAccountWithHash(db, owner.account.id)
    if (!isStillTheirs(now, owner)) return 'hash_changed'
    const { standing } = createAccountViewer(now.account, ctx.config.requireVerifiedEmail, { proof: 'password' })
    // Known only to the owner of the password: the mailed link has not been used yet.
    if (standing) return { standing, isUnverified: ctx.config.smtp !== undefined && !now.account.emailVerified }
    if (input.before) await deleteSessionByHash(db, hashSecret(input.before))
    if (fresh) await setPasswordHash(db, now.account.id, fresh, now.passwordHash)
    const begun = await beginSession(ctx, db, now, input)
    await setLastLogin(db, now.account.id, ctx.clock())
    await recordAudit(ctx, db, 'login_succeeded', now.account, begun.accountViewer.credentialId!, input.requestId)
    return begun
  })
  if (session === 'hash_changed' || !('standing' in session)) return session
  const detail = { reason: session.standing }
  const { id } = owner.account
  await inTransaction(ctx.storage, (db) =>
    insertAudit(
      db,
      { action: 'login_refused', actorId: id, subjectId: id, requestId: input.requestId, detail },
      ctx.clock(),
    ),
  )
  const isLinkUnused = session.standing === 'account_pending' && session.isUnverified
  return isLinkUnused ? fail(session.standing, { email_verified: false }) : fail(session.standing)
}

/** The password may have been changed, or the account removed, since the password was checked. */
const isStillTheirs = (now: AccountWithHash | undefined, seen: AccountWithHash): now is AccountWithHash =>
  now?.passwordHash === seen.passwordHash

async function beginSession(
  ctx: Context,
  db: Db,
  { account }: AccountWithHash,
  { browser, isRemembered }: Pick<LogIn, 'browser' | 'isRemembered'>,
): Promise<NewSession> {
  const now = ctx.clock()
  const secret = newKey()
  const id = ctx.newId()
  await deleteOldestSessions(db, account.id, now)
  await insertSession(db, {
    id,
    hash: hashSecret(secret),
    user_id: account.id,
    is_remembered: isRemembered ? 1 : 0,
    created_at: now,
    last_seen_at: now,
    client_net: browser.network,
    user_agent: browser.userAgent,
  })
  return {
    accountViewer: createAccountViewer(account, ctx.config.requireVerifiedEmail, {
      proof: 'session',
      credentialId: id,
    }),
    secret,
    endsAt: sessionEndsAt({ id, isRemembered, createdAt: now, lastSeenAt: now }, account.role),
    isRemembered,
  }
}

/** The account of an unexpired session. */
export async function findOwnSession(ctx: Context, secret: string): Promise<AccountViewer | undefined> {
  const found = await findSession(ctx.storage.reads, hashSecret(secret))
  if (!found || !isSessionLive(found.session, found.account.role, ctx.clock())) return undefined
  const shown = { proof: 'session', credentialId: found.session.id } as const
  return createAccountViewer(found.account, ctx.config.requireVerifiedEmail, shown)
}

export const endSessionOf = (ctx: Context, viewer: AccountViewer, requestId: string): Promise<void> =>
  inTransaction(ctx.storage, async (db) => {
    await lockAccount(db, viewer.account.id)
    await deleteSession(db, viewer.account.id, viewer.credentialId!)
    await recordAudit(ctx, db, 'logged_out', viewer.account, viewer.credentialId!, requestId)
  })

export interface OwnSession extends SessionWithClient {
  endsAt: Instant
}

/**
 * Expired ones that are not purged yet are left out. Those made while the clock was ahead are void, but listed: when that
 * time comes they are valid, so their owner must be able to end them before.
 */
export async function listOwnSessions(ctx: Context, { account }: AccountViewer): Promise<OwnSession[]> {
  const sessions = await listSessions(ctx.storage.reads, account.id)
  return sessions
    .filter((session) => !isSessionOver(session, account.role, ctx.clock()))
    .map((session) => ({ ...session, endsAt: sessionEndsAt(session, account.role) }))
}

export const endOwnSession = (
  ctx: Context,
  accountViewer: AccountViewer,
  id: string,
  requestId: string,
): Promise<void> =>
  inTransaction(ctx.storage, async (db) => {
    await requireOwner(ctx, db, accountViewer)
    if (!(await deleteSession(db, accountViewer.account.id, id))) fail('credential_not_found')
    await recordAudit(ctx, db, 'session_ended', accountViewer.account, id, requestId)
  })

export const endAllOwnSessions = (ctx: Context, accountViewer: AccountViewer, requestId: string): Promise<void> =>
  inTransaction(ctx.storage, async (db) => {
    await requireOwner(ctx, db, accountViewer)
    await deleteSessionsOf(db, accountViewer.account.id)
    await recordAudit(ctx, db, 'all_sessions_ended', accountViewer.account, accountViewer.account.id, requestId)
  })

export interface PasswordChangeInput {
  current: string
  next: string
  browser: BrowserInfo
  requestId: string
}

/**
 * Every session ends; the current one continues under a new secret. App passwords and tokens stay valid: a client that
 * knows the old password still controls the account, and all devices would have to be set up again.
 */
export async function changePassword(
  ctx: Context,
  accountViewer: AccountViewer,
  change: PasswordChangeInput,
  attempt: Attempt,
): Promise<NewSession | undefined> {
  const { id, email, displayName } = accountViewer.account
  const owner = await findByPassword(ctx, { email, password: change.current }, attempt)
  if (!owner) failField('/current_password', 'not_allowed')
  const problems = new Problems()
  await checkNewPassword(ctx, change.next, { email, displayName }, problems)
  problems.throwIfAny()
  const passwordHash = await hashPassword(change.next)
  const asked = (await listOwnSessions(ctx, accountViewer)).find((session) => session.id === accountViewer.credentialId)
  return inTransaction(ctx.storage, async (db) => {
    await requireOwner(ctx, db, accountViewer)
    // Another request may have changed the password meanwhile; then the current password given here is outdated.
    if (!(await setPasswordHash(db, id, passwordHash, owner.passwordHash)))
      failField('/current_password', 'not_allowed')
    await deleteSessionsOf(db, id)
    await voidTokens(db, id, 'reset', ctx.clock())
    await insertMail(db, { id: ctx.newId(), kind: 'password_changed', to: { userId: id } }, ctx.clock())
    await recordAudit(ctx, db, 'password_changed', accountViewer.account, id, change.requestId)
    return asked && beginSession(ctx, db, owner, { browser: change.browser, isRemembered: asked.isRemembered })
  })
}
