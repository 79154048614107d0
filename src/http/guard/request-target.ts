// Validates request target, Host, transfer coding and transport before routing and authentication.
import type { IncomingMessage } from 'node:http'
import type { ErrorCode } from '../../errors.ts'
import type { Site } from '../site.ts'
import type { Peer } from './peer.ts'

/** Why a request target is refused, kept beside the request: its URL is replaced by one that every router accepts. */
const targetErrors = new WeakMap<object, ErrorCode>()

export const findTargetError = (request: object): ErrorCode | undefined => targetErrors.get(request)

/**
 * Leaves a path in `request.url` that starts with a slash and can be decoded, so that the router never refuses it
 * before the hooks run. A target in absolute form (RFC 9112 §3.2.2) becomes its path when it names the request's own
 * host. Any other target is refused by the first hook; its path is kept, since it decides how the error is rendered.
 */
export function normalizeTarget(request: IncomingMessage): void {
  const { url = '/' } = request
  if (url.length > MAX_TARGET_LENGTH) {
    request.url = refuseTarget(request, 'target_too_long', '/*')
    return
  }
  const target = url.startsWith('/') ? url : pathOfOtherForm(request, url)
  const path = hasTooManyParameters(target) ? refuseTarget(request, 'invalid_parameter', withoutQuery(target)) : target
  request.url = isDecodable(path) ? path : refuseTarget(request, 'invalid_encoding', path.replaceAll('%', '%25'))
}

/**
 * Half of what Node accepts for target and headers together (431 beyond it): otherwise a page of another site that opens
 * an address of the right length would learn from the status whether a session cookie was sent too.
 */
const MAX_TARGET_LENGTH = 8_192

function pathOfOtherForm(request: IncomingMessage, url: string): string {
  const [, host, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? []
  // Copied: a substring would keep the whole target in memory while a cache holds the path.
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

/** Each parameter costs time before any hook runs, even in requests that a limit refuses; real URLs have about ten. */
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

/**
 * RFC 9112 §3.2: exactly one Host that is a host; a proxy and the service may each read a different one of two. HTTP/1.0
 * has none.
 */
export function hasInvalidHost({
  httpVersion,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length !== 4 || !/^host$/i.test(rawHeaders[i]!)) continue
    hosts += 1
    if (!HOST.test(rawHeaders[i + 1]!)) return true
  }
  return hosts > 1 || (hosts === 0 && httpVersion !== '1.0')
}

/** A name or address and a port, each of which may be empty; of the grammar without punctuation that no host has. */
const HOST = /^(?:[\w.~-]*(?:%[\da-f]{2}[\w.~-]*)*|\[[\w.~:%-]+\])(?::\d*)?$/i

/**
 * RFC 9112 §6.1: the body is sent plain or chunked; other transfer codings are not decoded here, so they are refused.
 */
const hasUnknownCoding = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean => {
  const coding = headers['transfer-encoding']
  return coding !== undefined && coding.toLowerCase() !== 'chunked'
}

/**
 * The header that a proxy and the service may read in different ways. They may then not agree either on where the next
 * request begins, so the connection is closed (RFC 9112 §11.2).
 */
export function findAmbiguousHeader(request: IncomingMessage): 'Host' | 'Transfer-Encoding' | undefined {
  if (findTargetError(request) === 'invalid_header' || hasInvalidHost(request)) return 'Host'
  return hasUnknownCoding(request) ? 'Transfer-Encoding' : undefined
}

/**
 * With an https public URL nothing is answered over plain http. If only plain http is configured, public reads are
 * answered; requests that need or carry credentials are not, except on this machine.
 */
export const isAllowedTransport = (peer: Peer, site: Site, isSensitive: boolean): boolean =>
  peer.isSecure || peer.isLocal || (!site.isSecure && !isSensitive)
