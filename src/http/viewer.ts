// Who asks: reads the credentials of a request. Bad ones are refused; they never count as none.
import type { FastifyRequest } from 'fastify'
import type { SignIn } from '../actions/sign-in.ts'
import type { CalendarState } from '../actions/state.ts'
import { ANONYMOUS, type Viewer } from '../domain/privacy/viewer.ts'
import { AppError } from '../errors.ts'
import type { Limits } from './limits.ts'
import { networkOf } from './peer.ts'

export interface Credentials {
  email: string
  password: string
}

/** Undefined when nothing was sent; anything sent that is not well-formed Basic is a bad credential. */
export function readCredentials(request: FastifyRequest): Credentials | undefined {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1]
  const text = encoded && decodeUtf8(Buffer.from(encoded, 'base64'))
  const colon = text ? text.indexOf(':') : -1
  if (!text || colon < 1) return failCredentials()
  return { email: text.slice(0, colon), password: text.slice(colon + 1) }
}

export async function identify(
  credentials: Credentials | undefined,
  state: CalendarState,
  signIn: SignIn,
  limits: Limits,
  address: string,
): Promise<Viewer> {
  if (!credentials) return ANONYMOUS
  const { email, password } = credentials
  const known = await signIn.remembered(state, email, password)
  if (known) return { kind: 'account', account: known }
  const network = networkOf(address)
  const pair = `${signIn.emailKeyOf(email)} ${network}`
  await limits.check('login-ip', network)
  await limits.check('login-pair', pair)
  const account = await signIn.withPassword(state, email, password)
  if (account) return { kind: 'account', account }
  await limits.count('login-ip', network)
  await limits.count('login-pair', pair)
  return failCredentials()
}

/** A Basic challenge would make browsers ask for a password by themselves, so the JSON API names another scheme. */
export const CHALLENGE = { 'www-authenticate': 'Bearer realm="calendar"' }

function failCredentials(): never {
  throw new AppError('invalid_credentials', { headers: CHALLENGE })
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return failCredentials()
  }
}
