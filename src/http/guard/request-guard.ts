// Request guard: Fastify hooks that check, authenticate and authorise before anything is disclosed.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SignIn } from '../../actions/access/sign-in.ts'
import type { Caller } from '../../actions/costly-work/semaphore.ts'
import type { Recorder } from '../../actions/maintenance/diagnostics.ts'
import type { CurrentState, StateReader } from '../../actions/maintenance/revision-reader.ts'
import type { Context } from '../../context.ts'
import type { Verb } from '../../domain/privacy/rights.ts'
import { ANONYMOUS, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { AppError, fail } from '../../errors.ts'
import { createLogThrottle } from '../../ops/log-throttle.ts'
import { slowBulkChanges } from '../../rate-limits/bulk-change-hooks.ts'
import type { LoginThrottle } from '../../rate-limits/login-throttle.ts'
import {
  accountCaller,
  type CountedKind,
  countByNetwork,
  countViewer,
  markCounted,
  networkCaller,
} from '../../rate-limits/request-hooks.ts'
import type { RequestLimits } from '../../rate-limits/request-limits.ts'
import { JSON_LIMIT_BYTES } from '../body.ts'
import type { BodyLimiter } from '../connections/body-limiter.ts'
import type { RoutePaths } from '../methods.ts'
import { acceptedTypes } from '../responses/accepted-types.ts'
import { errorCodeOf } from '../responses/errors.ts'
import type { SecurityHeaders } from '../responses/headers.ts'
import type { Site } from '../site.ts'
import type { ClientContext } from './client-context.ts'
import type { SessionCookie } from './cookie.ts'
import type { Cors } from './cors.ts'
import { refuseLinkedCredentials, refusePassword, requireCsrfToken, requireOwnOrigin } from './csrf.ts'
import { claimsHttps, createPeerReader, type Peer } from './peer.ts'
import { createPlaintextMonitor } from './plaintext-credentials.ts'
import { SAFE_METHODS } from './reader-recheck.ts'
import { findAmbiguousHeader, findTargetError, isAllowedTransport } from './request-target.ts'
import { refuseUnknownParameters } from './unknown-parameters.ts'
import { authenticate, failUnauthorized } from './viewer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer
    peer: Peer
    state: CurrentState
    /** Account or network that costly reads and writes are charged to. */
    caller: Caller
  }
  interface FastifyContextConfig {
    /** The right that is required. Absent: anyone, and credentials are ignored. */
    access?: 'anyone' | Verb
    /**
     * The response is the same for everyone: credentials are ignored, but the request is counted and the state is read.
     */
    ignoresCredentials?: boolean
    /** False for routes that must answer over plain http too, such as health checks. */
    needsHttps?: boolean
    /** True for health checks, which no limit may refuse. */
    isProbe?: boolean
    /** A page that people open in a browser: redirected to https, where the API refuses. */
    isPage?: boolean
    /** True where the body holds a password, with or without credentials. */
    carriesSecrets?: boolean
    /** True where a page of another site must not be able to send the request from a visitor's browser. */
    checksOrigin?: boolean
    /** Media type of the body, if not JSON. */
    takes?: 'text/calendar' | 'application/xml'
    /** For calendar clients: no cookies, and other rules for bodies. */
    isDav?: boolean
    /** True where an event that exists may be changed or deleted. */
    changesEvents?: boolean
    /** False where the method is only answered with the reason why it is not offered. */
    isOffered?: boolean
  }
}

export interface ServerState {
  /** The service still answers but is stopping: responses close their connections. */
  isDraining: boolean
  /** On the clock of `performance.now()`. */
  drainingSince?: number
}

export interface RequestGuardOptions {
  ctx: Context
  site: Site
  limits: RequestLimits
  serverState: ServerState
  cookie: SessionCookie
  signIn: SignIn
  attempts: LoginThrottle
  recorder: Recorder
  headers: SecurityHeaders
  cors: Cors
  readState: StateReader
  paths: RoutePaths
  clients: ClientContext
  bodies: BodyLimiter
}

/** Length of the body as announced; for a chunked body the most that the route allows. */
const announcedBytes = ({ headers }: FastifyRequest, most: number): number =>
  Number(headers['content-length'] ?? (headers['transfer-encoding'] === undefined ? 0 : most))

export function addRequestGuard(app: FastifyInstance, checks: RequestGuardOptions): void {
  const { ctx, site, limits, serverState, cookie, signIn, attempts, recorder, headers, readState, paths } = checks
  const { clients, bodies, cors } = checks
  app.decorateRequest('viewer')
  app.decorateRequest('peer')
  app.decorateRequest('state')
  app.decorateRequest('caller')
  const peerOf = createPeerReader(ctx.config)
  const exposed = createPlaintextMonitor(ctx, cookie, recorder)
  const authentication = { signIn, cookie, attempts, limits }
  const noteDenied = createDenialAudit(ctx, recorder)
  const isNewWarning = createLogThrottle(ctx.clock)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    clients.of(request.raw).requestId = request.id
    reply.headers(cors.headersOf(request.raw))
    request.viewer = ANONYMOUS
    request.peer = peerOf(request)
    request.caller = networkCaller(limits, request.peer)
    if (serverState.isDraining) reply.header('connection', 'close')
    const ambiguous = findAmbiguousHeader(request.raw)
    if (ambiguous) {
      reply.header('connection', 'close')
      fail('invalid_header', { header: ambiguous })
    }
    const targetError = findTargetError(request.raw)
    if (targetError) fail(targetError)
    // Before the body is read: no body makes an unknown path valid.
    if (request.is404 && !paths.find(request.url)) fail('route_not_found')
    if (!isCanonicalPath(request.url)) fail('route_not_found')
    // Fastify rebuilds routeOptions on each access.
    const { config, bodyLimit = JSON_LIMIT_BYTES } = request.routeOptions
    const { access, needsHttps = true, carriesSecrets = false, isPage = false, checksOrigin = false } = config
    const { ignoresCredentials = false, isDav = false, isProbe = false } = config
    const bodyBytes = announcedBytes(request, bodyLimit)
    if (bodyBytes > bodyLimit) fail('body_too_large')
    bodies.admitFrom(request.peer.address, reply, bodyBytes)
    const isListedPage = cors.isListedPage(request.raw)
    const takesCookie = !isDav && !isListedPage
    const hasCookie = takesCookie && cookie.isSent(request)
    const hasCredentials = !ignoresCredentials && (request.headers.authorization !== undefined || hasCookie)
    const isSensitive = carriesSecrets || (access !== undefined && access !== 'anyone') || hasCredentials
    if (needsHttps && !isAllowedTransport(request.peer, site, isSensitive)) {
      await exposed.note(request)
      if (request.peer.isBareLoopback && isNewWarning('bare loopback')) ctx.log.warn(BARE_LOOPBACK)
      if (!isPage || (site.isSecure && claimsHttps(request))) fail('https_required')
      // With an http public URL the redirect would lead to the same address; a page holds nothing personal.
      if (site.isSecure) return reply.redirect(`${site.origin}${request.url}`, 308)
    }
    // Signed in or not: otherwise the time of the refusal would tell a foreign page whether its visitor is signed in.
    const mayUseSession = takesCookie && access !== undefined && request.headers.authorization === undefined
    if (checksOrigin || mayUseSession) requireOwnOrigin(request, site)
    // Also without credentials: the refusal must not make the browser ask for them.
    if (isDav || (!ignoresCredentials && request.headers.authorization !== undefined)) refuseLinkedCredentials(request)
    if (isListedPage) refusePassword(request)
    if (access === undefined && !ignoresCredentials) {
      if (!isProbe) await countByNetwork(limits, request, reply, 'page-ip')
      return
    }
    markCounted(request)
    if (!hasCredentials) await countByNetwork(limits, request, reply, 'public-ip')
    request.state = await readState()
    if (access === undefined) return
    request.viewer = await authenticate(request, authentication, takesCookie)
    if (hasCredentials) await countViewer(limits, request, reply, kindOf(request))
    const { viewer } = request
    if (viewer.kind === 'account' && !viewer.standing) {
      request.caller = accountCaller(limits, viewer.account.id)
      clients.setAccount(request.raw, viewer.account.id)
    }
    try {
      guardSession(request, ctx.secret, cookie)
      if (access !== 'anyone') authorise(request.viewer, access)
    } catch (error) {
      noteDenied(request, error)
      throw error
    }
    if (viewer.kind === 'account') bodies.admitOf(viewer.account.id, reply, bodyBytes)
  })
  app.addHook('preValidation', refuseUnknownParameters)
  /** A body may arrive long after the credentials were checked, and the account may have changed since. */
  app.addHook('preHandler', async (request) => {
    if (!hasBody(request)) return
    const { viewer, state, routeOptions } = request
    if (viewer.kind !== 'account') return
    const { access, isDav = false } = routeOptions.config
    request.state = await readState()
    if (request.state.accountsRevision === state.accountsRevision) return
    request.viewer = await authenticate(request, authentication, !isDav)
    if (access !== undefined && access !== 'anyone') authorise(request.viewer, access)
  })
  slowBulkChanges(app, limits)
  app.addHook('onResponse', (request, _reply, done) => {
    if (errorCodeOf(request) === 'token_invalid_or_expired') {
      const anonymous = { actorId: null, subjectId: null, requestId: request.id }
      recorder.audit({ action: 'token_refused', ...anonymous, detail: {} }, ctx.clock())
    }
    done()
  })
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const { schema, config } = request.routeOptions
    if (config.isDav) done(davBodyProblem(request) ?? null, payload)
    else if (isRead || !schema?.body) done(null, payload)
    else if (config.takes === undefined) done(isPlainJson(request) ? null : wrongType(request), payload)
    else done(isPlainCalendar(request) ? null : wrongType(request), payload)
  })
}

/** Includes a chunked body that may be empty: its end can arrive late too. */
const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const BARE_LOOPBACK =
  'plain http from this machine was refused; a proxy must set X-Forwarded-Proto and X-Forwarded-For, and trust_proxy must name it'

function authorise(viewer: Viewer, verb: Verb): void {
  if (viewer.kind === 'anonymous') failUnauthorized('authentication_required')
  requireAccess(viewer, verb)
}

/** Audits denied access, once an hour per account, error code and route. */
function createDenialAudit(ctx: Context, recorder: Recorder): (request: FastifyRequest, error: unknown) => void {
  const isNew = createLogThrottle(ctx.clock)
  return ({ viewer, routeOptions, method, id }, error) => {
    if (viewer.kind !== 'account' || !(error instanceof AppError)) return
    const { code } = error
    if (!isNew(`${viewer.account.id} ${code} ${method} ${routeOptions.url}`)) return
    const actor = { actorId: viewer.account.id, subjectId: viewer.account.id, requestId: id }
    recorder.audit({ action: 'access_denied', ...actor, detail: { code, method } }, ctx.clock())
  }
}

/** Browsers send the cookie with requests of any page; writes need a token that only the service's own pages can read. */
function guardSession(request: FastifyRequest, secret: string, cookie: SessionCookie): void {
  if (request.viewer.kind !== 'account' || request.viewer.proof !== 'session') return
  if (!SAFE_METHODS.includes(request.method)) requireCsrfToken(request, secret, cookie.read(request)!)
}

function kindOf({ method, routeOptions }: FastifyRequest): CountedKind {
  if (SAFE_METHODS.includes(method)) return 'read'
  return routeOptions.config.isDav ? 'caldav-write' : 'write'
}

/** Escapes are allowed only in an occurrence key or the name of a calendar object: no route has a second spelling. */
function isCanonicalPath(url: string): boolean {
  if (!url.includes('%')) return true
  const path = url.split('?', 1)[0]!
  const fixed = /^(.*\/(?:occurrences|exceptions|caldav\/calendars\/main)\/)[^/]*\/?$/.exec(path)?.[1] ?? path
  return !fixed.includes('%')
}

function isPlainJson(request: FastifyRequest): boolean {
  if (request.headers['content-encoding'] !== undefined) return false
  const type = /^(application\/(?:merge-patch\+)?json)\s*(?:;\s*charset\s*=\s*"?([\w-]+)"?\s*)?$/i.exec(
    request.headers['content-type'] ?? '',
  )
  if (type === null || !acceptedTypes(request).includes(type[1]!.toLowerCase())) return false
  return type[2] === undefined || type[2].toLowerCase() === 'utf-8'
}

const isPlainCalendar = ({ headers }: FastifyRequest): boolean =>
  headers['content-encoding'] === undefined && isOneOf(headers['content-type'] ?? '', ['text/calendar'])

function isOneOf(contentType: string, types: readonly string[]): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  const charset = parameters.map((part) => /^\s*charset\s*=\s*"?([\w-]+)/.exec(part)?.[1]).find(Boolean)
  return types.includes(type.trim()) && (charset === undefined || UTF8_NAMES.includes(charset))
}

/** Spellings that clients use; ASCII is a subset of UTF-8. */
const UTF8_NAMES = ['utf-8', 'utf8', 'us-ascii']

const XML_TYPES = ['application/xml', 'text/xml']

/** Clients may omit the content type: a body of the wrong type is refused when it is parsed. */
function davBodyProblem(request: FastifyRequest): AppError | undefined {
  const { headers } = request
  const { takes } = request.routeOptions.config
  // Some clients name a type although they send no body.
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  if (takes === undefined || (isEmpty && takes === 'application/xml')) return undefined
  if (headers['content-encoding'] !== undefined) return wrongType(request)
  const type = headers['content-type']
  if (type === undefined || isOneOf(type, takes === 'text/calendar' ? [takes] : XML_TYPES)) return undefined
  return takes === 'text/calendar' ? new AppError('data_type_unsupported') : wrongType(request)
}

const wrongType = (request: FastifyRequest): AppError =>
  new AppError('unsupported_media_type', { details: { allowed: acceptedTypes(request) } })
