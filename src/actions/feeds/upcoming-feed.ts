// The public events that come next, with their last change, for news feeds.
import type { Context } from '../../context.ts'
import type { OpenEvent } from '../../domain/privacy/mask.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { requireZone } from '../../domain/time/zone.ts'
import { listPublicUpdatesOf } from '../../storage/events/feeds.ts'
import type { Caller } from '../costly-work/semaphore.ts'
import type { ShownOccurrence } from '../events/masked-reads.ts'
import { listUpcoming } from '../events/upcoming.ts'

export interface NewsItem {
  date: ShownOccurrence & { event: OpenEvent }
  updatedAt: Instant
}

export interface UpcomingFeed {
  items: NewsItem[]
  /** When the list is another one without a change. */
  until: Instant
}

const MAX_LISTED = 50

const isOpen = (one: ShownOccurrence): one is NewsItem['date'] => one.event.level === 'open'

export async function listUpcomingNews(ctx: Context, caller: Caller): Promise<UpcomingFeed> {
  const { items, until } = await listUpcoming(ctx, MAX_LISTED, requireZone(ctx.config.timezone), caller, isOpen)
  const dates = items.filter(isOpen)
  const ids = new Set(dates.map(({ event }) => event.id))
  const updates = await listPublicUpdatesOf(ctx.storage.reads, [...ids])
  const updatedAt = new Map(updates.map(({ id, updated_at }) => [id, updated_at]))
  // One that was deleted or made private meanwhile is left out; the next request gets the new list.
  const found = dates.flatMap((date) => {
    const at = updatedAt.get(date.event.id)
    return at === undefined ? [] : [{ date, updatedAt: at }]
  })
  return { items: found, until }
}
