// Mail outbox: rows are inserted in the transaction of their cause and claimed by one node each.
import { sql } from 'kysely'
import type { MailKind } from '../../domain/account/mail-kind.ts'
import { CLOCK_TOLERANCE_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../domain/time/instant.ts'
import { lockByNumber, rawQuery, skipLocked } from '../dialect.ts'
import type { Db, OutboxRow } from '../tables.ts'
import { deleteBatch } from './purge.ts'

export interface NewMail {
  id: string
  kind: MailKind
  /** The recipient's account, or the key of an address whose account has not been looked up yet. */
  to: { userId: string } | { emailKey: string }
}

/** Due at once unless `nextAt` is given. */
export async function insertMail(
  db: Db,
  { id, kind, to }: NewMail,
  now: Instant,
  nextAt: Instant = now,
): Promise<void> {
  await db
    .insertInto('outbox')
    .values({
      id,
      kind,
      user_id: 'userId' in to ? to.userId : null,
      email_key: 'emailKey' in to ? to.emailKey : null,
      status: 'waiting',
      attempts: 0,
      next_at: nextAt,
      claimed_by: null,
      claimed_until: 0,
      problem: null,
      created_at: now,
      done_at: null,
    })
    .execute()
}

/** Any fixed numbers other than those of other locks. */
const ACCESS_REQUESTS = 7_430_003
const CLAIMS = 7_430_004

/** An administrator is notified of new requests at most this often; one mail then covers all. */
const QUIET_MS = 10 * MINUTE_MS

/**
 * Notifies every administrator of waiting requests, unless such a mail is already waiting. A mail that is being sent
 * does not count: it may have been written before.
 */
export async function insertAccessRequests(db: Db, newId: () => string, now: Instant): Promise<void> {
  await lockByNumber(db, ACCESS_REQUESTS)
  const admins = await rawQuery<{ id: string; last_at: number | null }>(
    db,
    `select id, (select max(done_at) from outbox
        where user_id = users.id and kind = 'access_requested' and status = 'sent' and done_at <= ?2) as last_at
      from users where role = 'admin' and approval_state = 'approved' and not exists (select 1 from outbox
        where user_id = users.id and kind = 'access_requested' and status = 'waiting' and claimed_until <= ?1)
      order by id`,
    [now, now + CLOCK_TOLERANCE_MS],
  )
  for (const { id, last_at } of admins)
    await insertMail(
      db,
      { id: newId(), kind: 'access_requested', to: { userId: id } },
      now,
      Math.max(now, (last_at ?? 0) + QUIET_MS),
    )
}

/** Sends every administrator a mail of this kind; false if there is none. */
export async function notifyAdministrators(
  db: Db,
  kind: 'backup_failed' | 'bulk_changes',
  newId: () => string,
  now: Instant,
): Promise<boolean> {
  const admins = await rawQuery<{ id: string }>(
    db,
    `select id from users where role = 'admin' and approval_state = 'approved' order by id`,
    [],
  )
  for (const { id } of admins) await insertMail(db, { id: newId(), kind, to: { userId: id } }, now)
  return admins.length > 0
}

/** The longest delay and the longest claim of a mail. */
export const LONGEST_WAIT_MS = HOUR_MS
export const LONGEST_CLAIM_MS = 3 * MINUTE_MS

/** Further ahead than any time is set: the clock was set back since, so the mail does not wait for it. */
const isBeyond = (column: string, longestMs: number): string => `${column} > ?1 + ${2 * longestMs}`
const IS_CLAIMED = `claimed_until > ?1 and not ${isBeyond('claimed_until', LONGEST_CLAIM_MS)}`
const IS_DUE = `status = 'waiting' and (next_at <= ?1 or ${isBeyond('next_at', LONGEST_WAIT_MS)}) and not (${IS_CLAIMED})`

export async function hasDueMail(db: Db, now: Instant): Promise<boolean> {
  return (await rawQuery(db, `select 1 from outbox where ${IS_DUE} limit 1`, [now])).length > 0
}

export interface Claim {
  holder: string
  until: Instant
  /** Mails per hour from all nodes together; undefined for no limit. */
  perHour: number | undefined
}

/** Claims the oldest due mail for this holder. */
export async function claimMail(
  db: Db,
  { holder, until, perHour }: Claim,
  now: Instant,
): Promise<OutboxRow | undefined> {
  if (perHour !== undefined) {
    await lockByNumber(db, CLAIMS)
    await holdBack(db, perHour, now)
  }
  const [row] = await rawQuery<OutboxRow>(
    db,
    `with due as materialized (select id from outbox where ${IS_DUE} order by created_at, id limit 1 ${skipLocked(db)})
      update outbox set claimed_by = ?2, claimed_until = ?3, attempts = attempts + 1
      where id in (select id from due) returning *`,
    [now, holder, until],
  )
  return row
}

/** A notice of a changed password must reach the owner of a stolen one: this kind neither counts nor waits. */
const IS_LIMITED = `kind <> 'password_changed'`

/**
 * Postpones due mail until the hourly limit has room: all of it when the limit is used up, one kind when half of the
 * limit was of that kind. Mail that another node has claimed counts as sent, and so does mail that was accepted and
 * then not sent: otherwise the delay of one's own mail would reveal whether other addresses have accounts.
 */
async function holdBack(db: Db, perHour: number, now: Instant): Promise<void> {
  const used = await rawQuery<{ kind: MailKind; count: number; oldest: number | null }>(
    db,
    `select kind, count(*) as count, min(done_at) as oldest from (
        select kind, done_at from outbox where ${IS_LIMITED} and status <> 'waiting' and done_at > ?2 and done_at < ?3
        union all select kind, null from outbox where ${IS_LIMITED} and status = 'waiting' and ${IS_CLAIMED}) as used
      group by kind`,
    [now, now - HOUR_MS, now + HOUR_MS],
  )
  const putOff = (those: typeof used, kind: MailKind | null) => {
    const roomAt = Math.min(...those.map(({ oldest }) => (oldest === null ? now + MINUTE_MS : oldest + HOUR_MS)))
    const which = `${IS_LIMITED} and kind = coalesce(?3, kind)`
    return rawQuery(db, `update outbox set next_at = ?2 where ${IS_DUE} and ${which}`, [now, roomAt, kind])
  }
  const total = used.reduce((sum, { count }) => sum + count, 0)
  if (total >= perHour) await putOff(used, null)
  else for (const one of used) if (one.count >= perHour / 2) await putOff([one], one.kind)
}

/** Once the address is known to have an account, the mail belongs to that account. */
export async function setMailAccount(db: Db, id: string, userId: string): Promise<void> {
  await db.updateTable('outbox').set({ user_id: userId }).where('id', '=', id).execute()
}

/** Whether another mail of this kind was sent to the account in the last `quietMs`, or waits to be sent. */
export async function hasSimilarMail(
  db: Db,
  { id, kind }: Pick<OutboxRow, 'id' | 'kind'>,
  userId: string,
  { now, quietMs }: { now: Instant; quietMs: number },
): Promise<boolean> {
  const rows = await rawQuery(
    db,
    `select 1 from outbox where user_id = ?1 and kind = ?2 and id <> ?3
      and (status = 'waiting' or (status = 'sent' and done_at > ?4 and done_at <= ?5)) limit 1`,
    [userId, kind, id, now - quietMs, now + CLOCK_TOLERANCE_MS],
  )
  return rows.length > 0
}

/** Finishes a mail with its result and removes the address. False when the claim was lost meanwhile. */
export function settleMail(
  db: Db,
  id: string,
  holder: string,
  end: { status: 'sent' | 'failed' | 'dropped'; problem?: string; at: Instant },
): Promise<boolean> {
  const { status, problem = null, at } = end
  return updateClaimed(db, id, holder, { status, problem, done_at: at, email_key: null })
}

export const postponeMail = (db: Db, id: string, holder: string, nextAt: Instant, problem: string): Promise<boolean> =>
  updateClaimed(db, id, holder, { next_at: nextAt, problem })

async function updateClaimed(db: Db, id: string, holder: string, change: Partial<OutboxRow>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ ...change, claimed_by: null, claimed_until: 0 })
    .where('id', '=', id)
    .where('claimed_by', '=', holder)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Releases the holder's claims, as if they had never been made. */
export async function releaseMail(db: Db, holder: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set((is) => ({ claimed_by: null, claimed_until: 0, attempts: is('attempts', '-', 1) }))
    .where('claimed_by', '=', holder)
    .where('status', '=', 'waiting')
    .execute()
}

export async function hasMailWithProblem(db: Db, problem: string): Promise<boolean> {
  const text = `select 1 from outbox where status = 'waiting' and problem = ?1 limit 1`
  return (await rawQuery(db, text, [problem])).length > 0
}

/** Makes mail due at once whose problem is solved. */
export async function retryMailWithProblem(db: Db, problem: string, now: Instant): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ next_at: now })
    .where('status', '=', 'waiting')
    .where('problem', '=', problem)
    .where('next_at', '>', now)
    .execute()
}

export const purgeMail = (db: Db, before: Instant): Promise<number> =>
  deleteBatch(db, 'outbox', sql`done_at < ${before}`)
