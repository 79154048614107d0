// Routes of the pages of events: an event, or one date of a series, as the public sees them.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getEvent } from '../../actions/events/events.ts'
import type { ShownOccurrence } from '../../actions/events/masked-reads.ts'
import { getOccurrence } from '../../actions/events/occurrences.ts'
import { listOccurrences } from '../../actions/events/series-occurrences.ts'
import type { Context } from '../../context.ts'
import { ANONYMOUS } from '../../domain/privacy/viewer.ts'
import { DAY_MS, dayOf, type Instant } from '../../domain/time/instant.ts'
import { requireZone, startOfDay, toWall, type Zone } from '../../domain/time/zone.ts'
import { etagOfBytes } from '../../http/responses/conditional.ts'
import { type CachedResponse, createResponseCache } from '../../http/responses/response-cache.ts'
import type { Site } from '../../http/site.ts'
import { divideMemory } from '../../memory-budget.ts'
import { type CachedRouteServer, cacheKeyOf, createCachedRoute } from '../cached-route.ts'
import { languageHeaders, languageOf, slotByLanguage } from '../page-language.ts'
import { pagePolicy } from '../static.ts'
import { writeEventPage } from './document.ts'
import { type EventPageFacts, shownAt } from './page-facts.ts'
import { style } from './style.ts'

const NEXT_DATES = 10
const REACH_MS = 2 * 366 * DAY_MS

const POLICY = pagePolicy({ style })

export function addEventPages(app: FastifyInstance, ctx: Context, site: Site, server: CachedRouteServer): void {
  const cache = createResponseCache(divideMemory(ctx.config.memoryLimitMib).eventPages)
  ctx.metrics.caches.set('event_pages', cache)
  const handler = (name: string) =>
    createCachedRoute(ctx, server, {
      slotOf: (request) => slotByLanguage(ctx, request, cache, cacheKeyOf(request, name, [])),
      make: (request) => makePage(ctx, site, request),
    })
  // Addresses that are shared get parameters added, which mean nothing here.
  const config = { isPage: true, ignoresCredentials: true, readsQuery: ['lang'] }
  app.get(`${site.root}/events/:event_id`, { config, handler: handler('event') })
  app.get(`${site.root}/events/:event_id/:occurrence_key`, { config, handler: handler('date') })
}

async function makePage(ctx: Context, site: Site, request: FastifyRequest): Promise<CachedResponse> {
  const { params, caller } = request
  const language = languageOf(ctx, request)
  const { event_id: id, occurrence_key: key } = params as { event_id: string; occurrence_key?: string }
  const { siteName: name, timezone } = ctx.config
  const zone = requireZone(timezone)
  const now = ctx.clock()
  const event = await getEvent(ctx, ANONYMOUS, id, caller)
  const date = key === undefined ? undefined : await getOccurrence(ctx, ANONYMOUS, id, key)
  const listsDates = event.isRecurring && !date
  const range = { from: now, to: now + REACH_MS }
  const next = listsDates
    ? (await listOccurrences(ctx, ANONYMOUS, id, range, zone, { page: 1, perPage: NEXT_DATES }, caller)).items
    : []
  const facts: EventPageFacts = { site: { ...site, name, zone }, event, date, next }
  const body = Buffer.from(writeEventPage(facts, language))
  return {
    body,
    etag: etagOfBytes(body),
    headers: { 'content-type': 'text/html; charset=utf-8' },
    policyHeaders: {
      ...languageHeaders(language),
      'content-security-policy': POLICY,
      ...(shownAt(facts).level === 'masked' && { 'x-robots-tag': 'noindex' }),
    },
    ...(listsDates && { until: untilOf(next, zone, now) }),
  }
}

/** When the next date is over, another one is shown. Whole days end at midnight. */
const untilOf = (next: readonly ShownOccurrence[], zone: Zone, now: Instant): Instant =>
  Math.min(
    startOfDay(zone, dayOf(toWall(zone, now)) + 1),
    ...next
      .filter(({ event }) => !event.timing.allDay)
      .map(({ event: { timing } }) => timing.startAt + timing.durationMs)
      .filter((end) => end > now),
  )
