// How a failure is said over HTTP: in JSON, or in the words of the mouth it was said to; one place.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode, errors } from '../errors.ts'
import type { Log } from '../ops/log.ts'
import { CHALLENGE } from './viewer.ts'

export const errorBody = (code: ErrorCode, details?: object) => ({
  error: { code, message: errors[code].message, ...(details ? { details } : {}) },
})

/** Of which requests failed with what; remembered beside them for whoever takes note. */
const codes = new WeakMap<FastifyRequest, ErrorCode>()

export const errorCodeOf = (request: FastifyRequest): ErrorCode | undefined => codes.get(request)

/** Says what is not said in JSON: everything below one path, or one failure to those who would rather read a page. */
export interface Mouth {
  owns(request: FastifyRequest, code: ErrorCode): boolean
  /** Its type among them. */
  headersOf(code: ErrorCode): Record<string, string>
  sayError(code: ErrorCode, details: Record<string, unknown> | undefined): string
}

export interface Saying {
  log: Log
  mouths: readonly Mouth[]
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, saying: Saying): FastifyReply {
  const { log, mouths } = saying
  const known = error instanceof AppError ? error : fromFramework(error as FastifyError)
  codes.set(request, known.code)
  if (known.status === 500) {
    log.error('a request failed', {
      request_id: request.id,
      route: request.routeOptions.url,
      error: describe(known.cause),
    })
  }
  if (known.code === 'storage_unavailable')
    log.error('storage is unavailable', { request_id: request.id, error: describe(known.cause) })
  if (known.status === 401) reply.headers(CHALLENGE)
  if (known.headers) reply.headers(known.headers)
  if (known.status === 503 && !reply.getHeader('retry-after')) reply.header('retry-after', '5')
  if (known.status === 413) reply.header('connection', 'close')
  reply.header('cache-control', 'no-store')
  const details = known.status === 500 ? { request_id: request.id } : known.details
  const mouth = mouths.find(({ owns }) => owns(request, known.code))
  if (mouth)
    return reply.code(known.status).headers(mouth.headersOf(known.code)).send(mouth.sayError(known.code, details))
  return reply.code(known.status).type('application/json; charset=utf-8').send(errorBody(known.code, details))
}

/** Failures of HTTP itself, raised by Fastify; anything not foreseen is ours and says nothing of itself. */
function fromFramework(error: FastifyError): AppError {
  const code = FRAMEWORK_CODES[error.code]
  return new AppError(code ?? 'internal_error', { cause: error })
}

const FRAMEWORK_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_header',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_BAD_URL: 'invalid_encoding',
  FST_ERR_ASYNC_CONSTRAINT: 'route_not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'route_not_found',
}

/** The kind of failure and where, never its text: messages of databases and parsers quote what people typed. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const place = error.stack?.split('\n')[1]?.split('/').at(-1)?.replace(')', '')
  const code = (error as { code?: string }).code
  return [error.name, code, place].filter(Boolean).join(' ')
}
