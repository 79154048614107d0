// Requests that are not HTTP: answered in our own words where the socket still listens, then closed.
import type { Socket } from 'node:net'
import { type ErrorCode, errors } from '../errors.ts'
import { newId } from '../secrets.ts'
import { errorBody } from './errors.ts'

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

export function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  // Before a handshake is done nothing can be said: words would wait for it, and the connection with them.
  if (error.code === 'ECONNRESET' || !socket.writable || /^ERR_(?:TLS|SSL)_/.test(error.code ?? '')) {
    socket.destroy()
    return
  }
  const code = CODES[error.code ?? ''] ?? 'invalid_header'
  const body = JSON.stringify(errorBody(code))
  const head = [
    `HTTP/1.1 ${errors[code].status} ${REASONS[errors[code].status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `x-request-id: ${newId()}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}
