// Free/busy: lists opaque occurrences as busy periods, clipped to a range. RFC 4791 §7.10.
import type { Context } from '../../context.ts'
import { requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import type { Instant } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { toInstant, type Zone } from '../../domain/time/zone.ts'
import { AppError, fail } from '../../errors.ts'
import type { Caller } from '../costly-work/semaphore.ts'
import { listEvents } from './list-events.ts'

export interface BusyPeriod {
  from: Instant
  to: Instant
  isTentative: boolean
}

/** Periods in the range, clipped to it, soonest first. All-day events last from midnight to midnight in the zone. */
export async function listBusy(
  ctx: Context,
  viewer: Viewer,
  range: Range,
  zone: Zone,
  caller: Caller,
): Promise<BusyPeriod[]> {
  requireAccess(viewer, 'read_full')
  const request = { range, zone, filters: {}, page: undefined, expand: true }
  const { items } = await listEvents(ctx, viewer, request, caller).catch((error) => {
    if (error instanceof AppError && error.code === 'too_many_occurrences') fail('too_many_matches')
    throw error
  })
  return items.flatMap(({ event }) => {
    if (event.level !== 'full' || event.record.transparency === 'transparent') return []
    const { timing, details } = event
    if (details.status === 'cancelled') return []
    const at = (wall: number): Instant => (timing.allDay ? toInstant(zone, wall) : wall)
    const from = Math.max(at(timing.startAt), range.from)
    const to = Math.min(at(timing.startAt + timing.durationMs), range.to)
    return to > from ? [{ from, to, isTentative: details.status === 'tentative' }] : []
  })
}
