// Routes of the change feed: what was created, updated and deleted since a sync token.
import type { FastifyInstance } from 'fastify'
import { type FeedPage, writeChanges } from '../../actions/changes/change-feed.ts'
import type { Caller } from '../../actions/costly-work/semaphore.ts'
import type { SyncCounters } from '../../actions/maintenance/revision-reader.ts'
import type { Context } from '../../context.ts'
import { ChangesQuery, type ChangesValues } from '../../contract/event-queries.ts'
import { FeedItem, SeenFeedItem } from '../../contract/event-responses.ts'
import { Type } from '../../contract/json-schema.ts'
import { ANONYMOUS, type Viewer } from '../../domain/privacy/viewer.ts'
import { type CachedResponse, createResponseCache } from '../../http/responses/response-cache.ts'
import type { HttpServer } from '../../http/server.ts'
import { divideMemory } from '../../memory-budget.ts'
import { networkKey } from '../../rate-limits/request-hooks.ts'
import { cacheKeyOf, createCachedRoute } from '../cached-route.ts'
import type { RouteDocs } from '../docs/route.ts'
import { sendJsonResponse } from '../json-response.ts'
import { parseZoneParameter } from './list-query.ts'
import { joinInSteps } from './lists.ts'
import { presentListed } from './present.ts'

const DEFAULT_LIMIT = 100

type ChangesServer = Pick<HttpServer, 'site' | 'fastPath' | 'responseWriter'>

export function addChangeRoutes(app: FastifyInstance, ctx: Context, server: ChangesServer): void {
  const { site, responseWriter } = server
  const cache = createResponseCache(divideMemory(ctx.config.memoryLimitMib).answers)
  ctx.metrics.caches.set('public_changes', cache)

  app.get<{ Querystring: ChangesValues }>(
    `${site.base}/events/changes`,
    { schema: { querystring: ChangesQuery }, config: { access: 'anyone', docs: docs.full } },
    async (request, reply) => {
      responseWriter.requireRoom(networkKey(request))
      const { viewer, query, caller, state } = request
      return sendJsonResponse(request, reply, await makeChanges(ctx, viewer, query, state.stored, caller))
    },
  )

  app.get(`${site.base}/public/changes`, {
    schema: { querystring: ChangesQuery },
    config: { ignoresCredentials: true, docs: docs.public },
    handler: createCachedRoute(ctx, server, {
      slotOf: (request) => ({ cache, key: cacheKeyOf(request, 'changes', Object.keys(ChangesQuery.properties)) }),
      make: ({ query, caller, state }) => makeChanges(ctx, ANONYMOUS, query as ChangesValues, state.stored, caller),
    }),
  })
}

async function makeChanges(
  ctx: Context,
  viewer: Viewer,
  { since: token, limit = DEFAULT_LIMIT, timezone }: ChangesValues,
  stored: SyncCounters,
  caller: Caller,
): Promise<CachedResponse> {
  const zone = parseZoneParameter(timezone, ctx.config)
  const write = async ({ entries, token: sync_token, hasMore }: FeedPage): Promise<CachedResponse> => {
    const meta = { timezone: zone.name, sync_token, has_more: hasMore }
    const items = entries.map(({ change, id, ...entry }) => () => ({
      change,
      id,
      ...('shown' in entry ? { event: presentListed(entry.shown, zone) } : {}),
    }))
    return { ...(await joinInSteps(items, meta)), headers: {} }
  }
  return writeChanges(ctx, viewer, { token, limit, stored }, caller, write)
}

const errors = ['sync_token_expired', 'service_unavailable'] as const

const docs = {
  full: {
    id: 'listChanges',
    summary: 'List what changed since a token',
    description:
      'Events that were created, updated or deleted since the list or page that gave the token in `meta.sync_token`, in the order of changes, each once and as it is now. Without `since` every event. Anonymous readers get private events masked, and their tokens are for them alone.',
    success: {
      status: 200,
      headers: ['ETag'],
      description: 'The changes. `meta.sync_token` is for the next request; with `meta.has_more`, ask again at once.',
      data: Type.Union([Type.Array(FeedItem), Type.Array(SeenFeedItem)]),
    },
    errors,
  },
  public: {
    id: 'listPublicChanges',
    summary: 'List what changed for the public since a token',
    description:
      'As `GET /events/changes` without credentials. What changes only in ways that the public does not see is not listed, and does not change the token. Any cache may keep the answer.',
    success: {
      status: 200,
      headers: ['ETag'],
      description: 'The changes. `meta.sync_token` is for the next request; with `meta.has_more`, ask again at once.',
      data: Type.Array(SeenFeedItem),
    },
    errors,
  },
} satisfies Record<string, RouteDocs>
