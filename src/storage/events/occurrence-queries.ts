// SQL of the occurrence index: by time for a whole window, by event where the matches are known.
import type { Sight } from '../../domain/privacy/viewer.ts'
import { DAY_MS } from '../../domain/time/instant.ts'
import { isPostgres, listedNumbers, listedPairs } from '../dialect.ts'
import type { Db } from '../tables.ts'
import { BUCKETS, earliestStart, isAllDayBucket } from './duration-buckets.ts'
import { type EventQuery, filterOccurrences, hasOwnWords, isUnfiltered, shapeOf, soughtParameters } from './filters.ts'
import type { Window, WindowSlice } from './window-slices.ts'

/** Occurrences, their number by start day, or their events. */
export type OccurrenceResult = 'rows' | 'count' | 'events'

/** `by-event` reads the rows of each matching event; `by-time` reads every row of the window and tests it. */
export type QueryPlan = 'by-time' | 'by-event'

/** Up to this many matches, reading their rows is cheaper than reading those of the window. */
const FEW_MATCHES = 1_000

/** From this length on a window has several occurrences of most of its events, of which the first is enough. */
const LONG_WINDOW_MS = 62 * DAY_MS

export function planOf({ filters, found }: EventQuery, window: Window, result: OccurrenceResult): QueryPlan {
  if (found) return result === 'events' || found.keyCount + found.editedCount <= FEW_MATCHES ? 'by-event' : 'by-time'
  const isLong = window.timed.to - window.timed.from > LONG_WINDOW_MS
  return result === 'events' && isUnfiltered(filters) && isLong ? 'by-event' : 'by-time'
}

/** ?1 … ?4 are the window, then each lane's earliest start, then the filters, then the limit of `rows`. */
export const windowParameters = ({ window: { timed, dates }, since }: WindowSlice): number[] => [
  timed.from,
  timed.to,
  dates.from,
  dates.to,
  ...BUCKETS.map((lane) => {
    const [from, first] = isAllDayBucket(lane) ? [dates.from, since?.date] : [timed.from, since?.at]
    return Math.max(earliestStart(lane, from), first === undefined ? Number.NEGATIVE_INFINITY : first - 1)
  }),
]

const FIRST_FILTER = 5 + BUCKETS.length

const texts = new Map<string, string>()

export function occurrenceText(db: Db, query: EventQuery, plan: QueryPlan, result: OccurrenceResult): string {
  const name = [isPostgres(db), shapeOf(query), plan, result].join()
  const known = texts.get(name)
  if (known) return known
  const text = plan === 'by-event' ? textByEvent(db, query, result) : textByTime(db, query, result)
  texts.set(name, text)
  return text
}

const textByTime = (db: Db, query: EventQuery, result: OccurrenceResult): string =>
  BUCKETS.map((lane) => oneLane(db, lane, query, result)).join(' union all ')

function oneLane(db: Db, lane: number, query: EventQuery, result: OccurrenceResult): string {
  const [from, to] = endsOf(lane)
  const conditions = [
    `o.lane = ${lane} and o.start_at > ?${5 + lane} and o.start_at < ${to}`,
    `(o.end_at > ${from} or o.start_at >= ${from})`,
    ...(query.sight === 'public' ? ['o.is_hidden = 0'] : []),
    ...filterOccurrences(db, query, FIRST_FILTER),
  ].join(' and ')
  if (result === 'events') return `select distinct o.event_key from occurrences o where ${conditions}`
  if (result === 'count') {
    // Grouped by start first, which is the index order: sorting every occurrence by its day would be most of the work.
    const starts = `select o.start_at, count(*) as total from occurrences o where ${conditions} group by o.start_at`
    return `select ${lane} as lane, ${utcDay('s')} as day, sum(s.total) as total from (${starts}) s group by ${utcDay('s')}`
  }
  return `select * from (select ${COLUMNS} from occurrences o
    where ${conditions} order by o.start_at, o.end_at, o.event_key, o.local_at limit ${limitParameter(query)}) lane${lane}`
}

/** Plus signs keep SQLite off the index by time, which it would scan once for each event. */
function textByEvent(db: Db, query: EventQuery, result: OccurrenceResult): string {
  const inWindow = BUCKETS.map((lane) => {
    const [from, to] = endsOf(lane)
    return `(+o.lane = ${lane} and +o.start_at > ?${5 + lane} and +o.start_at < ${to}
      and (o.end_at > ${from} or o.start_at >= ${from}))`
  }).join(' or ')
  const conditions = `${query.sight === 'public' ? 'o.is_hidden = 0 and ' : ''}(${inWindow})`
  const inSeries = `o.event_key = k.key and ${conditions}${query.found ? ` and not ${hasOwnWords(query.sight)}` : ''}`
  const ofEdited = `o.event_key = p.key and o.local_at = p.local_at and ${conditions} and ${hasOwnWords(query.sight)}`
  if (!query.found)
    return `select k.key as event_key from ${query.sight === 'public' ? 'public_events' : 'events'} k where exists (select 1 from occurrences o where ${inSeries})`
  const places = `k(key) as (${listedNumbers(db, FIRST_FILTER)}), p(key, local_at) as (${listedPairs(db, FIRST_FILTER + 1)})`
  if (result === 'events')
    return `with ${places} select k.key as event_key from k where exists (select 1 from occurrences o where ${inSeries})
      union select p.key from p where exists (select 1 from occurrences o where ${ofEdited})`
  const matching = `with ${places}, m as (
    select ${COLUMNS} from k cross join occurrences o where ${inSeries}
    union all select ${COLUMNS} from p cross join occurrences o where ${ofEdited})`
  if (result === 'count')
    return `${matching} select m.lane, ${utcDay('m')} as day, count(*) as total from m group by m.lane, ${utcDay('m')}`
  return `${matching} select lane, start_at, end_at, event_key, local_at, is_overridden from (
    select m.*, row_number() over (partition by m.lane order by m.start_at, m.end_at, m.event_key, m.local_at) as nth
    from m) r where r.nth <= ${limitParameter(query)}`
}

const COLUMNS = 'o.lane, o.start_at, o.end_at, o.event_key, o.local_at, o.is_overridden'

const endsOf = (lane: number): [from: string, to: string] => (isAllDayBucket(lane) ? ['?3', '?4'] : ['?1', '?2'])

const limitParameter = (query: EventQuery): string => `?${FIRST_FILTER + soughtParameters(query).length}`

/** Integer division rounds towards zero, so the sum is made positive first and shifted back after. */
export const utcDay = (table: string): string => `((${table}.start_at + 8640000000000000) / ${DAY_MS} - 100000000)`

/**
 * Rows that count in the decision whether a read is costly, as a condition on `o`. For the public a row counts if it is
 * shown and would exist unedited: outside the index only edited occurrences have rows.
 */
const isCounted = (sight: Sight): string =>
  sight === 'public'
    ? ` and o.is_hidden = 0 and (o.is_overridden = 0 or not exists (select 1 from public_events e
        where e.key = o.event_key and e.visibility = 'private'
        and (o.start_at >= e.indexed_to or o.start_at < e.indexed_from)))`
    : ''

/** How many index rows begin in the window, counted no further than the limit. */
export const countText = (sight: Sight, limit: number): string => {
  const lanes = BUCKETS.map(
    (lane) => `select * from (select 1 as one from occurrences o where o.lane = ${lane} and o.start_at > ?${3 + lane}
      and o.start_at < ${isAllDayBucket(lane) ? '?2' : '?1'}${isCounted(sight)} limit ${limit}) lane${lane}`,
  )
  return `select count(*) as total from (select 1 as one from (${lanes.join(' union all ')}) l limit ${limit}) t`
}

export const countParameters = (window: Window): number[] => {
  const [, timedTo, , datesTo, ...earliest] = windowParameters({ window, since: undefined })
  return [timedTo!, datesTo!, ...earliest]
}

/** The rows of the matching events, counted no further than the limit: ?1 is the list of keys. */
export const countOfEventsText = (db: Db, sight: Sight, limit: number): string => {
  const rows = `occurrences o where o.event_key = k.key${isCounted(sight)}`
  // With a limit of its own for each event, PostgreSQL reads them by index and never scans the table once for all.
  const joined = isPostgres(db) ? `lateral (select 1 from ${rows} limit ${limit}) o` : rows
  return `with k(key) as (${listedNumbers(db, 1)})
  select count(*) as total from (select 1 as one from k cross join ${joined} limit ${limit}) t`
}
