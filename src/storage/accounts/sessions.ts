// Queries for sessions; the cookie's secret is stored as a hash.
import { sql } from 'kysely'
import type { Account } from '../../domain/account/account.ts'
import { LONGEST_SESSION_MS, MAX_SESSIONS, type StoredSession } from '../../domain/account/session.ts'
import { CLOCK_TOLERANCE_MS, type Instant } from '../../domain/time/instant.ts'
import { lockForKeyShare, rawQuery } from '../dialect.ts'
import { raiseAccountsRevision } from '../events/calendar.ts'
import { deleteBatch } from '../operations/purge.ts'
import type { Db, SessionRow } from '../tables.ts'
import { accountOf } from './accounts.ts'

export interface SessionWithClient extends StoredSession {
  clientNet: string
  userAgent: string
}

export const insertSession = async (db: Db, row: SessionRow): Promise<void> => {
  await db.insertInto('sessions').values(row).execute()
}

export async function findSession(
  db: Db,
  hash: string,
): Promise<{ session: SessionWithClient; account: Account } | undefined> {
  const row = await db.selectFrom('sessions').selectAll().where('hash', '=', hash).executeTakeFirst()
  if (!row) return undefined
  const owner = await db.selectFrom('users').selectAll().where('id', '=', row.user_id).executeTakeFirst()
  return owner && { session: sessionOf(row), account: accountOf(owner) }
}

export async function touchSession(db: Db, id: string, now: Instant): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', id).execute()
}

export async function listSessions(db: Db, userId: string): Promise<SessionWithClient[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(sessionOf)
}

export const deleteSession = (db: Db, userId: string, id: string): Promise<boolean> =>
  deleteSessions(db, userId, (query) => query.where('id', '=', id))

/** Regardless of its account: a browser that signs in again gives up its earlier session. */
export async function deleteSessionByHash(db: Db, hash: string): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('sessions').where('hash', '=', hash).executeTakeFirst()
  if (numDeletedRows > 0n) await raiseAccountsRevision(db)
}

/** Whether it exists; in a transaction it cannot be deleted until that ends. */
export async function hasSession(db: Db, userId: string, id: string): Promise<boolean> {
  const text = `select id from sessions where user_id = ?1 and id = ?2${lockForKeyShare(db)}`
  return (await rawQuery(db, text, [userId, id])).length > 0
}

export const deleteSessionsOf = (db: Db, userId: string): Promise<boolean> =>
  deleteSessions(db, userId, (query) => query)

/**
 * Makes room for one more by deleting the least recently used. Those made while the clock was ahead are void and go
 * too; a use of that time counts for nothing.
 */
export function deleteOldestSessions(db: Db, userId: string, now: Instant): Promise<boolean> {
  const latest = now + CLOCK_TOLERANCE_MS
  const usedAt = sql`case when last_seen_at > ${latest} then created_at else last_seen_at end`
  const kept = db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('created_at', '<=', latest)
    .orderBy(usedAt, 'desc')
    .orderBy('id')
    .limit(MAX_SESSIONS - 1)
  return deleteSessions(db, userId, (query) => query.where('id', 'not in', kept))
}

/** Deletes sessions that are older than any role allows. */
export const purgeSessions = (db: Db, now: Instant): Promise<number> =>
  deleteBatch(db, 'sessions', sql`created_at < ${now - LONGEST_SESSION_MS}`)

type Deletion = ReturnType<typeof deletionOf>

const deletionOf = (db: Db, userId: string) => db.deleteFrom('sessions').where('user_id', '=', userId)

/** Raises the accounts revision, so that cached credentials are checked again. */
async function deleteSessions(db: Db, userId: string, narrow: (query: Deletion) => Deletion): Promise<boolean> {
  const { numDeletedRows } = await narrow(deletionOf(db, userId)).executeTakeFirst()
  if (numDeletedRows > 0n) await raiseAccountsRevision(db)
  return numDeletedRows > 0n
}

const sessionOf = (row: SessionRow): SessionWithClient => ({
  id: row.id,
  isRemembered: row.is_remembered === 1,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  clientNet: row.client_net,
  userAgent: row.user_agent,
})
