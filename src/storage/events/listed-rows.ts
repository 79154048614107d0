// Event rows for lists: many at once, without long texts and without dates that are not shown.
import { listedNumbers, rawQuery } from '../dialect.ts'
import { type Db, type KnownEventRow, type PublicEventRow, TIME_COLUMNS } from '../tables.ts'
import { KNOWN_COLUMNS } from './events.ts'

/** A row of a list. If its texts have more octets than `MAX_LISTED_OCTETS`, they are empty. */
export type ListedRow<Row> = Row & { octets: number }

/** Events with longer texts are read one by one: a hundred of them together would take long. */
export const MAX_LISTED_OCTETS = 16_384

/** `withDates`: also the extra dates, of events that are not private to the reader. */
export const listEventRows = (
  db: Db,
  keys: readonly number[],
  withDates: boolean,
): Promise<ListedRow<KnownEventRow>[]> =>
  rawQuery(db, listedText(db, 'events', KNOWN_COLUMNS, withDates ? 'rdates' : "'[]'"), [JSON.stringify(keys)])

export const listPublicEventRows = (
  db: Db,
  keys: readonly number[],
  withDates: boolean,
): Promise<ListedRow<PublicEventRow>[]> => {
  const dates = withDates ? "case when visibility = 'public' then rdates else '[]' end" : "'[]'"
  return rawQuery(db, listedText(db, 'public_events', PUBLIC_COLUMNS, dates), [JSON.stringify(keys)])
}

const PUBLIC_COLUMNS = [...TIME_COLUMNS, 'title', 'description', 'location', 'category', 'url', 'status']

function listedText(db: Db, table: string, columns: readonly string[], dates: string): string {
  const short = Object.entries({ title: "''", description: 'null', location: 'null', rdates: "'[]'" })
  const cut = new Map(
    short.map(([name, none]) => [
      name,
      `case when t.octets > ${MAX_LISTED_OCTETS} then ${none} else t.${name} end as ${name}`,
    ]),
  )
  const inner = columns.map((name) => (name === 'rdates' ? `${dates} as rdates` : name))
  return `select ${columns.map((name) => cut.get(name) ?? `t.${name}`).join(', ')}, t.octets from (
    select ${inner.join(', ')}, octet_length(title) + coalesce(octet_length(description), 0)
      + coalesce(octet_length(location), 0) + octet_length(${dates}) as octets
    from ${table} where key in (${listedNumbers(db, 1)})) t`
}
