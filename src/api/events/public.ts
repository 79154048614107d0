// Public routes: the same cached bytes for every client, with private events masked.
import type { FastifyInstance } from 'fastify'
import { type ListedCategory, listCategories } from '../../actions/categories/public-categories.ts'
import { currentToken } from '../../actions/changes/sync-token.ts'
import type { Caller } from '../../actions/costly-work/semaphore.ts'
import { getEvent } from '../../actions/events/events.ts'
import { writeEventList } from '../../actions/events/list-events.ts'
import { listUpcoming } from '../../actions/events/upcoming.ts'
import type { OccurrenceList } from '../../actions/lists/list-request.ts'
import type { SyncCounters } from '../../actions/maintenance/revision-reader.ts'
import type { Context } from '../../context.ts'
import {
  FreeBusyQuery,
  type FreeBusyQueryValues,
  type ListQueryValues,
  PublicListQuery,
  SingleQuery,
} from '../../contract/event-queries.ts'
import { SeenAlone, SeenInList } from '../../contract/event-responses.ts'
import { Type } from '../../contract/json-schema.ts'
import { Category, SidebarEvent, SidebarQuery, type SidebarQueryValues } from '../../contract/public.ts'
import { ANONYMOUS } from '../../domain/privacy/viewer.ts'
import { type CachedResponse, createResponseCache } from '../../http/responses/response-cache.ts'
import type { Site } from '../../http/site.ts'
import { divideMemory } from '../../memory-budget.ts'
import { type CachedRouteOptions, type CachedRouteServer, cacheKeyOf, createCachedRoute } from '../cached-route.ts'
import { presentShades } from '../categories/categories.ts'
import type { RouteDocs } from '../docs/route.ts'
import { createJsonResponse } from '../json-response.ts'
import { createPublicFreeBusy, freeBusyDocs } from './free-busy.ts'
import { parseZoneParameter, readFields, readListQuery, shownWeekStart, untilOf } from './list-query.ts'
import { createListResponse, linkQueryOf } from './lists.ts'
import { presentEvent, presentUpcoming } from './present.ts'

export function addPublicRoutes(app: FastifyInstance, ctx: Context, site: Site, server: CachedRouteServer): void {
  const path = `${site.base}/public`
  const cache = createResponseCache(divideMemory(ctx.config.memoryLimitMib).answers)
  ctx.metrics.caches.set('public_lists', cache)
  const kept = (name: string, schema: { properties: object } | undefined, make: CachedRouteOptions['make']) =>
    createCachedRoute(ctx, server, {
      slotOf: (request) => ({ cache, key: cacheKeyOf(request, name, Object.keys(schema?.properties ?? {})) }),
      make,
    })

  app.get(`${path}/events`, {
    schema: { querystring: PublicListQuery },
    config: { ignoresCredentials: true, docs: docs.list },
    handler: kept('list', PublicListQuery, ({ query, caller, state }) =>
      makeList(ctx, `${path}/events`, query as ListQueryValues, state.stored, caller),
    ),
  })

  app.get(`${path}/events/:event_id`, {
    schema: { querystring: SingleQuery },
    config: { ignoresCredentials: true, docs: docs.get },
    handler: kept('get', SingleQuery, async ({ params, query, caller }) => {
      const { timezone } = query as { timezone?: string }
      const zone = timezone === undefined ? undefined : parseZoneParameter(timezone, ctx.config)
      const event = await getEvent(ctx, ANONYMOUS, (params as { event_id: string }).event_id, caller)
      return createJsonResponse({ data: presentEvent(event, zone) })
    }),
  })

  app.get(`${path}/freebusy`, {
    schema: { querystring: FreeBusyQuery },
    config: { ignoresCredentials: true, docs: freeBusyDocs.public },
    handler: kept('freebusy', FreeBusyQuery, ({ query, caller }) =>
      createPublicFreeBusy(ctx, query as FreeBusyQueryValues, caller),
    ),
  })

  app.get(`${path}/sidebar-events`, {
    schema: { querystring: SidebarQuery },
    config: { ignoresCredentials: true, docs: docs.sidebar },
    handler: kept('sidebar', SidebarQuery, ({ query, caller }) =>
      createSidebar(ctx, query as SidebarQueryValues, caller),
    ),
  })

  app.get(`${path}/categories`, {
    config: { ignoresCredentials: true, docs: docs.categories },
    handler: kept('categories', undefined, async ({ caller }) =>
      createJsonResponse({ data: (await listCategories(ctx, caller)).map(presentCategory) }),
    ),
  })
}

async function makeList(
  ctx: Context,
  path: string,
  query: ListQueryValues,
  stored: SyncCounters,
  caller: Caller,
): Promise<CachedResponse> {
  const now = ctx.clock()
  const request = readListQuery(query, ctx.config, now, 'public')
  const { range, zone, page } = request
  const syncToken = currentToken(ctx, 'public', stored)
  const fields = readFields(query.fields, 'public')
  const asked = { query: linkQueryOf(query), view: query.view, weekStart: shownWeekStart(query.view, ctx.config) }
  const frame = { path, ...asked, range, zone, page, syncToken, fields }
  const write = (listing: OccurrenceList) => createListResponse(listing, frame)
  return { ...(await writeEventList(ctx, ANONYMOUS, request, caller, write)), until: untilOf(query, zone, now) }
}

/** One that is not managed has its name and its count alone. */
const presentCategory = ({ name, count, managed }: ListedCategory) => ({
  name,
  count,
  ...(managed && { ...presentShades(managed), description: managed.description }),
})

const DEFAULT_LIMIT = 5

async function createSidebar(
  ctx: Context,
  { limit = DEFAULT_LIMIT, timezone }: SidebarQueryValues,
  caller: Caller,
): Promise<CachedResponse> {
  const zone = parseZoneParameter(timezone, ctx.config)
  const { items, until } = await listUpcoming(ctx, limit, zone, caller)
  const data = items.map((item) => presentUpcoming(item, zone))
  return { ...createJsonResponse({ data, meta: { timezone: zone.name } }), until }
}

const docs = {
  list: {
    id: 'listPublicEvents',
    summary: 'List events as the public sees them',
    description: 'As `GET /events` without credentials. Credentials are not looked at; any cache may keep the answer.',
    success: {
      status: 200,
      headers: ['ETag', 'Link'],
      description: 'The events, soonest first.',
      data: Type.Array(SeenInList),
    },
    errors: ['too_many_occurrences', 'service_unavailable'],
  },
  get: {
    id: 'getPublicEvent',
    summary: 'Read an event as the public sees it',
    description: 'As `GET /events/{event_id}` without credentials. Any cache may keep the answer.',
    success: { status: 200, headers: ['ETag'], description: 'The event or series.', data: SeenAlone },
    errors: ['event_not_found', 'service_unavailable'],
  },
  sidebar: {
    id: 'listSidebarEvents',
    summary: 'What comes next, in short',
    description: 'What has not ended yet, within five years, without what was cancelled.',
    success: { status: 200, headers: ['ETag'], description: 'Soonest first.', data: Type.Array(SidebarEvent) },
    errors: ['service_unavailable'],
  },
  categories: {
    id: 'listCategories',
    summary: 'The categories of public events',
    description:
      'Those of public events and of their edited occurrences, with the number of events. Those that administrators manage have colours; internal ones are not here.',
    success: {
      status: 200,
      headers: ['ETag'],
      description: 'Managed ones in their order, then others by name.',
      data: Type.Array(Category),
    },
    errors: ['service_unavailable'],
  },
} satisfies Record<string, RouteDocs>
