// Records a redacted trace of each response for diagnosis while the recorder has room.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Recorder, RequestTrace } from '../actions/maintenance/diagnostics.ts'
import type { Context } from '../context.ts'
import type { Viewer } from '../domain/privacy/viewer.ts'
import type { Instant } from '../domain/time/instant.ts'
import { formatUtc } from '../domain/time/text.ts'
import { roughNetworkOf } from '../rate-limits/networks.ts'
import { newId } from '../secrets.ts'
import { AUTH_WORDS } from './guard/viewer.ts'
import type { RoutePaths } from './methods.ts'
import { errorCodeOf } from './responses/errors.ts'
import type { Site } from './site.ts'
import { redactBody, redactQuery, redactRequestHeaders, redactResponseHeaders } from './trace-redaction.ts'

/** Requested every few seconds by monitoring; recorded only when they fail. */
export const PROBES = ['/healthz', '/readyz', '/metrics']

export interface TraceOptions {
  ctx: Context
  site: Site
  recorder: Recorder
  paths: RoutePaths
}

export function addTraces(app: FastifyInstance, { ctx, site, recorder, paths }: TraceOptions): void {
  const templateOf = (url: string): string | undefined => {
    const path = paths.find(url.startsWith(site.origin) ? url.slice(site.origin.length) : url)
    return path && templateName(path.template, site)
  }
  app.addHook('onResponse', (request, reply, done) => {
    const isFailure = reply.statusCode >= 400
    // The response has been sent: a failure here must not fail the request.
    try {
      if (!recorder.hasRoom(isFailure)) recorder.skip()
      else if (isFailure || !PROBES.includes(request.routeOptions.url ?? '')) {
        const now = ctx.clock()
        recorder.trace(traceOf({ request, reply, site, templateOf, ctx, now }), now)
      }
    } catch {
      recorder.skip()
    }
    done()
  })
}

interface Answered {
  request: FastifyRequest
  reply: FastifyReply
  site: Site
  /** Template of the route that a URL belongs to, without parameter values. */
  templateOf: (location: string) => string | undefined
  ctx: Context
  now: Instant
}

function traceOf({ request, reply, site, templateOf, ctx, now }: Answered): RequestTrace {
  const { url, schema } = request.routeOptions
  const { headers } = request
  return {
    id: newId(),
    at: formatUtc(now),
    request_id: request.id,
    node: ctx.nodeId,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    ...whoAsked(request.viewer),
    client_net: (request.peer && roughNetworkOf(request.peer.address)) || null,
    request: {
      method: request.method,
      route: (request.is404 || url === undefined ? templateOf(request.url) : templateName(url, site)) ?? null,
      query: redactQuery(request.query, namesOf(schema?.querystring)),
      headers: redactRequestHeaders(headers, site.origin),
      body: redactBody(request.body, namesOf(schema?.body)),
      bytes: bytesOf(headers['content-length']),
    },
    response: {
      status: reply.statusCode,
      error_code: errorCodeOf(request) ?? null,
      headers: redactResponseHeaders((name) => reply.getHeader(name), templateOf),
      bytes: bytesOf(reply.getHeader('content-length')),
    },
    rate_policy: /^"([a-z0-9-]+)"/.exec(String(reply.getHeader('ratelimit-policy') ?? ''))?.[1] ?? null,
  }
}

const whoAsked = (viewer: Viewer | undefined): Pick<RequestTrace, 'auth' | 'user_id'> =>
  viewer?.kind === 'account'
    ? { auth: AUTH_WORDS[viewer.proof], user_id: viewer.account.id }
    : { auth: 'anonymous', user_id: null }

const namesOf = (schema: unknown): string[] => Object.keys((schema as { properties?: object })?.properties ?? {})

const bytesOf = (length: unknown): number | null => (/^\d{1,15}$/.test(String(length)) ? Number(length) : null)

/** As the documentation writes it: `/events/{event_id}`. */
export function templateName(url: string, { base, davBase, root }: Site): string {
  const own = url.startsWith(`${base}/`) ? url.slice(base.length) : url
  return (own.startsWith(davBase) ? own.slice(root.length) : own).replace(/:(\w+)/g, '{$1}')
}
