// Session cookie: name per installation, __Host- prefix over https, HttpOnly and SameSite=Lax.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LONGEST_SESSION_MS } from '../../domain/account/session.ts'
import { keyedHash } from '../../secrets.ts'

export interface SessionCookie {
  /** The name of the cookie at the public URL. */
  publicName: string
  /** The session secret in the cookie; undefined when none was sent. */
  read(request: FastifyRequest): string | undefined
  /** Whether a session cookie was sent, over http or https. */
  isSent(request: FastifyRequest): boolean
  /** The secret sent under either name, even if the name is wrong for the transport. */
  sentSecret(request: FastifyRequest): string | undefined
  set(request: FastifyRequest, reply: FastifyReply, secret: string, isRemembered: boolean): void
  clear(request: FastifyRequest, reply: FastifyReply): void
}

/** The suffix separates two calendars on one host: cookies do not distinguish ports. */
export const cookieNameOf = (instanceSecret: string): string => `cal_${keyedHash(instanceSecret, 'cookie').slice(0, 8)}`

export function createSessionCookie(instanceSecret: string, isSecure: boolean): SessionCookie {
  const plainName = cookieNameOf(instanceSecret)
  // Browsers disagree on Secure cookies at http://localhost, so only there the cookie goes without it.
  const nameFor = ({ peer }: FastifyRequest): string => (peer.isSecure ? `__Host-${plainName}` : plainName)
  const write = (request: FastifyRequest, reply: FastifyReply, value: string, maxAge: string): void => {
    const secure = request.peer.isSecure ? '; Secure' : ''
    reply.header('set-cookie', `${nameFor(request)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${maxAge}`)
  }
  return {
    publicName: isSecure ? `__Host-${plainName}` : plainName,
    read: (request) => cookieIn(request.headers.cookie, nameFor(request)),
    isSent: ({ headers: { cookie } }) => cookie?.includes(plainName) ?? false,
    sentSecret: ({ headers: { cookie } }) => cookieIn(cookie, `__Host-${plainName}`) ?? cookieIn(cookie, plainName),
    set: (request, reply, secret, isRemembered) =>
      write(request, reply, secret, isRemembered ? `; Max-Age=${LONGEST_SESSION_MS / 1_000}` : ''),
    clear: (request, reply) => write(request, reply, '', '; Max-Age=0'),
  }
}

/** The first cookie of that name. A value that is no secret of this service is returned too: it was sent. */
function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const text = pair.trim()
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1)
  }
  return undefined
}
