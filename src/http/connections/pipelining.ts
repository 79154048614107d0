// HTTP pipelining: caps the responses due per connection, and parses reads in slices to enforce it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errors } from '../../errors.ts'
import { newId } from '../../secrets.ts'
import { errorBody, type RefusalListener } from '../responses/errors.ts'
import type { SecurityHeaders } from '../responses/headers.ts'
import { parseJoining } from './body-pieces.ts'
import { isRefused } from './broken-request.ts'
import { holdWhilePaused } from './held-reads.ts'
import { closeAfterDue, countDueResponses, isClosing } from './in-flight.ts'
import type { RequestScheduler } from './request-scheduler.ts'

const MAX_DUE_RESPONSES = 32
const SLICE_BYTES = 1_024

/**
 * Refuses a request beyond the cap of its connection. Node sends the refusal after the responses before it and then
 * closes. Returns true if the request must not be handled.
 */
export function refuseExcessPipelined(
  request: IncomingMessage,
  response: ServerResponse,
  headersOf: (request: IncomingMessage) => SecurityHeaders,
  onRefused: RefusalListener,
): boolean {
  const { socket } = request
  if (socket.destroyed || isClosing(socket)) return true
  if (countDueResponses(socket) < MAX_DUE_RESPONSES) return false
  closeAfterDue(socket)
  refuseRequest(request, response, headersOf(request), onRefused)
  return true
}

/** Sends 429 without Fastify for a request that is not handled, and closes its connection. */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  security: SecurityHeaders,
  onRefused: RefusalListener,
): void {
  response.on('error', () => {})
  const body = JSON.stringify(errorBody('rate_limited'))
  const id = newId()
  const headers = {
    ...security,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': id,
    'retry-after': '1',
    connection: 'close',
  }
  response.writeHead(errors.rate_limited.status, headers).end(body)
  onRefused(request, errors.rate_limited.status, id)
}

/**
 * Node parses a whole read, up to 64 KiB or 3,400 requests, before closing or pausing the connection takes effect, and
 * creates a request and a response object for each. With slices it stops soon, and when many connections send requests
 * at once the reads are parsed over several turns. Called after Node has added its own listener.
 */
export function readInSlices(socket: Socket, scheduler: RequestScheduler): void {
  const parsers = socket.listeners('data') as ((chunk: Buffer) => void)[]
  const parse = (slice: Buffer): void =>
    parseJoining(() => {
      for (const parser of parsers) parser.call(socket, slice)
    })
  for (const parser of parsers) socket.removeListener('data', parser)
  holdWhilePaused(socket)
  socket.on('data', (chunk: Buffer) => {
    // Also where the bytes are dropped: each read takes time.
    if (!scheduler.countRead(socket) || !scheduler.mayParse(socket)) return scheduler.parseLater(socket, chunk)
    for (let at = 0; at < chunk.length && !socket.destroyed; at += SLICE_BYTES) {
      if (isClosing(socket)) return
      // Data behind a broken request is not read.
      if (at > 0 && isRefused(socket)) return
      if (at > 0 && socket.isPaused()) return socket.unshift(chunk.subarray(at))
      if (at > 0 && !scheduler.mayParse(socket)) return scheduler.parseLater(socket, chunk.subarray(at))
      // A short read is one request, which may be answered while it is parsed: that is no parsing.
      if (chunk.length < SLICE_BYTES) parse(chunk)
      else scheduler.timeParsing(() => parse(chunk.subarray(at, at + SLICE_BYTES)))
    }
  })
}
