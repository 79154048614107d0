// The context that actions receive: configuration, storage, clock, ids, secret, log, metrics.
import type { Config } from './config.ts'
import type { Instant } from './domain/time/instant.ts'
import type { Log } from './ops/log.ts'
import type { Metrics } from './ops/metrics.ts'
import type { Storage } from './storage/engine/storage.ts'

export interface Context {
  /** Replaced when an administrator changes settings: code that keeps it for longer than a request has an old one. */
  config: Config
  storage: Storage
  clock: () => Instant
  newId: () => string
  /** The id of this process among several nodes. */
  nodeId: string
  /** The installation's key for ETags and other keyed hashes. */
  secret: string
  log: Log
  metrics: Metrics
}
