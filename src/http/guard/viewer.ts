// Authentication: reads credentials. Invalid ones are refused, never treated as anonymous.
import type { FastifyRequest } from 'fastify'
import type { SignIn } from '../../actions/access/sign-in.ts'
import { type AccountViewer, ANONYMOUS, type ProofKind, type Viewer } from '../../domain/privacy/viewer.ts'
import { AppError, type ErrorCode } from '../../errors.ts'
import type { SessionCookie } from './cookie.ts'
import type { LoginThrottle } from './login-throttle.ts'
import type { Limits } from './rate-limits.ts'

export interface Identifier {
  signIn: SignIn
  cookie: SessionCookie
  attempts: LoginThrottle
  limits: Limits
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
export async function identify(request: FastifyRequest, means: Identifier, takesCookie = true): Promise<Viewer> {
  const sent = request.headers.authorization
  if (sent !== undefined) return byAuthorization(request, sent, means)
  const secret = takesCookie ? means.cookie.read(request) : undefined
  if (secret === undefined) return ANONYMOUS
  const person = await means.signIn.withSession(request.state, secret)
  if (person) return person
  await means.limits.countFrom(request.peer.address, ['public-ip'])
  return failUnauthorized('session_expired')
}

async function byAuthorization(request: FastifyRequest, sent: string, means: Identifier): Promise<AccountViewer> {
  const { signIn, limits, attempts } = means
  const token = /^bearer +(calpat_[\w-]{43}) *$/i.exec(sent)?.[1]
  const basic = token ? undefined : readBasic(sent)
  // A malformed header cannot match an account, so it is not counted as a password attempt.
  if (!token && !basic) await limits.countFrom(request.peer.address, ['public-ip'])
  const person = token
    ? await signIn.withToken(request.state, token, attempts(request))
    : basic && (await signIn.withBasic(request.state, basic, attempts(request, basic.email)))
  return person ?? failUnauthorized('invalid_credentials')
}

/** Undefined when it is not well-formed Basic. */
function readBasic(header: string): { email: string; password: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1]
  const bytes = Buffer.from(encoded ?? '', 'base64')
  const colon = bytes.indexOf(':')
  // Decoded separately: a slice of one string would keep the password in memory for as long as the email is.
  const email = decodeUtf8(bytes.subarray(0, Math.max(0, colon)))
  const password = decodeUtf8(bytes.subarray(colon + 1))
  bytes.fill(0)
  return email && password !== undefined ? { email, password } : undefined
}

/** A Basic challenge would make browsers prompt for a password, so the JSON API names another scheme. */
export const CHALLENGE = { 'www-authenticate': 'Bearer realm="calendar"' }

export function failUnauthorized(code: ErrorCode): never {
  throw new AppError(code, { headers: CHALLENGE })
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
