// The client that the current asynchronous work is done for, by which queues serve clients in turn.
import { AsyncLocalStorage } from 'node:async_hooks'

export interface CurrentClient {
  /** From the widest network to the narrowest, and then the account once it is known. */
  path: readonly string[]
}

const clients = new AsyncLocalStorage<CurrentClient>()

export const runForClient = <T>(client: CurrentClient, work: () => T): T => clients.run(client, work)

/** For work whose result several clients share: it does not wait in the place of the one that asked first. */
export const runForService = <T>(work: () => T): T => clients.exit(work)

/** Undefined in work that no client asked for. */
export const currentClient = (): CurrentClient | undefined => clients.getStore()

const SERVICE_PATH = ['service']

/** All work that no client asked for counts as that of one client. */
export const currentPath = (): readonly string[] => currentClient()?.path ?? SERVICE_PATH

const holders = new AsyncLocalStorage<true>()

/** For work that holds a connection others wait for: its slices do not wait behind those of its client. */
export const runHoldingConnection = <T>(work: () => T): T => holders.run(true, work)

export const holdsConnection = (): boolean => holders.getStore() === true
