// Free/busy: lists busy periods in a range, for full readers and for the public. RFC 4791 §7.10.
import type { Context } from '../../context.ts'
import { ANONYMOUS, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import type { Instant } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { toInstant, type Zone } from '../../domain/time/zone.ts'
import { keyOfId } from '../../storage/events/events.ts'
import { listPublicTransparency } from '../../storage/events/listed-rows.ts'
import type { Caller } from '../costly-work/semaphore.ts'
import type { OccurrenceList } from '../lists/list-request.ts'
import { listEvents, writeEventList } from './list-events.ts'
import type { ShownOccurrence } from './masked-reads.ts'

export interface BusyPeriod extends Range {
  isTentative: boolean
}

const requestOf = (range: Range, zone: Zone) => ({ range, zone, filters: {}, page: undefined, expand: true })

/** Periods in the range, clipped to it, soonest first. All-day events last from midnight to midnight in the zone. */
export async function listBusy(
  ctx: Context,
  viewer: Viewer,
  range: Range,
  zone: Zone,
  caller: Caller,
): Promise<BusyPeriod[]> {
  requireAccess(viewer, 'read_full')
  const { items } = await listEvents(ctx, viewer, requestOf(range, zone), caller)
  return items.flatMap((item) => {
    const { event } = item
    if (event.level !== 'full' || event.record.transparency === 'transparent') return []
    return busyPeriodsOf(item, range, zone)
  })
}

/** The same of what the public sees. It is not told whether a private event is free, so each of them is busy. */
export async function listPublicBusy(ctx: Context, range: Range, zone: Zone, caller: Caller): Promise<BusyPeriod[]> {
  const read = async (listing: OccurrenceList): Promise<OccurrenceList> => listing
  const { items } = await writeEventList(ctx, ANONYMOUS, requestOf(range, zone), caller, read)
  const keys = new Set(items.flatMap(({ event }) => (event.level === 'open' ? (keyOfId(event.id) ?? []) : [])))
  const rows = await listPublicTransparency(ctx.storage.reads, [...keys])
  const free = new Set(rows.filter(({ local_at }) => local_at === null).map(({ event_key }) => event_key))
  const edited = new Map(
    rows.map(({ event_key, local_at, transparency }) => [`${event_key} ${local_at}`, transparency]),
  )
  const isFree = ({ event, key }: ShownOccurrence): boolean => {
    const eventKey = event.level === 'open' ? keyOfId(event.id) : undefined
    if (eventKey === undefined) return false
    const own = edited.get(`${eventKey} ${key}`)
    return own === undefined ? free.has(eventKey) : own === 'transparent'
  }
  return items.flatMap((item) => (isFree(item) ? [] : busyPeriodsOf(item, range, zone)))
}

/** Of a masked event the status is not known: where it is cancelled, it is not in the list. */
function busyPeriodsOf({ event }: ShownOccurrence, range: Range, zone: Zone): BusyPeriod[] {
  const status = event.level === 'masked' ? 'confirmed' : event.details.status
  if (status === 'cancelled') return []
  const { timing } = event
  const at = (wall: number): Instant => (timing.allDay ? toInstant(zone, wall) : wall)
  const from = Math.max(at(timing.startAt), range.from)
  const to = Math.min(at(timing.startAt + timing.durationMs), range.to)
  return to > from ? [{ from, to, isTentative: status === 'tentative' }] : []
}

/** Overlapping and touching periods become one. */
export function mergeTouching<Period extends Range>(periods: readonly Period[]): Period[] {
  const merged: Period[] = []
  for (const period of periods.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && period.from <= last.to) last.to = Math.max(last.to, period.to)
    else merged.push({ ...period })
  }
  return merged
}
