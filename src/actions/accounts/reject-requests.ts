// Rejects many waiting requests in one conditional statement; each has a result and audit entry.
import type { Context } from '../../context.ts'
import type { ApprovalState } from '../../domain/account/account.ts'
import { actorIdOf, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { listApprovalStates, lockAdmins, rejectPending } from '../../storage/accounts/managed-accounts.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { raiseAccountsRevision } from '../../storage/events/calendar.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import { insertMail } from '../../storage/operations/outbox.ts'
import { requireActor } from '../access/actor-guard.ts'

export interface RejectionResult {
  id: string
  /** Set if it was not rejected: the account is gone, or in another state. */
  error?: 'user_not_found' | 'invalid_state_transition'
  /** The current state; undefined if the account is gone. */
  approvalState: ApprovalState | undefined
}

/** A waiting account cannot be an active administrator, so the last-administrator check is not needed. */
export async function rejectRequests(
  ctx: Context,
  viewer: Viewer,
  { ids, notify, requestId }: { ids: readonly string[]; notify: boolean; requestId: string },
): Promise<RejectionResult[]> {
  requireAccess(viewer, 'administer')
  const wanted = [...new Set(ids)]
  return inTransaction(ctx.storage, async (db) => {
    await lockAdmins(db)
    await requireActor(ctx, db, viewer, 'administer')
    const now = ctx.clock()
    const actorId = actorIdOf(viewer)
    const rejected = new Set(await rejectPending(db, wanted, { by: actorId, at: now }))
    const detail = { approval_state_from: 'pending_approval', approval_state_to: 'rejected' }
    for (const id of wanted) {
      if (!rejected.has(id)) continue
      await insertAudit(db, { action: 'user_changed', actorId, subjectId: id, requestId, detail }, now)
      if (notify) await insertMail(db, { id: ctx.newId(), kind: 'rejected', to: { userId: id } }, now)
    }
    if (rejected.size > 0) await raiseAccountsRevision(db)
    const states = await listApprovalStates(db, wanted)
    return wanted.map((id) => resultOf(id, rejected.has(id), states.get(id)))
  })
}

function resultOf(id: string, isRejected: boolean, approvalState: ApprovalState | undefined): RejectionResult {
  if (isRejected) return { id, approvalState }
  return { id, approvalState, error: approvalState ? 'invalid_state_transition' : 'user_not_found' }
}
