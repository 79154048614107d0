// Tracks the client of the current asynchronous work (AsyncLocalStorage), for fair queues.
import { AsyncLocalStorage } from 'node:async_hooks'

export interface CurrentClient {
  /** From the widest network to the narrowest, then the account once it is known. */
  path: readonly string[]
  /** For the log, once the request has one. */
  requestId?: string
}

const clients = new AsyncLocalStorage<CurrentClient>()

export const runForClient = <T>(client: CurrentClient, work: () => T): T => clients.run(client, work)

/** For work whose result several clients share: it does not count as work of the client that asked first. */
export const runForService = <T>(work: () => T): T => clients.exit(work)

/** Undefined in work that no client asked for. */
export const currentClient = (): CurrentClient | undefined => clients.getStore()

const SERVICE_PATH = ['service']

/** All work without a client counts as that of one client. */
export const currentPath = (): readonly string[] => currentClient()?.path ?? SERVICE_PATH

const holders = new AsyncLocalStorage<true>()

/** For work that holds a connection others wait for: its slices do not queue behind those of its client. */
export const runHoldingConnection = <T>(work: () => T): T => holders.run(true, work)

export const holdsConnection = (): boolean => holders.getStore() === true
