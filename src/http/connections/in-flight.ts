// Requests in flight by socket: which answers are still due, and whether the last request has arrived completely.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface InFlight {
  /** The last one of the connection: those before it have arrived completely. */
  request: IncomingMessage
  /** In the order of their requests; more than one where the client pipelines. */
  responses: Set<ServerResponse>
}

const bySocket = new WeakMap<Socket, InFlight>()

export function trackInFlight(request: IncomingMessage, response: ServerResponse): void {
  const responses = bySocket.get(request.socket)?.responses ?? new Set()
  responses.add(response)
  response.once('close', () => responses.delete(response))
  bySocket.set(request.socket, { request, responses })
}

/** Whether the body of a request is still to come. */
export const isArriving = (socket: Socket): boolean => bySocket.get(socket)?.request.complete === false

/** The same, where all that came has been read: what the service itself leaves waiting is not the client's delay. */
export const isAwaitingBody = (socket: Socket): boolean =>
  isArriving(socket) && bySocket.get(socket)!.request.readableLength === 0

/** Answers that are not sent to their end. */
export const listDueResponses = (socket: Socket): ServerResponse[] =>
  [...(bySocket.get(socket)?.responses ?? [])].filter(({ writableFinished }) => !writableFinished)

/** Answers whose requests were handed over and that are not closed; no list is made. */
export const countDueResponses = (socket: Socket): number => bySocket.get(socket)?.responses.size ?? 0

/** Connections that close after an answer under way; nothing that arrives there later is handled. */
const closing = new WeakSet<Socket>()
/** Those of them where what has arrived and waits for its turn is dropped too. */
const dropping = new WeakSet<Socket>()

/** Closes once the responses that are due were sent. */
export const closeAfterDue = (socket: Socket): void => void closing.add(socket)

export const isClosing = (socket: Socket): boolean => closing.has(socket)

/** Whether requests of the connection that wait are not to be handled. */
export const dropsWaiting = (socket: Socket): boolean => dropping.has(socket)

/**
 * Whether a refused request ends its connection because others were pipelined with it: while a network is over its limit,
 * those that wait behind the refused one are dropped and cost nothing more.
 */
export function closesPipeline({ socket }: IncomingMessage): boolean {
  if (countDueResponses(socket) <= 1) return false
  closing.add(socket)
  dropping.add(socket)
  return true
}
