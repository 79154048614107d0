// Request scheduler: bounded work per event-loop turn, fair between clients, serial per connection.
import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { networkPathOf } from '../../rate-limits/networks.ts'
import { afterMicrotasks, currentTurn, isAccepting, isTurnOver } from '../../scheduling/event-loop.ts'
import { createFairQueue } from '../../scheduling/fair-queue.ts'
import { remoteAddressOf } from '../guard/peer.ts'

/** Requests that are started in one turn of the event loop, from all connections together. */
export const MAX_STARTED_PER_TURN = 16
/** Requests parsed in one turn; a single slice of a read may exceed it by the requests in that slice. */
export const MAX_PARSED_PER_TURN = 128
/** Time for parsing in one turn: a read of 64 KiB may be a body of ten thousand chunks, which take tens of ms. */
const MAX_PARSING_MS = 8
/** Connections resumed per turn after the limit above had paused them. */
const MAX_RESUMED_PER_TURN = 4

/**
 * Reads of one connection that are parsed in one turn. OpenSSL gives one TLS record at a time, of one octet if the client
 * wants: hundreds in one callback of the socket. Those beyond are joined and parsed as one in a later turn.
 */
const MAX_READS_PER_TURN = 4

export interface RequestScheduler {
  /** Starts the request now, or in a later turn once the earlier requests of its connection are answered. */
  schedule(request: IncomingMessage, start: () => void): void
  /** The response is closed: the next request of the connection may start. */
  release(request: IncomingMessage): void
  /** Runs the parser on some bytes; the time counts toward that of this turn. */
  timeParsing(parse: () => void): void
  /** Counts a read of a connection; false if it was one too many in this turn. */
  countRead(socket: Socket): boolean
  /** Whether more bytes of a connection may be parsed in this turn; one that was held may parse a slice in any case. */
  mayParse(socket: Socket): boolean
  /** Puts the bytes back and reads them again in a later turn. */
  parseLater(socket: Socket, chunk: Buffer): void
}

interface Connection {
  waiting: (() => void)[]
  /** The request that was started and whose response is not closed. */
  current: IncomingMessage | undefined
  /** The turn in which it was last read from, and how often. */
  readTurn: number
  reads: number
}

/** `pathOf` is called for requests that have to wait; a paused socket is queued by its remote address. */
export function createRequestScheduler(pathOf: (request: IncomingMessage) => readonly string[]): RequestScheduler {
  const connections = new WeakMap<Socket, Connection>()
  const ready = createFairQueue<Connection>()
  const unread = createFairQueue<Socket>()
  const held = new WeakSet<Socket>()
  const resumed = new WeakSet<Socket>()
  let started = 0
  let parsed = 0
  let parsingMs = 0
  let isTurnScheduled = false
  /** The turn that these are counted for: that which runs, or the next one once `runTurn` has begun to count for it. */
  let countedTurn = 0

  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket)
    if (known) return known
    const first: Connection = { waiting: [], current: undefined, readTurn: 0, reads: 0 }
    connections.set(socket, first)
    return first
  }
  const resetCounts = (turn: number): void => {
    countedTurn = turn
    started = 0
    parsed = 0
    parsingMs = 0
  }
  /** Most turns leave nothing for a later one, and need no callback at their end. */
  const noteTurn = (): void => {
    const turn = currentTurn()
    if (turn > countedTurn) resetCounts(turn)
  }
  const mayStart = (): boolean => started < MAX_STARTED_PER_TURN && !isTurnOver()
  const scheduleTurn = (): void => {
    if (isTurnScheduled) return
    isTurnScheduled = true
    setImmediate(runTurn)
  }
  /** Starts one waiting request, and the next one after the synchronous part and the microtasks of the first. */
  const startWaiting = (): void => {
    const connection = ready.shift()
    if (!connection) return
    if (!connection.current) connection.waiting.shift()?.()
    if (ready.size() === 0) return
    afterMicrotasks(() => {
      if (mayStart()) startWaiting()
    })
  }
  const runTurn = (): void => {
    isTurnScheduled = false
    if (isAccepting()) {
      scheduleTurn()
      return
    }
    resetCounts(currentTurn() + 1)
    startWaiting()
    for (let i = 0; i < MAX_RESUMED_PER_TURN; i++) {
      const socket = unread.shift()
      if (!socket) break
      if (!held.delete(socket) || socket.destroyed) continue
      resumed.add(socket)
      resumeJoined(socket)
    }
    if (ready.size() + unread.size() > 0) scheduleTurn()
  }

  return {
    schedule(request, start) {
      noteTurn()
      parsed += 1
      const { socket } = request
      const connection = connectionOf(socket)
      const run = (): void => {
        if (socket.destroyed) {
          connection.waiting.length = 0
          return
        }
        started += 1
        connection.current = request
        start()
      }
      if (!connection.current && connection.waiting.length === 0 && mayStart()) return run()
      // Bound to the async context of this request, not to that of the request answered before it.
      connection.waiting.push(AsyncResource.bind(run))
      if (connection.current) return
      ready.push(pathOf(request), connection)
      scheduleTurn()
    },
    release(request) {
      const connection = connections.get(request.socket)
      // One that was dropped while it waited has not been started.
      if (connection?.current !== request) return
      connection.current = undefined
      if (connection.waiting.length === 0) return
      ready.push(pathOf(request), connection)
      scheduleTurn()
    },
    timeParsing(parse) {
      const begun = performance.now()
      parse()
      noteTurn()
      parsingMs += performance.now() - begun
    },
    countRead(socket) {
      noteTurn()
      const connection = connectionOf(socket)
      if (connection.readTurn !== countedTurn) connection.reads = 0
      connection.readTurn = countedTurn
      connection.reads += 1
      return connection.reads <= MAX_READS_PER_TURN
    },
    mayParse: (socket) => resumed.delete(socket) || (parsed < MAX_PARSED_PER_TURN && parsingMs < MAX_PARSING_MS),
    parseLater(socket, chunk) {
      socket.pause()
      socket.unshift(chunk)
      held.add(socket)
      unread.push(networkPathOf(remoteAddressOf(socket)), socket)
      scheduleTurn()
    },
  }
}

/** Everything that waits is one read: in flowing mode each piece would be an event of its own. */
function resumeJoined(socket: Socket): void {
  socket.resume()
  const waiting = Math.min(socket.readableLength, socket.readableHighWaterMark)
  if (waiting > 0) socket.read(waiting)
}
