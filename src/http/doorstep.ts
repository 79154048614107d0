// What is asked of every request before anyone looks at what it wants: is it one request, and did it come a safe way.
import type { IncomingMessage } from 'node:http'
import type { Peer } from './peer.ts'
import type { Site } from './site.ts'

/** Two names for one request may mean one thing to a proxy and another to us. */
export function hasTwoHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
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
