// What comes next, for a corner of somebody's page: what has not ended yet, soonest first.
import type { Context } from '../context.ts'
import { DAY_MS, dayOf, type Instant } from '../domain/time/instant.ts'
import type { Range } from '../domain/time/window.ts'
import { startOfDay, toWall, type Zone } from '../domain/time/zone.ts'
import type { Db } from '../storage/tables.ts'
import { inSnapshot } from '../storage/transaction.ts'
import { listFirst } from './first-events.ts'
import type { ShownOccurrence } from './show-to.ts'

export interface Upcoming {
  items: ShownOccurrence[]
  /** When the first of them ends; at the latest when the day does. */
  until: Instant
}

/** How far ahead one looks; further only where too little is found. */
const REACH_DAYS = [32, 366, 1_830]
/** How many occurrences are looked through, in turn, for those that are not cancelled: work has a bound. */
const COUNTS = [50, 400]

export function listUpcoming(ctx: Context, limit: number, zone: Zone): Promise<Upcoming> {
  const now = ctx.clock()
  return inSnapshot(ctx.storage, async (db) => {
    let items: ShownOccurrence[] = []
    for (const days of REACH_DAYS) {
      const found = await listFrom(ctx, db, { from: now, to: now + days * DAY_MS }, zone, limit)
      if (found) items = found.items
      if (!found?.isWhole || items.length >= limit) break
    }
    const midnight = startOfDay(zone, dayOf(toWall(zone, now)) + 1)
    return { items, until: Math.min(midnight, ...items.map(({ event }) => endOf(event.timing))) }
  })
}

interface Found {
  items: ShownOccurrence[]
  /** Whether everything in the range was looked at; if not, a longer range shows nothing else. */
  isWhole: boolean
}

/** Without cancelled ones: a sidebar has no room to say so. Undefined where there is too much to look through. */
async function listFrom(ctx: Context, db: Db, range: Range, zone: Zone, limit: number): Promise<Found | undefined> {
  let found: Found | undefined
  for (const count of COUNTS) {
    const all = await listFirst(ctx, db, 'public', { range, zone }, count)
    if (!all) return found
    const items = all.filter(({ event }) => event.level === 'masked' || event.details.status !== 'cancelled')
    found = { items: items.slice(0, limit), isWhole: all.length < count }
    if (found.isWhole || items.length >= limit) return found
  }
  return found
}

/** A day ends with its day, wherever that is: there midnight comes first anyway. */
const endOf = ({ allDay, startAt, durationMs }: ShownOccurrence['event']['timing']): Instant =>
  allDay ? Number.POSITIVE_INFINITY : startAt + durationMs
