// Calls back when a client has received a whole response, as far as its connection shows.
import { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import { onSameDatabase } from '../actions/caldav-objects/served-versions.ts'
import type { Context } from '../context.ts'

/** Responses that were sent on a connection since its last request. */
interface SentResponses {
  records: (() => void)[]
  timer: NodeJS.Timeout
}

const sentOn = new WeakMap<Socket, SentResponses>()
const watched = new WeakSet<Socket>()

/** A client that goes away without reading resets the connection: within this time, on any network in use. */
const SETTLE_MS = 1_000
/** A little later: by then the response counts. */
const CLOSE_MS = 1_500

/**
 * Sent is not received: the bytes may wait in the kernel while the client is gone. The callback runs with the next
 * request on the connection, when the client closes it in good order, or after a second without a reset.
 */
export function whenReceived(ctx: Context, { raw, request }: FastifyReply, add: () => void): void {
  const record = onSameDatabase(ctx, add)
  // The response has no socket any more once it is finished.
  const { socket } = request.raw
  if (socket instanceof Socket) closeByHalves(socket)
  raw.once('finish', () => {
    if (raw.statusCode >= 400) return
    if (!(socket instanceof Socket)) return record()
    if (!socket.destroyed) hold(socket, record)
  })
}

/**
 * After the last response of a connection Node destroys the socket, and nothing shows whether the client has read it.
 * Closed for writing only, the socket still shows that the client closes or resets it.
 */
function closeByHalves(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), CLOSE_MS).unref()
    socket.once('close', () => clearTimeout(timer))
  }
}

/**
 * Called for each request that was not pipelined: a client that sends another one on the connection has received what
 * came before.
 */
export function confirmReceived(socket: Socket): void {
  const sent = sentOn.get(socket)
  if (!sent) return
  forget(socket, sent)
  for (const record of sent.records) record()
}

function hold(socket: Socket, record: () => void): void {
  const sent = sentOn.get(socket)
  if (sent) {
    sent.records.push(record)
    sent.timer.refresh()
    return
  }
  const timer = setTimeout(() => confirmReceived(socket), SETTLE_MS).unref()
  sentOn.set(socket, { records: [record], timer })
  if (watched.has(socket)) return
  watched.add(socket)
  socket.once('end', () => confirmReceived(socket))
  socket.once('close', () => {
    const left = sentOn.get(socket)
    if (left) forget(socket, left)
  })
}

function forget(socket: Socket, { timer }: SentResponses): void {
  clearTimeout(timer)
  sentOn.delete(socket)
}
