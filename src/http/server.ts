// Creates the Fastify server: connection limits, request guard, error handler. Routes: see app.ts.
import { createServer, type IncomingMessage, METHODS, type ServerResponse } from 'node:http'
import { createServer as createSecureServer, Server as SecureServer } from 'node:https'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { createSignIn } from '../actions/access/sign-in.ts'
import type { Recorder } from '../actions/maintenance/diagnostics.ts'
import { createRevisionReader, createTurnReader, type StateReader } from '../actions/maintenance/revision-reader.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { countRefusal } from '../ops/metrics.ts'
import { createLoginThrottle, type LoginThrottle } from '../rate-limits/login-throttle.ts'
import { networkPathOf } from '../rate-limits/networks.ts'
import { createRequestLimits, type RequestLimits } from '../rate-limits/request-limits.ts'
import { runForClient } from '../scheduling/current-client.ts'
import { newId } from '../secrets.ts'
import { addAccessLog, createAccessLog } from './access-log.ts'
import { JSON_LIMIT_BYTES } from './body.ts'
import { addBodyParsers } from './body-parsers.ts'
import { createBodyLimiter } from './connections/body-limiter.ts'
import { createSocketRefusal, isRefused } from './connections/broken-request.ts'
import { createConnectionGuard, createSparedList } from './connections/connection-limiter.ts'
import { CONNECTION_LIMITS, type ConnectionLimits } from './connections/connection-limits.ts'
import { limitHandshakes } from './connections/handshake-limiter.ts'
import { dropsWaiting, listDueResponses, trackInFlight } from './connections/in-flight.ts'
import { limitKeyUpdates } from './connections/key-update-limiter.ts'
import { createNetworkCounter } from './connections/network-counter.ts'
import { refuseExcessPipelined, refuseRequest } from './connections/pipelining.ts'
import { BoundedIncomingMessage } from './connections/request-headers.ts'
import { createRequestScheduler, type RequestScheduler } from './connections/request-scheduler.ts'
import { tlsOptionsOf } from './connections/tls-options.ts'
import { createClientContext } from './guard/client-context.ts'
import { createSessionCookie, type SessionCookie } from './guard/cookie.ts'
import { createCors } from './guard/cors.ts'
import { createIdempotencyHooks } from './guard/idempotency.ts'
import { createPeerReader, remoteAddressOf } from './guard/peer.ts'
import { createReaderRecheck, type ReaderRecheck, recheckReaders } from './guard/reader-recheck.ts'
import { addRequestGuard, type ServerState } from './guard/request-guard.ts'
import { normalizeTarget } from './guard/request-target.ts'
import { MAX_PARAMETER_LENGTH, type RoutePaths, recordRoutePaths, refuseOtherMethods } from './methods.ts'
import { createQueryParser } from './query.ts'
import { type ErrorRenderer, handleError, type RefusalListener, writeRawError } from './responses/errors.ts'
import { createFastPath, type FastPath } from './responses/fast-path.ts'
import { type SecurityHeaders, securityHeaders } from './responses/headers.ts'
import { addPayloadSplitting, createResponseWriter, type ResponseWriter } from './responses/response-writer.ts'
import { type Site, siteOf } from './site.ts'
import { addTraces } from './trace.ts'
import { compileValidator } from './validation.ts'

export interface HttpServer {
  app: FastifyInstance
  site: Site
  limits: RequestLimits
  cookie: SessionCookie
  attempts: LoginThrottle
  serverState: ServerState
  paths: RoutePaths
  fastPath: FastPath
  responseWriter: ResponseWriter
  readState: StateReader
  recheckReader: ReaderRecheck
  /** Protocols that do not answer in JSON add their renderer here. */
  errorRenderers: ErrorRenderer[]
  handle: RequestListener
}

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

export function createHttpServer(
  ctx: Context,
  recorder: Recorder,
  connectionLimits: ConnectionLimits = CONNECTION_LIMITS,
): HttpServer {
  const site = siteOf(ctx.config)
  const limits = createRequestLimits(ctx)
  const headers = securityHeaders(site, ctx.config)
  const cors = createCors(site, ctx.config.apiOrigins, (url) => paths.find(url))
  const refusalHeaders = (request: IncomingMessage): SecurityHeaders => ({ ...headers, ...cors.headersOf(request) })
  const serverState: ServerState = { isDraining: false }
  const readState = createRevisionReader(ctx)
  const signIn = createSignIn(ctx)
  const responseWriter = createResponseWriter(connectionLimits)
  const accessLog = createAccessLog({ ctx, site, findPath: (url) => paths.find(url) })
  const fastPath = createFastPath({
    ctx,
    site,
    limits,
    serverState: serverState,
    recorder,
    readState,
    readTurnState: createTurnReader(ctx, readState),
    signIn,
    responseWriter: responseWriter,
    accessLog,
  })
  const onRefused: RefusalListener = (request, status, id) => {
    if (status === 429) countRefusal(ctx.metrics, 'connections')
    accessLog.recordRefusal(request, status, id)
  }
  const refusal = createSocketRefusal(ctx.config, limits, headers, connectionLimits, onRefused)
  const peerOf = createPeerReader(ctx.config)
  const clients = createClientContext((request) => networkPathOf(peerOf(request).address))
  const requestsInFlight = createNetworkCounter(connectionLimits.perNetwork)
  /**
   * Connections of a proxy are not capped by network, so the requests it forwards are: one network cannot use them all.
   */
  const isOverNetwork = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (ctx.config.trustProxy.length === 0) return false
    const { address } = peerOf(request)
    return address !== remoteAddressOf(request.socket) && !requestsInFlight.admit(address, response)
  }
  const scheduler = createRequestScheduler((request) => clients.of(request).path)
  const guard = createConnectionGuard(ctx.config, connectionLimits, refusal, scheduler, serverState)
  const errorRenderers: ErrorRenderer[] = []
  const errorContext = { log: ctx.log, renderers: errorRenderers, limits }
  const answerRaw: RawErrorHandler = (error, request, response) =>
    writeRawError(error, request, response, {
      log: ctx.log,
      headers: refusalHeaders(request),
      onAnswered: accessLog.recordRefusal,
    })
  const queries = createQueryParser()
  let handle: RequestListener = () => {}
  const app = Fastify({
    logger: false,
    bodyLimit: JSON_LIMIT_BYTES,
    forceCloseConnections: 'idle',
    // While the server closes, requests that arrived before are still answered by the service, not by Fastify's 503.
    return503OnClosing: false,
    genReqId: newId,
    requestIdHeader: false,
    // Runs before any hook, so nothing that hooks set may be used. Targets are normalised so that this does not happen.
    frameworkErrors: (error: unknown, { raw }: FastifyRequest, reply: FastifyReply) => answerRaw(error, raw, reply.raw),
    clientErrorHandler: refusal.handleClientError,
    // A parameter that is too long means a path that no route takes.
    routerOptions: {
      ignoreTrailingSlash: true,
      caseSensitive: true,
      maxParamLength: MAX_PARAMETER_LENGTH,
      onMaxParamLength: null,
      querystringParser: queries.parse,
    },
    // Given here and not by `setValidatorCompiler`, so that Fastify does not load its own compilers first.
    schemaController: {
      compilersFactory: {
        buildValidator: () => compileValidator,
        // Presenters build the exact output; tests validate every response against its schema instead.
        buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
      },
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
      handle = createListener({
        framework: forClient,
        fastPath,
        scheduler,
        handleError: answerRaw,
        isOverNetwork,
        refusalHeaders,
        onRefused,
        onUnfinished: (request, response) =>
          accessLog.recordUnfinished(request, response, clients.of(request).requestId ?? newId()),
      })
      // More than one server may listen: a host name can have several addresses.
      const server = listenerOf(ctx.config, connectionLimits, handle)
      guard(server)
      return server
    },
  } as object) as unknown as FastifyInstance
  // Registers every method that Node can parse, so that a known path answers 405 instead of 404.
  for (const method of METHODS)
    if (method !== 'CONNECT' && (method === 'QUERY' || !app.supportedMethods.includes(method)))
      // Fastify requires a Content-Type with QUERY before it looks for the route; no route here takes that method.
      app.addHttpMethod(method, { hasBody: METHODS_WITH_XML.includes(method), overrideExisting: true })
  app.setErrorHandler((error, request, reply) => handleError(error, request, reply, errorContext))
  app.setNotFoundHandler((request, reply) => handleError(new AppError('route_not_found'), request, reply, errorContext))
  const recheckReader = createReaderRecheck(ctx, readState)
  recheckReaders(app, recheckReader)
  const idempotency = createIdempotencyHooks(ctx)
  idempotency.addStoring(app)
  addPayloadSplitting(app, responseWriter)
  addBodyParsers(app, clients)
  const cookie = createSessionCookie(ctx.secret, site.isSecure)
  const attempts = createLoginThrottle(limits, (entry) => recorder.audit(entry, ctx.clock()))
  const paths = recordRoutePaths(app)
  queries.watch(app)
  addAccessLog(app, ctx, site, accessLog)
  addTraces(app, { ctx, site, recorder, paths })
  // Code after a body runs where the body was read, which is in the async context of the connection.
  app.addHook('preValidation', (request, _reply, done) => runForClient(clients.of(request.raw), done))
  const bodies = createBodyLimiter(connectionLimits)
  addRequestGuard(app, {
    ctx,
    site,
    limits,
    serverState: serverState,
    cookie,
    signIn,
    attempts,
    recorder,
    headers,
    cors,
    readState,
    paths,
    clients,
    bodies,
  })
  idempotency.addClaiming(app)
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
    readState,
    recheckReader,
    errorRenderers,
    handle,
  }
}

type RawErrorHandler = (error: unknown, request: IncomingMessage, response: ServerResponse) => void

/** Receives each request from Node. Anything thrown here, now or later, is answered or ends that one connection. */
interface ListenerParts {
  framework: RequestListener
  fastPath: FastPath
  scheduler: RequestScheduler
  handleError: RawErrorHandler
  isOverNetwork: (request: IncomingMessage, response: ServerResponse) => boolean
  refusalHeaders: (request: IncomingMessage) => SecurityHeaders
  onRefused: RefusalListener
  onUnfinished: RequestListener
}

function createListener(parts: ListenerParts): RequestListener {
  const { framework, fastPath, scheduler, handleError, isOverNetwork, refusalHeaders, onRefused, onUnfinished } = parts
  const handle: RequestListener = (request, response) => {
    const passToFramework = (isAnswered: boolean): void => {
      if (!isAnswered) framework(request, response)
    }
    try {
      normalizeTarget(request)
      const answered = fastPath.answer(request, response)
      if (answered instanceof Promise)
        answered.then(passToFramework).catch((error) => handleError(error, request, response))
      else passToFramework(answered)
    } catch (error) {
      handleError(error, request, response)
    }
  }
  return (request, response) => {
    if (isRefused(request.socket) || refuseExcessPipelined(request, response, refusalHeaders, onRefused)) return
    if (isOverNetwork(request, response)) return refuseRequest(request, response, refusalHeaders(request), onRefused)
    trackInFlight(request, response, () => {
      if (!response.writableFinished) onUnfinished(request, response)
      scheduler.release(request)
    })
    // Writing to a response after its end emits an error, which without a listener would end the process.
    response.on('error', ignore)
    scheduler.schedule(request, () => {
      if (!isRefused(request.socket) && !dropsWaiting(request.socket)) handle(request, response)
    })
  }
}

const ignore = (): void => {}

const METHODS_WITH_XML = ['PROPFIND', 'PROPPATCH', 'REPORT']

const LISTENING = {
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 * 1_024,
  IncomingMessage: BoundedIncomingMessage,
  // A request without a body begins with a stream that has ended: ending it takes some 5 µs of each read.
  optimizeEmptyRequests: true,
  // Checked with every other request instead: Node's own response has no code and is not counted.
  requireHostHeader: false,
}

/** Browsers send some twenty, proxies add a few. One more is 431; each takes time before any limit can refuse. */
const MAX_HEADERS = 100

function listenerOf(config: Config, connectionLimits: ConnectionLimits, listener: RequestListener) {
  const { tls } = config
  const { handshakeMs, headersMs, checkEveryMs } = connectionLimits
  // Incomplete requests are checked as often as other connections; with Node's default of 30 s they would accumulate.
  const limits = { ...LISTENING, headersTimeout: headersMs, connectionsCheckingInterval: checkEveryMs }
  const server = tls
    ? createSecureServer({ ...limits, ...tlsOptionsOf(tls), handshakeTimeout: handshakeMs }, listener)
    : createServer(limits, listener)
  if (server instanceof SecureServer) {
    limitHandshakes(server, handshakeMs)
    limitKeyUpdates(server, createSparedList(config, connectionLimits))
  }
  server.maxHeadersCount = MAX_HEADERS
  // Node would answer 417 by itself, uncounted; RFC 9110 §10.1.1 lets a server ignore an unknown expectation.
  server.on('checkExpectation', listener)
  // While an earlier response is due, Node would write the 100 into the middle of it. It may be omitted (§10.1.1).
  server.on('checkContinue', (request, response) => {
    if (listDueResponses(request.socket).length === 0) response.writeContinue()
    listener(request, response)
  })
  return server
}
