// Verifies an email address with the mailed token; neither signs in nor approves the account.
import type { Context } from '../../context.ts'
import type { ApprovalState } from '../../domain/account/account.ts'
import { fail } from '../../errors.ts'
import { hashSecret } from '../../secrets.ts'
import { lockAccount, setEmailVerified } from '../../storage/accounts/accounts.ts'
import { findTokenOwner, redeemToken, voidTokens } from '../../storage/accounts/tokens.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import { insertAccessRequests } from '../../storage/operations/outbox.ts'
import { replaceDisputedPassword } from './passwords.ts'

export interface VerifiedEmail {
  approvalState: ApprovalState
  /** Whether the password was invalidated, so that a new one must be chosen with the mail that follows. */
  needsPassword: boolean
}

/**
 * If the address was requested more than once, the person who verifies it may not be the one who chose the password:
 * then the password is invalidated and a link to choose a new one is mailed.
 */
export const verifyEmail = (ctx: Context, token: string, requestId: string): Promise<VerifiedEmail> =>
  inTransaction(ctx.storage, async (db) => {
    const now = ctx.clock()
    const hash = hashSecret(token)
    // Locks the account first, as everywhere: otherwise two tokens of one account could deadlock.
    await lockAccount(db, (await findTokenOwner(db, hash, 'verify', now)) ?? fail('token_invalid_or_expired'))
    const userId = (await redeemToken(db, hash, 'verify', now)) ?? fail('token_invalid_or_expired')
    const { approvalState } = await setEmailVerified(db, userId, now)
    await voidTokens(db, userId, 'verify', now)
    const audit = { action: 'email_verified', actorId: null, subjectId: userId, requestId, detail: {} } as const
    await insertAudit(db, audit, now)
    const needsPassword = await replaceDisputedPassword(ctx, db, userId, { actorId: null, requestId })
    if (approvalState === 'pending_approval' && ctx.config.notifyAdmins) await insertAccessRequests(db, ctx.newId, now)
    return { approvalState, needsPassword }
  })
