// The mails Daybook sends; nothing else ever leaves by mail.

export const MAIL_KINDS = [
  /** Somebody registered: prove the address. */
  'verification',
  /** Somebody registered an address that has an account. */
  'already_registered',
  /** Somebody asked for a new password. Whose address it is is looked up when the mail is sent. */
  'reset',
  /** The password has ended because the account was requested more than once: a link to choose one. */
  'set_password',
  'password_changed',
  'approved',
  'rejected',
  'suspended',
  /** To administrators: people wait for an answer. */
  'access_requested',
] as const

export type MailKind = (typeof MAIL_KINDS)[number]
