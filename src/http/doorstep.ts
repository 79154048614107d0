// What is asked of every request before anyone looks at what it wants: is it one request, and did it come a safe way.
import type { IncomingMessage } from 'node:http'
import type { Peer } from './peer.ts'
import type { Site } from './site.ts'

/**
 * What is asked for, as a path. A target may be a whole address (RFC 9112 §3.2.2); one that names another host than the
 * request does stays as it is, and is refused for having two.
 */
export function pathOf({ url = '/', headers }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  const [, host, rest = ''] = /^https?:\/\/([^/?]*)(.*)$/i.exec(url) ?? []
  if (host === undefined || host.toLowerCase() !== headers.host?.toLowerCase()) return url
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Two names for one request may mean one thing to a proxy and another to us. */
export function hasTwoHosts({ url = '/', rawHeaders }: Pick<IncomingMessage, 'url' | 'rawHeaders'>): boolean {
  if (/^https?:/i.test(url)) return true
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && /^host$/i.test(rawHeaders[i]!)) hosts += 1
  return hosts > 1
}

/**
 * Behind an https address nothing is answered in clear. Where only plain http was configured, public reads are; what
 * needs or carries credentials is not, except on this very machine.
 */
export const isAllowedTransport = (peer: Peer, site: Site, isSensitive: boolean): boolean =>
  peer.isSecure || peer.isLocal || (!site.isSecure && !isSensitive)
