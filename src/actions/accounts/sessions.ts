// Sessions: begun by signing in, listed and ended by their owner; a changed password ends the others.
import type { Context } from '../../context.ts'
import { sessionEndsAt } from '../../domain/account/session.ts'
import { Problems } from '../../domain/calendar/fields.ts'
import { type AccountViewer, personOf } from '../../domain/privacy/viewer.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { fail, failField } from '../../errors.ts'
import { hashPassword, hashSecret, isOutdatedHash, newKey } from '../../secrets.ts'
import {
  type AccountWithHash,
  lockAccount,
  lockCredential,
  noteLogin,
  setPasswordHash,
} from '../../storage/accounts/accounts.ts'
import {
  deleteOldestSessions,
  deleteSession,
  deleteSessionByHash,
  deleteSessionsOf,
  findSession,
  insertSession,
  type KnownSession,
  listSessions,
} from '../../storage/accounts/sessions.ts'
import { voidTokens } from '../../storage/accounts/tokens.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import { insertMail } from '../../storage/operations/outbox.ts'
import type { Db } from '../../storage/tables.ts'
import { requireOwner } from '../access/author-guard.ts'
import { type Attempt, findByPassword } from '../access/sign-in.ts'
import { checkNewPassword } from './password-rules.ts'
import { recordAudit } from './record-audit.ts'

/** What is known of the browser that signs in, for its owner to recognise the session by. */
export interface BrowserInfo {
  network: string
  userAgent: string
}

export interface NewSession {
  person: AccountViewer
  /** What the cookie holds; nobody is told again. */
  secret: string
  endsAt: Instant
  isRemembered: boolean
}

export interface LogIn {
  email: string
  password: string
  isRemembered: boolean
  browser: BrowserInfo
  /** The secret of a session this browser had before; it ends. */
  before: string | undefined
  requestId: string
}

/** Undefined when the password is not theirs. Who may not act is told why, now that it was, and gets no session. */
export async function logIn(ctx: Context, wish: LogIn, attempt: Attempt): Promise<NewSession | undefined> {
  const owner = await findByPassword(ctx, wish, attempt)
  if (!owner) return undefined
  const fresh = isOutdatedHash(owner.passwordHash) ? await hashPassword(wish.password) : undefined
  const session = await inTransaction(ctx.storage, async (db) => {
    const now = await lockCredential(db, owner.account.id)
    if (!isStillTheirs(now, owner)) return undefined
    const { standing } = personOf(now.account, ctx.config.requireVerifiedEmail, { proof: 'password' })
    if (standing) return { standing }
    if (wish.before) await deleteSessionByHash(db, hashSecret(wish.before))
    if (fresh) await setPasswordHash(db, now.account.id, fresh, now.passwordHash)
    const begun = await beginSession(ctx, db, now, wish)
    await noteLogin(db, now.account.id, ctx.clock())
    await recordAudit(ctx, db, 'login_succeeded', now.account, begun.person.credentialId!, wish.requestId)
    return begun
  })
  if (!session || !('standing' in session)) return session
  const detail = { reason: session.standing }
  const { id } = owner.account
  await inTransaction(ctx.storage, (db) =>
    insertAudit(
      db,
      { action: 'login_refused', actorId: id, subjectId: id, requestId: wish.requestId, detail },
      ctx.clock(),
    ),
  )
  return fail(session.standing)
}

/** Between the look at the password and this moment it may have been changed, and the account removed. */
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
  await deleteOldestSessions(db, account.id)
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
    person: personOf(account, ctx.config.requireVerifiedEmail, { proof: 'session', credentialId: id }),
    secret,
    endsAt: sessionEndsAt({ id, isRemembered, createdAt: now, lastSeenAt: now }, account.role),
    isRemembered,
  }
}

/** Whose living session this is. */
export async function findOwnSession(ctx: Context, secret: string): Promise<AccountViewer | undefined> {
  const found = await findSession(ctx.storage.reads, hashSecret(secret))
  if (!found || sessionEndsAt(found.session, found.account.role) <= ctx.clock()) return undefined
  const shown = { proof: 'session', credentialId: found.session.id } as const
  return personOf(found.account, ctx.config.requireVerifiedEmail, shown)
}

export const endSessionOf = (ctx: Context, person: AccountViewer, requestId: string): Promise<void> =>
  inTransaction(ctx.storage, async (db) => {
    await lockAccount(db, person.account.id)
    await deleteSession(db, person.account.id, person.credentialId!)
    await recordAudit(ctx, db, 'logged_out', person.account, person.credentialId!, requestId)
  })

export interface OwnSession extends KnownSession {
  endsAt: Instant
}

/** Those that are over but not yet swept away are not shown. */
export async function listOwnSessions(ctx: Context, { account }: AccountViewer): Promise<OwnSession[]> {
  const sessions = await listSessions(ctx.storage.reads, account.id)
  return sessions
    .map((session) => ({ ...session, endsAt: sessionEndsAt(session, account.role) }))
    .filter(({ endsAt }) => endsAt > ctx.clock())
}

export const endOwnSession = (ctx: Context, person: AccountViewer, id: string, requestId: string): Promise<void> =>
  inTransaction(ctx.storage, async (db) => {
    await requireOwner(ctx, db, person)
    if (!(await deleteSession(db, person.account.id, id))) fail('credential_not_found')
    await recordAudit(ctx, db, 'session_ended', person.account, id, requestId)
  })

export const endAllOwnSessions = (ctx: Context, person: AccountViewer, requestId: string): Promise<void> =>
  inTransaction(ctx.storage, async (db) => {
    await requireOwner(ctx, db, person)
    await deleteSessionsOf(db, person.account.id)
    await recordAudit(ctx, db, 'all_sessions_ended', person.account, person.account.id, requestId)
  })

export interface PasswordChangeInput {
  current: string
  next: string
  browser: BrowserInfo
  requestId: string
}

/**
 * Every session ends; the one it was asked in goes on under a new secret. App passwords and tokens stay: who knows the
 * old password is not somebody who lost control, and devices would all have to be set up again.
 */
export async function changePassword(
  ctx: Context,
  person: AccountViewer,
  change: PasswordChangeInput,
  attempt: Attempt,
): Promise<NewSession | undefined> {
  const { id, email, displayName } = person.account
  const owner = await findByPassword(ctx, { email, password: change.current }, attempt)
  if (!owner) failField('/current_password', 'not_allowed')
  const problems = new Problems()
  await checkNewPassword(ctx, change.next, { email, displayName }, problems)
  problems.throwIfAny()
  const passwordHash = await hashPassword(change.next)
  const asked = (await listOwnSessions(ctx, person)).find((session) => session.id === person.credentialId)
  return inTransaction(ctx.storage, async (db) => {
    await requireOwner(ctx, db, person)
    // Somebody else may have changed it in between; then this one was asked of a password that is gone.
    if (!(await setPasswordHash(db, id, passwordHash, owner.passwordHash)))
      failField('/current_password', 'not_allowed')
    await deleteSessionsOf(db, id)
    await voidTokens(db, id, 'reset', ctx.clock())
    await insertMail(db, { id: ctx.newId(), kind: 'password_changed', to: { userId: id } }, ctx.clock())
    await recordAudit(ctx, db, 'password_changed', person.account, id, change.requestId)
    return asked && beginSession(ctx, db, owner, { browser: change.browser, isRemembered: asked.isRemembered })
  })
}
