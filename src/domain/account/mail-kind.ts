// Kinds of mail that Daybook sends.

export const MAIL_KINDS = [
  /** A registration: asks to verify the address. */
  'verification',
  /** A registration with an address that already has an account. */
  'already_registered',
  /** A request for a new password. The account of the address is looked up when the mail is sent. */
  'reset',
  /** The password was revoked because the account was requested more than once: a link to choose a new one. */
  'set_password',
  'password_changed',
  'approved',
  'rejected',
  'suspended',
  /** To administrators: accounts wait for approval. */
  'access_requested',
  /** To administrators: scheduled backups fail. */
  'backup_failed',
  /** To administrators: a credential has deleted or changed very many events. */
  'bulk_changes',
] as const

export type MailKind = (typeof MAIL_KINDS)[number]
