// The HTTP server as a value: its limits, the checks every request passes, and one way to fail. Routes are added by app.ts.
import { createServer, type IncomingMessage, METHODS, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Recorder } from '../actions/maintenance/diagnostics.ts'
import { createRevisionReader } from '../actions/maintenance/revision-reader.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { AppError, fail } from '../errors.ts'
import { runForClient } from '../scheduling/current-client.ts'
import { yieldToEventLoop } from '../scheduling/event-loop.ts'
import { newId } from '../secrets.ts'
import { decodeUtf8, JSON_LIMIT_BYTES, LONG_BODY_BYTES, parseJsonBody } from './body.ts'
import { createSocketRefusal, isRefused } from './connections/broken-request.ts'
import { createConnectionGuard } from './connections/connection-limiter.ts'
import { CONNECTION_LIMITS, type ConnectionLimits } from './connections/connection-limits.ts'
import { dropsWaiting, listDueResponses, trackInFlight } from './connections/in-flight.ts'
import { createNetworkCounter } from './connections/network-counter.ts'
import { refuseOverfull, refuseRequest } from './connections/pipelining.ts'
import { createRequestScheduler, type RequestScheduler } from './connections/request-scheduler.ts'
import { type ClientContext, createClientContext } from './guard/client-context.ts'
import { createSessionCookie, type SessionCookie } from './guard/cookie.ts'
import { createLoginThrottle, type LoginThrottle } from './guard/login-throttle.ts'
import { pathOfAddress } from './guard/networks.ts'
import { createPeerReader, remoteAddressOf } from './guard/peer.ts'
import { createLimits, type Limits } from './guard/rate-limits.ts'
import { createReaderRecheck, type ReaderRecheck, recheckReaders } from './guard/reader-recheck.ts'
import { addRequestGuard, type ServerState } from './guard/request-guard.ts'
import { normalizeTarget } from './guard/request-target.ts'
import { MAX_PARAMETER_LENGTH, type RoutePaths, refuseOtherMethods, watchPaths } from './methods.ts'
import { answerError, answerRawError, type ErrorRenderer } from './responses/errors.ts'
import { createFastPath, type FastPath } from './responses/fast-path.ts'
import { securityHeaders } from './responses/headers.ts'
import { createResponseWriter, cutLongPayloads, type ResponseWriter } from './responses/response-writer.ts'
import { type Site, siteOf } from './site.ts'
import { addTraces } from './trace.ts'
import { compileValidator } from './validation.ts'

export interface HttpServer {
  app: FastifyInstance
  site: Site
  limits: Limits
  cookie: SessionCookie
  attempts: LoginThrottle
  serverState: ServerState
  paths: RoutePaths
  fastPath: FastPath
  responseWriter: ResponseWriter
  recheckReader: ReaderRecheck
  /** Those who speak something else than JSON say so here. */
  errorRenderers: ErrorRenderer[]
  handle: RequestListener
}

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

export function createHttpServer(
  ctx: Context,
  recorder: Recorder,
  patience: ConnectionLimits = CONNECTION_LIMITS,
): HttpServer {
  const site = siteOf(ctx.config)
  const limits = createLimits(ctx)
  const headers = securityHeaders(site, ctx.config)
  const serverState: ServerState = { isDraining: false }
  const readState = createRevisionReader(ctx)
  const responseWriter = createResponseWriter(patience)
  const fastPath = createFastPath({
    ctx,
    site,
    limits,
    life: serverState,
    recorder,
    readState,
    sending: responseWriter,
  })
  const refusal = createSocketRefusal(ctx.config, limits, patience)
  const peerOf = createPeerReader(ctx.config)
  const clients = createClientContext((request) => pathOfAddress(peerOf(request).address))
  const underWay = createNetworkCounter(patience.perNetwork)
  /** Connections of a proxy are not counted by network, so the requests it forwards are: one network cannot fill them all. */
  const isOverNetwork = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { address } = peerOf(request)
    return address !== remoteAddressOf(request.socket) && !underWay.admit(address, response)
  }
  const scheduler = createRequestScheduler((request) => clients.of(request).path)
  const guard = createConnectionGuard(ctx.config, patience, refusal, scheduler, serverState)
  const errorRenderers: ErrorRenderer[] = []
  const errorContext = { log: ctx.log, renderers: errorRenderers, limits }
  const answerRaw: RawErrorHandler = (error, request, response) =>
    answerRawError(error, request, response, { log: ctx.log, headers })
  let handle: RequestListener = () => {}
  const app = Fastify({
    logger: false,
    bodyLimit: JSON_LIMIT_BYTES,
    forceCloseConnections: 'idle',
    // While it closes, requests that came before are still answered in our own words.
    return503OnClosing: false,
    genReqId: newId,
    requestIdHeader: false,
    // Before any hook has run, so nothing that hooks set may be used. Targets are normalised so that it does not happen.
    frameworkErrors: (error: unknown, { raw }: FastifyRequest, reply: FastifyReply) => answerRaw(error, raw, reply.raw),
    clientErrorHandler: refusal.handleClientError,
    // A parameter that is too long is a path that no route takes.
    routerOptions: {
      ignoreTrailingSlash: true,
      caseSensitive: true,
      maxParamLength: MAX_PARAMETER_LENGTH,
      onMaxParamLength: null,
    },
    serverFactory: (framework: RequestListener) => {
      const forClient: RequestListener = (request, response) =>
        runForClient(clients.of(request), () => {
          try {
            framework(request, response)
          } catch (error) {
            answerRaw(error, request, response)
          }
        })
      handle = createListener(forClient, fastPath, scheduler, answerRaw, isOverNetwork)
      // More than one may listen: a name can have several addresses.
      const server = listenerOf(ctx.config, patience, handle)
      guard(server)
      return server
    },
  } as object) as unknown as FastifyInstance
  // Every method Node can read is known here, so that an address refuses it by name instead of denying that it exists.
  for (const method of METHODS)
    if (method !== 'CONNECT' && (method === 'QUERY' || !app.supportedMethods.includes(method)))
      // Fastify wants a Content-Type with QUERY before it looks for the route; no route here takes that method.
      app.addHttpMethod(method, { hasBody: METHODS_WITH_XML.includes(method), overrideExisting: true })
  app.setValidatorCompiler(compileValidator)
  // Presenters build exactly what leaves; tests hold every answer against its schema instead.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, errorContext))
  app.setNotFoundHandler((request, reply) => answerError(new AppError('route_not_found'), request, reply, errorContext))
  const recheckReader = createReaderRecheck(ctx, readState)
  recheckReaders(app, recheckReader)
  cutLongPayloads(app, responseWriter)
  takeJson(app, clients)
  takeCalendars(app, clients)
  takeDavBodies(app, clients)
  const cookie = createSessionCookie(ctx.secret)
  const attempts = createLoginThrottle(limits, (entry) => recorder.audit(entry, ctx.clock()))
  const paths = watchPaths(app)
  addTraces(app, { ctx, site, recorder, paths })
  // What follows a body runs where the body was read, which is in the context of the connection.
  app.addHook('preValidation', (request, _reply, done) => runForClient(clients.of(request.raw), done))
  const bodies = createNetworkCounter(patience.bodyBytesPerNetwork)
  addRequestGuard(app, {
    ctx,
    site,
    limits,
    life: serverState,
    cookie,
    attempts,
    recorder,
    headers,
    readState,
    paths,
    clients,
    bodies,
  })
  refuseOtherMethods(app, paths)
  return {
    app,
    site,
    limits,
    cookie,
    attempts,
    serverState,
    paths,
    fastPath,
    responseWriter,
    recheckReader,
    errorRenderers,
    handle,
  }
}

type RawErrorHandler = (error: unknown, request: IncomingMessage, response: ServerResponse) => void

/** Takes each request from Node. Whatever throws here, now or later, is answered or ends that one connection. */
function createListener(
  framework: RequestListener,
  fastPath: FastPath,
  scheduler: RequestScheduler,
  handleError: RawErrorHandler,
  isOverNetwork: (request: IncomingMessage, response: ServerResponse) => boolean,
): RequestListener {
  const handle: RequestListener = (request, response) => {
    const handOn = (isAnswered: boolean): void => {
      if (!isAnswered) framework(request, response)
    }
    try {
      normalizeTarget(request)
      const answered = fastPath.answer(request, response)
      if (answered instanceof Promise) answered.then(handOn).catch((error) => handleError(error, request, response))
      else handOn(answered)
    } catch (error) {
      handleError(error, request, response)
    }
  }
  return (request, response) => {
    if (isRefused(request.socket) || refuseOverfull(request, response)) return
    if (isOverNetwork(request, response)) return refuseRequest(response)
    trackInFlight(request, response)
    // Written to after its end, a response emits an error, which without a listener would end the process.
    response.on('error', () => {})
    scheduler.schedule(request, response, () => {
      if (!isRefused(request.socket) && !dropsWaiting(request.socket)) handle(request, response)
    })
  }
}

const METHODS_WITH_XML = ['PROPFIND', 'PROPPATCH', 'REPORT']

const LISTENING = {
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 * 1_024,
  // Checked with every other request instead: Node's own answer has no code and is not counted.
  requireHostHeader: false,
}

function listenerOf({ tls }: Config, { handshakeMs, headersMs, lookEveryMs }: ConnectionLimits, hear: RequestListener) {
  // Half-sent requests are looked for as often as other connections; Node's own half minute would let them gather.
  const limits = { ...LISTENING, headersTimeout: headersMs, connectionsCheckingInterval: lookEveryMs }
  const secure =
    tls && ({ cert: tls.certificate, key: tls.key, minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs } as const)
  const server = secure ? createSecureServer({ ...limits, ...secure }, hear) : createServer(limits, hear)
  // Node would answer 417 by itself, uncounted; RFC 9110 §10.1.1 lets a server ignore what it does not know.
  server.on('checkExpectation', hear)
  // While an earlier answer is due, Node would write the 100 into the middle of this one. It may be left out (§10.1.1).
  server.on('checkContinue', (request, response) => {
    if (listDueResponses(request.socket).length === 0) response.writeContinue()
    hear(request, response)
  })
  return server
}

function takeJson(app: FastifyInstance, clients: ClientContext): void {
  app.removeAllContentTypeParsers()
  takeBodies(app, clients, ['application/json', 'application/merge-patch+json'], (request, body) =>
    // Clients may send an empty object to a route that takes no body; to parse it is work for nothing.
    wantsBody(request) ? parseJsonBody(body) : undefined,
  )
}

/** Only where a route says that it takes them. */
function takeCalendars(app: FastifyInstance, clients: ClientContext): void {
  takeBodies(app, clients, 'text/calendar', ({ routeOptions: { config } }, body) => {
    if (config.takes !== 'text/calendar') fail('unsupported_media_type')
    return decodeUtf8(body, config.isDav)
  })
}

/** Of every other type, or of none: calendar programs do not always say what they send. */
function takeDavBodies(app: FastifyInstance, clients: ClientContext): void {
  takeBodies(app, clients, '*', ({ is404, routeOptions: { config } }, body) => {
    if (is404) return undefined
    return config.isDav ? decodeUtf8(body, config.takes === 'text/calendar') : fail('unsupported_media_type')
  })
}

const wantsBody = ({ routeOptions: { config, schema } }: FastifyRequest): boolean =>
  config?.takes !== undefined || schema?.body !== undefined

type ReadBody = (request: FastifyRequest, body: Buffer) => unknown

/**
 * Clients name a type also where they send nothing; where no body is wanted, any will do. Long bodies are read in turn:
 * hundreds may end at the same moment.
 */
function takeBodies(app: FastifyInstance, clients: ClientContext, types: string | string[], read: ReadBody): void {
  app.addContentTypeParser(types, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const isNothing = body.length === 0 && (request.routeOptions.config?.isDav || !wantsBody(request))
    if (body.length > LONG_BODY_BYTES) await runForClient(clients.of(request.raw), yieldToEventLoop)
    if (isRefused(request.raw.socket)) fail('request_timeout')
    return isNothing ? undefined : read(request, body)
  })
}
