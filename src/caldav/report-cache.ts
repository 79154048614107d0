// Cache of REPORT responses that are the same for all readers with full sight, by revision and key.
import type { ServedContents } from '../actions/caldav-objects/served-versions.ts'
import { ByteLruMap } from '../lru-map.ts'
import type { CacheBudget } from '../memory-budget.ts'
import { newCacheCounts, type WatchedCache } from '../ops/metrics.ts'
import type { PartCollector } from './multistatus.ts'

export interface CachedReport {
  body: Buffer
  /** What a client knows that has received it. */
  served: ServedContents
}

export interface ReportCache extends WatchedCache {
  find(revision: number, key: string): CachedReport | undefined
  keep(revision: number, key: string, report: CachedReport): void
  /** Undefined if enough responses are being collected: each holds its parts until its client has read them. */
  startCollecting(): PartCollector | undefined
}

const MAX_COLLECTING = 2
const OBJECT_BYTES = 150

export function createReportCache({ maxBytes, maxAnswerBytes }: CacheBudget): ReportCache {
  const reports = new ByteLruMap<string, CachedReport>(maxBytes)
  const counts = newCacheCounts()
  let current = -1
  let collecting = 0
  const switchToRevision = (revision: number): boolean => {
    if (revision > current) {
      reports.clear()
      current = revision
    }
    return revision === current
  }
  return {
    counts,
    bytes: () => reports.bytes,
    find(revision, key) {
      const report = switchToRevision(revision) ? reports.get(key) : undefined
      counts[report ? 'hits' : 'misses'] += 1
      return report
    },
    keep(revision, key, report) {
      if (!switchToRevision(revision) || report.body.length > maxAnswerBytes) return
      reports.set(key, report, report.body.length + 2 * key.length + OBJECT_BYTES * (1 + report.served.objects.length))
    },
    startCollecting() {
      if (collecting >= MAX_COLLECTING) return undefined
      collecting += 1
      return createCollector(maxAnswerBytes, () => {
        collecting -= 1
      })
    },
  }
}

function createCollector(maxBytes: number, onEnd: () => void): PartCollector {
  let parts: Buffer[] | undefined = []
  let length = 0
  return {
    add(part) {
      length += part.length
      if (length > maxBytes) parts = undefined
      parts?.push(part)
    },
    finish: () => parts && Buffer.concat(parts),
    end() {
      parts = undefined
      onEnd()
    },
  }
}
