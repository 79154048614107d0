// Refuses broken or incomplete HTTP requests on the raw socket, and closes the connection.
import type { Socket } from 'node:net'
import type { Config } from '../../config.ts'
import { type ErrorCode, errors } from '../../errors.ts'
import type { RequestLimits } from '../../rate-limits/request-limits.ts'
import { newId } from '../../secrets.ts'
import { createNetworkList, remoteAddressOf } from '../guard/peer.ts'
import { errorBody, type RefusalListener } from '../responses/errors.ts'
import type { SecurityHeaders } from '../responses/headers.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { isArriving, listDueResponses } from './in-flight.ts'

export interface SocketRefusal {
  /** Answers with the code and closes the connection; only closes it if a response has already begun. */
  refuse(socket: Socket, code: ErrorCode): void
  /** Node's `clientError`: bytes that are not HTTP, headers that do not end, a request that takes too long. */
  handleClientError(error: Error & { code?: string }, socket: Socket): void
}

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Data that still arrives on a refused connection is ignored. */
const refused = new WeakSet<Socket>()

export const isRefused = (socket: Socket): boolean => refused.has(socket)

export function createSocketRefusal(
  config: Config,
  limits: RequestLimits,
  headers: SecurityHeaders,
  { lingerMs }: ConnectionLimits,
  onRefused: RefusalListener,
): SocketRefusal {
  const isProxy = createNetworkList(config.trustProxy)
  const hasRoom = (socket: Socket): boolean => {
    const address = remoteAddressOf(socket)
    // Without a request it is unknown which client behind the proxy this was.
    return isProxy(address) || limits.consumeReadNow({ address, isForeignPage: false })
  }
  const refuse: SocketRefusal['refuse'] = (socket, code) => {
    const due = listDueResponses(socket)
    // A request that was answered before its body arrived completely is not answered again.
    const isAnswered = due.some(({ headersSent }) => headersSent) || (due.length === 0 && isArriving(socket))
    if (refused.has(socket) || !socket.writable || isAnswered || !hasRoom(socket)) {
      socket.destroy()
      return
    }
    refused.add(socket)
    const request = due[0]?.req
    const id = newId()
    socket.end(responseText(code, id, request?.method === 'HEAD', headers))
    onRefused(request, errors[code].status, id)
    // Closing at once could lose the response while the client still sends; leaving it open would hold its slot.
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
  }
  return {
    refuse,
    handleClientError(error, socket) {
      // Before the TLS handshake is done nothing can be sent: the response would wait for it and keep the connection
      // open.
      if (error.code === 'ECONNRESET' || /^ERR_(?:TLS|SSL)_/.test(error.code ?? '')) socket.destroy()
      else refuse(socket, CODES[error.code ?? ''] ?? 'invalid_header')
    },
  }
}

function responseText(code: ErrorCode, id: string, isHead: boolean, headers: SecurityHeaders): string {
  const body = JSON.stringify(errorBody(code))
  const head = [
    `HTTP/1.1 ${errors[code].status} ${REASONS[errors[code].status] ?? 'Error'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `x-request-id: ${id}`,
    ...(errors[code].status === 429 ? ['retry-after: 1'] : []),
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${isHead ? '' : body}`
}

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
}
