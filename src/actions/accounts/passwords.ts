// Password reset by mailed link: requests it, mails the link and sets the new password.
import type { Context } from '../../context.ts'
import { type EmailAddress, readEmail } from '../../domain/email.ts'
import { Problems } from '../../domain/problems.ts'
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
import { type ProofDemand, readProof, spendProofOfWork } from './proof-of-work.ts'

export interface ForgottenPassword {
  email: string
  proof: string | undefined
}

/** Validates the request, spends its proof of work and returns the address. */
export async function readForgottenPassword(
  ctx: Context,
  input: ForgottenPassword,
  demand: ProofDemand,
): Promise<EmailAddress> {
  const problems = new Problems()
  const email = readEmail(input.email) ?? problems.add('/email', 'invalid_format')
  const proof = await readProof(ctx, demand, input.proof, problems)
  problems.throwIfAny()
  await spendProofOfWork(ctx, proof)
  return email!
}

/** Does not check whether the address has an account; that happens when the mail is written. */
export const requestPasswordReset = (ctx: Context, { key }: EmailAddress): Promise<void> =>
  inTransaction(ctx.storage, (db) =>
    insertMail(db, { id: ctx.newId(), kind: 'reset', to: { emailKey: key } }, ctx.clock()),
  )

/**
 * Invalidates a password that another requester may have chosen, and mails a link to choose a new one. Returns false
 * when the password is not disputed. Earlier reset links are voided too, so that the new one is always sent.
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

/** A password that breaks the rules leaves the token usable. */
export async function resetPassword(ctx: Context, token: string, password: string, requestId: string): Promise<void> {
  await requireNewPassword(ctx, password, {})
  const tokenHash = hashSecret(token)
  await withKeyedMutex(`${ctx.nodeId} ${tokenHash}`, async () => {
    // Hash only for a token that is valid now.
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
    // Locks the account first, as everywhere: otherwise two tokens of one account could deadlock.
    await lockAccount(db, userId)
    if ((await redeemToken(db, tokenHash, 'reset', now)) === undefined) fail('token_invalid_or_expired')
    const owner = await resetCredentials(db, userId, passwordHash)
    await requireNewPassword(ctx, password, owner)
    await voidTokens(db, userId, 'reset', now)
    await voidTokens(db, userId, 'verify', now)
    await insertMail(db, { id: ctx.newId(), kind: 'password_changed', to: { userId } }, now)
    const about = { actorId: null, subjectId: userId, requestId, detail: {} }
    await insertAudit(db, { action: 'password_reset', ...about }, now)
    // The link was mailed to the address, so using it verifies the address like a verification link.
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

const mutexes = new Map<string, Promise<unknown>>()

/** Keyed mutex: requests with the same token run one after the other on this node, so that only one hashes. */
async function withKeyedMutex<T>(name: string, work: () => Promise<T>): Promise<T> {
  const turn = (mutexes.get(name) ?? Promise.resolve()).catch(() => {}).then(work)
  mutexes.set(name, turn)
  try {
    return await turn
  } finally {
    if (mutexes.get(name) === turn) mutexes.delete(name)
  }
}
