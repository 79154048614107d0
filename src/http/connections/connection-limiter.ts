// Connections: nobody keeps one by not reading, and no network keeps them all.
import type { Server, Socket } from 'node:net'
import type { Config } from '../../config.ts'
import { noteAccepted } from '../../scheduling/event-loop.ts'
import { createNetworkList, networkOf, remoteAddressOf } from '../guard/peer.ts'
import type { ServerState } from '../guard/request-guard.ts'
import type { SocketRefusal } from './broken-request.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { countDueResponses, isArriving, isAwaitingBody } from './in-flight.ts'
import { countWhileOpen, createNetworkCounter } from './network-counter.ts'
import { readInSlices } from './pipelining.ts'
import type { RequestScheduler } from './request-scheduler.ts'

const MAX_CONNECTIONS = 1_000

/** What of a connection's answers had left, and what had arrived, when each was last seen to move. */
export interface ConnectionProgress {
  bytes: number
  at: number
  received: number
  receivedAt: number
}

/** For each server that listens; those it watches are counted together. */
export function createConnectionGuard(
  config: Config,
  patience: ConnectionLimits,
  refusal: SocketRefusal,
  scheduler: RequestScheduler,
  life: ServerState,
): (server: Server) => void {
  const admit = createConnectionLimiter(config, patience, refusal)
  const watched = new Map<Socket, ConnectionProgress>()
  const watch = (socket: Socket): void => {
    const now = performance.now()
    watched.set(socket, { bytes: 0, at: now, received: 0, receivedAt: now })
    socket.once('close', () => watched.delete(socket))
  }
  const look = (): void => {
    const now = performance.now()
    const drainedMs = life.drainingSince === undefined ? 0 : now - life.drainingSince
    for (const [socket, progress] of watched) {
      if (drainedMs >= patience.longestDrainMs) socket.destroy()
      else if (drainedMs >= patience.drainMs && isIncomplete(socket)) refusal.refuse(socket, 'request_timeout')
      else if (hasStalled(socket, progress, now, patience.stallMs)) socket.destroy()
      else if (isBodyStalled(socket, progress, now, patience)) refusal.refuse(socket, 'request_timeout')
    }
  }
  return (server) => {
    server.maxConnections = MAX_CONNECTIONS
    // A connection that cannot be accepted, for want of file descriptors say, is one that is not there. Errors before it
    // listens reach the one who asked it to.
    server.on('error', () => {})
    server.on('connection', closeWithoutAddress)
    server.on('secureConnection', closeWithoutAddress)
    server.on('connection', admit)
    server.on('connection', noteAccepted)
    const accepted = config.tls ? 'secureConnection' : 'connection'
    server.on(accepted, watch)
    server.on(accepted, (socket: Socket) => readInSlices(socket, scheduler))
    server.once('listening', () => {
      const timer = setInterval(look, patience.lookEveryMs)
      timer.unref()
      server.once('close', () => clearInterval(timer))
    })
  }
}

/**
 * The client has reset the connection already, but what it sent before would still be read. Without the address of the
 * proxy that sent it, a request counts as plain http, and its credentials as exposed. Over TLS the socket is a new one.
 */
function closeWithoutAddress(socket: Socket): void {
  if (remoteAddressOf(socket) === '') socket.destroy()
}

/**
 * Only while something waits to be sent, or all is said and the other side does not go; and whatever is received
 * meanwhile: a timeout of the socket's own would begin anew with every byte that somebody sends us.
 */
function hasStalled(socket: Socket, progress: ConnectionProgress, now: number, stallMs: number): boolean {
  const bytes = socket.bytesWritten - socket.writableLength
  const isWaiting = socket.writableLength > 0 || socket.writableEnded
  if (isWaiting && bytes === progress.bytes) return now - progress.at >= stallMs
  progress.bytes = bytes
  progress.at = now
  return false
}

/** A body is due, or no answer is: headers are due then, or nothing is. */
const isIncomplete = (socket: Socket): boolean => isArriving(socket) || countDueResponses(socket) === 0

/** True while a body is due and too little of it arrives. */
export function isBodyStalled(
  socket: Socket,
  progress: ConnectionProgress,
  now: number,
  patience: ConnectionLimits,
): boolean {
  if (isAwaitingBody(socket) && socket.bytesRead - progress.received < patience.minBodyBytes)
    return now - progress.receivedAt >= patience.bodyStallMs
  progress.received = socket.bytesRead
  progress.receivedAt = now
  return false
}

/** Connections of one network beyond its limit that are being answered with the reason; more are closed at once. */
const MAX_REFUSED_PER_NETWORK = 10

function createConnectionLimiter(
  config: Config,
  { perNetwork, spared }: ConnectionLimits,
  refusal: SocketRefusal,
): (socket: Socket) => void {
  const isSpared = createNetworkList([...spared, ...config.trustProxy])
  const open = createNetworkCounter(perNetwork)
  const refused = new Map<string, number>()
  return (socket) => {
    const address = remoteAddressOf(socket)
    if (socket.destroyed || isSpared(address)) return
    if (open.admit(address, socket)) return
    // Before a TLS handshake nothing can be answered.
    const name = networkOf(address)
    const isAnswered = !config.tls && (refused.get(name) ?? 0) < MAX_REFUSED_PER_NETWORK
    if (isAnswered) countWhileOpen(refused, name, socket)
    if (isAnswered) refusal.refuse(socket, 'rate_limited')
    else socket.destroy()
  }
}
