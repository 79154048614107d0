// iCalendar feeds to subscribe to: public, and under personal links.
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../actions/costly-work/semaphore.ts'
import { createPublicDateFile } from '../../actions/feeds/date-file.ts'
import { requireFeedLink, requireLinkedFeed } from '../../actions/feeds/feed-links.ts'
import {
  createPublicEventFile,
  createPublicFeed,
  type FeedFilters,
  isWhole,
  type ReserveBytes,
} from '../../actions/feeds/feeds.ts'
import { createFullFeed } from '../../actions/feeds/full-feed.ts'
import type { Context } from '../../context.ts'
import { FeedQuery, type FeedQueryValues } from '../../contract/public.ts'
import type { CacheSlot } from '../../http/responses/fast-path.ts'
import { type CachedResponse, createResponseCache } from '../../http/responses/response-cache.ts'
import type { Site } from '../../http/site.ts'
import { divideMemory } from '../../memory-budget.ts'
import { networkKey } from '../../rate-limits/request-hooks.ts'
import {
  type CachedRouteServer,
  cacheKeyOf,
  createCachedRoute,
  createFeedResponse,
  FOR_ONE,
  sendBytes,
  sendNotModified,
  withReservedBytes,
} from '../cached-route.ts'
import type { RouteDocs } from '../docs/route.ts'
import { parseCategories, readStartDay } from '../events/list-query.ts'
import { addNewsRoutes } from './news.ts'

export function addFeedRoutes(app: FastifyInstance, ctx: Context, site: Site, server: CachedRouteServer): void {
  // One build at a time: two would take too much memory.
  const { feeds, feedParts } = divideMemory(ctx.config.memoryLimitMib)
  const whole = createResponseCache(feeds, 1)
  const parts = createResponseCache(feedParts)
  ctx.metrics.caches.set('feeds', whole)
  ctx.metrics.caches.set('feed_parts', parts)
  const readFilters = ({ category, from }: FeedQueryValues): FeedFilters => ({
    categories: parseCategories(category),
    from: readStartDay(from, ctx.config),
  })
  const placeOf = (name: string, filters: FeedFilters): CacheSlot => ({
    cache: isWhole(filters) ? whole : parts,
    key: `${name} ${JSON.stringify([filters.categories, filters.from])}`,
  })
  const makeFeed = async (filters: FeedFilters, caller: Caller, reserve: ReserveBytes): Promise<CachedResponse> =>
    createFeedResponse(
      await createPublicFeed(ctx, filters, caller, { reserve, maxKeptBytes: feeds.maxAnswerBytes }),
      'calendar.ics',
    )

  app.get(`${site.base}/public/calendar.ics`, {
    schema: { querystring: FeedQuery },
    config: { ignoresCredentials: true, docs: docs.calendar },
    handler: createCachedRoute(ctx, server, {
      slotOf: ({ query }) => placeOf('calendar', readFilters(query as FeedQueryValues)),
      make: ({ query, caller }, reserve) => makeFeed(readFilters(query as FeedQueryValues), caller, reserve),
    }),
  })

  app.get(`${site.base}/public/events/:event_id/event.ics`, {
    config: { ignoresCredentials: true, docs: docs.event },
    handler: createCachedRoute(ctx, server, {
      slotOf: (request) => ({ cache: parts, key: cacheKeyOf(request, 'event', []) }),
      make: async ({ params, caller }, reserve) => {
        const { event_id: id } = params as { event_id: string }
        return createFeedResponse(await createPublicEventFile(ctx, id, caller, reserve), 'event.ics')
      },
    }),
  })

  app.get(`${site.base}/public/events/:event_id/occurrences/:occurrence_key/event.ics`, {
    config: { ignoresCredentials: true, docs: docs.date },
    handler: createCachedRoute(ctx, server, {
      slotOf: (request) => ({ cache: parts, key: cacheKeyOf(request, 'date', []) }),
      make: async ({ params }) => {
        const { event_id: id, occurrence_key: key } = params as { event_id: string; occurrence_key: string }
        return createFeedResponse(await createPublicDateFile(ctx, id, key), 'event.ics')
      },
    }),
  })

  addNewsRoutes(app, ctx, site, { server, cache: parts })

  // The URL is the credential: it is refused over plain http, and only its hash is looked up.
  app.get<{ Params: { secret: string } }>(
    `${site.base}/feeds/:secret.ics`,
    { config: { ignoresCredentials: true, carriesSecrets: true, docs: docs.linked } },
    async (request, reply) => {
      const { detail, categories } = await requireLinkedFeed(ctx, request.params.secret)
      const filters = { categories: categories.length > 0 ? categories : undefined }
      const make = async (reserve: ReserveBytes): Promise<CachedResponse> =>
        detail === 'full'
          ? createFeedResponse(await createFullFeed(ctx, filters.categories, request.caller, reserve), 'calendar.ics')
          : makeFeed(filters, request.caller, reserve)
      // A masked link is another URL of the public feed: the same cache key and the same bytes.
      const place = placeOf(detail === 'full' ? 'full' : 'calendar', filters)
      const { cache, key } = place
      const sending = { responseWriter: server.responseWriter, place }
      const { revision } = request.state
      reply.header('x-robots-tag', 'noindex')
      const answer = cache.find(revision, key, ctx.clock())
      const validator = answer ? undefined : cache.findValidator(revision, key, ctx.clock())
      if (sendNotModified(request, reply, validator, FOR_ONE, sending)) {
        cache.counts.hits += 1
        return
      }
      await withReservedBytes(server.responseWriter, networkKey(request), async (makeInRoom) => {
        const made = await cache.take(revision, key, ctx.clock(), () => makeInRoom(make))
        // The feed may have waited for a permit; by then the link may be deleted, or its owner suspended.
        if (!answer) await requireFeedLink(ctx, request.params.secret)
        await sendBytes(request, reply, made, FOR_ONE, sending)
      })
    },
  )
}

const FEED = { status: 200, contentType: 'text/calendar' }

const docs = {
  calendar: {
    id: 'getCalendarFeed',
    summary: 'The whole calendar as the public sees it, to subscribe to',
    description: 'Complete, however long. Private events are `Private Event`, with their time and nothing else.',
    success: { ...FEED, headers: ['ETag', 'Content-Disposition'], description: 'iCalendar (RFC 5545).' },
    errors: ['service_unavailable', 'feed_too_large'],
  },
  event: {
    id: 'getEventFile',
    summary: 'One event or series as the public sees it',
    description: 'With its repetition. A private event is `Private Event`, with its time and nothing else.',
    success: { ...FEED, headers: ['ETag', 'Content-Disposition'], description: 'iCalendar (RFC 5545).' },
    errors: ['event_not_found', 'service_unavailable'],
  },
  date: {
    id: 'getOccurrenceFile',
    summary: 'One occurrence of a series as the public sees it',
    description:
      'As an event that does not repeat, with a UID of its own. A private one is `Private Event`, with its time and nothing else.',
    success: { ...FEED, headers: ['ETag', 'Content-Disposition'], description: 'iCalendar (RFC 5545).' },
    errors: ['invalid_occurrence_key', 'event_not_found', 'occurrence_not_found', 'event_not_recurring'],
  },
  linked: {
    id: 'getLinkedFeed',
    summary: 'The calendar under a personal link',
    description: 'The address is made by `POST /auth/feeds`. Credentials are not looked at.',
    success: {
      ...FEED,
      headers: ['ETag', 'Content-Disposition', 'X-Robots-Tag'],
      description: 'iCalendar (RFC 5545), as much of it as the link was made for.',
    },
    errors: ['feed_not_found', 'service_unavailable', 'feed_too_large'],
  },
} satisfies Record<string, RouteDocs>
