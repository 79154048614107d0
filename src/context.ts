// What an action is handed: everything it may touch, and nothing it could reach by itself.
import type { Config } from './config.ts'
import type { Instant } from './domain/time/instant.ts'
import type { Log } from './ops/log.ts'
import type { Storage } from './storage/engine/storage.ts'

export interface Context {
  /** Replaced by another when choices are made at set-up: whoever keeps it for longer than a request keeps an old one. */
  config: Config
  storage: Storage
  clock: () => Instant
  newId: () => string
  /** Names this process among several nodes. */
  nodeId: string
  /** The installation's own key for etags and other keyed hashes. */
  secret: string
  log: Log
}
