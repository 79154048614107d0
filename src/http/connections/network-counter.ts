// Counts what each network has open (connections, requests, body bytes) and refuses above a cap.
import type { EventEmitter } from 'node:events'
import { type NetworkWidth, networksOf } from '../../rate-limits/networks.ts'

/** How many times the cap of the narrowest network a wider one has: less than half of all connections. */
export const WIDE_FACTORS: Record<NetworkWidth, number> = { 56: 2, 48: 4, 24: 4 }

/** A connection or a response, which is closed once. */
export type Closable = EventEmitter & { readonly destroyed: boolean }

export interface NetworkCounter {
  /**
   * Counts until `open` is closed. Returns false and counts nothing if one of the address's networks is full. A size
   * above the whole cap of a network is admitted when nothing else is open there.
   */
  admit(address: string, open: Closable, size?: number): boolean
}

export function createNetworkCounter(perNetwork: number): NetworkCounter {
  const counts = new Map<string, number>()
  return {
    admit(address, open, size = 1) {
      const networks = networksOf(address)
      const hasRoom = networks.every(({ name, width }) => {
        const count = counts.get(name) ?? 0
        return count === 0 || count + size <= perNetwork * (width === undefined ? 1 : WIDE_FACTORS[width])
      })
      if (hasRoom)
        countWhileOpen(
          counts,
          networks.map(({ name }) => name),
          open,
          size,
        )
      return hasRoom
    },
  }
}

/** Counts under each name until `open` is closed, with one listener: Node warns where a response has over ten. */
export function countWhileOpen(counts: Map<string, number>, names: readonly string[], open: Closable, size = 1): void {
  if (open.destroyed) return
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + size)
  open.once('close', () => {
    for (const name of names) {
      const left = counts.get(name)! - size
      if (left > 0) counts.set(name, left)
      else counts.delete(name)
    }
  })
}
