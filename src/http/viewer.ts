// Who asks: reads the credentials of a request. Bad ones are refused; they never count as none.
import type { FastifyRequest } from 'fastify'
import type { SignIn } from '../actions/sign-in.ts'
import type { CalendarState } from '../actions/state.ts'
import { ANONYMOUS, type Viewer } from '../domain/privacy/viewer.ts'
import { AppError } from '../errors.ts'
import type { Limits } from './limits.ts'
import { networkOf } from './peer.ts'

/** Nothing sent is nobody in particular; anything sent must be proven. */
export async function identify(
  request: FastifyRequest,
  state: CalendarState,
  signIn: SignIn,
  limits: Limits,
): Promise<Viewer> {
  const sent = request.headers.authorization
  if (sent === undefined) return ANONYMOUS
  const known = await signIn.remembered(state, sent)
  if (known) return { kind: 'account', account: known }
  const network = networkOf(request.peer.address)
  const basic = readBasic(sent)
  if (!basic) {
    await limits.count('login-ip', network)
    return failCredentials()
  }
  const pair = `${signIn.emailKeyOf(basic.email)} ${network}`
  const account = await signIn.withPassword(state, sent, basic.email, basic.password, {
    async spend() {
      await limits.count('login-ip', network)
      await limits.count('login-pair', pair)
    },
    async giveBack() {
      await limits.giveBack('login-ip', network)
      await limits.giveBack('login-pair', pair)
    },
  })
  return account ? { kind: 'account', account } : failCredentials()
}

/** Undefined when it is not well-formed Basic. */
function readBasic(header: string): { email: string; password: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1]
  const text = encoded && decodeUtf8(Buffer.from(encoded, 'base64'))
  const colon = text ? text.indexOf(':') : -1
  if (!text || colon < 1) return undefined
  return { email: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** A Basic challenge would make browsers ask for a password by themselves, so the JSON API names another scheme. */
export const CHALLENGE = { 'www-authenticate': 'Bearer realm="calendar"' }

function failCredentials(): never {
  throw new AppError('invalid_credentials', { headers: CHALLENGE })
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
