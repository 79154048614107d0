// What a mail says and whether it is sent at all: decided when it leaves, from the account as it then stands.
import type { Config } from '../config.ts'
import { DAY_MS, HOUR_MS, type Instant } from '../domain/time/instant.ts'
import { hashSecret, newKey } from '../secrets.ts'
import { hasSimilarMail, nameRecipient } from '../storage/outbox.ts'
import { countPeopleWaiting, findRecipientForMail, type Recipient } from '../storage/recipients.ts'
import type { Db, OutboxRow } from '../storage/tables.ts'
import { insertToken, type TokenPurpose } from '../storage/tokens.ts'
import type { Key, News } from './messages.ts'

export interface Decision {
  to: string
  news: News
}

const LIFETIMES: Record<TokenPurpose, number> = { verify: DAY_MS, reset: HOUR_MS }

/** Somebody who registers an address again and again does not fill its owner's mailbox. */
const REGISTERED_AGAIN_MS = DAY_MS

/**
 * Undefined when there is nothing to send: nobody has the address, or what was to be told is no longer so. A token is
 * made here and kept as a hash; the transaction must be over before the mail leaves.
 */
export async function decideMail(db: Db, row: OutboxRow, config: Config, now: Instant): Promise<Decision | undefined> {
  const recipient = await findRecipientForMail(db, row)
  if (!recipient) return undefined
  if (row.user_id === null) await nameRecipient(db, row.id, recipient.id)
  const news = await newsFor(db, row, recipient, config, now)
  return news && { to: recipient.email, news }
}

async function newsFor(
  db: Db,
  row: OutboxRow,
  recipient: Recipient,
  config: Config,
  now: Instant,
): Promise<News | undefined> {
  const { isVerified, approvalState } = recipient
  switch (row.kind) {
    case 'verification':
      return isVerified ? undefined : { kind: row.kind, key: await mintKey(db, recipient, 'verify', now) }
    case 'already_registered': {
      if (await hasSimilarMail(db, row, recipient.id, now - REGISTERED_AGAIN_MS)) return undefined
      return { kind: row.kind, key: isVerified ? undefined : await mintKey(db, recipient, 'verify', now) }
    }
    // Only a proven address may be given a new password: a mistyped one belongs to somebody else.
    case 'reset':
      return { kind: row.kind, isVerified, key: await mintKey(db, recipient, isVerified ? 'reset' : 'verify', now) }
    case 'password_changed':
      return { kind: row.kind, changedAt: row.created_at }
    case 'approved':
      return approvalState === 'approved'
        ? { kind: row.kind, isVerified: isVerified || !config.requireVerifiedEmail }
        : undefined
    case 'rejected':
      return approvalState === 'rejected' ? { kind: row.kind } : undefined
    case 'access_requested': {
      if (recipient.role !== 'admin' || approvalState !== 'approved') return undefined
      const waiting = await countPeopleWaiting(db, config.requireVerifiedEmail)
      return waiting > 0 ? { kind: row.kind, waiting } : undefined
    }
  }
}

async function mintKey(db: Db, { id, emailKey }: Recipient, purpose: TokenPurpose, now: Instant): Promise<Key> {
  const token = newKey()
  const goodUntil = now + LIFETIMES[purpose]
  await insertToken(db, {
    hash: hashSecret(token),
    purpose,
    user_id: id,
    email_key: emailKey,
    created_at: now,
    expires_at: goodUntil,
  })
  return { token, goodUntil }
}
