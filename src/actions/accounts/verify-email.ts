// Proving an address, with the token that was sent to it. It lets nobody in by itself, and changes no decision.
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
  /** Whether the password has ended with it, and a new one is to be chosen by the mail that follows. */
  needsPassword: boolean
}

/**
 * The person who proves an address that was requested more than once may not be the one who chose the password: then it
 * ends here, and a mail lets them choose their own.
 */
export const verifyEmail = (ctx: Context, token: string, requestId: string): Promise<VerifiedEmail> =>
  inTransaction(ctx.storage, async (db) => {
    const now = ctx.clock()
    const hash = hashSecret(token)
    // The account is held first, as everywhere: two tokens of one person would otherwise wait for each other.
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
