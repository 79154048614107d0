// Access log: counts each answered request by route template, and logs it where log_level is info.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import type { ErrorCode } from '../errors.ts'
import { CLIENT_CLOSED, methodLabel, type RouteSeries } from '../ops/request-metrics.ts'
import type { BoundedIncomingMessage } from './connections/request-headers.ts'
import type { RoutePaths } from './methods.ts'
import { errorCodeOf } from './responses/errors.ts'
import type { Site } from './site.ts'
import { PROBES, templateName } from './trace.ts'

export interface AccessLog {
  /** The series of the route that a URL belongs to. */
  seriesOf(url: string): RouteSeries
  record(series: RouteSeries, request: IncomingMessage, status: number, requestId: string, code?: ErrorCode): void
  /** The same for a request that was refused without Fastify; broken ones have no request. */
  recordRefusal(request: IncomingMessage | undefined, status: number, requestId: string): void
  /** The same for one whose connection ended before its response; Fastify does not report those. */
  recordUnfinished(request: IncomingMessage, response: ServerResponse, requestId: string): void
}

export interface AccessLogOptions {
  ctx: Context
  site: Site
  findPath: RoutePaths['find']
}

export function createAccessLog({ ctx, site, findPath }: AccessLogOptions): AccessLog {
  const { requests } = ctx.metrics
  const isLogged = ctx.config.logLevel === 'info'
  /** An allow-list: no path, query, header, address or account. */
  const log = (
    route: string,
    method: string,
    status: number,
    durationMs: number,
    requestId: string,
    code?: ErrorCode,
  ) =>
    ctx.log.info('request', {
      request_id: requestId,
      route,
      method: methodLabel(method),
      status,
      duration_ms: Math.round(durationMs * 10) / 10,
      code,
    })
  const record: AccessLog['record'] = (series, request, status, requestId, code) => {
    const known = request as Partial<BoundedIncomingMessage>
    if (known.isLogged) return
    known.isLogged = true
    const method = request.method ?? ''
    const durationMs = sinceArrival(request)
    series.record(method, status, durationMs)
    if (isLogged && (status >= 400 || !PROBES.includes(series.route)))
      log(series.route, method, status, durationMs, requestId, code)
  }
  const seriesOf = (url: string): RouteSeries => {
    try {
      const path = findPath(url)
      return path ? requests.seriesOf(templateName(path.template, site)) : requests.unmatched
    } catch {
      // An escape that cannot be decoded.
      return requests.unmatched
    }
  }
  return {
    seriesOf,
    record,
    recordUnfinished: (request, response, requestId) =>
      record(seriesOf(request.url ?? ''), request, statusOf(response), requestId),
    recordRefusal(request, status, requestId) {
      // In a flood no route is looked for.
      const series = status === 429 ? requests.unmatched : seriesOf(request?.url ?? '')
      if (request) return record(series, request, status, requestId)
      requests.unmatched.record('', status, 0)
      if (isLogged) log(requests.unmatched.route, '', status, 0, requestId)
    },
  }
}

/** Undefined without a socket, as in tests: the duration is 0 then. */
const sinceArrival = (request: IncomingMessage): number => {
  const { arrivedAt } = request as Partial<BoundedIncomingMessage>
  return arrivedAt === undefined ? 0 : performance.now() - arrivedAt
}

/** Each route gets a hook with its own series, so that no request looks its route up. */
export function addAccessLog(app: FastifyInstance, ctx: Context, site: Site, accessLog: AccessLog): void {
  const { requests } = ctx.metrics
  app.addHook('onRoute', (route) => {
    const series = requests.seriesOf(templateName(route.url, site))
    series.offer([route.method].flat())
    route.onResponse = [
      ...[route.onResponse ?? []].flat(),
      (request, { raw }, done) => {
        accessLog.record(series, request.raw, statusOf(raw), request.id, errorCodeOf(request))
        done()
      },
    ]
  })
  app.addHook('onResponse', (request, { raw }, done) => {
    if (!request.is404) return done()
    const status = statusOf(raw)
    // A known path with a method that it does not offer has its route; in a flood of unknown paths none is looked for.
    const isUnknown = status === 404 || status === 429
    const series = isUnknown ? requests.unmatched : accessLog.seriesOf(request.url)
    accessLog.record(series, request.raw, status, request.id, errorCodeOf(request))
    done()
  })
}

const statusOf = (response: ServerResponse): number => (response.headersSent ? response.statusCode : CLIENT_CLOSED)
