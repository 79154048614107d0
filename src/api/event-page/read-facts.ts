// Reads what pages, previews and cards of an event show, masked as for the public.
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../actions/costly-work/semaphore.ts'
import { getEvent } from '../../actions/events/events.ts'
import type { ShownOccurrence } from '../../actions/events/masked-reads.ts'
import { getOccurrence } from '../../actions/events/occurrences.ts'
import { listOccurrences } from '../../actions/events/series-occurrences.ts'
import type { Context } from '../../context.ts'
import { ANONYMOUS } from '../../domain/privacy/viewer.ts'
import { DAY_MS, dayOf, type Instant } from '../../domain/time/instant.ts'
import { requireZone, startOfDay, toWall, type Zone } from '../../domain/time/zone.ts'
import type { Site } from '../../http/site.ts'
import type { EventPageFacts, SitePlace } from './page-facts.ts'

const NEXT_DATES = 10
const REACH_MS = 2 * 366 * DAY_MS

/** An event, or one date of a series, as addresses name it. */
export interface NamedEvent {
  id: string
  key?: string | undefined
}

export const placeOf = ({ config: { siteName: name, timezone, language } }: Context, site: Site): SitePlace => ({
  ...site,
  name,
  zone: requireZone(timezone),
  language,
})

export function namedIn({ params }: Pick<FastifyRequest, 'params'>): NamedEvent {
  const { event_id: id, occurrence_key: key } = params as { event_id: string; occurrence_key?: string }
  return { id, key }
}

export async function readFacts(
  ctx: Context,
  site: Site,
  { id, key }: NamedEvent,
  caller: Caller,
): Promise<EventPageFacts> {
  const place = placeOf(ctx, site)
  const now = ctx.clock()
  const event = await getEvent(ctx, ANONYMOUS, id, caller)
  const date = key === undefined ? undefined : await getOccurrence(ctx, ANONYMOUS, id, key)
  const range = { from: now, to: now + REACH_MS }
  const next =
    event.isRecurring && !date
      ? (await listOccurrences(ctx, ANONYMOUS, id, range, place.zone, { page: 1, perPage: NEXT_DATES }, caller)).items
      : []
  return { site: place, event, date, next }
}

/** What shows a series changes when the next date is over. */
export const untilNextDate = ({ site, event, date, next }: EventPageFacts, now: Instant): { until?: Instant } =>
  event.isRecurring && !date ? { until: untilOf(next, site.zone, now) } : {}

/** When the next date is over, another one is shown. Whole days end at midnight. */
const untilOf = (next: readonly ShownOccurrence[], zone: Zone, now: Instant): Instant =>
  Math.min(
    startOfDay(zone, dayOf(toWall(zone, now)) + 1),
    ...next
      .filter(({ event }) => !event.timing.allDay)
      .map(({ event: { timing } }) => timing.startAt + timing.durationMs)
      .filter((end) => end > now),
  )
