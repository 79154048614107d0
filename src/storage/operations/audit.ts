// Audit log: entries are appended and never changed; those of sign-ins are deleted after 90 days.
import { sql } from 'kysely'
import type { AuditAction, NewAuditEntry } from '../../domain/account/audit.ts'
import { CLOCK_TOLERANCE_MS, DAY_MS, type Instant } from '../../domain/time/instant.ts'
import type { Db } from '../tables.ts'
import { deleteBatch } from './purge.ts'

export async function insertAudit(db: Db, entry: NewAuditEntry, at: Instant): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      at,
      request_id: entry.requestId,
      actor_id: entry.actorId,
      action: entry.action,
      subject_id: entry.subjectId,
      detail: JSON.stringify(entry.detail),
    })
    .execute()
}

export interface AuditRecord extends NewAuditEntry {
  id: string
  at: Instant
  /** Current display names; null for a deleted account, and where there is no account. */
  actorName: string | null
  subjectName: string | null
}

export interface AuditFilters {
  action?: AuditAction | undefined
  /** The actor or the subject. */
  userId?: string | undefined
}

/** Newest first. */
export async function listAudit(
  db: Db,
  filters: AuditFilters,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ records: AuditRecord[]; total: number }> {
  const matching = matchingAudit(db, filters)
  const { total } = await matching.select((is) => is.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  if (offset >= total) return { records: [], total }
  const rows = await matching
    .leftJoin('users as actor', 'actor.id', 'audit.actor_id')
    .leftJoin('users as subject', 'subject.id', 'audit.subject_id')
    .selectAll('audit')
    .select(['actor.display_name as actor_name', 'subject.display_name as subject_name'])
    .orderBy('seq', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const records = rows.map((row) => ({
    id: String(row.seq),
    at: row.at,
    action: row.action,
    actorId: row.actor_id,
    actorName: row.actor_name,
    subjectId: row.subject_id,
    subjectName: row.subject_name,
    requestId: row.request_id,
    detail: JSON.parse(row.detail),
  }))
  return { records, total }
}

function matchingAudit(db: Db, { action, userId }: AuditFilters) {
  let query = db.selectFrom('audit')
  if (action) query = query.where('action', '=', action)
  if (userId !== undefined)
    query = query.where((is) => is.or([is('actor_id', '=', userId), is('subject_id', '=', userId)]))
  return query
}

/** Entries that were made while the clock was ahead do not count. */
export async function hasRecentAudit(
  db: Db,
  action: AuditAction,
  { now, ageMs }: { now: Instant; ageMs: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('audit')
    .select('seq')
    .where('action', '=', action)
    .where('at', '>=', now - ageMs)
    .where('at', '<=', now + CLOCK_TOLERANCE_MS)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Sign-in and access entries are deleted for privacy; all others stay. */
const PASSING: AuditAction[] = ['login_succeeded', 'login_failed', 'login_refused', 'token_refused', 'access_denied']
const PASSING_KEPT_MS = 90 * DAY_MS

export const purgeAudit = (db: Db, now: Instant): Promise<number> =>
  deleteBatch(db, 'audit', sql`action in (${sql.join(PASSING)}) and at < ${now - PASSING_KEPT_MS}`)
