// Routes of change streams: Server-Sent Events that say that something changed, and nothing else.
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { currentToken } from '../../actions/changes/sync-token.ts'
import type { Context } from '../../context.ts'
import { StreamQuery, type StreamValues } from '../../contract/event-queries.ts'
import { ANONYMOUS, sightOf, type Viewer } from '../../domain/privacy/viewer.ts'
import { createSparedList } from '../../http/connections/connection-limiter.ts'
import { CONNECTION_LIMITS } from '../../http/connections/connection-limits.ts'
import type { Site } from '../../http/site.ts'
import type { RouteDocs } from '../docs/route.ts'
import type { OpenStreams } from './open-streams.ts'

/** How long a browser waits before it opens the stream again. */
const RETRY_MS = 5_000

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // A proxy that compresses would collect what is sent.
  'cache-control': 'no-store, no-transform',
  // nginx would collect what is sent.
  'x-accel-buffering': 'no',
}

export function addStreamRoutes(app: FastifyInstance, ctx: Context, site: Site, streams: OpenStreams): void {
  const isSpared = createSparedList(ctx.config, CONNECTION_LIMITS)

  const open = (request: FastifyRequest, reply: FastifyReply, viewer: Viewer): void => {
    const { raw: response } = reply
    reply.headers(HEADERS)
    if (request.method === 'HEAD') return void reply.send()
    const { address } = request.peer
    const opening = { response, viewer, address: isSpared(address) ? undefined : address }
    streams.admit(opening)
    const token = currentToken(ctx, sightOf(viewer), request.state.stored)
    const headers = reply.getHeaders() as OutgoingHttpHeaders
    reply.hijack()
    response.writeHead(200, headers)
    response.write(`retry: ${RETRY_MS}\nid: ${token}\n\n`)
    const { since = token } = request.query as StreamValues
    const known = request.headers['last-event-id']
    streams.begin(opening, typeof known === 'string' && known !== '' ? known : since)
  }

  app.get(`${site.base}/events/stream`, {
    schema: { querystring: StreamQuery },
    config: { access: 'anyone', docs: docs.full },
    handler: (request, reply) => open(request, reply, request.viewer),
  })

  app.get(`${site.base}/public/stream`, {
    schema: { querystring: StreamQuery },
    config: { ignoresCredentials: true, docs: docs.public },
    handler: (request, reply) => open(request, reply, ANONYMOUS),
  })
}

const success = {
  status: 200,
  description:
    'Server-Sent Events: `event: changed` with the sync token as `id`. Comments in between keep the connection open.',
  contentType: 'text/event-stream',
}

const docs = {
  full: {
    id: 'streamChanges',
    summary: 'Be told when something changes',
    description:
      'A stream of Server-Sent Events. What changed is in `GET /events/changes`. With `since` or `Last-Event-ID`, a change after that token is reported at once. Anonymous readers are told only of what they see.',
    success,
    errors: ['service_unavailable'],
  },
  public: {
    id: 'streamPublicChanges',
    summary: 'Be told when something changes for the public',
    description:
      'As `GET /events/stream` without credentials. Changes that the public does not see cause no event. What changed is in `GET /public/changes`.',
    success,
    errors: ['service_unavailable'],
  },
} satisfies Record<string, RouteDocs>
