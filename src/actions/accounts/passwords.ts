// Passwords by mailed link: asked for when forgotten, issued when one has ended, and the reset itself.
import type { Context } from '../../context.ts'
import { type EmailAddress, readEmail } from '../../domain/account/credentials.ts'
import { Problems } from '../../domain/calendar/fields.ts'
import { fail } from '../../errors.ts'
import { hashPassword, hashSecret } from '../../secrets.ts'
import {
  invalidateDisputedPassword,
  lockAccount,
  resetCredentials,
  setEmailVerified,
} from '../../storage/accounts/accounts.ts'
import { findTokenOwner, redeemToken, voidTokens } from '../../storage/accounts/tokens.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import { insertAccessRequests, insertMail } from '../../storage/operations/outbox.ts'
import type { Db } from '../../storage/tables.ts'
import { checkNewPassword, type PasswordOwner } from './password-rules.ts'
import { type ProofDemand, readProof, spend } from './proof-of-work.ts'

export interface ForgottenPassword {
  email: string
  proof: string | undefined
}

/** The address as it is counted and asked for. */
export async function readForgottenPassword(
  ctx: Context,
  wish: ForgottenPassword,
  demand: ProofDemand,
): Promise<EmailAddress> {
  const problems = new Problems()
  const email = readEmail(wish.email) ?? problems.add('/email', 'invalid_format')
  const proof = await readProof(ctx, demand, wish.proof, problems)
  problems.throwIfAny()
  await spend(ctx, proof)
  return email!
}

/** Nobody looks here whether the address has an account; that is done where the mail is written. */
export const askForReset = (ctx: Context, { key }: EmailAddress): Promise<void> =>
  inTransaction(ctx.storage, (db) =>
    insertMail(db, { id: ctx.newId(), kind: 'reset', to: { emailKey: key } }, ctx.clock()),
  )

/**
 * Ends a password that may be that of another requester, and mails a link to choose one. False when it is not disputed.
 * Reset links that were mailed before end too, so that the new one is always sent.
 */
export async function replaceDisputedPassword(
  ctx: Context,
  db: Db,
  userId: string,
  cause: { actorId: string | null; requestId: string | null },
): Promise<boolean> {
  if (!(await invalidateDisputedPassword(db, userId))) return false
  const now = ctx.clock()
  await voidTokens(db, userId, 'reset', now)
  await insertAudit(db, { action: 'password_invalidated', ...cause, subjectId: userId, detail: {} }, now)
  await mailPasswordLink(ctx, db, userId)
  return true
}

export const mailPasswordLink = (ctx: Context, db: Db, userId: string): Promise<void> =>
  insertMail(db, { id: ctx.newId(), kind: 'set_password', to: { userId } }, ctx.clock())

/** A refused password leaves the token as it was. */
export async function resetPassword(ctx: Context, token: string, password: string, requestId: string): Promise<void> {
  await requireNewPassword(ctx, password, {})
  const tokenHash = hashSecret(token)
  await inTurn(`${ctx.nodeId} ${tokenHash}`, async () => {
    // Only a token that could be good is worth the hashing.
    const userId = await findTokenOwner(ctx.storage.reads, tokenHash, 'reset', ctx.clock())
    if (userId === undefined) fail('token_invalid_or_expired')
    const passwordHash = await hashPassword(password)
    await redeem(ctx, { tokenHash, userId, password, passwordHash }, requestId)
  })
}

interface Reset {
  tokenHash: string
  userId: string
  password: string
  passwordHash: string
}

const redeem = (ctx: Context, { tokenHash, userId, password, passwordHash }: Reset, requestId: string): Promise<void> =>
  inTransaction(ctx.storage, async (db) => {
    const now = ctx.clock()
    // The account is held first, as everywhere: two tokens of one person would otherwise wait for each other.
    await lockAccount(db, userId)
    if ((await redeemToken(db, tokenHash, 'reset', now)) === undefined) fail('token_invalid_or_expired')
    const owner = await resetCredentials(db, userId, passwordHash)
    await requireNewPassword(ctx, password, owner)
    await voidTokens(db, userId, 'reset', now)
    await voidTokens(db, userId, 'verify', now)
    await insertMail(db, { id: ctx.newId(), kind: 'password_changed', to: { userId } }, now)
    const about = { actorId: null, subjectId: userId, requestId, detail: {} }
    await insertAudit(db, { action: 'password_reset', ...about }, now)
    // The link was mailed to the address, so it proves the address as a verification link does.
    if (owner.emailVerified) return
    const { approvalState } = await setEmailVerified(db, userId, now)
    await insertAudit(db, { action: 'email_verified', ...about }, now)
    if (approvalState === 'pending_approval' && ctx.config.notifyAdmins) await insertAccessRequests(db, ctx.newId, now)
  })

async function requireNewPassword(ctx: Context, password: string, owner: PasswordOwner): Promise<void> {
  const problems = new Problems()
  await checkNewPassword(ctx, password, owner, problems)
  problems.throwIfAny()
}

const turns = new Map<string, Promise<unknown>>()

/** Those who bring one token to this node wait for each other, so that one password is hashed and not all of them. */
async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(name) ?? Promise.resolve()).catch(() => {}).then(work)
  turns.set(name, turn)
  try {
    return await turn
  } finally {
    if (turns.get(name) === turn) turns.delete(name)
  }
}
