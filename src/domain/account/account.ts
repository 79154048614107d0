// Accounts: role, approval state, and whether an account may act.
import type { ErrorCode } from '../../errors.ts'
import type { Language } from '../languages.ts'

/** From the least access to the most. */
export const ROLES = ['reader', 'writer', 'admin'] as const
export type Role = (typeof ROLES)[number]

export const APPROVAL_STATES = ['pending_approval', 'approved', 'rejected', 'suspended'] as const
export type ApprovalState = (typeof APPROVAL_STATES)[number]

/**
 * `disputed`: requested again since it was chosen, so it may be another person's. `none`: revoked, no new one chosen
 * yet.
 */
export const PASSWORD_STATES = ['set', 'disputed', 'none'] as const
export type PasswordState = (typeof PASSWORD_STATES)[number]

export interface Account {
  id: string
  email: string
  displayName: string
  role: Role
  approvalState: ApprovalState
  emailVerified: boolean
  /** Of mails; undefined: the calendar's. */
  language: Language | undefined
}

/** Why an account with the right password may still not act; undefined when it may. */
export function findStandingProblem(account: Account, needsVerifiedEmail: boolean): ErrorCode | undefined {
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
      // A value from a later version or a manual change of the database never grants access.
      return 'account_suspended'
  }
}

/**
 * Whether administrators hear of a request only once its address is verified. Where no mail server sends the link and
 * none is required, they hear of it at once.
 */
export const announcesOnlyVerified = (config: { smtp: unknown; requireVerifiedEmail: boolean }): boolean =>
  config.smtp !== undefined || config.requireVerifiedEmail

/** The states an administrator may move an account to. Staying in a state is not a transition. */
export const STATE_TRANSITIONS: Record<ApprovalState, readonly ApprovalState[]> = {
  pending_approval: ['approved', 'rejected'],
  approved: ['suspended'],
  rejected: ['pending_approval', 'approved'],
  suspended: ['approved'],
}
