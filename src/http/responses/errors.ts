// Error handler: turns any failure into an AppError, and sends it as JSON or by a renderer.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode, errors } from '../../errors.ts'
import type { Log, LogFields } from '../../ops/log.ts'
import { addPolicies, countRefused } from '../../rate-limits/request-hooks.ts'
import type { RequestLimits } from '../../rate-limits/request-limits.ts'
import { newId } from '../../secrets.ts'
import { isClientGone } from '../connections/client-disconnect.ts'
import { closeIfPipelined } from '../connections/in-flight.ts'
import { CHALLENGE } from '../guard/viewer.ts'
import { acceptHeaders } from './accepted-types.ts'
import type { SecurityHeaders } from './headers.ts'

export const errorBody = (code: ErrorCode, details?: object) => ({
  error: { code, message: errors[code].message, ...(details ? { details } : {}) },
})

/** The error code of each failed request, kept for audit and traces. */
const codes = new WeakMap<FastifyRequest, ErrorCode>()

export const errorCodeOf = (request: FastifyRequest): ErrorCode | undefined => codes.get(request)

/** Renders errors that are not sent as JSON: all below one path, or those of clients that prefer a page. */
export interface ErrorRenderer {
  owns(request: FastifyRequest, code: ErrorCode): boolean
  /** Includes the content type. */
  headersOf(code: ErrorCode, request: FastifyRequest): Record<string, string>
  renderError(code: ErrorCode, details: Record<string, unknown> | undefined, request: FastifyRequest): string | Buffer
}

export interface ErrorContext {
  log: Log
  renderers: readonly ErrorRenderer[]
  limits: RequestLimits
}

/** Answers a request that failed in a hook or a handler, or that no route takes. */
export async function handleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  context: ErrorContext,
): Promise<FastifyReply> {
  // The client has disconnected, so this response only ends the request without a log line.
  const known = isClientGone(error, reply) ? new AppError('service_unavailable') : toAppError(error, request.raw)
  const counted = await countRefused(context.limits, request, reply, known)
  // Also where the attempt was not counted, as with a password that was refused before: the two look the same.
  if (counted.code === 'invalid_credentials') addPolicies(reply, context.limits, 'login-ip')
  return sendError(counted, request, reply, context)
}

function sendError(known: AppError, request: FastifyRequest, reply: FastifyReply, context: ErrorContext): FastifyReply {
  const { log, renderers } = context
  codes.set(request, known.code)
  logFailure(log, known, { request_id: request.id, route: request.routeOptions.url })
  // Set for a file whose stream has failed before its first byte.
  reply.removeHeader('content-disposition')
  if (known.status === 401) reply.headers(CHALLENGE)
  if (known.status === 415) reply.headers(acceptHeaders(request))
  if (known.headers) reply.headers(known.headers)
  if (known.status === 503 && !reply.getHeader('retry-after')) reply.header('retry-after', '5')
  if (known.status === 413 || (known.status === 429 && closeIfPipelined(request.raw)))
    reply.header('connection', 'close')
  reply.header('cache-control', 'no-store')
  const details = known.status === 500 ? { request_id: request.id } : known.details
  const renderer = renderers.find(({ owns }) => owns(request, known.code))
  if (renderer)
    return reply
      .code(known.status)
      .headers(renderer.headersOf(known.code, request))
      .send(renderer.renderError(known.code, details, request))
  return reply.code(known.status).type('application/json; charset=utf-8').send(errorBody(known.code, details))
}

/** Called for a response that was sent without Fastify; `request` is undefined if it could not be parsed. */
export type RefusalListener = (request: IncomingMessage | undefined, status: number, requestId: string) => void

export interface RawErrorOptions {
  log: Log
  headers: SecurityHeaders
  onAnswered: RefusalListener
}

/**
 * Answers without Fastify, for failures outside its hooks and error handler. Never throws: if no response can be sent
 * any more, the connection is closed.
 */
export function writeRawError(
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  { log, headers, onAnswered }: RawErrorOptions,
): void {
  try {
    const known = toAppError(error, request)
    const id = newId()
    logFailure(log, known, { request_id: id })
    if (response.headersSent) {
      response.destroy()
      return
    }
    const body = JSON.stringify(errorBody(known.code, known.status === 500 ? { request_id: id } : known.details))
    const type = 'application/json; charset=utf-8'
    response.writeHead(known.status, {
      ...headers,
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'x-request-id': id,
      connection: 'close',
    })
    response.end(body)
    onAnswered(request, known.status, id)
  } catch {
    response.destroy()
  }
}

function logFailure(log: Log, { code, status, cause }: AppError, fields: LogFields): void {
  if (status === 500) log.error('a request failed', { ...fields, error: describe(cause) })
  if (code === 'storage_unavailable')
    log.error('storage is unavailable', { request_id: fields.request_id, error: describe(cause) })
}

/** HTTP failures are raised by Fastify or Node; any unexpected error becomes a 500 without details. */
function toAppError(error: unknown, request: IncomingMessage): AppError {
  if (error instanceof AppError) return error
  const { code = '', statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return new AppError('invalid_header', { details: { header: 'Content-Length' }, cause: error })
  return new AppError(FRAMEWORK_CODES[code] ?? codeByStatus(code, statusCode, request) ?? 'internal_error', {
    cause: error,
  })
}

const FRAMEWORK_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_BAD_URL: 'invalid_encoding',
  FST_ERR_MAX_PARAM_LENGTH: 'route_not_found',
  FST_ERR_NOT_FOUND: 'route_not_found',
}

/**
 * Fastify gives 400 to an error of the body's stream: the client disconnected, or was refused, before all of it
 * arrived.
 */
function codeByStatus(code: string, status: number | undefined, { complete }: IncomingMessage): ErrorCode | undefined {
  if (code.startsWith('FST_')) return status !== undefined && status < 500 ? 'invalid_header' : undefined
  return status === 400 && !complete ? 'incomplete_body' : undefined
}

/** Name, database code and location of an error, never its message: databases and parsers quote user input there. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const place = error.stack?.split('\n')[1]?.split('/').at(-1)?.replace(')', '')
  const { code, errcode, severity } = error as { code?: string; errcode?: number; severity?: string }
  return [error.name, code, errcode, severity, place].filter(Boolean).join(' ')
}
