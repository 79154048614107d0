// Reads what pages, previews and cards of an event show, masked as for the public.
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../actions/costly-work/semaphore.ts'
import { getEvent } from '../../actions/events/events.ts'
import type { ShownOccurrence } from '../../actions/events/masked-reads.ts'
import { getOccurrence, readKey } from '../../actions/events/occurrences.ts'
import { listOccurrences } from '../../actions/events/series-occurrences.ts'
import type { Context } from '../../context.ts'
import { ANONYMOUS } from '../../domain/privacy/viewer.ts'
import { DAY_MS, dayOf, type Instant } from '../../domain/time/instant.ts'
import { requireZone, startOfDay, toWall, type Zone } from '../../domain/time/zone.ts'
import { AppError, fail } from '../../errors.ts'
import type { Site } from '../../http/site.ts'
import { type EventPageFacts, nameOfDate, type SitePlace } from './page-facts.ts'

const NEXT_DATES = 10
const REACH_MS = 2 * 366 * DAY_MS
/** Dates of one series at the same time. */
const MAX_AT_ONCE = 200

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

export const readFacts = (ctx: Context, site: Site, named: NamedEvent, caller: Caller): Promise<EventPageFacts> =>
  readNamed(ctx, site, named, caller).catch(failUnknown)

/** For those who open a link, a date that there is not and a key that cannot be are the same. */
function failUnknown(error: unknown): never {
  if (error instanceof AppError && [400, 404, 409].includes(error.status)) fail('event_not_found')
  throw error
}

async function readNamed(ctx: Context, site: Site, { id, key }: NamedEvent, caller: Caller): Promise<EventPageFacts> {
  const place = placeOf(ctx, site)
  const now = ctx.clock()
  const event = await getEvent(ctx, ANONYMOUS, id, caller)
  const date = key === undefined ? undefined : await readDate(ctx, place, { id, key }, caller)
  const range = { from: now, to: now + REACH_MS }
  const next =
    event.isRecurring && !date
      ? (await listOccurrences(ctx, ANONYMOUS, id, range, place.zone, { page: 1, perPage: NEXT_DATES }, caller)).items
      : []
  return { site: place, event, date, next }
}

/** By its key; of a private series also by the time that names it, which differs from the key of a moved date. */
async function readDate(
  ctx: Context,
  { zone }: SitePlace,
  { id, key }: Required<NamedEvent>,
  caller: Caller,
): Promise<ShownOccurrence> {
  try {
    return await getOccurrence(ctx, ANONYMOUS, id, key)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'occurrence_not_found') throw error
    const time = readKey(key)
    if (time.kind === 'local') throw error
    const from = time.kind === 'date' ? startOfDay(zone, time.day) : time.instant
    const page = { page: 1, perPage: MAX_AT_ONCE }
    const { items } = await listOccurrences(ctx, ANONYMOUS, id, { from, to: from + 1 }, zone, page, caller)
    return items.find((one) => one.event.level === 'masked' && nameOfDate(one) === key) ?? fail('occurrence_not_found')
  }
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
