// What comes next, for a corner of somebody's page: what has not ended yet, soonest first.
import type { Context } from '../context.ts'
import { DAY_MS, dayOf, type Instant } from '../domain/time/instant.ts'
import type { Range } from '../domain/time/window.ts'
import { startOfDay, toWall, type Zone } from '../domain/time/zone.ts'
import type { Db } from '../storage/tables.ts'
import { inSnapshot } from '../storage/transaction.ts'
import { listFirst } from './list-events.ts'
import type { ShownOccurrence } from './show-to.ts'

export interface Upcoming {
  items: ShownOccurrence[]
  /** When the first of them ends; at the latest when the day does. */
  until: Instant
}

/** How far ahead one looks; further only where too little is found. */
const REACH_DAYS = [32, 366, 1_830]
const FIRST_COUNT = 50

export function listUpcoming(ctx: Context, limit: number, zone: Zone): Promise<Upcoming> {
  const now = ctx.clock()
  return inSnapshot(ctx.storage, async (db) => {
    let items: ShownOccurrence[] = []
    for (const days of REACH_DAYS) {
      items = await listFrom(ctx, db, { from: now, to: now + days * DAY_MS }, zone, limit)
      if (items.length >= limit) break
    }
    const midnight = startOfDay(zone, dayOf(toWall(zone, now)) + 1)
    return { items, until: Math.min(midnight, ...items.map(({ event }) => endOf(event.timing))) }
  })
}

/** A cancelled one would stand there as if it took place: in so few words there is none for that. */
async function listFrom(ctx: Context, db: Db, range: Range, zone: Zone, limit: number): Promise<ShownOccurrence[]> {
  for (let count = FIRST_COUNT; ; count *= 2) {
    const items = await listFirst(ctx, db, 'public', { range, zone }, count)
    const found = items.filter(({ event }) => event.level === 'masked' || event.details.status !== 'cancelled')
    if (found.length >= limit || items.length < count) return found.slice(0, limit)
  }
}

/** A day ends with its day, wherever that is: there midnight comes first anyway. */
const endOf = ({ allDay, startAt, durationMs }: ShownOccurrence['event']['timing']): Instant =>
  allDay ? Number.POSITIVE_INFINITY : startAt + durationMs
