// Replaces the texts of earlier versions by packed ones; equal texts of an event are stored once.
import { isPostgres, listedPairs, rawChange, rawQuery } from '../dialect.ts'
import type { Db, EventVersionRow } from '../tables.ts'
import type { EventTexts } from './packed-texts.ts'
import type { VersionPlace } from './versions.ts'

export type UnpackedVersion = VersionPlace & Pick<EventVersionRow, 'octets'>

/** The oldest first: a later version takes the place of equal texts. */
export const listUnpacked = (db: Db, limit: number): Promise<UnpackedVersion[]> =>
  rawQuery(
    db,
    `select event_key, version, octets from event_versions where packing = 0
      order by ended_at, event_key, version limit ?1`,
    [limit],
  )

export const listUnpackedTexts = (db: Db, places: readonly VersionPlace[]): Promise<(UnpackedVersion & EventTexts)[]> =>
  rawQuery(
    db,
    `select event_key, version, octets, ical, sent_ical from event_versions where packing = 0
      and (event_key, version) in (${listedPairs(db, 1)}) order by event_key, version`,
    [JSON.stringify(places.map(({ event_key, version }) => [event_key, version]))],
  )

const PACKED = ['event_key', 'version', 'octets', 'packing', 'packed'] as const satisfies (keyof EventVersionRow)[]

export type PackedVersion = Pick<EventVersionRow, (typeof PACKED)[number]>

/** Does nothing for a version that was deleted meanwhile. */
export async function replaceByPacked(db: Db, row: PackedVersion): Promise<void> {
  const isReplaced = await (isPostgres(db) ? updateRow(db, row) : moveRow(db, row))
  if (isReplaced && row.packing === 1) await mergeEarlier(db, row)
}

const CHANGED = 'octets = ?3, packing = ?4, packed = ?5'
const HERE = 'event_key = ?1 and version = ?2 and packing = 0'
/** A text that does not become shorter stays as it is. */
const KEPT = 'case when ?4 = 3 then'

const updateRow = async (db: Db, row: PackedVersion): Promise<boolean> => {
  const text = `update event_versions set ${CHANGED}, ical = ${KEPT} ical end, sent_ical = ${KEPT} sent_ical end
    where ${HERE}`
  return (await rawChange(db, text.replaceAll('?4', 'cast(?4 as smallint)'), valuesOf(row))) > 0
}

/**
 * SQLite leaves the pages of a row as they are when it becomes shorter. Moved to the end of the table, rows are close
 * together, and the pages that they leave are used again.
 */
async function moveRow(db: Db, row: PackedVersion): Promise<boolean> {
  const moved = `rowid = (select max(rowid) + 1 from event_versions)`
  const text = `update event_versions set ${CHANGED}, ical = ${KEPT} ical end, sent_ical = ${KEPT} sent_ical end, ${moved}
    where ${HERE}`
  return (await rawChange(db, text, valuesOf(row))) > 0
}

const valuesOf = (row: PackedVersion): unknown[] => PACKED.map((column) => row[column])

/** How many versions back an equal text is found. */
const COMPARED_VERSIONS = 1_000

/** Earlier versions of the event with the same texts refer to this one: the oldest are purged first. */
async function mergeEarlier(db: Db, { event_key: key, version, octets, packed }: PackedVersion): Promise<void> {
  const [equal] = await rawQuery<{ version: number }>(
    db,
    `select version from event_versions where event_key = ?1 and version < ?2 and version >= ?3 and packing = 1
      and octets = ?4 and packed = ?5 limit 1`,
    [key, version, version - COMPARED_VERSIONS, octets, packed],
  )
  if (!equal) return
  await rawQuery(
    db,
    `update event_versions set packing = 2, octets = 0, packed = null, same_version = ?2
      where event_key = ?1 and version < ?2 and version >= ?3 and (version = ?4 or same_version = ?4)`,
    [key, version, version - COMPARED_VERSIONS, equal.version],
  )
}
