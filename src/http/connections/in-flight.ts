// In-flight requests by socket: responses still due, and whether the last request is complete.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { BoundedIncomingMessage } from './request-headers.ts'

interface InFlight {
  /** The last request on the connection; all earlier ones have arrived completely. */
  request: IncomingMessage
  /** In the order of their requests; more than one where the client pipelines. */
  responses: Set<ServerResponse>
}

const bySocket = new WeakMap<Socket, InFlight>()
const pipelined = new WeakSet<IncomingMessage>()

/** Whether the client sent the request before the one before it was answered. */
export const isPipelined = (request: IncomingMessage): boolean => pipelined.has(request)

/**
 * Whether the request came over a connection on which no other is due or was due when it arrived; false without a
 * connection, as in tests.
 */
export const arrivedAlone = (request: IncomingMessage): boolean =>
  request instanceof BoundedIncomingMessage && countDueResponses(request.socket) === 1 && !pipelined.has(request)

/** `onClosed` is called when the response was sent, or the connection ended before. */
export function trackInFlight(request: IncomingMessage, response: ServerResponse, onClosed?: () => void): void {
  const inFlight = inFlightOf(request)
  const { responses } = inFlight
  inFlight.request = request
  if (responses.size > 0 && [...responses].some(({ writableEnded }) => !writableEnded)) pipelined.add(request)
  responses.add(response)
  // `close` comes once; `once` would wrap the listener and remove it, for each request.
  response.on('close', () => {
    responses.delete(response)
    onClosed?.()
  })
}

function inFlightOf(request: IncomingMessage): InFlight {
  const known = bySocket.get(request.socket)
  if (known) return known
  const first = { request, responses: new Set<ServerResponse>() }
  bySocket.set(request.socket, first)
  return first
}

/** Whether the body of a request is still to come. */
export const isArriving = (socket: Socket): boolean => bySocket.get(socket)?.request.complete === false

/**
 * The same, if all received bytes were read: a body that the service itself has not read yet is not the client's delay.
 */
export const isAwaitingBody = (socket: Socket): boolean =>
  isArriving(socket) && bySocket.get(socket)!.request.readableLength === 0

/** Responses that are not completely sent. */
export const listDueResponses = (socket: Socket): ServerResponse[] =>
  [...(bySocket.get(socket)?.responses ?? [])].filter(({ writableFinished }) => !writableFinished)

/** Responses whose requests were handed over and that are not closed; allocates no list. */
export const countDueResponses = (socket: Socket): number => bySocket.get(socket)?.responses.size ?? 0

/** Connections that close after the current response; requests that arrive on them later are not handled. */
const closing = new WeakSet<Socket>()
/** Those of them where requests that have arrived and wait in the queue are dropped too. */
const dropping = new WeakSet<Socket>()

/** Closes the connection once the responses that are due were sent. */
export const closeAfterDue = (socket: Socket): void => void closing.add(socket)

export const isClosing = (socket: Socket): boolean => closing.has(socket)

/** Whether queued requests of the connection are dropped. */
export const dropsWaiting = (socket: Socket): boolean => dropping.has(socket)

/**
 * Whether a refused request ends its connection because others were pipelined with it: while a network is over its
 * limit, the requests behind the refused one are dropped and cost nothing more.
 */
export function closeIfPipelined({ socket }: IncomingMessage): boolean {
  if (countDueResponses(socket) <= 1) return false
  closing.add(socket)
  dropping.add(socket)
  return true
}
