// Masking read model: fetches event rows for a sight and returns only what that sight may see.
//
// Reads that do not pass here: CalDAV objects and exports send stored texts and require full access themselves;
// public feeds send texts that were masked when they were written (public-text.ts); writes read the row they change.
// test/architecture.test.ts lists the files.
import type { Context } from '../../context.ts'
import { type ShownEvent, type StoredEvent, show } from '../../domain/privacy/mask.ts'
import type { Sight } from '../../domain/privacy/viewer.ts'
import type { LocalMs } from '../../domain/time/instant.ts'
import { createYielder } from '../../scheduling/event-loop.ts'
import { findEventRow, findPublicEventRow } from '../../storage/events/events.ts'
import {
  type ExceptionQuery,
  hasMoreExceptions,
  walkExceptions,
  walkExceptionsAt,
  walkExceptionTimes,
} from '../../storage/events/exceptions.ts'
import {
  type ListedEventRow,
  listEventRows,
  listLongRows,
  listPublicEventRows,
} from '../../storage/events/listed-rows.ts'
import type { OccurrenceRef } from '../../storage/events/occurrence-index.ts'
import type { Db, KnownEventRow, PublicEventRow, PublicExceptionRow, TimeColumns } from '../../storage/tables.ts'
import { eventFromPublicRow, eventFromRow, withMaskedRepetition, withOverride, withRepetition } from './event-mapper.ts'
import { type ByteCount, bytesOfEntry, bytesOfWords, createByteCount } from './list-bytes.ts'

/** One entry of a list; `key` names the occurrence of a series. */
export interface ShownOccurrence {
  event: ShownEvent
  key: LocalMs | undefined
}

interface FetchedRow {
  row: TimeColumns
  event: StoredEvent
}

/**
 * The whole series, with its repetition. Undefined when there is no such event at this sight; 'costly', without any
 * result, when its dates or exceptions exceed the limits, counted as this sight sees them.
 */
export async function viewSeries(ctx: Context, db: Db, sight: Sight, id: string): Promise<ShownEvent | undefined>
export async function viewSeries(
  ctx: Context,
  db: Db,
  sight: Sight,
  id: string,
  limits: StoredLimits,
): Promise<ShownEvent | undefined | 'costly'>
export async function viewSeries(
  ctx: Context,
  db: Db,
  sight: Sight,
  id: string,
  limits: StoredLimits = {},
): Promise<ShownEvent | undefined | 'costly'> {
  const fetched = await findOne(ctx, db, sight, id)
  if (!fetched) return undefined
  if (fetched.row.rdates.length > (limits.rdateCharacters ?? Number.POSITIVE_INFINITY)) return 'costly'
  const keys = fetched.row.is_recurring === 1 ? [fetched.row.key] : []
  const exceptions = await readExceptions(db, { sight, keys }, limits.exceptions, createByteCount(limits.bytes))
  if (!exceptions) return 'costly'
  return showSafely(ctx, id, () => show(withExceptions(fetched, sight, exceptions), sight))
}

/** The same of a row that was read or written in this transaction, for a reader with full access. */
export const viewFullRow = async (ctx: Context, db: Db, row: KnownEventRow): Promise<ShownEvent | undefined> =>
  row.is_recurring === 1
    ? viewSeries(ctx, db, 'full', row.id)
    : showSafely(ctx, row.id, () => show(withExceptions(fetchedOf(ctx, row), 'full', []), 'full'))

/** Text fields only where they are shown: the public sees excluded dates, but no text of edited occurrences. */
type ListedException = Pick<PublicExceptionRow, 'event_key' | 'local_at' | 'kind'> & Partial<PublicExceptionRow>

/** Yields to the event loop between parts. Undefined where their number or bytes exceed the limit. */
async function readExceptions(
  db: Db,
  query: ExceptionQuery,
  most: number | undefined,
  count: ByteCount,
): Promise<ListedException[] | undefined> {
  if (await hasMoreExceptions(db, query, most ?? Number.POSITIVE_INFINITY)) return undefined
  const all: ListedException[] = []
  const pause = createYielder()
  const parts: AsyncIterable<ListedException[]> =
    query.sight === 'full' ? walkExceptions(db, query) : walkExceptionTimes(db, query)
  for await (const rows of parts) {
    for (const row of rows) {
      if (count.isOver(bytesOfWords(row))) return undefined
      all.push(row)
    }
    await pause()
  }
  return all
}

function withExceptions({ event, row }: FetchedRow, sight: Sight, exceptions: readonly ListedException[]): StoredEvent {
  return sight === 'full'
    ? withRepetition(event, row, exceptions as readonly PublicExceptionRow[])
    : withMaskedRepetition(event, row, exceptions)
}

const isMasked = ({ visibility }: TimeColumns, sight: Sight): boolean => sight === 'public' && visibility === 'private'

async function findOne(ctx: Context, db: Db, sight: Sight, id: string): Promise<FetchedRow | undefined> {
  const row = await (sight === 'full' ? findEventRow(db, id) : findPublicEventRow(db, id))
  return row && fetchedOf(ctx, row)
}

const fetchedOf = (ctx: Context, row: ListedEventRow | PublicEventRow): FetchedRow => ({
  row,
  event: 'version' in row ? eventFromRow(row, ctx.secret) : eventFromPublicRow(row),
})

/**
 * Occurrences in the order given. Those whose event is gone, or not visible at this sight, are left out. Undefined
 * where they exceed `mostBytes` together, as this sight sees them.
 */
export async function viewOccurrences(
  ctx: Context,
  db: Db,
  sight: Sight,
  placed: readonly OccurrenceRef[],
): Promise<ShownOccurrence[]>
export async function viewOccurrences(
  ctx: Context,
  db: Db,
  sight: Sight,
  placed: readonly OccurrenceRef[],
  mostBytes: number,
): Promise<ShownOccurrence[] | undefined>
export async function viewOccurrences(
  ctx: Context,
  db: Db,
  sight: Sight,
  placed: readonly OccurrenceRef[],
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<ShownOccurrence[] | undefined> {
  // Counts the rows first, each once, so that not all are read; then the entries, which repeat their event's text.
  const read = createByteCount(mostBytes)
  const fetched = await fetchEvents(ctx, db, sight, placed, read, false)
  const edited = placed.filter(({ is_overridden }) => is_overridden === 1)
  const places = edited.map(({ event_key, local_at }) => [event_key, local_at] as const)
  const overrides = fetched && (await fetchOverrides(db, sight, places, read))
  if (!fetched || !overrides) return undefined
  const items: ShownOccurrence[] = []
  const listed = createByteCount(mostBytes)
  const pause = createYielder()
  for (const place of placed) {
    await pause()
    const found = fetched.get(place.event_key)
    if (!found) continue
    const override = overrides.get(`${place.event_key} ${place.local_at}`)
    const shown = showSafely(ctx, found.row.id, () => show(occurrenceOf(found, place, override), sight))
    if (!shown) continue
    if (listed.isOver(bytesOfEntry(shown))) return undefined
    items.push({ event: shown, key: shown.isRecurring ? place.local_at : undefined })
  }
  return items
}

async function fetchOverrides(
  db: Db,
  sight: Sight,
  places: readonly (readonly [eventKey: number, localAt: LocalMs])[],
  count: ByteCount,
): Promise<Map<string, PublicExceptionRow> | undefined> {
  const overrides = new Map<string, PublicExceptionRow>()
  const pause = createYielder()
  for await (const rows of walkExceptionsAt(db, sight, places)) {
    for (const row of rows) {
      if (count.isOver(bytesOfWords(row))) return undefined
      overrides.set(`${row.event_key} ${row.local_at}`, row)
    }
    await pause()
  }
  return overrides
}

function occurrenceOf(
  { event }: FetchedRow,
  place: OccurrenceRef,
  override: PublicExceptionRow | undefined,
): StoredEvent {
  if (place.is_overridden === 1 && override?.kind === 'overridden') return withOverride(event, override)
  const timing = {
    ...event.timing,
    startWall: place.local_at,
    startAt: place.start_at,
    durationMs: place.end_at - place.start_at,
  }
  return { ...event, timing }
}

/** Limits of what is shown: exceptions of all events together, and bytes as the reader sees them. */
export interface StoredLimits {
  /** Length of the stored list of extra dates of one series: each date is tested when the series is masked. */
  rdateCharacters?: number
  exceptions?: number
  bytes?: number
}

/** Each event once, as stored. Undefined where the limits are exceeded. */
export async function viewStored(
  ctx: Context,
  db: Db,
  sight: Sight,
  placed: readonly Pick<OccurrenceRef, 'event_key'>[],
  { exceptions, bytes }: StoredLimits = {},
): Promise<ShownOccurrence[] | undefined> {
  const read = createByteCount(bytes)
  const fetched = await fetchEvents(ctx, db, sight, placed, read, true)
  if (!fetched) return undefined
  const keys = [...fetched.values()].flatMap(({ row }) => (isMasked(row, sight) ? [] : [row.key]))
  const found = await readExceptions(db, { sight, keys }, exceptions, read)
  if (!found) return undefined
  const byEvent = Map.groupBy(found, ({ event_key }) => event_key)
  const items: ShownOccurrence[] = []
  const listed = createByteCount(bytes)
  const pause = createYielder()
  for (const { event_key } of placed) {
    await pause()
    const stored = fetched.get(event_key)
    if (!stored) continue
    const shown = showSafely(ctx, stored.row.id, () => show(storedOf(stored, sight, byEvent.get(event_key)), sight))
    if (!shown) continue
    if (listed.isOver(bytesOfEntry(shown))) return undefined
    items.push({ event: shown, key: undefined })
  }
  return items
}

/** A list shows no repetition of masked events, so it is not computed. */
const storedOf = (fetched: FetchedRow, sight: Sight, exceptions: readonly ListedException[] = []): StoredEvent =>
  isMasked(fetched.row, sight) ? fetched.event : withExceptions(fetched, sight, exceptions)

/** Undefined where their text exceeds the byte limit. */
async function fetchEvents(
  ctx: Context,
  db: Db,
  sight: Sight,
  placed: readonly Pick<OccurrenceRef, 'event_key'>[],
  count: ByteCount,
  withDates: boolean,
): Promise<Map<number, FetchedRow> | undefined> {
  const fetched = new Map<number, FetchedRow>()
  const pause = createYielder()
  for await (const keys of inBatches([...new Set(placed.map(({ event_key }) => event_key))])) {
    const rows = await (sight === 'full'
      ? listEventRows(db, keys, withDates)
      : listPublicEventRows(db, keys, withDates))
    for (const row of rows) {
      if (!isMasked(row, sight) && count.isOver(bytesOfWords(row))) return undefined
      fetched.set(row.key, fetchedOf(ctx, row))
    }
    if (rows.length === keys.length) continue
    for (const { key, id, octets } of await listLongRows(db, keys, sight === 'public', withDates)) {
      if (count.isOver(octets)) return undefined
      const found = await findOne(ctx, db, sight, id)
      if (found) fetched.set(key, found)
      await pause()
    }
  }
  return fetched
}

/** Events that are read in one statement. */
const BATCH = 500

/** Yields to the event loop between batches. */
async function* inBatches(keys: readonly number[]): AsyncGenerator<readonly number[]> {
  const pause = createYielder()
  for (let i = 0; i < keys.length; i += BATCH) {
    await pause()
    yield keys.slice(i, i + BATCH)
  }
}

/** An event that cannot be shown is left out and logged; it is never shown unmasked. */
function showSafely(ctx: Context, id: string, make: () => ShownEvent | undefined): ShownEvent | undefined {
  try {
    return make()
  } catch {
    ctx.log.error('an event could not be shown', { event_id: id })
    return undefined
  }
}
