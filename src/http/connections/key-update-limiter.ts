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

const LIMITS: KeyUpdateLimits = { burstBytes: 131_072, bytesPerSecond: 16_384, refusedMs: 60_000 }

/** More than a client sends before the handshake is complete. */
const HANDSHAKE_BYTES = 4_096

/** Ciphertext for an octet of content. Each record has 22 octets more than its content, and few have less than 44. */
const MAX_EXPANSION = 1.5

const CHECK_MS = 100
const MAX_NETWORKS = 10_000

/**
 * OpenSSL handles all KeyUpdates of a read at once, some 30 microseconds each, and Node reports none of them. So they
 * are noticed after the fact, by the octets received: a network delays others once, and then is refused.
 */
export function limitKeyUpdates(server: Server, limits = LIMITS): void {
  const open = new Map<SecuredSocket, Received>()
  const networks = createBareByteCounts(limits)
  const count = (socket: SecuredSocket, before: Received): void => {
    const now = receivedBy(socket)
    const bare = now.ciphertext - before.ciphertext - MAX_EXPANSION * (now.content - before.content)
    if (bare > 0) networks.add(before.address, bare)
    open.set(socket, { ...now, address: before.address })
  }
  const check = (): void => {
    for (const [socket, before] of open) count(socket, before)
    if (!networks.haveRefused()) return
    for (const [socket, { address }] of open) if (networks.isRefused(address)) socket.destroy()
  }
  server.prependListener('connection', (socket: Socket) => {
    if (networks.haveRefused() && networks.isRefused(remoteAddressOf(socket))) socket.destroy()
  })
  server.on('secureConnection', (socket: SecuredSocket) => {
    // Earlier versions have no KeyUpdates, and renegotiation is off.
    if (socket.getProtocol() !== 'TLSv1.3') return
    open.set(socket, { ciphertext: HANDSHAKE_BYTES, content: 0, address: remoteAddressOf(socket) })
    socket.once('close', () => {
      count(socket, open.get(socket)!)
      open.delete(socket)
    })
  })
  server.once('listening', () => {
    const timer = startInterval(CHECK_MS, check)
    server.once('close', () => void timer.stop())
  })
}

/** What had been received on a connection when it was last counted. */
interface Received {
  ciphertext: number
  content: number
  address: string
}

const receivedBy = ({ _parent: raw, bytesRead }: SecuredSocket): Omit<Received, 'address'> => ({
  ciphertext: Math.max(raw.bytesRead, HANDSHAKE_BYTES),
  content: bytesRead,
})

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
