// People with an account: who they are, what state their request is in, and whether they may act.
import type { ErrorCode } from '../../errors.ts'

export const ROLES = ['reader', 'writer', 'admin'] as const
export type Role = (typeof ROLES)[number]

export const APPROVAL_STATES = ['pending_approval', 'approved', 'rejected', 'suspended'] as const
export type ApprovalState = (typeof APPROVAL_STATES)[number]

export interface Account {
  id: string
  email: string
  displayName: string
  role: Role
  approvalState: ApprovalState
  emailVerified: boolean
}

/** Why an account whose password was right may still not act; undefined when it may. */
export function standingProblem(account: Account): ErrorCode | undefined {
  switch (account.approvalState) {
    case 'pending_approval':
      return 'account_pending'
    case 'rejected':
      return 'account_rejected'
    case 'suspended':
      return 'account_suspended'
    case 'approved':
      return account.emailVerified ? undefined : 'email_not_verified'
  }
}
