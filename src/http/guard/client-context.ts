// Which client each request is handled for: by its networks, and by its account once that is known.
import type { IncomingMessage } from 'node:http'
import type { CurrentClient } from '../../scheduling/current-client.ts'

export interface ClientContext {
  of(request: IncomingMessage): CurrentClient
  /** What is done for the request from now on counts as the account's, within its network. */
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
