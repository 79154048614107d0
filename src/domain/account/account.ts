// People with an account: who they are, what state their request is in, and whether they may act.
import type { ErrorCode } from '../../errors.ts'

/** From the least access to the most. */
export const ROLES = ['reader', 'writer', 'admin'] as const
export type Role = (typeof ROLES)[number]

export const APPROVAL_STATES = ['pending_approval', 'approved', 'rejected', 'suspended'] as const
export type ApprovalState = (typeof APPROVAL_STATES)[number]

/** `disputed`: requested again since it was chosen, so it may be that of another person. `none`: ended, none chosen yet. */
export const PASSWORD_STATES = ['set', 'disputed', 'none'] as const
export type PasswordState = (typeof PASSWORD_STATES)[number]

export interface Account {
  id: string
  email: string
  displayName: string
  role: Role
  approvalState: ApprovalState
  emailVerified: boolean
}

/** Why an account whose password was right may still not act; undefined when it may. */
export function standingProblem(account: Account, needsVerifiedEmail: boolean): ErrorCode | undefined {
  switch (account.approvalState) {
    case 'pending_approval':
      return 'account_pending'
    case 'rejected':
      return 'account_rejected'
    case 'suspended':
      return 'account_suspended'
    case 'approved':
      return account.emailVerified || !needsVerifiedEmail ? undefined : 'email_not_verified'
    default:
      // Whatever a later version or a hand in the database has written: nobody is let in by it.
      return 'account_suspended'
  }
}

/** Where an administrator may move an account from each state. Staying is not a step. */
export const STEPS: Record<ApprovalState, readonly ApprovalState[]> = {
  pending_approval: ['approved', 'rejected'],
  approved: ['suspended'],
  rejected: ['pending_approval', 'approved'],
  suspended: ['approved'],
}
