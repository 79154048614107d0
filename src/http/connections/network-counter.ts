// Counts what a network has open (connections, requests, bytes of bodies), and refuses too many; also by wider network.
import type { EventEmitter } from 'node:events'
import { type NetworkWidth, networksOf } from '../guard/networks.ts'

/** How many times the number of the narrowest network a wider one may have: less than half of all connections there are. */
const WIDE_FACTORS: Record<NetworkWidth, number> = { 56: 2, 48: 4, 24: 4 }

/** A connection or a response, which is closed once. */
export type Closable = EventEmitter & { readonly destroyed: boolean }

export interface NetworkCounter {
  /**
   * Counts until `open` is closed; false, and nothing is counted, where one of its networks has no room. What is larger than
   * all the room of a network is admitted alone.
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
      if (hasRoom) for (const { name } of networks) countWhileOpen(counts, name, open, size)
      return hasRoom
    },
  }
}

/** Counts something until it is closed. */
export function countWhileOpen(counts: Map<string, number>, name: string, open: Closable, size = 1): void {
  if (open.destroyed) return
  counts.set(name, (counts.get(name) ?? 0) + size)
  open.once('close', () => {
    const left = counts.get(name)! - size
    if (left > 0) counts.set(name, left)
    else counts.delete(name)
  })
}
