// Pipelining: how many answers of one connection may be due, and reading in slices so that the limit holds.
import type { Socket } from 'node:net'
import { isRefused } from './broken-request.ts'
import { countDueResponses } from './in-flight.ts'

const MAX_DUE_RESPONSES = 32
const SLICE_BYTES = 1_024

/** Ends a connection on which too many answers are due. Returns whether its requests are no longer to be handled. */
export function endOverfull(socket: Socket): boolean {
  if (socket.destroyed) return true
  if (countDueResponses(socket) < MAX_DUE_RESPONSES) return false
  socket.destroy()
  return true
}

/**
 * Node parses all of a read, up to 64 KiB or 3,400 requests, before the end of the connection or a pause takes effect,
 * and makes a request and a response object for each. In slices it stops soon. Called after Node's own listener.
 */
export function readInSlices(socket: Socket): void {
  const parsers = socket.listeners('data') as ((chunk: Buffer) => void)[]
  const parse = (slice: Buffer): void => {
    for (const parser of parsers) parser.call(socket, slice)
  }
  for (const parser of parsers) socket.removeListener('data', parser)
  socket.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length && !socket.destroyed; at += SLICE_BYTES) {
      // What comes behind a broken request is not read.
      if (at > 0 && isRefused(socket)) return
      if (at > 0 && socket.isPaused()) return socket.unshift(chunk.subarray(at))
      parse(chunk.subarray(at, at + SLICE_BYTES))
    }
  })
}
