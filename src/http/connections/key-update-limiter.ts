// Refuses networks that send TLS messages without content, above all KeyUpdates, for a minute.
import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import { LruMap } from '../../lru-map.ts'
import { networksOf } from '../../rate-limits/networks.ts'
import { startInterval } from '../../scheduling/interval.ts'
import { remoteAddressOf } from '../guard/peer.ts'
import type { SecuredSocket } from './handshake-limiter.ts'
import { WIDE_FACTORS } from './network-counter.ts'

export interface KeyUpdateLimits {
  /** Octets without content that a network may send at once: 27 are a KeyUpdate. Wider networks have more. */
  burstBytes: number
  bytesPerSecond: number
  refusedMs: number
}

const LIMITS: KeyUpdateLimits = { burstBytes: 262_144, bytesPerSecond: 16_384, refusedMs: 60_000 }

/** What a client sends until the handshake is complete, at most. */
const HANDSHAKE_BYTES = 4_096

/** Of a record of content in TLS 1.3: its header of 5 octets, its type, and the tag of 16. RFC 8446 §5.2. */
const RECORD_OVERHEAD_BYTES = 22

/** The longest record of content; all of it but the last octet may have arrived. */
const MAX_RECORD_BYTES = 16_384 + RECORD_OVERHEAD_BYTES

const CHECK_MS = 100
const MAX_NETWORKS = 10_000

/**
 * OpenSSL handles all KeyUpdates of a read at once, some 30 microseconds each, and Node reports none of them. So they
 * are noticed after the fact, by the octets received: a network delays others once, and then is refused. Returns the
 * check that runs ten times a second.
 */
export function limitKeyUpdates(server: Server, isSpared: (address: string) => boolean, limits = LIMITS): () => void {
  const open = new Map<SecuredSocket, ByteBalance>()
  const networks = createBareByteCounts(limits)
  const isRefused = (address: string): boolean => networks.haveRefused() && networks.isRefused(address)
  const charge = (balance: ByteBalance, incompleteBytes: number): void => {
    const bytes = balance.countUncharged(incompleteBytes)
    if (bytes > 0) networks.add(balance.address, bytes)
  }
  const check = (): void => {
    for (const balance of open.values()) charge(balance, MAX_RECORD_BYTES)
    if (!networks.haveRefused()) return
    for (const [socket, { address }] of open) if (networks.isRefused(address)) socket.destroy()
  }
  server.prependListener('connection', (socket: Socket) => {
    const address = remoteAddressOf(socket)
    if (isRefused(address) && !isSpared(address)) socket.destroy()
  })
  server.on('secureConnection', (socket: SecuredSocket) => {
    const address = remoteAddressOf(socket)
    // Earlier versions have no KeyUpdates, and renegotiation is off.
    if (socket.getProtocol() !== 'TLSv1.3' || isSpared(address)) return
    const balance = createByteBalance(socket, address)
    open.set(socket, balance)
    socket.once('close', () => {
      // Without this, a client could send a record's worth of KeyUpdates on each of many connections.
      charge(balance, 0)
      open.delete(socket)
    })
  })
  server.once('listening', () => {
    const timer = startInterval(CHECK_MS, check)
    server.once('close', () => void timer.stop())
  })
  return check
}

/** The octets that a connection received and that were no content. */
interface ByteBalance {
  address: string
  /** How many there are that no earlier call returned, without those that may be an incomplete record. */
  countUncharged(incompleteBytes: number): number
}

/**
 * OpenSSL returns the content of one record at a time, and Node emits each as a read. So without KeyUpdates, padding
 * and empty records the difference is the handshake and at most one record that has not arrived whole, whatever the
 * speed of the connection and the size of its records. Content earns nothing.
 */
function createByteBalance(socket: SecuredSocket, address: string): ByteBalance {
  const countRecords = countReads(socket)
  let charged = 0
  return {
    address,
    countUncharged(incompleteBytes) {
      const records = countRecords()
      const content = socket.bytesRead
      // Content that was not read here: each record of it would count as one of KeyUpdates.
      if (records === 0 && content > 0) return 0
      const bare = socket._parent.bytesRead - HANDSHAKE_BYTES - content - RECORD_OVERHEAD_BYTES * records
      const uncharged = Math.max(0, bare - incompleteBytes - charged)
      charged += uncharged
      return uncharged
    },
  }
}

/** A paused connection joins its reads before they are events of the stream, so they are counted at its handle. */
function countReads({ _handle: handle }: SecuredSocket): () => number {
  let reads = 0
  const onRead = handle?.onread
  if (handle && onRead)
    handle.onread = function (this: unknown, bytes?: ArrayBuffer) {
      if (bytes) reads += 1
      return onRead.call(this, bytes)
    }
  return () => reads
}

interface BareByteCounts {
  add(address: string, bytes: number): void
  isRefused(address: string): boolean
  /** False as long as no network was refused lately, which is cheaper to ask. */
  haveRefused(): boolean
}

function createBareByteCounts({ burstBytes, bytesPerSecond, refusedMs }: KeyUpdateLimits): BareByteCounts {
  const levels = new LruMap<string, { bytes: number; at: number }>(MAX_NETWORKS)
  const refused = new LruMap<string, number>(MAX_NETWORKS)
  let lastRefusedAt = Number.NEGATIVE_INFINITY
  return {
    add(address, bytes) {
      const now = performance.now()
      for (const { name, width } of networksOf(address)) {
        const factor = width === undefined ? 1 : WIDE_FACTORS[width]
        const { bytes: known, at } = levels.peek(name) ?? { bytes: 0, at: now }
        const level = Math.max(0, known - (factor * bytesPerSecond * (now - at)) / 1_000) + bytes
        levels.set(name, { bytes: level, at: now })
        if (level <= factor * burstBytes) continue
        refused.set(name, now + refusedMs)
        lastRefusedAt = now
      }
    },
    isRefused(address) {
      const now = performance.now()
      return networksOf(address).some(({ name }) => now < (refused.peek(name) ?? 0))
    },
    haveRefused: () => performance.now() - lastRefusedAt < refusedMs,
  }
}
