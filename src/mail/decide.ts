// Decides at delivery time whether a mail is sent and what it says, from the account's state.
import type { Config } from '../config.ts'
import { announcesOnlyVerified } from '../domain/account/account.ts'
import type { Language } from '../domain/languages.ts'
import { DAY_MS, HOUR_MS, type Instant } from '../domain/time/instant.ts'
import { hashSecret, newKey } from '../secrets.ts'
import { countPendingAccounts, findAccountForMail, type MailAccount } from '../storage/accounts/mail-accounts.ts'
import { insertToken, type TokenPurpose } from '../storage/accounts/tokens.ts'
import { findBulkChanges } from '../storage/history/bulk-changes.ts'
import { readBackupState } from '../storage/operations/backup-state.ts'
import { hasSimilarMail, setMailAccount } from '../storage/operations/outbox.ts'
import type { Db, OutboxRow } from '../storage/tables.ts'
import type { LinkToken, MailContent } from './messages.ts'

export interface MailDecision {
  to: string
  /** The account's own, else the calendar's. */
  language: Language
  news: MailContent
}

const LIFETIMES: Record<TokenPurpose, number> = { verify: DAY_MS, reset: HOUR_MS }
/** A reset link is expected at once; a link after an administrator's decision is read with the next mail. */
const SET_PASSWORD_MS = DAY_MS

/** Repeated registrations of an address, or resets of an unverified one, must not fill its owner's mailbox. */
const QUIET_MS = DAY_MS

/**
 * Undefined when there is nothing to send: no account has the address, the news is outdated, or enough links are valid
 * already. The token is created here and stored as a hash; the transaction must be committed before the mail is sent.
 */
export async function decideMail(
  db: Db,
  row: OutboxRow,
  config: Config,
  now: Instant,
): Promise<MailDecision | undefined> {
  const recipient = await findAccountForMail(db, row)
  if (!recipient) return undefined
  if (row.user_id === null) await setMailAccount(db, row.id, recipient.id)
  const news = await newsFor(db, row, recipient, config, now)
  return news && { to: recipient.email, language: recipient.language ?? config.language, news }
}

async function newsFor(
  db: Db,
  row: OutboxRow,
  recipient: MailAccount,
  config: Config,
  now: Instant,
): Promise<MailContent | undefined> {
  const { emailVerified: isVerified, hasPassword, approvalState } = recipient
  switch (row.kind) {
    case 'verification': {
      const key = isVerified ? undefined : await mintKey(db, recipient, 'verify', now)
      return key && { kind: row.kind, key }
    }
    case 'already_registered': {
      if (await hasSimilarMail(db, row, recipient.id, { now, quietMs: QUIET_MS })) return undefined
      if (isVerified) return { kind: row.kind, key: undefined }
      const key = await mintKey(db, recipient, 'verify', now)
      return key && { kind: row.kind, key }
    }
    case 'reset': {
      // A link that only verified the address would leave the password of the first requester in force.
      const isSettled = isVerified || !hasPassword
      if (!isSettled && (await hasSimilarMail(db, row, recipient.id, { now, quietMs: QUIET_MS }))) return undefined
      const key = await mintKey(db, recipient, 'reset', now, isSettled ? LIFETIMES.reset : QUIET_MS)
      return key && { kind: row.kind, isVerified, key }
    }
    case 'set_password': {
      const key = hasPassword ? undefined : await mintKey(db, recipient, 'reset', now, SET_PASSWORD_MS)
      return key && { kind: row.kind, isApproved: approvalState === 'approved', key }
    }
    case 'password_changed':
      return { kind: row.kind, changedAt: row.created_at }
    case 'approved':
      return approvalState === 'approved'
        ? { kind: row.kind, isVerified: isVerified || !config.requireVerifiedEmail }
        : undefined
    case 'rejected':
    case 'suspended':
      return approvalState === row.kind ? { kind: row.kind } : undefined
    case 'access_requested': {
      if (recipient.role !== 'admin' || approvalState !== 'approved') return undefined
      const waiting = await countPendingAccounts(db, announcesOnlyVerified(config))
      return waiting > 0 ? { kind: row.kind, waiting } : undefined
    }
    case 'bulk_changes': {
      if (recipient.role !== 'admin' || approvalState !== 'approved') return undefined
      const incident = await findBulkChanges(db, row.created_at)
      const keeps = { trash: config.trashDays > 0, history: config.historyDays > 0 }
      return incident && { kind: row.kind, incident, limit: config.bulkChangeLimit, keeps }
    }
    case 'backup_failed': {
      if (recipient.role !== 'admin' || approvalState !== 'approved') return undefined
      const { problem } = await readBackupState(db)
      return problem === null ? undefined : { kind: row.kind, problem }
    }
  }
}

async function mintKey(
  db: Db,
  { id, emailKey }: MailAccount,
  purpose: TokenPurpose,
  now: Instant,
  lifetimeMs = LIFETIMES[purpose],
): Promise<LinkToken | undefined> {
  const token = newKey()
  const goodUntil = now + lifetimeMs
  const isKept = await insertToken(db, {
    hash: hashSecret(token),
    purpose,
    user_id: id,
    email_key: emailKey,
    created_at: now,
    expires_at: goodUntil,
  })
  return isKept ? { token, goodUntil } : undefined
}
