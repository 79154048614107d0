// Account as administrators manage it: patches, state transitions and audit details.
import { type FieldCode, fail } from '../../errors.ts'
import { cleanText } from '../plain-text.ts'
import type { Instant } from '../time/instant.ts'
import { type ApprovalState, type PasswordState, ROLES, type Role, STATE_TRANSITIONS } from './account.ts'

export interface ManagedAccount {
  id: string
  email: string
  displayName: string
  role: Role
  approvalState: ApprovalState
  emailVerifiedAt: Instant | null
  passwordState: PasswordState
  requestMessage: string | null
  /** How often the account was requested, and when last. */
  requestCount: number
  lastRequestedAt: Instant | null
  createdAt: Instant
  /** When the approval state last changed, and by whom. */
  decidedAt: Instant | null
  decidedBy: string | null
  lastLoginAt: Instant | null
  version: number
}

/** Sort orders of a user list; `-` is newest first. */
export const ACCOUNT_ORDERS = ['created_at', '-created_at', 'email'] as const
export type AccountOrder = (typeof ACCOUNT_ORDERS)[number]

/** The fields that may be changed, as sent. */
export interface AccountPatch {
  approval_state?: ApprovalState
  role?: Role
  email_verified?: boolean
  display_name?: string
}

export interface ApprovalDecision {
  by: string | null
  at: Instant
  /** The state the decision is based on, if it was read before; another administrator may have decided since. */
  from?: ApprovalState | undefined
}

/** Applies a patch. Repeating a value changes nothing, except that staying in an approval state is refused. */
export function patchAccount(
  user: ManagedAccount,
  patch: AccountPatch,
  { by, at, from = user.approvalState }: ApprovalDecision,
): ManagedAccount {
  const { approval_state: state, role = user.role, display_name: displayName = user.displayName } = patch
  if (state && (from !== user.approvalState || !STATE_TRANSITIONS[from].includes(state)))
    fail('invalid_state_transition', {
      from: user.approvalState,
      to: state,
      allowed: STATE_TRANSITIONS[user.approvalState],
    })
  return {
    ...user,
    displayName,
    role,
    emailVerifiedAt: verifiedAt(user, patch.email_verified, at),
    ...(state ? { approvalState: state, decidedAt: at, decidedBy: by } : {}),
  }
}

function verifiedAt({ emailVerifiedAt }: ManagedAccount, isVerified: boolean | undefined, at: Instant): Instant | null {
  if (isVerified === undefined) return emailVerifiedAt
  return isVerified ? (emailVerifiedAt ?? at) : null
}

/** Whether a change gives an account more trust: approval, a verified address, or a higher role. */
export const addsTrust = (before: ManagedAccount, after: ManagedAccount): boolean =>
  (before.approvalState !== 'approved' && after.approvalState === 'approved') ||
  (before.emailVerifiedAt === null && after.emailVerifiedAt !== null) ||
  ROLES.indexOf(after.role) > ROLES.indexOf(before.role)

/**
 * Bidirectional overrides and isolates, which reorder the text after them. Directional marks and joiners stay allowed:
 * names are written with them.
 */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/

export function readDisplayName(text: string): { name: string } | { problem: FieldCode } {
  const name = cleanText(text)
  if (name === undefined || /[\n\t]/.test(name) || BIDI_CONTROLS.test(name)) return { problem: 'invalid_format' }
  return name === '' ? { problem: 'too_short' } : { name }
}

/** An administrator who can approve accounts now. */
export const isActiveAdmin = (user: ManagedAccount, needsVerifiedEmail: boolean): boolean =>
  user.role === 'admin' && user.approvalState === 'approved' && (user.emailVerifiedAt !== null || !needsVerifiedEmail)

/**
 * Old and new values for the audit trail; a display name is personal text, so only the fact of its change is recorded.
 */
export function differencesOf(before: ManagedAccount, after: ManagedAccount): Record<string, string | boolean> {
  const wasVerified = before.emailVerifiedAt !== null
  const isVerified = after.emailVerifiedAt !== null
  return {
    ...(before.approvalState === after.approvalState
      ? {}
      : { approval_state_from: before.approvalState, approval_state_to: after.approvalState }),
    ...(before.role === after.role ? {} : { role_from: before.role, role_to: after.role }),
    ...(wasVerified === isVerified ? {} : { email_verified_from: wasVerified, email_verified_to: isVerified }),
    ...(before.displayName === after.displayName ? {} : { display_name: 'changed' }),
  }
}
