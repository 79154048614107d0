// Routes for login, logout, the account's own sessions, and changing the password.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { setOwnLanguage } from '../../actions/accounts/own-language.ts'
import {
  type BrowserInfo,
  changePassword,
  endAllOwnSessions,
  endOwnSession,
  endSessionOf,
  findOwnSession,
  listOwnSessions,
  logIn,
  type NewSession,
} from '../../actions/accounts/sessions.ts'
import type { Context } from '../../context.ts'
import {
  AccountChange,
  LoginRequest,
  OwnAccount,
  PasswordChangeRequest,
  SessionAnswer,
  SessionEntry,
} from '../../contract/auth.ts'
import { Type } from '../../contract/json-schema.ts'
import type { Language } from '../../domain/languages.ts'
import type { AccountViewer } from '../../domain/privacy/viewer.ts'
import { ACCOUNT_LIMIT_BYTES } from '../../http/body.ts'
import type { SessionCookie } from '../../http/guard/cookie.ts'
import { csrfTokenFor, requireCsrfToken } from '../../http/guard/csrf.ts'
import { failUnauthorized } from '../../http/guard/viewer.ts'
import type { Site } from '../../http/site.ts'
import type { LoginThrottle } from '../../rate-limits/login-throttle.ts'
import { roughNetworkOf } from '../../rate-limits/networks.ts'
import type { RequestLimits } from '../../rate-limits/request-limits.ts'
import type { RouteDocs } from '../docs/route.ts'
import { presentOwnAccount, presentSession, presentSignIn } from './present-account.ts'

export interface AuthServer {
  site: Site
  cookie: SessionCookie
  attempts: LoginThrottle
  limits: RequestLimits
}

export function addAuthRoutes(app: FastifyInstance, ctx: Context, server: AuthServer): void {
  const { site, cookie, attempts, limits } = server
  const path = `${site.base}/auth`

  const answerWithSession = (request: FastifyRequest, reply: FastifyReply, session: NewSession): object => {
    cookie.set(request, reply, session.secret, session.isRemembered)
    const csrfToken = csrfTokenFor(ctx.secret, session.secret)
    return { data: presentSignIn(session.accountViewer, { csrfToken, endsAt: session.endsAt }) }
  }

  /** Clears the cookie, and the browser's cache and storage: its next user finds neither responses nor drafts. */
  const clearBrowser = (request: FastifyRequest, reply: FastifyReply): void => {
    cookie.clear(request, reply)
    reply.header('clear-site-data', '"cache", "storage"')
  }

  app.post<{ Body: { email: string; password: string; remember?: boolean } }>(
    `${path}/login`,
    {
      bodyLimit: ACCOUNT_LIMIT_BYTES,
      schema: { body: LoginRequest },
      config: { carriesSecrets: true, checksOrigin: true, docs: docs.login },
    },
    async (request, reply) => {
      const { email, password, remember: isRemembered = false } = request.body
      const wish = { email, password, isRemembered, browser: browserOf(request), requestId: request.id }
      const session = await logIn(ctx, { ...wish, before: cookie.read(request) }, attempts(request, email))
      return answerWithSession(request, reply, session ?? failUnauthorized('invalid_credentials'))
    },
  )

  // A browser whose session has ended can still clear its cookie; only ending a live session needs the CSRF token.
  app.post(`${path}/logout`, { config: { checksOrigin: true, docs: docs.logout } }, async (request, reply) => {
    const secret = cookie.read(request)
    const viewer = secret === undefined ? undefined : await findOwnSession(ctx, secret)
    if (viewer) await limits.count('api-user', viewer.account.id)
    else await limits.countFrom(request.peer, ['public-ip'])
    if (secret !== undefined && viewer) {
      requireCsrfToken(request, ctx.secret, secret)
      await endSessionOf(ctx, viewer, request.id)
    }
    clearBrowser(request, reply)
    return reply.code(204).send()
  })

  app.get(`${path}/session`, { config: { access: 'anyone', docs: docs.session } }, async (request) => {
    if (request.viewer.kind !== 'account') failUnauthorized('authentication_required')
    const secret = request.viewer.proof === 'session' ? cookie.read(request) : undefined
    if (secret === undefined) return { data: presentSignIn(request.viewer) }
    const sessions = await listOwnSessions(ctx, request.viewer)
    const { credentialId } = request.viewer
    const endsAt = sessions.find(({ id }) => id === credentialId)?.endsAt
    return { data: presentSignIn(request.viewer, { csrfToken: csrfTokenFor(ctx.secret, secret), endsAt }) }
  })

  app.get(`${path}/sessions`, { config: { access: 'own_account', docs: docs.sessions } }, async (request) => {
    const accountViewer = requireAccountViewer(request)
    const sessions = await listOwnSessions(ctx, accountViewer)
    return { data: sessions.map((session) => presentSession(session, accountViewer.credentialId)) }
  })

  app.delete<{ Params: { session_id: string } }>(
    `${path}/sessions/:session_id`,
    { config: { access: 'own_account', docs: docs.endSession } },
    async (request, reply) => {
      await endOwnSession(ctx, requireAccountViewer(request), request.params.session_id, request.id)
      return reply.code(204).send()
    },
  )

  app.delete(
    `${path}/sessions`,
    { config: { access: 'own_account', docs: docs.endSessions } },
    async (request, reply) => {
      const accountViewer = requireAccountViewer(request)
      await endAllOwnSessions(ctx, accountViewer, request.id)
      if (accountViewer.proof === 'session') clearBrowser(request, reply)
      return reply.code(204).send()
    },
  )

  app.patch<{ Body: { language: Language | null } }>(
    `${path}/account`,
    {
      bodyLimit: ACCOUNT_LIMIT_BYTES,
      schema: { body: AccountChange },
      config: { access: 'own_account', docs: docs.changeAccount },
    },
    async (request) => {
      const { account } = requireAccountViewer(request)
      const { language } = request.body
      await setOwnLanguage(ctx, requireAccountViewer(request), language)
      return { data: presentOwnAccount({ ...account, language: language ?? undefined }) }
    },
  )

  app.post<{ Body: { current_password: string; password: string } }>(
    `${path}/change-password`,
    {
      bodyLimit: ACCOUNT_LIMIT_BYTES,
      schema: { body: PasswordChangeRequest },
      config: { access: 'own_account', carriesSecrets: true, docs: docs.changePassword },
    },
    async (request, reply) => {
      const accountViewer = requireAccountViewer(request)
      const change = {
        current: request.body.current_password,
        next: request.body.password,
        browser: browserOf(request),
        requestId: request.id,
      }
      const session = await changePassword(ctx, accountViewer, change, attempts(request, accountViewer.account.email))
      return session ? answerWithSession(request, reply, session) : { data: presentSignIn(accountViewer) }
    },
  )
}

/** The account of a route that requires one. */
export function requireAccountViewer({ viewer }: FastifyRequest): AccountViewer {
  return viewer.kind === 'account' ? viewer : failUnauthorized('authentication_required')
}

const browserOf = (request: FastifyRequest): BrowserInfo => ({
  network: roughNetworkOf(request.peer.address),
  userAgent: (request.headers['user-agent'] ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, 120),
})

const docs = {
  login: {
    id: 'logIn',
    summary: 'Sign in',
    description: 'Sets the session cookie. `csrf_token` goes with every change made under it.',
    success: { status: 200, headers: ['Set-Cookie'], description: 'Signed in.', data: SessionAnswer },
    errors: [
      'invalid_credentials',
      'account_pending',
      'account_rejected',
      'account_suspended',
      'email_not_verified',
      'origin_not_allowed',
    ],
  },
  logout: {
    id: 'logOut',
    summary: 'Sign out',
    description: 'Ends the session of the cookie, and removes what the pages stored in the browser.',
    success: {
      status: 204,
      headers: ['Set-Cookie', 'Clear-Site-Data'],
      description: 'The session is over and the cookie is gone.',
    },
    errors: ['csrf_token_missing', 'csrf_token_invalid', 'origin_not_allowed'],
  },
  session: {
    id: 'getSession',
    summary: 'Who am I',
    description: 'Whose credentials these are, and for a session a fresh `csrf_token`.',
    success: { status: 200, description: 'The account.', data: SessionAnswer },
    errors: ['authentication_required', 'service_unavailable'],
  },
  sessions: {
    id: 'listSessions',
    summary: 'List one’s own sessions',
    description: 'Newest first, with the network and the program that were used last.',
    success: { status: 200, description: 'The last used first.', data: Type.Array(SessionEntry) },
    errors: [],
  },
  endSession: {
    id: 'endSession',
    summary: 'End one of one’s own sessions',
    description: 'It may be the session of this request.',
    success: { status: 204, headers: ['Set-Cookie', 'Clear-Site-Data'], description: 'Signed out there.' },
    errors: ['credential_not_found'],
  },
  endSessions: {
    id: 'endSessions',
    summary: 'Sign out everywhere',
    description: 'Ends every session, this one too. App passwords and tokens stay.',
    success: { status: 204, headers: ['Set-Cookie', 'Clear-Site-Data'], description: 'Signed out.' },
    errors: [],
  },
  changeAccount: {
    id: 'changeOwnAccount',
    summary: 'Choose the language of mails to one’s own account',
    description: '`null` means the calendar’s language, also after that changes. Pages follow the browser.',
    success: { status: 200, description: 'Changed.', data: OwnAccount },
    errors: [],
  },
  changePassword: {
    id: 'changePassword',
    summary: 'Change one’s own password',
    description: 'Ends every other session and gives this one a new cookie. App passwords and tokens stay.',
    success: { status: 200, headers: ['Set-Cookie'], description: 'Changed.', data: SessionAnswer },
    errors: [],
  },
} satisfies Record<string, RouteDocs>
