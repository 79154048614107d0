// The HTTP server as a value: its limits, the checks every request passes, and one way to fail. Routes are added by app.ts.
import { createServer, type IncomingMessage, METHODS, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Recorder } from '../actions/diagnostics.ts'
import { makeStateReader } from '../actions/state.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { AppError, fail } from '../errors.ts'
import { newId } from '../secrets.ts'
import { type AttemptMaker, makeAttempts } from './attempts.ts'
import { decodeUtf8, JSON_LIMIT_BYTES, parseJsonBody } from './body.ts'
import { refuseBrokenRequest } from './broken-request.ts'
import { addChecks, type Life } from './checks.ts'
import { makeConnectionGuard } from './connections.ts'
import { makeSessionCookie, type SessionCookie } from './cookie.ts'
import { pathOf } from './doorstep.ts'
import { type Mouth, sendError } from './errors.ts'
import { securityHeaders } from './headers.ts'
import { type Limits, makeLimits } from './limits.ts'
import { type Paths, refuseOtherMethods, watchPaths } from './methods.ts'
import { PATIENCE, type Patience } from './patience.ts'
import { cutLongPayloads, makeSending, type Sending } from './sending.ts'
import { makeShortWay, type ShortWay } from './short-way.ts'
import { type Site, siteOf } from './site.ts'
import { addTraces } from './trace.ts'
import { compileValidator } from './validation.ts'

export interface Doors {
  app: FastifyInstance
  site: Site
  limits: Limits
  cookie: SessionCookie
  attempts: AttemptMaker
  life: Life
  paths: Paths
  shortWay: ShortWay
  sending: Sending
  /** Those who speak something else than JSON say so here. */
  mouths: Mouth[]
  hear: Hearing
}

export type Hearing = (request: IncomingMessage, response: ServerResponse) => void

export function makeServer(ctx: Context, recorder: Recorder, patience: Patience = PATIENCE): Doors {
  const site = siteOf(ctx.config)
  const limits = makeLimits(ctx)
  const headers = securityHeaders(site, ctx.config)
  const life = { isDraining: false }
  const readState = makeStateReader(ctx)
  const sending = makeSending(patience)
  const shortWay = makeShortWay({ ctx, site, limits, life, recorder, readState, sending })
  const guard = makeConnectionGuard(ctx.config, patience)
  const mouths: Mouth[] = []
  const saying = { log: ctx.log, mouths }
  let hear: Hearing = () => {}
  const app = Fastify({
    logger: false,
    bodyLimit: JSON_LIMIT_BYTES,
    forceCloseConnections: 'idle',
    // While it closes, requests that came before are still answered in our own words.
    return503OnClosing: false,
    genReqId: newId,
    requestIdHeader: false,
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      // Refused before any hook has run.
      void sendError(error, request, reply.headers({ ...headers, 'x-request-id': request.id }), saying),
    clientErrorHandler: refuseBrokenRequest,
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 255 },
    serverFactory: (framework: Hearing) => {
      hear = (request, response) => {
        request.url = pathOf(request)
        shortWay.answer(request, response, () => framework(request, response))
      }
      // More than one may listen: a name can have several addresses.
      const server = listenerOf(ctx.config, patience, hear)
      guard(server)
      return server
    },
  } as object) as unknown as FastifyInstance
  // Every method Node can read is known here, so that an address refuses it by name instead of denying that it exists.
  for (const method of METHODS)
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method))
      app.addHttpMethod(method, { hasBody: METHODS_WITH_XML.includes(method) })
  app.setValidatorCompiler(compileValidator)
  // Presenters build exactly what leaves; tests hold every answer against its schema instead.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, saying))
  app.setNotFoundHandler((request, reply) => sendError(new AppError('route_not_found'), request, reply, saying))
  cutLongPayloads(app)
  takeJson(app)
  takeCalendars(app)
  takeDavBodies(app)
  const cookie = makeSessionCookie(ctx.secret)
  const attempts = makeAttempts(limits, (entry) => recorder.audit(entry, ctx.clock()))
  const paths = watchPaths(app)
  addTraces(app, { ctx, site, recorder, paths })
  addChecks(app, { ctx, site, limits, life, cookie, attempts, recorder, headers, readState, paths })
  refuseOtherMethods(app, paths)
  return { app, site, limits, cookie, attempts, life, paths, shortWay, sending, mouths, hear }
}

const METHODS_WITH_XML = ['PROPFIND', 'PROPPATCH', 'REPORT']

const LISTENING = {
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  // Half-sent requests are looked for this often; Node's own half minute would let slow senders gather.
  connectionsCheckingInterval: 5_000,
  headersTimeout: 10_000,
  maxHeaderSize: 16 * 1_024,
}

function listenerOf({ tls }: Config, { handshakeMs }: Patience, hear: Hearing) {
  if (!tls) return createServer(LISTENING, hear)
  const secure = { cert: tls.certificate, key: tls.key, minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs } as const
  return createSecureServer({ ...LISTENING, ...secure }, hear)
}

function takeJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  takeBodies(app, ['application/json', 'application/merge-patch+json'], (_request, body) => parseJsonBody(body))
}

/** Only where a route says that it takes them. */
function takeCalendars(app: FastifyInstance): void {
  takeBodies(app, 'text/calendar', ({ routeOptions: { config } }, body) => {
    if (config.takes !== 'text/calendar') fail('unsupported_media_type')
    return decodeUtf8(body, config.isDav)
  })
}

/** Of every other type, or of none: calendar programs do not always say what they send. */
function takeDavBodies(app: FastifyInstance): void {
  takeBodies(app, '*', ({ is404, routeOptions: { config } }, body) => {
    if (is404) return undefined
    return config.isDav ? decodeUtf8(body, config.takes === 'text/calendar') : fail('unsupported_media_type')
  })
}

type ReadBody = (request: FastifyRequest, body: Buffer) => unknown

/** Calendar programs name a type also where they send nothing, and any will do. */
function takeBodies(app: FastifyInstance, types: string | string[], read: ReadBody): void {
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (request, body, done) => {
    const isNothing = request.routeOptions.config?.isDav && body.length === 0
    try {
      done(null, isNothing ? undefined : read(request, body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}
