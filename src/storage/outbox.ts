// Mails waiting to be sent, written in the transaction of what they tell of, and taken up by one node at a time.
import type { MailKind } from '../domain/account/mail-kind.ts'
import { HOUR_MS, type Instant, MINUTE_MS } from '../domain/time/instant.ts'
import { lockByNumber, runText, skipLocked } from './dialect.ts'
import type { Db, OutboxRow } from './tables.ts'

export interface NewMail {
  id: string
  kind: MailKind
  /** Whom it is for; or, where nobody has looked yet whose it is, the key of an address. */
  to: { userId: string } | { emailKey: string }
}

/** Due at once, unless it is said when. */
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

/** Any fixed numbers but those of other locks. */
const ACCESS_REQUESTS = 7_430_003
const CLAIMS = 7_430_004

/** An administrator hears of new requests this often at most; one mail then tells of all. */
const QUIET_MS = 10 * MINUTE_MS

/**
 * Tells every administrator that somebody waits, unless a mail that will say so is waiting already. One that is being
 * sent just now does not count: it may have been written before.
 */
export async function insertAccessRequests(db: Db, newId: () => string, now: Instant): Promise<void> {
  await lockByNumber(db, ACCESS_REQUESTS)
  const admins = await runText<{ id: string; last_at: number | null }>(
    db,
    `select id, (select max(done_at) from outbox
        where user_id = users.id and kind = 'access_requested' and status = 'sent') as last_at
      from users where role = 'admin' and approval_state = 'approved' and not exists (select 1 from outbox
        where user_id = users.id and kind = 'access_requested' and status = 'waiting' and claimed_until <= ?1)
      order by id`,
    [now],
  )
  for (const { id, last_at } of admins)
    await insertMail(
      db,
      { id: newId(), kind: 'access_requested', to: { userId: id } },
      now,
      Math.max(now, (last_at ?? 0) + QUIET_MS),
    )
}

const IS_DUE = `status = 'waiting' and next_at <= ?1 and claimed_until <= ?1`

export async function hasDueMail(db: Db, now: Instant): Promise<boolean> {
  return (await runText(db, `select 1 from outbox where ${IS_DUE} limit 1`, [now])).length > 0
}

export interface Claim {
  holder: string
  until: Instant
  /** How many may leave in an hour, from all nodes together; undefined for no limit. */
  perHour: number | undefined
}

/**
 * The mail that has waited longest, for this holder alone. When as many as may have left in the last hour, the ones that
 * are due are moved to when there is room again.
 */
export async function claimMail(
  db: Db,
  { holder, until, perHour }: Claim,
  now: Instant,
): Promise<OutboxRow | undefined> {
  if (perHour !== undefined) {
    await lockByNumber(db, CLAIMS)
    const roomAt = await findRoom(db, perHour, now)
    if (roomAt !== undefined) {
      await runText(db, `update outbox set next_at = ?2 where ${IS_DUE}`, [now, roomAt])
      return undefined
    }
  }
  const [row] = await runText<OutboxRow>(
    db,
    `with due as materialized (select id from outbox where ${IS_DUE} order by next_at, id limit 1 ${skipLocked(db)})
      update outbox set claimed_by = ?2, claimed_until = ?3, attempts = attempts + 1
      where id in (select id from due) returning *`,
    [now, holder, until],
  )
  return row
}

/** Undefined when there is room now. What another node has in hand counts as sent. */
async function findRoom(db: Db, perHour: number, now: Instant): Promise<Instant | undefined> {
  const [sent] = await runText<{ count: number; oldest: number | null }>(
    db,
    `select count(*) as count, min(done_at) as oldest from outbox where status = 'sent' and done_at > ?1`,
    [now - HOUR_MS],
  )
  const [inHand] = await runText<{ count: number }>(
    db,
    `select count(*) as count from outbox where status = 'waiting' and claimed_until > ?1`,
    [now],
  )
  if (sent!.count + inHand!.count < perHour) return undefined
  return sent!.oldest === null ? now + MINUTE_MS : sent!.oldest + HOUR_MS
}

/** Once the address is known to have an account, the mail is that account's. */
export async function nameRecipient(db: Db, id: string, userId: string): Promise<void> {
  await db.updateTable('outbox').set({ user_id: userId }).where('id', '=', id).execute()
}

/** Whether another mail of this kind was sent to the account since then, or has been taken up and will be. */
export async function hasSimilarMail(
  db: Db,
  { id, kind }: Pick<OutboxRow, 'id' | 'kind'>,
  userId: string,
  since: Instant,
): Promise<boolean> {
  const rows = await runText(
    db,
    `select 1 from outbox where user_id = ?1 and kind = ?2 and id <> ?3
      and (status = 'waiting' or (status = 'sent' and done_at > ?4)) limit 1`,
    [userId, kind, id, since],
  )
  return rows.length > 0
}

/** Done with, one way or the other; the address is no longer needed. False when the claim was lost meanwhile. */
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

export async function releaseMail(db: Db, holder: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ claimed_by: null, claimed_until: 0 })
    .where('claimed_by', '=', holder)
    .where('status', '=', 'waiting')
    .execute()
}

export async function hasMailWithProblem(db: Db, problem: string): Promise<boolean> {
  const text = `select 1 from outbox where status = 'waiting' and problem = ?1 limit 1`
  return (await runText(db, text, [problem])).length > 0
}

/** Those whose problem is gone need not wait for their turn. */
export async function hurryMailWithProblem(db: Db, problem: string, now: Instant): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ next_at: now })
    .where('status', '=', 'waiting')
    .where('problem', '=', problem)
    .where('next_at', '>', now)
    .execute()
}

export async function purgeMail(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('outbox').where('done_at', '<', before).execute()
}
