// Event rows for lists: many at once, without long texts and without dates that are not shown.
import type { Transparency } from '../../domain/calendar/event.ts'
import { listedNumbers, rawQuery } from '../dialect.ts'
import { type Db, type KnownEventRow, type PublicEventRow, TIME_COLUMNS } from '../tables.ts'
import { KNOWN_COLUMNS } from './events.ts'
import { hasCategory, listParameters } from './filters.ts'

/** Events with longer texts and dates are read one by one: a hundred of them together would take long. */
const MAX_LISTED_OCTETS = 16_384

export type ListedEventRow = Omit<KnownEventRow, 'search_text'>

/** `withDates`: also the extra dates, of events that are not private to the reader. Leaves out those of `listLongRows`. */
export const listEventRows = (db: Db, keys: readonly number[], withDates: boolean): Promise<ListedEventRow[]> =>
  rawQuery(db, shortText(db, FULL, withDates), [JSON.stringify(keys)])

export const listPublicEventRows = (db: Db, keys: readonly number[], withDates: boolean): Promise<PublicEventRow[]> =>
  rawQuery(db, shortText(db, PUBLIC, withDates), [JSON.stringify(keys)])

export interface LongRow {
  key: number
  id: string
  octets: number
}

/** Those that the lists above leave out. */
export const listLongRows = (db: Db, keys: readonly number[], isPublic: boolean, withDates: boolean) => {
  const list = isPublic ? PUBLIC : FULL
  const octets = octetsOf(list, withDates)
  const text = `select key, id, ${octets} as octets from ${list.table}
    where key in (${listedNumbers(db, 1)}) and ${octets} > ${MAX_LISTED_OCTETS}`
  return rawQuery<LongRow>(db, text, [JSON.stringify(keys)])
}

interface RowList {
  table: string
  columns: readonly string[]
  /** The extra dates that the reader may see. */
  dates: string
}

/** What is free of these events, and edited occurrences with a transparency of their own: of public events alone. */
export const listPublicTransparency = (db: Db, keys: readonly number[]): Promise<TransparencyRow[]> =>
  rawQuery(
    db,
    `select e.key as event_key, cast(null as bigint) as local_at, e.transparency from events e
      where e.visibility = 'public' and e.transparency = 'transparent' and e.key in (${listedNumbers(db, 1)})
      union all select x.event_key, x.local_at, x.transparency from exceptions x join events e on e.key = x.event_key
      where e.visibility = 'public' and x.kind = 'overridden' and x.transparency is not null
      and x.event_key in (${listedNumbers(db, 1)})`,
    [JSON.stringify(keys)],
  )

export interface TransparencyRow {
  event_key: number
  /** Null for the series. */
  local_at: number | null
  transparency: Transparency
}

const FULL: RowList = {
  table: 'events',
  columns: KNOWN_COLUMNS.filter((name) => name !== 'search_text'),
  dates: 'rdates',
}

const PUBLIC: RowList = {
  table: 'public_events',
  columns: [...TIME_COLUMNS, 'title', 'description', 'location', 'category', 'url', 'status'],
  dates: "case when visibility = 'public' then rdates else '[]' end",
}

function shortText(db: Db, list: RowList, withDates: boolean): string {
  const dates = withDates ? list.dates : "'[]'"
  const columns = list.columns.map((name) => (name === 'rdates' ? `${dates} as rdates` : name))
  return `select ${columns.join(', ')} from ${list.table}
    where key in (${listedNumbers(db, 1)}) and ${octetsOf(list, withDates)} <= ${MAX_LISTED_OCTETS}`
}

const octetsOf = ({ dates }: RowList, withDates: boolean): string =>
  ['title', 'description', 'location', ...(withDates ? [dates] : [])]
    .map((value) => `coalesce(octet_length(${value}), 0)`)
    .join(' + ')

/** The keys of all events after a key and the lengths of their texts, for a feed with full details. */
export const listFeedSizes = (
  db: Db,
  categories: readonly string[] | undefined,
  afterKey: number,
  limit: number,
): Promise<{ key: number; octets: number }[]> => {
  const condition = categories ? ` and ${hasCategory('full', 'e', listParameters(3, categories.length))}` : ''
  return rawQuery(
    db,
    `select e.key, octet_length(e.ical) as octets from events e where e.key > ?1${condition} order by e.key limit ?2`,
    [afterKey, limit, ...(categories ?? [])],
  )
}
