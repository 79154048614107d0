// Writes long responses in pieces with backpressure, and caps the bytes held for slow readers.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { fail } from '../../errors.ts'
import { networkKey } from '../../rate-limits/request-hooks.ts'
import type { ConnectionLimits } from '../connections/connection-limits.ts'
import { removeContentHeaders } from './headers.ts'

const PIECE_BYTES = 64 * 1_024

/**
 * Up to this length the body goes out as a string of its octets: Node joins that to the head and does one plain write,
 * which takes less than a vectored write of two parts.
 */
const JOINED_BYTES = 8 * 1_024

/** The most that goes out in one write: most responses are shorter, and are neither split nor counted. */
const SHORT_BYTES = 2 * PIECE_BYTES

export interface ResponseWriter {
  /** Sends the head as given, and the bytes as fast as the client reads them. */
  send(
    response: ServerResponse,
    network: string,
    status: number,
    headers: OutgoingHttpHeaders | string[],
    bytes: Buffer | undefined,
  ): void
  /** Counts the bytes as held for the network until the response is closed or the returned function is called. */
  hold(response: ServerResponse, network: string, bytes: HeldBytes): () => void
  /**
   * Refuses another response to a network while too many of its own are being built or read. If all together are too
   * many, the customer that holds most is refused; for any other customer the oldest responses of that one are ended.
   */
  requireRoom(network: string): void
  /** The same for a response whose bytes are counted while they are built. */
  reserveBytes(network: string): ByteReservation
}

/** A buffer, counted once however many responses hold it, or bytes that are only counted. */
type HeldBytes = Pick<Buffer, 'length'>

/** The bytes of one response that is being built. */
export interface ByteReservation {
  /** Counts this many more; fails if the response, or all responses together, would be too long. */
  reserve(bytes: number): void
  /** The response is being sent, and is counted as such, or it is no longer built. */
  release(): void
}

export function createResponseWriter({ heldBytes, heldPerNetworkBytes }: ConnectionLimits): ResponseWriter {
  const all = createInFlightBytes()
  const byNetwork = new Map<string, InFlightBytes>()
  const heldFor = (network: string): InFlightBytes => {
    const own = byNetwork.get(network) ?? createInFlightBytes()
    byNetwork.set(network, own)
    return own
  }
  const dropEmpty = (network: string, own: InFlightBytes): void => {
    if (own.total() === 0 && byNetwork.get(network) === own) byNetwork.delete(network)
  }
  const byCustomer = new Map<string, Set<HeldAnswer>>()
  const hold = (response: ServerResponse, network: string, bytes: HeldBytes): (() => void) => {
    // A client that disconnected while the response was built holds nothing, and `close` is not emitted again.
    if (response.destroyed) return () => {}
    const own = heldFor(network)
    const customer = customerOf(network)
    const answers = byCustomer.get(customer) ?? new Set()
    byCustomer.set(customer, answers)
    all.add(bytes)
    own.add(bytes)
    const answer: HeldAnswer = {
      bytes,
      release() {
        if (!answers.delete(answer)) return
        response.removeListener('close', answer.release)
        if (answers.size === 0 && byCustomer.get(customer) === answers) byCustomer.delete(customer)
        all.remove(bytes)
        own.remove(bytes)
        dropEmpty(network, own)
      },
      end() {
        answer.release()
        response.destroy()
      },
    }
    answers.add(answer)
    response.once('close', answer.release)
    return answer.release
  }
  /** Whether this many bytes fit, after ending responses of the customer that holds most. */
  const makeRoom = (network: string, bytes: number): boolean => {
    const customer = customerOf(network)
    while (all.total() + bytes > heldBytes) {
      const heaviest = findHeaviest(byCustomer)
      if (!heaviest || heaviest.customer === customer) return false
      for (const answer of heaviest.answers) {
        answer.end()
        break
      }
    }
    return true
  }
  const requireRoom = (network: string): void => {
    const own = byNetwork.get(network)?.total() ?? 0
    if (own >= heldPerNetworkBytes || !makeRoom(network, 1)) fail('service_unavailable')
  }
  return {
    hold,
    send(response, network, status, headers, bytes) {
      response.writeHead(status, headers as OutgoingHttpHeaders)
      if (bytes !== undefined && bytes.length <= JOINED_BYTES) {
        response.end(bytes.toString('latin1'), 'latin1')
        return
      }
      if (bytes === undefined || bytes.length <= SHORT_BYTES) {
        response.end(bytes)
        return
      }
      hold(response, network, bytes)
      endInPieces(response, bytes)
    },
    requireRoom,
    reserveBytes(network) {
      requireRoom(network)
      let reserved = 0
      const count = (bytes: number): void => {
        const own = heldFor(network)
        all.reserve(bytes)
        own.reserve(bytes)
        reserved += bytes
        dropEmpty(network, own)
      }
      return {
        reserve(bytes) {
          if (reserved + bytes > heldBytes) fail('feed_too_large')
          // One response may exceed a network's share, but not beside others that already fill it.
          const others = (byNetwork.get(network)?.total() ?? 0) - reserved
          if (others >= heldPerNetworkBytes || !makeRoom(network, bytes)) fail('service_unavailable')
          count(bytes)
        },
        release: () => count(-reserved),
      }
    },
  }
}

/** A long response that its client has not read to the end. */
interface HeldAnswer {
  bytes: HeldBytes
  release(): void
  end(): void
}

/** An IPv4 address, or an IPv6 /48: one customer may hold all the networks in it. */
const customerOf = (network: string): string => (network.includes(':') ? network.split(':', 3).join(':') : network)

interface HeavyCustomer {
  customer: string
  /** In the order they were begun. */
  answers: ReadonlySet<HeldAnswer>
}

/** Bytes shared by several clients count in equal parts for each, so that subscribers of one feed hold little. */
function findHeaviest(byCustomer: ReadonlyMap<string, ReadonlySet<HeldAnswer>>): HeavyCustomer | undefined {
  const readers = new Map<HeldBytes, number>()
  for (const answers of byCustomer.values())
    for (const { bytes } of answers) readers.set(bytes, (readers.get(bytes) ?? 0) + 1)
  let most = 0
  let heaviest: HeavyCustomer | undefined
  for (const [customer, answers] of byCustomer) {
    let total = 0
    for (const { bytes } of answers) total += bytes.length / readers.get(bytes)!
    if (total <= most) continue
    most = total
    heaviest = { customer, answers }
  }
  return heaviest
}

function endInPieces(response: ServerResponse, bytes: Buffer, from = 0): void {
  for (let at = from; ; at += PIECE_BYTES) {
    const next = at + PIECE_BYTES
    if (next >= bytes.length) {
      response.end(bytes.subarray(at))
      return
    }
    if (!response.write(bytes.subarray(at, next))) {
      response.once('drain', () => endInPieces(response, bytes, next))
      return
    }
  }
}

/**
 * Splits long payloads that Fastify sends into pieces without copying, and counts them until they are read. A read is
 * refused while the network has no room, except for bytes that stay in memory anyway.
 */
export function addPayloadSplitting(app: FastifyInstance, sending: ResponseWriter): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const network = networkKey(request)
    if (payload instanceof Readable)
      return done(null, Readable.from(heldPieces(payload, reply.raw, network, sending), { objectMode: false }))
    const isBody = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isBody || payload.length <= SHORT_BYTES || request.method === 'HEAD') return done(null, payload)
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    try {
      // A write has been done already, so its response is sent in any case.
      if (request.method === 'GET' && !isShared(bytes)) sending.requireRoom(network)
    } catch (error) {
      removeContentHeaders(reply)
      return done(error as Error)
    }
    sending.hold(reply.raw, network, bytes)
    reply.header('content-length', bytes.length)
    done(null, Readable.from(piecesOf(bytes), { objectMode: false }))
  })
}

/** While a chunk waits for its client, the text it was built from and the data it was read from are in memory too. */
const CHUNK_COPIES = 3

/** A chunk may be the megabytes of one event. If the network has no room for the first one, the response is 503. */
async function* heldPieces(
  chunks: AsyncIterable<Buffer>,
  response: ServerResponse,
  network: string,
  sending: ResponseWriter,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    sending.requireRoom(network)
    const release = sending.hold(response, network, { length: CHUNK_COPIES * chunk.length })
    try {
      yield* piecesOf(chunk)
    } finally {
      release()
    }
  }
}

const shared = new WeakSet<Buffer>()

/** Marks bytes that stay in memory as long as the service runs: sending them takes no further memory. */
export function markSharedBytes(bytes: Buffer): Buffer {
  shared.add(bytes)
  return bytes
}

const isShared = (bytes: Buffer): boolean => shared.has(bytes)

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

/** Splits streamed text into pieces, so that progress of the response can be observed. */
export async function* inPieces(texts: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield* piecesOf(typeof text === 'string' ? Buffer.from(text) : text)
}

interface InFlightBytes {
  add(bytes: HeldBytes): void
  remove(bytes: HeldBytes): void
  /** Bytes that are not in a buffer yet; negative to uncount them. */
  reserve(bytes: number): void
  total(): number
}

/** The same bytes for many readers are in memory once. */
function createInFlightBytes(): InFlightBytes {
  const readers = new Map<HeldBytes, number>()
  let total = 0
  return {
    add(bytes) {
      const count = readers.get(bytes) ?? 0
      readers.set(bytes, count + 1)
      if (count === 0) total += bytes.length
    },
    remove(bytes) {
      const count = readers.get(bytes) ?? 0
      if (count > 1) {
        readers.set(bytes, count - 1)
        return
      }
      readers.delete(bytes)
      total -= bytes.length
    },
    reserve(bytes) {
      total += bytes
    },
    total: () => total,
  }
}
