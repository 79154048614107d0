// Client address and scheme of a request; forwarding headers count only from trusted proxies.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'
import { hasLoopbackExemption } from '../../actions/access/transport-problem.ts'
import type { Config } from '../../config.ts'

export interface Peer {
  address: string
  isSecure: boolean
  /** Exempt from https: a loopback address, a loopback Host, and no forwarding header. */
  isLocal: boolean
  /** Plain http from this machine that is not exempt: perhaps a proxy that sets no forwarding headers. */
  isBareLoopback: boolean
  /** Sent by a page of another site, according to Sec-Fetch-Site or Origin. */
  isForeignPage: boolean
}

/**
 * Whether a proxy that is not trusted says that its client used https. A redirect to https would lead that client to
 * the address it came from.
 */
export function claimsHttps({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const schemes = [
    listOf(textOf(headers['x-forwarded-proto'])).at(-1)?.toLowerCase(),
    forwardedHops(textOf(headers.forwarded)).at(-1)?.scheme,
  ]
  return schemes.includes('https')
}

/** Fastify's request or Node's. */
type PeerRequest = Pick<IncomingMessage, 'socket' | 'headers'>

export function createPeerReader(config: Config): (request: PeerRequest) => Peer {
  const isProxyAt = createNetworkList(config.trustProxy)
  const isExempt = hasLoopbackExemption(config)
  const isLoopbackAt = createNetworkList(['127.0.0.0/8', '::1'])
  const { origin } = config.publicUrl
  // Cached by connection: the peer address does not change, so its networks are looked up once.
  const known = new WeakMap<object, { direct: string; isProxy: boolean; isLoopback: boolean }>()
  const classify = (socket: PeerRequest['socket']) => {
    const direct = remoteAddressOf(socket)
    const peer = { direct, isProxy: isProxyAt(direct), isLoopback: isLoopbackAt(direct) }
    known.set(socket, peer)
    return peer
  }
  return (request) => {
    const { direct, isProxy, isLoopback } = known.get(request.socket) ?? classify(request.socket)
    const isTls = 'encrypted' in request.socket && request.socket.encrypted === true
    const hops = isProxy ? hopsOf(request, direct, config.proxyHeader) : []
    // The right-most hop that is not a trusted proxy was added by one; everything left of it may be forged by the
    // client.
    const client = hops.findLast((hop) => !isProxyAt(hop.address)) ?? hops[0]
    const isForwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined)
    const isBare = isLoopback && !isForwarded
    return {
      address: client?.address ?? direct,
      isSecure: isTls || client?.scheme === 'https',
      isLocal: isExempt && isBare && isLocalName(request.headers.host),
      isBareLoopback: !isExempt && isBare && !isTls,
      isForeignPage: isForeignPage(request.headers, origin),
    }
  }
}

const remoteAddresses = new WeakMap<object, string>()

/**
 * Read when the connection is accepted and cached: a socket has no address once the connection was reset, though the
 * bytes received before are still read. Empty if it was reset before that; such a connection is closed at once.
 */
export function remoteAddressOf(socket: Pick<Socket, 'remoteAddress'>): string {
  const known = remoteAddresses.get(socket)
  if (known !== undefined) return known
  const address = plainAddress(socket.remoteAddress ?? '')
  if (address) remoteAddresses.set(socket, address)
  return address
}

export const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'via',
]

/** Browsers state it in Sec-Fetch-Site, older ones in Origin; other clients send neither. */
function isForeignPage({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders, ownOrigin: string): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && origin !== ownOrigin && origin !== `http://${host}` && origin !== `https://${host}`
}

const isLocalName = (host: string | undefined): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host ?? '')

interface Hop {
  address: string
  scheme: string | undefined
}

/** Reads only the configured header family: a proxy that sets one may forward the other from the client. */
function hopsOf(request: PeerRequest, direct: string, family: Config['proxyHeader']): Hop[] {
  if (family === 'forwarded') return forwardedHops(textOf(request.headers.forwarded))
  const addresses = listOf(textOf(request.headers['x-forwarded-for'])).map(plainAddress)
  const schemes = listOf(textOf(request.headers['x-forwarded-proto'])).map((scheme) => scheme.toLowerCase())
  if (addresses.length === 0 && schemes.length > 0) addresses.push(direct)
  // Proxies append, so both lists are aligned from the right. A proxy that overwrites the scheme speaks for all hops.
  const shift = schemes.length - addresses.length
  return addresses.map((address, i) => ({ address, scheme: schemes.length === 1 ? schemes[0] : schemes[i + shift] }))
}

/** RFC 7239 defines four. */
const MAX_PAIRS = 16

const forwardedHops = (header: string): Hop[] =>
  listOf(header).map((element) => {
    const pairs = element.split(';', MAX_PAIRS).map((pair) => pair.trim().split('=', 2))
    // Of a name given twice the last counts.
    const lastValueOf = (wanted: string): string | undefined =>
      pairs.findLast(([name = '']) => name.toLowerCase() === wanted)?.[1]?.replace(/^"|"$/g, '')
    return { address: plainAddress(lastValueOf('for') ?? ''), scheme: lastValueOf('proto')?.toLowerCase() }
  })

const textOf = (header: string | string[] | undefined): string =>
  Array.isArray(header) ? header.join(',') : (header ?? '')

/** More than any chain of proxies. */
const MAX_HOPS = 32

/** The last entries of a list, appended by trusted proxies; a client may have put thousands in front of them. */
function listOf(text: string): string[] {
  const parts: string[] = []
  for (let end = text.length, count = 0; end >= 0 && count < MAX_HOPS; count++) {
    const comma = end === 0 ? -1 : text.lastIndexOf(',', end - 1)
    const part = text.slice(comma + 1, end).trim()
    if (part) parts.push(part)
    end = comma
  }
  return parts.reverse()
}

/** Without port, brackets or the IPv4-in-IPv6 prefix. */
export function plainAddress(text: string): string {
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ??
    (/^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.replace(/:\d+$/, '') : text)
  return bare.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
}

/** Matches addresses that are listed or inside a listed network. */
export function createNetworkList(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0) continue
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }
}
