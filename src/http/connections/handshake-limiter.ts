// Limits TLS handshakes: few begin in one turn of the event loop, few of a network are under way.
import { EventEmitter } from 'node:events'
import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { remoteAddressOf } from '../guard/peer.ts'
import { createNetworkCounter } from './network-counter.ts'

/** Each takes one to two milliseconds with an RSA key. */
const PER_TURN = 4

/** A client may make the server wait for a second message, and then send those of all its connections at once. */
const PER_NETWORK = 8

/** Closed when it has succeeded or its connection has ended. */
class Handshake extends EventEmitter {
  readonly destroyed = false
}

/**
 * Node begins a handshake as soon as bytes arrive: those of a hundred connections in one turn, which take half a
 * second. Here a connection waits, with its first bytes unread, until it is its turn.
 */
export function limitHandshakes(server: Server, handshakeMs: number): void {
  const [begin] = server.listeners('connection') as [(socket: Socket) => void]
  server.off('connection', begin)
  const counter = createNetworkCounter(PER_NETWORK)
  const waiting = new Set<Socket>()
  const underWay = new Map<Socket, Handshake>()
  let isScheduled = false

  server.on('connection', (socket: Socket) => {
    const timer = setTimeout(() => socket.destroy(), handshakeMs)
    socket.on('error', () => {})
    socket.once('readable', () => {
      if (socket.destroyed) return
      waiting.add(socket)
      schedule()
    })
    socket.once('close', () => {
      clearTimeout(timer)
      waiting.delete(socket)
      endHandshake(socket)
    })
    starts.set(socket, timer)
  })
  server.on('secureConnection', (socket: SecuredSocket) => endHandshake(socket._parent))

  function schedule(): void {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    setImmediate(beginSome)
  }

  function beginSome(): void {
    isScheduled = false
    let begun = 0
    for (const socket of waiting) {
      if (begun === PER_TURN) break
      const handshake = new Handshake()
      if (!counter.admit(remoteAddressOf(socket), handshake)) continue
      begun += 1
      waiting.delete(socket)
      underWay.set(socket, handshake)
      clearTimeout(starts.get(socket))
      begin.call(server, socket)
    }
    if (begun === PER_TURN) schedule()
  }

  function endHandshake(socket: Socket): void {
    const handshake = underWay.get(socket)
    if (!handshake) return
    underWay.delete(socket)
    handshake.emit('close')
    schedule()
  }
}

/**
 * Node gives no public way from a secured connection to the socket it was made of. Addresses and ports do not identify
 * it: a client can use them again before the server has noticed that the first connection was reset.
 */
export interface SecuredSocket extends TLSSocket {
  readonly _parent: Socket
  /** Receives each decrypted record. */
  readonly _handle?: { onread?: (bytes?: ArrayBuffer) => unknown } | null
}

/** The limit for the first bytes; Node has one of its own for the handshake. */
const starts = new WeakMap<Socket, NodeJS.Timeout>()
