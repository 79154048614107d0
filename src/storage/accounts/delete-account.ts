// Deletes an account and its rows in slices that yield; its events stay, without an author.
import { sql } from 'kysely'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { inList, listedPairs, lockAccountsExclusive, rawChange, rawQuery } from '../dialect.ts'
import { raiseRevision } from '../events/calendar.ts'
import { forgetVersionAuthor } from '../history/versions.ts'
import { deleteInBatches } from '../operations/purge.ts'
import type { Db, ExceptionRow, Flag } from '../tables.ts'

/** Sessions, tokens, app passwords and waiting mail are deleted with the row; events stay, without the author's id. */
export async function deleteAccount(db: Db, id: string): Promise<void> {
  // Accounts are locked before events: their owners may be writing, and wait for events that are locked here.
  await lockAccountsExclusive(db, await listDecidedBy(db, id))
  // Before the counter, as writers lock them before it; then again for what others deleted or changed meanwhile.
  await forgetDeletions(db, id)
  await forgetVersionAuthor(db, id)
  await forgetAuthor(db, id)
  await forgetDeletions(db, id)
  await forgetVersionAuthor(db, id)
  await db.updateTable('users').set({ decided_by: null }).where('decided_by', '=', id).execute()
  await db.updateTable('categories').set({ renamed_by: null }).where('renamed_by', '=', id).execute()
  await deleteInBatches(db, 'idempotency_keys', sql`user_id = ${id}`)
  await deleteInBatches(
    db,
    'served_objects',
    sql`credential_id in (select credential_id from served_revisions where user_id = ${id})`,
  )
  // Mails that name only an address are deleted too; those that name the account are deleted with its row.
  const address = db.selectFrom('users').select('email_key').where('id', '=', id)
  await db.deleteFrom('outbox').where('email_key', 'in', address).execute()
  await db.deleteFrom('users').where('id', '=', id).execute()
}

/** Only accounts that can write: no other accounts are locked in share mode. */
async function listDecidedBy(db: Db, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('decided_by', '=', id)
    .where('approval_state', '=', 'approved')
    .where('role', '<>', 'reader')
    .execute()
  return rows.map((row) => row.id)
}

/** This many block the event loop for a few milliseconds on SQLite. */
const EVENTS_AT_ONCE = 500

/**
 * Full responses name the author, so the revision, which caches and ETags depend on, is raised; versions count changes
 * of the event and stay. Runs in slices that yield: one author may have every event. The author's account is locked, so
 * no event of theirs is added between two slices, and the counter is locked last, as in every write.
 */
async function forgetAuthor(db: Db, id: string): Promise<void> {
  const touched: number[] = []
  for (let after = -1; ; ) {
    const events = await listAuthors(db, after)
    const last = events.at(-1)
    if (!last) break
    const range = { after, last: last.key }
    const edited = new Set<number>()
    for await (const own of walkOwnExceptions(db, id, range)) for (const { event_key } of own) edited.add(event_key)
    const made = events.filter(({ created_by, updated_by }) => created_by === id || updated_by === id)
    const keys = [...new Set([...made.map(({ key }) => key), ...edited])]
    // Events before their exceptions, as in every other write.
    await clearAuthor(db, id, keys)
    if (edited.size > 0) for await (const own of walkOwnExceptions(db, id, range)) await clearExceptions(db, own)
    touched.push(...keys)
    after = last.key
    await yieldToEventLoop()
  }
  if (touched.length === 0) return
  const revision = await raiseRevision(db)
  for (let i = 0; i < touched.length; i += EVENTS_AT_ONCE) {
    const slice = touched.slice(i, i + EVENTS_AT_ONCE)
    await db
      .updateTable('events')
      .set({ revision })
      .where(inList(db, 'key', slice, 'bigint'))
      .execute()
    await yieldToEventLoop()
  }
}

const listAuthors = (db: Db, after: number) =>
  db
    .selectFrom('events')
    .select(['key', 'created_by', 'updated_by'])
    .where('key', '>', after)
    .orderBy('key')
    .limit(EVENTS_AT_ONCE)
    .execute()

/** One series may have thousands; this many take a few milliseconds on SQLite. */
const EXCEPTIONS_AT_ONCE = 1_000

type OwnException = Pick<ExceptionRow, 'event_key' | 'local_at'>

/** Exceptions of this account in a range of events, in slices that yield to the event loop. */
async function* walkOwnExceptions(
  db: Db,
  id: string,
  range: { after: number; last: number },
): AsyncGenerator<OwnException[]> {
  for (let from: OwnException = { event_key: range.after, local_at: Number.MAX_SAFE_INTEGER }; ; ) {
    const rows = await rawQuery<OwnException & { is_own: Flag }>(
      db,
      `select event_key, local_at, case when created_by = ?3 then 1 else 0 end as is_own from exceptions
        where (event_key, local_at) > (?1, ?2) and event_key <= ?4
        order by event_key, local_at limit ${EXCEPTIONS_AT_ONCE}`,
      [from.event_key, from.local_at, id, range.last],
    )
    yield rows.filter(({ is_own }) => is_own === 1)
    if (rows.length < EXCEPTIONS_AT_ONCE) return
    from = rows.at(-1)!
    await yieldToEventLoop()
  }
}

/** This many at a time block the event loop for a few milliseconds on SQLite: each row has the texts of an event. */
const DELETIONS_AT_ONCE = 100

/** Deleted events stay in the trash, without the author. */
async function forgetDeletions(db: Db, id: string): Promise<void> {
  const isOwn = '?1 in (created_by, updated_by, deleted_by)'
  const text = `update trash set created_by = nullif(created_by, ?1), updated_by = nullif(updated_by, ?1),
    deleted_by = nullif(deleted_by, ?1),
    credential_id = case when deleted_by = ?1 then null else credential_id end,
    updated_credential_id = case when updated_by = ?1 then null else updated_credential_id end
    where event_id in (select event_id from trash where ${isOwn} limit ${DELETIONS_AT_ONCE})`
  while ((await rawChange(db, text, [id])) === DELETIONS_AT_ONCE) await yieldToEventLoop()
}

async function clearExceptions(db: Db, own: readonly OwnException[]): Promise<void> {
  if (own.length === 0) return
  const pairs = own.map(({ event_key, local_at }) => [event_key, local_at])
  const text = `update exceptions set created_by = null where (event_key, local_at) in (${listedPairs(db, 1)})`
  await rawQuery(db, text, [JSON.stringify(pairs)])
}

async function clearAuthor(db: Db, id: string, keys: readonly number[]): Promise<void> {
  if (keys.length === 0) return
  await db
    .updateTable('events')
    .set({
      created_by: sql<string | null>`nullif(created_by, ${id})`,
      updated_by: sql<string | null>`nullif(updated_by, ${id})`,
      updated_credential_id: sql<string | null>`case when updated_by = ${id} then null else updated_credential_id end`,
    })
    .where(inList(db, 'key', keys, 'bigint'))
    .execute()
}
