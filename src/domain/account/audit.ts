// What is written down for good: every act of an administrator and every event that matters to security.

export const AUDIT_ACTIONS = [
  'user_registered',
  'email_verified',
  'user_changed',
  'user_deleted',
  /** Requests whose address was never proven. */
  'unproven_users_removed',
  'user_sessions_ended',
  'account_created_by_operator',
  'setup_completed',
  'login_succeeded',
  'login_failed',
  /** The right password of an account that may not act. */
  'login_refused',
  'logged_out',
  'password_changed',
  'password_reset',
  /** The account was requested more than once, so its password may have been another person's. */
  'password_invalidated',
  /** A link from a mail, or a setup code, that was never good or is not any more. */
  'token_refused',
  'session_ended',
  'all_sessions_ended',
  'app_password_created',
  'app_password_deleted',
  'api_token_created',
  'api_token_deleted',
  'feed_link_created',
  'feed_link_deleted',
  'calendar_imported',
  'calendar_exported',
  'credentials_in_clear',
  'credential_revoked',
  'access_denied',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export interface NewAuditEntry {
  action: AuditAction
  /** Who did it; null for somebody who is not signed in, and for the operator of the machine. */
  actorId: string | null
  /** Whom or what it was done to. */
  subjectId: string | null
  requestId: string | null
  /** From what to what, in words of the contract: states, roles, names of fields. */
  detail: Record<string, string | number | boolean | null>
}
