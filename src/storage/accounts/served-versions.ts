// Queries for the object versions that a CalDAV credential has received.
import { sql } from 'kysely'
import type { Instant } from '../../domain/time/instant.ts'
import { isPostgres, listedPairs, rawQuery } from '../dialect.ts'
import { deleteBatch } from '../operations/purge.ts'
import type { Db } from '../tables.ts'

export interface ServedVersion {
  /** The object name: the last segment of its URL path. */
  name: string
  revision: number
}

export async function isVersionServed(
  db: Db,
  credentialId: string,
  { name, revision }: ServedVersion,
): Promise<boolean> {
  const rows = await rawQuery(
    db,
    `select 1 as found from served_revisions where credential_id = ?1 and revision >= ?2
      union all select 1 from served_objects where credential_id = ?1 and dav_name = ?3 and revision = ?2`,
    [credentialId, revision, name],
  )
  return rows.length > 0
}

export interface ServedVersions {
  credentialId: string
  userId: string
  /** Every object with this revision or an earlier one was received. */
  revision: number
  /** Objects with a later revision. */
  objects: readonly ServedVersion[]
}

/** Adds to what is stored: another node may have stored more. Does nothing if the credential was deleted. */
export async function saveServedVersions(
  db: Db,
  { credentialId, userId, revision, objects }: ServedVersions,
  now: Instant,
  maxObjects: number,
): Promise<void> {
  const saved = await rawQuery<{ revision: number }>(
    db,
    `insert into served_revisions (credential_id, user_id, revision, served_at)
      select ?1, u.id, ${number(db, 3)}, ${number(db, 4)} from users u
      where u.id = ?2 and (u.id = ?1 or exists (select 1 from app_passwords a where a.id = ?1))
      on conflict (credential_id) do update set served_at = excluded.served_at, revision =
        case when excluded.revision > served_revisions.revision then excluded.revision else served_revisions.revision end
      returning revision`,
    [credentialId, userId, revision, now],
  )
  const known = saved[0]?.revision
  if (known === undefined) return
  const newer = objects.filter((object) => object.revision > known)
  if (newer.length > 0)
    await rawQuery(
      db,
      `insert into served_objects (credential_id, dav_name, revision)
        select ?1, p.* from (${listedPairs(db, 2, ['text', 'bigint'])}) p where true
        on conflict (credential_id, dav_name) do update set revision = excluded.revision`,
      [credentialId, JSON.stringify(newer.map(({ name, revision }) => [name, revision]))],
    )
  await rawQuery(
    db,
    `delete from served_objects where credential_id = ?1 and (revision <= ?2 or (revision, dav_name) <= (
      select s.revision, s.dav_name from served_objects s where s.credential_id = ?1
      order by s.revision desc, s.dav_name desc limit 1 offset ?3))`,
    [credentialId, known, maxObjects],
  )
}

/** A parameter whose type PostgreSQL cannot infer in a select list. */
const number = (db: Db, nth: number): string => (isPostgres(db) ? `?${nth}::bigint` : `?${nth}`)

/** For a credential that was deleted; its objects go with it. */
export async function deleteServedVersions(db: Db, credentialId: string): Promise<void> {
  await db.deleteFrom('served_revisions').where('credential_id', '=', credentialId).execute()
}

/** Before their credentials, which would be deleted with up to 500 objects each. */
export const purgeServedObjects = (db: Db, before: Instant): Promise<number> =>
  deleteBatch(
    db,
    'served_objects',
    sql`credential_id in (select credential_id from served_revisions where served_at < ${before})`,
  )

export const purgeServedRevisions = (db: Db, before: Instant): Promise<number> =>
  deleteBatch(db, 'served_revisions', sql`served_at < ${before}`)
