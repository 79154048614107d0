// Earlier versions of events: copied inside the database before a change, listed, found and purged.
import { sql } from 'kysely'
import type { Instant } from '../../domain/time/instant.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { isPostgres, listedPairs, rawChange, rawQuery } from '../dialect.ts'
import { deleteInBatches } from '../operations/purge.ts'
import type { Db, EventRow, EventVersionRow, TrashRow } from '../tables.ts'
import { type EventTexts, unpackTexts } from './packed-texts.ts'

const COLUMNS = `event_key, version, changed_at, changed_by, changed_with, credential_id, changed_through, visibility,
  ended_at, deleted_by, deleted_with, octets, packing, ical, sent_ical`

const COPIED = `version, updated_at, updated_by, updated_with, updated_credential_id, updated_through, visibility`

const OCTETS = 'octet_length(ical) + coalesce(octet_length(sent_ical), 0)'

/**
 * Copies an event as it is into its earlier versions, as one statement, or as a part of one that then changes it. The
 * parameters of these numbers are its key, its version and when that ends.
 */
export const copyVersionText = (key: number, version: number, endedAt: number): string =>
  `insert into event_versions (${COLUMNS}) select key, ${COPIED}, cast(?${endedAt} as bigint), null, null, ${OCTETS}, 0,
    ical, sent_ical from events where key = ?${key} and version = ?${version} on conflict do nothing`

const COPY_VERSION = copyVersionText(1, 2, 3)

export async function insertVersion(db: Db, { key, version }: VersionedEvent, endedAt: number): Promise<void> {
  await rawQuery(db, COPY_VERSION, [key, version, endedAt])
}

export type VersionedEvent = Pick<EventRow, 'key' | 'version'>

/** The same for an event that is restored from the trash: its version ended when it was deleted. */
export async function insertVersionFromTrash(db: Db, key: number, { event_id: id }: TrashRow): Promise<void> {
  await rawQuery(
    db,
    `insert into event_versions (${COLUMNS}) select cast(?1 as bigint), ${COPIED}, deleted_at, deleted_by, deleted_with,
      ${OCTETS}, 0, ical, sent_ical from trash where event_id = ?2 on conflict do nothing`,
    [key, id],
  )
}

/** What one event's earlier versions take at most; the oldest are deleted first, and the last one stays. */
export const MAX_VERSION_OCTETS = 64 * 1_024 * 1_024
export const MAX_VERSIONS = 10_000

/** Between two checks of an event, texts of fewer characters than this add no more than some megabytes. */
const CHECKED_CHARS = 32 * 1_024
const CHECKED_VERSIONS = 64

/** Whether this change of an event is one whose transaction enforces the limits. */
export const isPruneDue = ({ version, ical, sent_ical: sent }: EventRow): boolean =>
  version % CHECKED_VERSIONS === 0 || ical.length + (sent?.length ?? 0) > CHECKED_CHARS

export const pruneVersions = (db: Db, key: number): Promise<number> =>
  rawChange(
    db,
    `delete from event_versions where event_key = ?1 and version <= (select max(version) from (select version,
      sum(octets) over later as total, row_number() over later as place from event_versions where event_key = ?1
      window later as (order by version desc)) as sums where place > 1 and (total > ?2 or place > ?3))`,
    [key, MAX_VERSION_OCTETS, MAX_VERSIONS],
  )

const LISTED = [
  ...(['version', 'changed_at', 'changed_by', 'changed_with', 'credential_id', 'changed_through'] as const),
  ...(['visibility', 'ended_at', 'deleted_by', 'deleted_with', 'octets'] as const),
] satisfies (keyof EventVersionRow)[]

/** A version without its texts. */
export type ListedVersion = Pick<EventVersionRow, (typeof LISTED)[number]>

/** Those that ended since. */
export const countVersions = async (db: Db, key: number, since: Instant): Promise<number> => {
  const text = 'select count(*) as total from event_versions where event_key = ?1 and ended_at >= ?2'
  const [row] = await rawQuery<{ total: number }>(db, text, [key, since])
  return row!.total
}

/** The last first. */
export const listVersions = (
  db: Db,
  key: number,
  since: Instant,
  { offset, limit }: { offset: number; limit: number },
): Promise<ListedVersion[]> =>
  rawQuery(
    db,
    `select ${LISTED.join(', ')} from event_versions where event_key = ?1 and ended_at >= ?2
      order by version desc limit ?3 offset ?4`,
    [key, since, limit, offset],
  )

/** The version itself, or the nearest one before or after it. */
export type VersionChoice = 'same' | 'before' | 'after'

const CHOICES: Record<VersionChoice, string> = {
  same: 'version = ?2',
  before: 'version < ?2 order by version desc',
  after: 'version > ?2 order by version',
}

export type FoundVersion = Omit<EventVersionRow, 'packed' | 'packing' | 'same_version' | 'ical' | 'sent_ical'> &
  EventTexts

/** With its texts. */
export async function findVersion(
  db: Db,
  key: number,
  version: number,
  choice: VersionChoice = 'same',
): Promise<FoundVersion | undefined> {
  const text = `select * from event_versions where event_key = ?1 and ${CHOICES[choice]} limit 1`
  const [row] = await rawQuery<EventVersionRow>(db, text, [key, version])
  if (!row) return undefined
  const { packing, same_version: same, ical, sent_ical, packed, ...known } = row
  if (packing !== 2) return { ...known, ...(packing === 1 ? unpackTexts(packed!) : { ical: ical!, sent_ical }) }
  // The oldest go first, so it is there unless both are due.
  const later = await findVersion(db, key, same!)
  return later && { ...known, ical: later.ical, sent_ical: later.sent_ical }
}

/** The names of accounts and credentials that made or deleted versions, by id; a deleted one has none. */
export async function listNames(db: Db, ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  if (known.length === 0) return new Map()
  const listed = isPostgres(db) ? 'json_array_elements_text(?1::json)' : 'json_each(?1)'
  const rows = await rawQuery<{ id: string; name: string | null }>(
    db,
    `select l.value as id, coalesce(u.display_name, p.name, k.name) as name from ${listed} l
      left join users u on u.id = l.value left join app_passwords p on p.id = l.value
      left join api_tokens k on k.id = l.value`,
    [JSON.stringify(known)],
  )
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])))
}

export const deleteVersions = (db: Db, key: number): Promise<void> =>
  deleteInBatches(db, 'event_versions', sql`event_key = ${key}`)

/** Enough for a statement that reads no texts to take a few milliseconds. */
const ROWS_AT_ONCE = 1_000

export type VersionPlace = Pick<EventVersionRow, 'event_key' | 'version'>

/** Versions stay, without the account that made or deleted them. Runs in slices that yield. */
export async function forgetVersionAuthor(db: Db, id: string): Promise<void> {
  const text = `select event_key, version, case when changed_by = ?3 or deleted_by = ?3 then 1 else 0 end as is_own
    from event_versions where (event_key, version) > (?1, ?2) order by event_key, version limit ${ROWS_AT_ONCE}`
  for (let after: VersionPlace = { event_key: -1, version: -1 }; ; ) {
    const rows = await rawQuery<VersionPlace & { is_own: 0 | 1 }>(db, text, [after.event_key, after.version, id])
    await clearVersionAuthor(
      db,
      id,
      rows.filter(({ is_own }) => is_own === 1),
    )
    if (rows.length < ROWS_AT_ONCE) return
    after = rows.at(-1)!
    await yieldToEventLoop()
  }
}

async function clearVersionAuthor(db: Db, id: string, own: readonly VersionPlace[]): Promise<void> {
  if (own.length === 0) return
  const pairs = own.map(({ event_key, version }) => [event_key, version])
  await rawQuery(
    db,
    `update event_versions set changed_by = nullif(changed_by, ?2), deleted_by = nullif(deleted_by, ?2),
      credential_id = case when changed_by = ?2 then null else credential_id end
      where (event_key, version) in (${listedPairs(db, 1)})`,
    [JSON.stringify(pairs), id],
  )
}
