// Counts what a network has open, connections or requests, and refuses one too many; also for the wider networks around it.
import type { EventEmitter } from 'node:events'
import { type NetworkWidth, networksOf } from './networks.ts'

/** How many times the number of the narrowest network a wider one may have: less than half of all connections there are. */
const WIDE_FACTORS: Record<NetworkWidth, number> = { 56: 2, 48: 4, 24: 4 }

/** A connection or a response, which is closed once. */
export type Closable = EventEmitter & { readonly destroyed: boolean }

export interface NetworkCounter {
  /** Counts until `open` is closed; false, and nothing is counted, where one of its networks has no room. */
  admit(address: string, open: Closable): boolean
}

export function createNetworkCounter(perNetwork: number): NetworkCounter {
  const counts = new Map<string, number>()
  return {
    admit(address, open) {
      const networks = networksOf(address)
      const hasRoom = networks.every(
        ({ name, width }) => (counts.get(name) ?? 0) < perNetwork * (width === undefined ? 1 : WIDE_FACTORS[width]),
      )
      if (hasRoom) for (const { name } of networks) countWhileOpen(counts, name, open)
      return hasRoom
    },
  }
}

/** Counts something until it is closed. */
export function countWhileOpen(counts: Map<string, number>, name: string, open: Closable): void {
  if (open.destroyed) return
  counts.set(name, (counts.get(name) ?? 0) + 1)
  open.once('close', () => {
    const left = counts.get(name)! - 1
    if (left > 0) counts.set(name, left)
    else counts.delete(name)
  })
}
