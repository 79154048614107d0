// What is asked of every request before anyone looks at what it wants: is it one request, and did it come a safe way.
import type { IncomingMessage } from 'node:http'
import type { ErrorCode } from '../../errors.ts'
import type { Site } from '../site.ts'
import type { Peer } from './peer.ts'

/** Why a request target is refused, beside the request: its URL is replaced by one that every router takes. */
const targetErrors = new WeakMap<object, ErrorCode>()

export const findTargetError = (request: object): ErrorCode | undefined => targetErrors.get(request)

/**
 * Leaves a path in `request.url` that starts with a slash and can be decoded, so that the router never refuses it before
 * the hooks run. A target in absolute form (RFC 9112 §3.2.2) becomes its path when it names the request's own host. Any
 * other target is refused by the first hook; its path is kept, since it decides how the error is rendered.
 */
export function normalizeTarget(request: IncomingMessage): void {
  const { url = '/' } = request
  const target = url.startsWith('/') ? url : pathOfOtherForm(request, url)
  const path = hasTooManyParameters(target) ? refuseTarget(request, 'invalid_parameter', withoutQuery(target)) : target
  request.url = isDecodable(path) ? path : refuseTarget(request, 'invalid_encoding', path.replaceAll('%', '%25'))
}

function pathOfOtherForm(request: IncomingMessage, url: string): string {
  const [, host, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? []
  // Copied: a substring would keep the whole target in memory for as long as a cache keeps the path.
  const path = Buffer.from(rest.startsWith('/') ? rest : `/${rest}`, 'latin1').toString('latin1')
  if (host === undefined) return refuseTarget(request, 'invalid_header', '/*')
  return host.toLowerCase() === request.headers.host?.toLowerCase() && !rest.includes('#')
    ? path
    : refuseTarget(request, 'invalid_header', path)
}

function refuseTarget(request: IncomingMessage, code: ErrorCode, url: string): string {
  targetErrors.set(request, code)
  return url
}

/** Each parameter costs time before any hook runs, also in requests that are refused by a limit; addresses have ten. */
const MAX_PARAMETERS = 100

function hasTooManyParameters(url: string): boolean {
  let at = url.indexOf('?')
  for (let count = 0; at !== -1 && count < MAX_PARAMETERS; count++) at = url.indexOf('&', at + 1)
  return at !== -1
}

const withoutQuery = (url: string): string => /^[^?#]*/.exec(url)![0]

function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURI(withoutQuery(url))
    return true
  } catch {
    return false
  }
}

/** RFC 9112 §3.2: exactly one Host; two may mean one thing to a proxy and another to the service. HTTP/1.0 has none. */
export function hasInvalidHost({
  httpVersion,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && /^host$/i.test(rawHeaders[i]!)) hosts += 1
  return hosts > 1 || (hosts === 0 && httpVersion !== '1.0')
}

/** RFC 9112 §6.1: a body is sent as it is, in chunks or not; other codings are not decoded here, so they are refused. */
export const hasUnknownCoding = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean => {
  const coding = headers['transfer-encoding']
  return coding !== undefined && coding.toLowerCase() !== 'chunked'
}

/**
 * Behind an https address nothing is answered in clear. Where only plain http was configured, public reads are; what
 * needs or carries credentials is not, except on this very machine.
 */
export const isAllowedTransport = (peer: Peer, site: Site, isSensitive: boolean): boolean =>
  peer.isSecure || peer.isLocal || (!site.isSecure && !isSensitive)
