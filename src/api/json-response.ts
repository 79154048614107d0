// JSON responses: ETag, 304, Cache-Control, and Link headers of paged lists.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StoredAnswer } from '../actions/access/idempotency.ts'
import type { ShownEvent } from '../domain/privacy/mask.ts'
import { sightOf, type Viewer } from '../domain/privacy/viewer.ts'
import { etagOfBytes } from '../http/responses/conditional.ts'
import { type Representation, sendConditional, writeConditional } from '../http/responses/conditional-response.ts'
import type { SentResponse } from '../http/responses/fast-path.ts'
import type { CachedResponse } from '../http/responses/response-cache.ts'
import type { ResponseWriter } from '../http/responses/response-writer.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

export const createJsonResponse = (content: object, headers?: Record<string, string>, etag?: string): CachedResponse =>
  createJsonTextResponse(JSON.stringify(content), headers, etag)

/** For JSON that is already serialised. */
export function createJsonTextResponse(
  text: string,
  headers: Record<string, string> = {},
  etag?: string,
): CachedResponse {
  const body = Buffer.from(text)
  return { body, etag: etag ?? etagOfBytes(body), headers }
}

/**
 * Readers with full access get the event's own ETag, for If-Match; the ETag of all others is made of the bytes they
 * see.
 */
export const createEventResponse = (
  content: object,
  event: ShownEvent | undefined,
  headers?: Record<string, string>,
): CachedResponse => createJsonResponse(content, headers, event?.level === 'full' ? event.record.etag : undefined)

/** For a repeated request with its idempotency key. */
export const storedAnswerOf = (
  viewer: Viewer,
  status: number,
  { body, etag, headers }: CachedResponse,
): StoredAnswer => ({
  status,
  headers: { ...headers, etag },
  body: body.toString(),
  sight: sightOf(viewer),
})

export function cachedAnswerOf({ headers: stored, body }: StoredAnswer): CachedResponse {
  const { etag, ...others } = stored
  return createJsonTextResponse(body, others, etag)
}

export const sendJsonResponse = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: CachedResponse,
  status = 200,
): Promise<FastifyReply> =>
  sendConditional(request, reply, representationOf(request, answer), () => answer.body, status)

/** Sends finished bytes directly to the socket, without Fastify. */
export const writeJsonResponse = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: CachedResponse,
  writer: ResponseWriter,
): Promise<SentResponse> =>
  writeConditional(request, reply, representationOf(request, answer), writer, () => answer.body)

/** The same URL answers differently by account, so no shared cache may store it, however it handles Vary. */
const representationOf = ({ viewer }: FastifyRequest, { body, etag, headers }: CachedResponse): Representation => ({
  etag,
  length: body.length,
  headers: {
    ...headers,
    'cache-control': viewer.kind === 'anonymous' ? 'private, no-cache' : 'private, no-store',
    vary: 'Authorization, Cookie',
  },
  contentHeaders: { 'content-type': JSON_TYPE },
})

/** Proxies and clients reject long headers, and a search text of 164 emoji is repeated in every link. */
const MAX_LINK_BYTES = 3_500

/**
 * `Link` of a paged list (RFC 8288): first, prev, next, last, each a path on this site. If they are too long together,
 * only those that fit, next and prev before the others.
 */
export function pageLinks(
  path: string,
  query: URLSearchParams,
  page: number,
  perPage: number,
  totalPages: number,
): string {
  const link = (to: number, rel: string): string => {
    const target = new URLSearchParams(query)
    target.set('page', `${to}`)
    target.set('per_page', `${perPage}`)
    return `<${path}?${target}>; rel="${rel}"`
  }
  const last = Math.max(1, totalPages)
  const next = page < last ? link(page + 1, 'next') : ''
  const previous = page > 1 ? link(Math.min(page - 1, last), 'prev') : ''
  const all = [link(1, 'first'), previous, next, link(last, 'last')].filter(Boolean)
  const fitting = new Set<string>()
  let bytes = 0
  for (const one of [next, previous, ...all]) {
    if (one === '' || fitting.has(one) || bytes + one.length > MAX_LINK_BYTES) continue
    fitting.add(one)
    bytes += one.length + ', '.length
  }
  return all.filter((one) => fitting.has(one)).join(', ')
}
