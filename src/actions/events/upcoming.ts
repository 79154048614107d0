// Lists upcoming public events for the sidebar: occurrences that have not ended, soonest first.
import type { Context } from '../../context.ts'
import { DAY_MS, dayOf, type Instant } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { startOfDay, toWall, type Zone } from '../../domain/time/zone.ts'
import { inOwnSnapshot, inSnapshot } from '../../storage/engine/transaction.ts'
import { hasMoreSeriesBeyondIndex } from '../../storage/events/occurrence-index.ts'
import type { Db } from '../../storage/tables.ts'
import { type Caller, withPermit } from '../costly-work/semaphore.ts'
import { listFirstOccurrences, viewInBatches } from './first-events.ts'
import { LIGHT, windowOf } from './list-events.ts'
import type { ShownOccurrence } from './masked-reads.ts'

export interface Upcoming {
  items: ShownOccurrence[]
  /** When the first of them ends, or the end of the day if that is earlier. */
  until: Instant
}

/** Windows in days; a longer one is tried only where too few events are found. */
const REACH_DAYS = [32, 366, 1_830]

/** How many occurrences, and bytes of their text, are read to find those that are not cancelled. */
interface LookLimit {
  count: number
  bytes: number
  /** Series outside the index, whose extra dates are all parsed; undefined for any number. */
  seriesBeyondIndex?: number
}

const LIGHT_LOOK: LookLimit = { count: 50, bytes: 256 * 1_024, seriesBeyondIndex: LIGHT.seriesBeyondIndex }
/** Used with a permit. */
const COSTLY_LOOK: LookLimit = { count: 400, bytes: 1_024 * 1_024 }

/** Only occurrences for which `isWanted` is true, if it is given. */
export async function listUpcoming(
  ctx: Context,
  limit: number,
  zone: Zone,
  caller: Caller,
  isWanted: (one: ShownOccurrence) => boolean = () => true,
): Promise<Upcoming> {
  const now = ctx.clock()
  const look = (most: LookLimit) => (db: Db) => lookAhead(ctx, db, { now, zone, limit, most, isWanted })
  const light = await inSnapshot(ctx.storage, look(LIGHT_LOOK))
  const { items } = light.isEnough
    ? light
    : await withPermit(ctx, caller, (begin) => inOwnSnapshot(ctx.storage, look(COSTLY_LOOK), begin))
  const midnight = startOfDay(zone, dayOf(toWall(zone, now)) + 1)
  return { items, until: Math.min(midnight, ...items.map(({ event }) => endOf(event.timing))) }
}

interface Ahead {
  items: ShownOccurrence[]
  /** False where reading more could find more. */
  isEnough: boolean
}

interface LookRequest {
  now: Instant
  zone: Zone
  limit: number
  most: LookLimit
  isWanted: (one: ShownOccurrence) => boolean
}

async function lookAhead(ctx: Context, db: Db, request: LookRequest): Promise<Ahead> {
  const { now, limit } = request
  let items: ShownOccurrence[] = []
  for (const days of REACH_DAYS) {
    const found = await listFrom(ctx, db, { from: now, to: now + days * DAY_MS }, request)
    if (!found) break
    items = found.items
    if (items.length >= limit) break
    if (!found.isEnough) return found
  }
  return { items, isEnough: true }
}

/** Leaves out cancelled events, which a sidebar cannot mark. Undefined where there is too much to read. */
async function listFrom(
  ctx: Context,
  db: Db,
  range: Range,
  { zone, limit, most, isWanted }: LookRequest,
): Promise<Ahead | undefined> {
  const isCostly =
    most.seriesBeyondIndex !== undefined &&
    (await hasMoreSeriesBeyondIndex(db, 'public', windowOf(range, zone), most.seriesBeyondIndex))
  if (isCostly) return { items: [], isEnough: false }
  const placed = await listFirstOccurrences(ctx, db, 'public', { range, zone }, most.count)
  if (!placed) return undefined
  const items: ShownOccurrence[] = []
  for await (const some of viewInBatches(ctx, db, 'public', placed, most.bytes)) {
    if (!some) return { items, isEnough: false }
    for (const one of some) if (items.length < limit && !isCancelled(one) && isWanted(one)) items.push(one)
    if (items.length >= limit) break
  }
  return { items, isEnough: items.length >= limit || placed.length < most.count }
}

const isCancelled = ({ event }: ShownOccurrence): boolean =>
  event.level !== 'masked' && event.details.status === 'cancelled'

/** All-day events never end first: `until` is at most midnight anyway. */
const endOf = ({ allDay, startAt, durationMs }: ShownOccurrence['event']['timing']): Instant =>
  allDay ? Number.POSITIVE_INFINITY : startAt + durationMs
