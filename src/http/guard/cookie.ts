// The session cookie: named for this installation, locked to this host, and out of reach of scripts.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LONGEST_SESSION_MS } from '../../domain/account/session.ts'
import { keyedHash } from '../../secrets.ts'

export interface SessionCookie {
  /** What the browser holds; undefined when it sent none. */
  read(request: FastifyRequest): string | undefined
  /** Whether one was sent, over whatever wire. */
  isSent(request: FastifyRequest): boolean
  /** What was sent under either name, also where it should never have been sent. */
  sentSecret(request: FastifyRequest): string | undefined
  set(request: FastifyRequest, reply: FastifyReply, secret: string, isRemembered: boolean): void
  clear(request: FastifyRequest, reply: FastifyReply): void
}

/** The suffix keeps two calendars on one host apart, whose ports a cookie does not know. */
export const cookieNameOf = (instanceSecret: string): string => `cal_${keyedHash(instanceSecret, 'cookie').slice(0, 8)}`

export function createSessionCookie(instanceSecret: string): SessionCookie {
  const plainName = cookieNameOf(instanceSecret)
  // Browsers disagree on Secure cookies at http://localhost, so there, and only there, it goes without.
  const nameFor = ({ peer }: FastifyRequest): string => (peer.isSecure ? `__Host-${plainName}` : plainName)
  const write = (request: FastifyRequest, reply: FastifyReply, value: string, maxAge: string): void => {
    const secure = request.peer.isSecure ? '; Secure' : ''
    reply.header('set-cookie', `${nameFor(request)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${maxAge}`)
  }
  return {
    read: (request) => cookieIn(request.headers.cookie, nameFor(request)),
    isSent: ({ headers: { cookie } }) => cookie?.includes(plainName) ?? false,
    sentSecret: ({ headers: { cookie } }) => cookieIn(cookie, `__Host-${plainName}`) ?? cookieIn(cookie, plainName),
    set: (request, reply, secret, isRemembered) =>
      write(request, reply, secret, isRemembered ? `; Max-Age=${LONGEST_SESSION_MS / 1_000}` : ''),
    clear: (request, reply) => write(request, reply, '', '; Max-Age=0'),
  }
}

/** The first of its name; anything but the letters of our secrets is no session of ours, but it is still sent. */
function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const text = pair.trim()
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1)
  }
  return undefined
}
