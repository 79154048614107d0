// Stops reading from a connection while it is paused; Node goes on until 64 KiB wait.
import { Socket } from 'node:net'

/** Node gives no public way to stop the handle of a socket at once. */
interface ReadingSocket extends Socket {
  readonly _handle?: { reading: boolean; readStop(): void; readStart(): void } | null
}

/**
 * Of a TLS connection each record is a read: some three thousand in what OpenSSL has when the connection is paused. The
 * stream takes ten microseconds for each, so they are collected here and given to it as one when it is resumed.
 */
export function holdWhilePaused(socket: ReadingSocket): void {
  let pieces: Buffer[] | undefined

  const release = (): void => {
    if (!pieces) return
    const waiting = pieces
    pieces = undefined
    socket.push = Socket.prototype.push
    if (socket._handle?.reading) socket._handle.readStart()
    if (waiting.length > 0) socket.push(waiting.length === 1 ? waiting[0] : Buffer.concat(waiting))
  }
  const collect = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (pieces && Buffer.isBuffer(chunk)) return pieces.push(chunk) > 0
    // The end of the stream comes after what was collected.
    release()
    return socket.push(chunk, encoding)
  }

  socket.pause = () => {
    Socket.prototype.pause.call(socket)
    if (!pieces && !socket.destroyed) {
      pieces = []
      socket.push = collect
      // `reading` stays true, so that the stream does not start the handle again by itself.
      if (socket._handle?.reading) socket._handle.readStop()
    }
    return socket
  }
  socket.resume = () => {
    release()
    return Socket.prototype.resume.call(socket)
  }
}
