// Connection limiter: a cap per network, and timeouts for clients that do not read or send.

import type { Server, Socket } from 'node:net'
import type { Config } from '../../config.ts'
import { networkOf } from '../../rate-limits/networks.ts'
import { recordAccepted } from '../../scheduling/event-loop.ts'
import { startInterval } from '../../scheduling/interval.ts'
import { createNetworkList, remoteAddressOf } from '../guard/peer.ts'
import type { ServerState } from '../guard/request-guard.ts'
import type { SocketRefusal } from './broken-request.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { countDueResponses, isArriving, isAwaitingBody } from './in-flight.ts'
import { countWhileOpen, createNetworkCounter } from './network-counter.ts'
import { readInSlices } from './pipelining.ts'
import type { RequestScheduler } from './request-scheduler.ts'

const MAX_CONNECTIONS = 1_000

/** Bytes sent and received on a connection, each with the time of the last observed change. */
export interface ConnectionProgress {
  bytes: number
  at: number
  received: number
  receivedAt: number
}

/** Applied to each listening server; the connections of all of them are counted together. */
export function createConnectionGuard(
  config: Config,
  timeouts: ConnectionLimits,
  refusal: SocketRefusal,
  scheduler: RequestScheduler,
  state: ServerState,
): (server: Server) => void {
  const admit = createConnectionLimiter(config, timeouts, refusal)
  const watched = new Map<Socket, ConnectionProgress>()
  const watch = (socket: Socket): void => {
    const now = performance.now()
    watched.set(socket, { bytes: 0, at: now, received: 0, receivedAt: now })
    socket.once('close', () => watched.delete(socket))
  }
  const checkConnections = (): void => {
    const now = performance.now()
    const drainedMs = state.drainingSince === undefined ? 0 : now - state.drainingSince
    for (const [socket, progress] of watched) {
      if (drainedMs >= timeouts.longestDrainMs) socket.destroy()
      else if (drainedMs >= timeouts.drainMs && isIncomplete(socket)) refusal.refuse(socket, 'request_timeout')
      else if (hasStalled(socket, progress, now, timeouts.stallMs)) socket.destroy()
      else if (isBodyStalled(socket, progress, now, timeouts)) refusal.refuse(socket, 'request_timeout')
    }
  }
  return (server) => {
    server.maxConnections = MAX_CONNECTIONS
    // A connection that cannot be accepted, for example for want of file descriptors, is ignored. Errors before the
    // server listens reach the caller of `listen`.
    server.on('error', () => {})
    server.on('connection', closeWithoutAddress)
    server.on('secureConnection', closeWithoutAddress)
    server.on('connection', admit)
    server.on('connection', recordAccepted)
    const accepted = config.tls ? 'secureConnection' : 'connection'
    server.on(accepted, watch)
    server.on(accepted, (socket: Socket) => readInSlices(socket, scheduler))
    server.once('listening', () => {
      const timer = startInterval(timeouts.checkEveryMs, checkConnections)
      server.once('close', () => void timer.stop())
    })
  }
}

/**
 * The client has already reset the connection, but what it sent before would still be read. Without the address of the
 * proxy that sent it, a request counts as plain http, and its credentials as exposed. Over TLS the socket is a new one.
 */
function closeWithoutAddress(socket: Socket): void {
  if (remoteAddressOf(socket) === '') socket.destroy()
}

/**
 * Only while bytes wait to be sent, or the response is complete and the client does not close. Received bytes do not
 * count: the socket's own timeout would restart with every byte that the client sends.
 */
function hasStalled(socket: Socket, progress: ConnectionProgress, now: number, stallMs: number): boolean {
  const bytes = socket.bytesWritten - socket.writableLength
  const isWaiting = socket.writableLength > 0 || socket.writableEnded
  if (isWaiting && bytes === progress.bytes) return now - progress.at >= stallMs
  progress.bytes = bytes
  progress.at = now
  return false
}

/** A request body is due, or no response is due: then headers are incomplete or the connection is idle. */
const isIncomplete = (socket: Socket): boolean => isArriving(socket) || countDueResponses(socket) === 0

/** True while a body is due and too little of it arrives. */
export function isBodyStalled(
  socket: Socket,
  progress: ConnectionProgress,
  now: number,
  timeouts: ConnectionLimits,
): boolean {
  if (isAwaitingBody(socket) && socket.bytesRead - progress.received < timeouts.minBodyBytes)
    return now - progress.receivedAt >= timeouts.bodyStallMs
  progress.received = socket.bytesRead
  progress.receivedAt = now
  return false
}

/** Whether connections from an address are those of any number of clients behind a proxy. */
export const createSparedList = (
  { trustProxy }: Pick<Config, 'trustProxy'>,
  { spared }: ConnectionLimits,
): ((address: string) => boolean) => createNetworkList([...spared, ...trustProxy])

/** Connections of one network beyond its limit that are answered with 429 at a time; more are closed at once. */
const MAX_REFUSED_PER_NETWORK = 10

function createConnectionLimiter(
  config: Config,
  limits: ConnectionLimits,
  refusal: SocketRefusal,
): (socket: Socket) => void {
  const isSpared = createSparedList(config, limits)
  const open = createNetworkCounter(limits.perNetwork)
  const refused = new Map<string, number>()
  return (socket) => {
    const address = remoteAddressOf(socket)
    if (socket.destroyed || isSpared(address)) return
    if (open.admit(address, socket)) return
    // Before a TLS handshake nothing can be answered.
    const name = networkOf(address)
    const isAnswered = !config.tls && (refused.get(name) ?? 0) < MAX_REFUSED_PER_NETWORK
    if (isAnswered) countWhileOpen(refused, [name], socket)
    if (isAnswered) refusal.refuse(socket, 'rate_limited')
    else socket.destroy()
  }
}
