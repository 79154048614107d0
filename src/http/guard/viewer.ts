// Authenticates a request; invalid credentials are refused, never treated as anonymous.
import type { FastifyRequest } from 'fastify'
import { parseAuthorization } from '../../actions/access/authorization.ts'
import type { SignIn } from '../../actions/access/sign-in.ts'
import type { CalendarState } from '../../actions/maintenance/revision-reader.ts'
import { type AccountViewer, ANONYMOUS, type ProofKind, type Viewer } from '../../domain/privacy/viewer.ts'
import { AppError, type ErrorCode } from '../../errors.ts'
import type { LoginThrottle } from '../../rate-limits/login-throttle.ts'
import type { RequestLimits } from '../../rate-limits/request-limits.ts'
import type { SessionCookie } from './cookie.ts'

export interface AuthenticationOptions {
  signIn: SignIn
  cookie: SessionCookie
  attempts: LoginThrottle
  limits: RequestLimits
}

/** Authentication method of a request, as the API names it. */
export const AUTH_WORDS: Record<ProofKind, 'session' | 'basic' | 'token'> = {
  session: 'session',
  password: 'basic',
  app_password: 'basic',
  token: 'token',
}

/**
 * `Authorization` takes precedence over the cookie; without either the viewer is anonymous; invalid ones are refused.
 */
export async function authenticate(
  request: FastifyRequest,
  options: AuthenticationOptions,
  takesCookie = true,
): Promise<Viewer> {
  const sent = request.headers.authorization
  if (sent !== undefined) return byAuthorization(request, sent, options)
  const secret = takesCookie ? options.cookie.read(request) : undefined
  if (secret === undefined) return ANONYMOUS
  const accountViewer = await options.signIn.withSession(request.state, secret)
  if (accountViewer) return accountViewer
  await options.limits.countFrom(request.peer, ['public-ip'])
  return failUnauthorized('session_expired')
}

/** The account of an `Authorization` that was verified before and needs no check; undefined for all others. */
export function findVerified(signIn: SignIn, state: CalendarState, sent: string): AccountViewer | undefined {
  const credentials = parseAuthorization(sent)
  return credentials && signIn.findVerified(state, credentials)
}

async function byAuthorization(
  request: FastifyRequest,
  sent: string,
  options: AuthenticationOptions,
): Promise<AccountViewer> {
  const { signIn, limits, attempts } = options
  const credentials = parseAuthorization(sent)
  if (!credentials) {
    // It cannot match an account, so it is not counted as a password attempt.
    await limits.countFrom(request.peer, ['public-ip'])
    return failUnauthorized('invalid_credentials')
  }
  const viewer =
    credentials.scheme === 'bearer'
      ? await signIn.withToken(request.state, credentials.token, attempts(request))
      : await signIn.withBasic(request.state, credentials, attempts(request, credentials.email))
  return viewer ?? failUnauthorized('invalid_credentials')
}

/** A Basic challenge would make browsers prompt for a password, so the JSON API names another scheme. */
export const CHALLENGE = { 'www-authenticate': 'Bearer realm="calendar"' }

export function failUnauthorized(code: ErrorCode): never {
  throw new AppError(code, { headers: CHALLENGE })
}
