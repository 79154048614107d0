// Limits how many requests of one network are being worked on at the same time; more wait, and those of others do not.
import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Answers from the cache do not count. Reads of the storage are served in the order they come, so a network that starts
 * ninety would have all of them served before the next of another network.
 */
export const MAX_RUNNING = 4

export interface RunningRequests {
  /** Starts the request now, or once one of its network before it is answered. One with a body is started at once. */
  run(request: IncomingMessage, response: ServerResponse, start: () => void): void
  /** Resolves when a request whose body has arrived may go on. */
  enter(request: IncomingMessage, response: ServerResponse): Promise<void>
}

const places = new WeakMap<ServerResponse, () => void>()

/** The answer is made, or the request waits in a queue that is fair by itself: another of its network may start. */
export const releasePlace = (response: ServerResponse): void => places.get(response)?.()

interface Network {
  running: number
  waiting: (() => void)[]
}

export function createRunningRequests(networkOf: (request: IncomingMessage) => string): RunningRequests {
  const networks = new Map<string, Network>()

  const startNext = (key: string, network: Network): void => {
    const next = network.waiting.shift()
    if (next) setImmediate(next)
    else {
      network.running -= 1
      if (network.running === 0) networks.delete(key)
    }
  }
  const acquire = (key: string, response: ServerResponse, start: () => void): void => {
    const network = networks.get(key) ?? { running: 0, waiting: [] }
    networks.set(key, network)
    const begin = (): void => {
      let isRunning = true
      const release = (): void => {
        if (!isRunning) return
        isRunning = false
        startNext(key, network)
      }
      if (response.destroyed) release()
      else {
        places.set(response, release)
        response.once('close', release)
      }
      start()
    }
    if (network.running >= MAX_RUNNING) {
      // What follows belongs to this request and not to the one that gives its place up.
      network.waiting.push(AsyncResource.bind(begin))
      return
    }
    network.running += 1
    begin()
  }
  return {
    run(request, response, start) {
      // A body may take its time to arrive: it holds no place meanwhile.
      if (hasBody(request)) return start()
      acquire(networkOf(request), response, () => {
        if (!response.destroyed) start()
      })
    },
    enter: (request, response) =>
      new Promise((resolve) => acquire(`${networkOf(request)} with body`, response, resolve)),
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
