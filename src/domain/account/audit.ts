// Actions of the audit trail: administrators' changes and security events.

export const AUDIT_ACTIONS = [
  'user_registered',
  'email_verified',
  'user_changed',
  'user_deleted',
  /** Requests whose address was never verified. */
  'unproven_users_removed',
  'user_sessions_ended',
  'account_created_by_operator',
  'setup_completed',
  'setting_changed',
  'test_mail_sent',
  'login_succeeded',
  'login_failed',
  /** The right password of an account that may not act. */
  'login_refused',
  'logged_out',
  'password_changed',
  'password_reset',
  /** The account was requested more than once, so its password may have been another person's. */
  'password_invalidated',
  /** A link from a mail, or a setup code, that is unknown or expired. */
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
  'trash_emptied',
  'trash_restored',
  'calendar_rewound',
  'category_created',
  'category_changed',
  'category_renamed',
  'category_deleted',
  /** A credential that deleted or changed very many events in a short time. */
  'bulk_changes_slowed',
  'credentials_in_clear',
  'credential_revoked',
  'access_denied',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export interface NewAuditEntry {
  action: AuditAction
  /** The acting account; null for anonymous requests and for the operator of the machine. */
  actorId: string | null
  /** The account or object that was acted on. */
  subjectId: string | null
  requestId: string | null
  /** Old and new values in the terms of the API: states, roles, names of fields. */
  detail: Record<string, string | number | boolean | null>
}
