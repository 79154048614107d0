// Pipelining: how many answers of one connection may be due, and reading in slices so that the limit holds.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errors } from '../../errors.ts'
import { newId } from '../../secrets.ts'
import { errorBody } from '../responses/errors.ts'
import { isRefused } from './broken-request.ts'
import { closeAfterDue, countDueResponses, isClosing } from './in-flight.ts'
import type { RequestScheduler } from './request-scheduler.ts'

const MAX_DUE_RESPONSES = 32
const SLICE_BYTES = 1_024

/**
 * Refuses the request that is one too many for its connection. Node sends the refusal after the answers before it, and
 * then closes. Returns whether the request is not to be handled.
 */
export function refuseOverfull({ socket }: IncomingMessage, response: ServerResponse): boolean {
  if (socket.destroyed || isClosing(socket)) return true
  if (countDueResponses(socket) < MAX_DUE_RESPONSES) return false
  closeAfterDue(socket)
  refuseRequest(response)
  return true
}

/** 429 without the framework, for a request that is not handled; its connection is closed. */
export function refuseRequest(response: ServerResponse): void {
  response.on('error', () => {})
  const body = JSON.stringify(errorBody('rate_limited'))
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': newId(),
    'retry-after': '1',
    connection: 'close',
  }
  response.writeHead(errors.rate_limited.status, headers).end(body)
}

/**
 * Node parses all of a read, up to 64 KiB or 3,400 requests, before the end of the connection or a pause takes effect,
 * and makes a request and a response object for each. In slices it stops soon, and where many connections send requests
 * at once the reads are parsed in several turns. Called after Node's own listener.
 */
export function readInSlices(socket: Socket, scheduler: RequestScheduler): void {
  const parsers = socket.listeners('data') as ((chunk: Buffer) => void)[]
  const parse = (slice: Buffer): void => {
    for (const parser of parsers) parser.call(socket, slice)
  }
  for (const parser of parsers) socket.removeListener('data', parser)
  socket.on('data', (chunk: Buffer) => {
    if (!scheduler.mayParse() && !isClosing(socket)) return scheduler.parseLater(socket, chunk)
    for (let at = 0; at < chunk.length && !socket.destroyed; at += SLICE_BYTES) {
      if (isClosing(socket)) return
      // What comes behind a broken request is not read.
      if (at > 0 && isRefused(socket)) return
      if (at > 0 && socket.isPaused()) return socket.unshift(chunk.subarray(at))
      parse(chunk.subarray(at, at + SLICE_BYTES))
    }
  })
}
