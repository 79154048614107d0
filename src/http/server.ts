// The HTTP server as a value: limits, headers, the fixed order of checks, and one way to fail. Routes are added by app.ts.
import { METHODS } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Recorder } from '../actions/diagnostics.ts'
import { makeSignIn } from '../actions/sign-in.ts'
import { type CalendarState, makeStateReader } from '../actions/state.ts'
import type { Context } from '../context.ts'
import { ANONYMOUS, requireAccess, type Verb, type Viewer } from '../domain/privacy/viewer.ts'
import { AppError, fail } from '../errors.ts'
import { newId } from '../secrets.ts'
import { type AttemptMaker, makeAttempts } from './attempts.ts'
import { JSON_LIMIT_BYTES, parseJsonBody } from './body.ts'
import { refuseBrokenRequest } from './broken-request.ts'
import { makeSessionCookie, type SessionCookie } from './cookie.ts'
import { refuseForeignRead, requireCsrfToken, requireOwnOrigin } from './csrf.ts'
import { sendError } from './errors.ts'
import { type ExposedCredentials, watchForExposed } from './exposed.ts'
import { type Limits, makeLimits } from './limits.ts'
import { type Paths, watchPaths } from './methods.ts'
import { makePeerReader, networkOf, type Peer } from './peer.ts'
import { type Site, siteOf } from './site.ts'
import { addTraces } from './trace.ts'
import { compileValidator } from './validation.ts'
import { failWith, identify } from './viewer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer
    peer: Peer
    state: CalendarState
  }
  interface FastifyContextConfig {
    /** Who may come in. Absent: anyone, and credentials are not looked at. */
    access?: 'anyone' | Verb
    /** False for what must answer over plain http too, such as health checks. */
    needsHttps?: boolean
    /** A page people open by typing: sent on to https, where the API refuses. */
    isPage?: boolean
    /** True where the body holds a password, whoever sends it. */
    carriesSecrets?: boolean
    /** True where a foreign page must not be able to send it from somebody's browser. */
    checksOrigin?: boolean
  }
}

export interface Life {
  /** Still answering, but on the way out: nobody should keep their connection. */
  isDraining: boolean
}

export interface Doors {
  app: FastifyInstance
  site: Site
  limits: Limits
  cookie: SessionCookie
  attempts: AttemptMaker
  life: Life
  paths: Paths
}

export function makeServer(ctx: Context, recorder: Recorder): Doors {
  const site = siteOf(ctx.config)
  const limits = makeLimits(ctx)
  const app = Fastify({
    logger: false,
    bodyLimit: JSON_LIMIT_BYTES,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    forceCloseConnections: 'idle',
    // While it closes, requests that came before are still answered in our own words.
    return503OnClosing: false,
    genReqId: newId,
    requestIdHeader: false,
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      void sendError(error, request, reply, ctx.log),
    clientErrorHandler: refuseBrokenRequest,
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 200 },
    [ctx.config.tls ? 'https' : 'http']: {
      // Half-sent requests are looked for this often; Node's own half minute would let slow senders gather.
      connectionsCheckingInterval: 5_000,
      headersTimeout: 10_000,
      maxHeaderSize: 16 * 1_024,
      ...(ctx.config.tls ? { cert: ctx.config.tls.certificate, key: ctx.config.tls.key, minVersion: 'TLSv1.2' } : {}),
    },
  } as object) as unknown as FastifyInstance
  app.server.maxConnections = 1_000
  // Every method Node can read is known here, so that an address refuses it by name instead of denying that it exists.
  for (const method of METHODS)
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  app.setValidatorCompiler(compileValidator)
  // Presenters build exactly what leaves; tests hold every answer against its schema instead.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, ctx.log))
  app.setNotFoundHandler((request, reply) => sendError(new AppError('route_not_found'), request, reply, ctx.log))
  takeJsonOnly(app)
  app.decorateRequest('viewer')
  app.decorateRequest('peer')
  app.decorateRequest('state')
  const life = { isDraining: false }
  const cookie = makeSessionCookie(ctx.secret)
  const attempts = makeAttempts(limits, (entry) => recorder.audit(entry, ctx.clock()))
  const checks = { ctx, site, limits, life, cookie, attempts, exposed: watchForExposed(ctx, cookie, recorder) }
  addTraces(app, ctx, site, recorder)
  addChecks(app, checks)
  return { app, site, limits, cookie, attempts, life, paths: watchPaths(app) }
}

function takeJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    (_request, body, done) => {
      try {
        done(null, parseJsonBody(body as Buffer))
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

interface Checks {
  ctx: Context
  site: Site
  limits: Limits
  life: Life
  cookie: SessionCookie
  attempts: AttemptMaker
  exposed: ExposedCredentials
}

/** The order is a promise: nothing about the calendar is told before it is known who asks. */
function addChecks(app: FastifyInstance, { ctx, site, limits, life, cookie, attempts, exposed }: Checks): void {
  const peerOf = makePeerReader(ctx.config)
  const readState = makeStateReader(ctx)
  const means = { signIn: makeSignIn(ctx), cookie, attempts, limits }
  const secureHeaders = securityHeaders(site, ctx.config.hstsSubdomains)
  const hasCredentials = (request: FastifyRequest): boolean =>
    request.headers.authorization !== undefined || cookie.isSent(request)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(secureHeaders)
    reply.header('x-request-id', request.id)
    request.viewer = ANONYMOUS
    request.peer = peerOf(request)
    if (life.isDraining) reply.header('connection', 'close')
    if (request.is404) return
    if (!isCanonicalPath(request.url)) fail('route_not_found')
    if (hasTwoHosts(request)) fail('invalid_header')
    // Fastify builds routeOptions anew at each look.
    const { config, bodyLimit = JSON_LIMIT_BYTES } = request.routeOptions
    const { access, needsHttps = true, carriesSecrets = false, isPage = false, checksOrigin = false } = config
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit) fail('body_too_large')
    const isSensitive = carriesSecrets || (access !== undefined && access !== 'anyone') || hasCredentials(request)
    if (needsHttps && !isAllowedTransport(request.peer, site, isSensitive)) {
      await exposed.note(request)
      if (!isPage) fail('https_required')
      return reply.redirect(`${site.origin}${request.url}`, 308)
    }
    if (checksOrigin) requireOwnOrigin(request, site)
    if (access === undefined) return
    if (!hasCredentials(request)) await limits.count('public-ip', networkOf(request.peer.address))
    request.state = await readState()
    request.viewer = await identify(request, means)
    if (request.viewer.kind === 'account' && request.viewer.proof === 'session')
      guardSession(request, site, ctx.secret, cookie)
    if (access !== 'anyone') authorise(request.viewer, access)
    if (request.viewer.kind === 'account') await countUse(limits, request, request.viewer.account.id)
  })
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead && request.routeOptions.schema?.body && !isPlainJson(request)) {
      done(new AppError('unsupported_media_type', { headers: { accept: 'application/json' } }))
    } else done(null, payload)
  })
}

function authorise(viewer: Viewer, verb: Verb): void {
  if (viewer.kind === 'anonymous') failWith('authentication_required')
  requireAccess(viewer, verb)
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** A browser sends its cookie whoever asks: what changes something must be shown to come from our own pages. */
function guardSession(request: FastifyRequest, site: Site, secret: string, cookie: SessionCookie): void {
  if (SAFE_METHODS.includes(request.method)) refuseForeignRead(request)
  else {
    requireOwnOrigin(request, site)
    requireCsrfToken(request, secret, cookie.read(request)!)
  }
}

async function countUse(limits: Limits, request: FastifyRequest, accountId: string): Promise<void> {
  await limits.count('api-user', accountId)
  if (!SAFE_METHODS.includes(request.method)) await limits.count('api-user-writes', accountId)
}

/** Two names for one request may mean one thing to a proxy and another to us. */
const hasTwoHosts = ({ raw: { rawHeaders } }: FastifyRequest): boolean => {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && /^host$/i.test(rawHeaders[i]!)) hosts += 1
  return hosts > 1
}

/**
 * Behind an https address nothing is answered in clear. Where only plain http was configured, public reads are; what
 * needs or carries credentials is not, except on this very machine.
 */
const isAllowedTransport = (peer: Peer, site: Site, isSensitive: boolean): boolean =>
  peer.isSecure || peer.isLocal || (!site.isSecure && !isSensitive)

/** Escapes are allowed only where an occurrence key stands: no route has a second spelling. */
function isCanonicalPath(url: string): boolean {
  if (!url.includes('%')) return true
  const path = url.split('?', 1)[0]!
  const fixed = /^(.*\/(?:occurrences|exceptions)\/)[^/]*\/?$/.exec(path)?.[1] ?? path
  return !fixed.includes('%')
}

function isPlainJson(request: FastifyRequest): boolean {
  if (request.headers['content-encoding'] !== undefined) return false
  const type = /^application\/(?:merge-patch\+)?json\s*(?:;\s*charset\s*=\s*"?([\w-]+)"?\s*)?$/i.exec(
    request.headers['content-type'] ?? '',
  )
  return type !== null && (type[1] === undefined || type[1].toLowerCase() === 'utf-8')
}

const securityHeaders = (site: Site, hasSubdomains: boolean): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  ...(site.isSecure
    ? { 'strict-transport-security': `max-age=31536000${hasSubdomains ? '; includeSubDomains' : ''}` }
    : {}),
})
