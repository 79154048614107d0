// Counters of one node that code increments as it works; a scrape reads them.
import { createRequestMetrics, type RequestMetrics } from './request-metrics.ts'

export interface CacheCounts {
  hits: number
  /** Responses or parts that were built. */
  misses: number
}

export interface WatchedCache {
  counts: CacheCounts
  bytes(): number
}

export interface Metrics {
  requests: RequestMetrics
  /** Refusals by rate limit policy; the names are those of the policies, so they are few. */
  refusals: Map<string, number>
  caches: Map<string, WatchedCache>
  /** Open change streams by sight. */
  streams: () => [sight: string, count: number][]
}

export const createMetrics = (): Metrics => ({
  requests: createRequestMetrics(),
  refusals: new Map(),
  caches: new Map(),
  streams: () => [],
})

export const newCacheCounts = (): CacheCounts => ({ hits: 0, misses: 0 })

/** `connections` counts what the caps on connections and pipelined requests refuse. */
export function countRefusal({ refusals }: Metrics, policy: string): void {
  refusals.set(policy, (refusals.get(policy) ?? 0) + 1)
}
