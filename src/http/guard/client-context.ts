// Client of each request for fair scheduling: its networks, and its account once that is known.
import type { IncomingMessage } from 'node:http'
import type { CurrentClient } from '../../scheduling/current-client.ts'

export interface ClientContext {
  of(request: IncomingMessage): CurrentClient
  /** From now on the work for the request counts for the account, within its network. */
  setAccount(request: IncomingMessage, accountId: string): void
}

export function createClientContext(pathOf: (request: IncomingMessage) => readonly string[]): ClientContext {
  const clients = new WeakMap<IncomingMessage, CurrentClient>()
  const of = (request: IncomingMessage): CurrentClient => {
    const client = clients.get(request) ?? { path: pathOf(request) }
    clients.set(request, client)
    return client
  }
  return {
    of,
    setAccount(request, accountId) {
      const client = of(request)
      client.path = [...client.path, accountId]
    },
  }
}
