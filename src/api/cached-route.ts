// Cached routes: sends response bytes from the LRU cache in the negotiated encoding.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { etagOfLongBytes } from '../http/responses/conditional.ts'
import { type Representation, writeConditional, writeNotModified } from '../http/responses/conditional-response.ts'
import { encodedBytes } from '../http/responses/encoding.ts'
import type { CacheSlot, FastPath, SentResponse } from '../http/responses/fast-path.ts'
import type { Validator } from '../http/responses/negotiate.ts'
import type { CachedResponse, ResponseCache } from '../http/responses/response-cache.ts'
import type { ByteReservation, ResponseWriter } from '../http/responses/response-writer.ts'
import { networkKey } from '../rate-limits/request-hooks.ts'
import { JSON_TYPE } from './json-response.ts'

/** Any cache may store it but must revalidate: what was public an hour ago may not be any more. */
export const FOR_ALL = 'public, no-cache'
/** Only the client's own cache may store it, and must revalidate. */
export const FOR_ONE = 'private, no-cache'

export const createFeedResponse = async (body: Buffer, filename: string): Promise<CachedResponse> => ({
  body,
  etag: await etagOfLongBytes(body),
  headers: { 'content-type': 'text/calendar; charset=utf-8', 'content-disposition': `inline; filename="${filename}"` },
})

type CachedValidator = Validator & { policyHeaders?: Record<string, string> | undefined }

interface Sending {
  responseWriter: ResponseWriter
  place: CacheSlot
}

/** Sends directly to the socket and returns what was sent; compresses an encoding on its first use. */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: CachedResponse,
  cacheControl: string,
  { responseWriter, place: { cache, key } }: Sending,
): Promise<SentResponse> {
  const { body, etag, headers, policyHeaders } = answer
  const response = representationOf({ etag, bytes: body.length, policyHeaders }, cache, cacheControl, headers)
  const onMade = (bytes: number): void => void cache.charge(key, answer, bytes)
  return writeConditional(request, reply, response, responseWriter, (encoding) =>
    encoding ? encodedBytes(body, encoding, onMade) : body,
  )
}

/** Sends 304 if the client already has the response; otherwise sends nothing and returns undefined. */
export const sendNotModified = (
  request: FastifyRequest,
  reply: FastifyReply,
  validator: CachedValidator | undefined,
  cacheControl: string,
  { responseWriter, place: { cache } }: Sending,
): SentResponse | undefined =>
  validator && writeNotModified(request, reply, representationOf(validator, cache, cacheControl), responseWriter)

/**
 * A body that is too long to cache is not compressed: that would be repeated for each request, and take memory that is
 * not counted.
 */
const representationOf = (
  { etag, bytes, policyHeaders }: CachedValidator,
  { maxAnswerBytes }: ResponseCache,
  cacheControl: string,
  headers: Record<string, string> = {},
): Representation => ({
  etag,
  length: bytes,
  isEncoded: true,
  maxEncodedBytes: maxAnswerBytes,
  headers: { ...policyHeaders, 'cache-control': cacheControl },
  contentHeaders: { 'content-type': JSON_TYPE, ...headers },
})

/** The parts of the server that cached routes use to send responses. */
export interface CachedRouteServer {
  fastPath: FastPath
  responseWriter: ResponseWriter
}

export interface CachedRouteOptions {
  /** The cache slot of this request. */
  slotOf: (request: FastifyRequest) => CacheSlot
  /** `reserve` counts the bytes of a long response before they are built. */
  make: (request: FastifyRequest, reserve: ByteReservation['reserve']) => Promise<CachedResponse>
}

/** A route whose responses are cached: built once for all concurrent requests, then served by the fast path. */
export function createCachedRoute(ctx: Context, server: CachedRouteServer, { slotOf, make }: CachedRouteOptions) {
  const { fastPath, responseWriter } = server
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const place = slotOf(request)
    const { cache, key } = place
    const { revision } = request.state
    const answer = cache.find(revision, key, ctx.clock())
    const validator = answer ? undefined : cache.findValidator(revision, key, ctx.clock())
    if (sendNotModified(request, reply, validator, FOR_ALL, { responseWriter, place })) {
      cache.counts.hits += 1
      return
    }
    await withReservedBytes(responseWriter, networkKey(request), async (makeInRoom) => {
      const made = await cache.take(revision, key, ctx.clock(), () => makeInRoom((reserve) => make(request, reserve)))
      const sent = await sendBytes(request, reply, made, FOR_ALL, { responseWriter, place })
      fastPath.remember(request.raw, place, made, sent)
    })
  }
}

type MakeInRoom = (make: (reserve: ByteReservation['reserve']) => Promise<CachedResponse>) => Promise<CachedResponse>

/** Counts the bytes of a response that `work` builds until it is built and being sent. */
export async function withReservedBytes(
  responseWriter: ResponseWriter,
  network: string,
  work: (makeInRoom: MakeInRoom) => Promise<void>,
): Promise<void> {
  const releases: (() => void)[] = []
  try {
    await work((make) => {
      const room = responseWriter.reserveBytes(network)
      const answer = make(room.reserve)
      // If the same response, built for another customer, was sent meanwhile, this one is still being built.
      releases.push(() => void answer.then(room.release, room.release))
      return answer
    })
  } finally {
    for (const release of releases) release()
  }
}

/**
 * Cache key of a request: the parameters the route knows, in a fixed order, whatever else is in the URL. The name
 * separates the keys of one route from those of another.
 */
export function cacheKeyOf(
  { params, query }: Pick<FastifyRequest, 'params' | 'query'>,
  name: string,
  parameters: readonly string[],
): string {
  const asked = query as Record<string, unknown>
  const values = parameters.map((parameter) => keyPartOf(asked[parameter]))
  // A repeated parameter that is no list may be refused later, so its key must equal no cached one.
  const isOdd = parameters.length > 0 && Object.values(asked).some(Array.isArray)
  return `${isOdd ? 'odd ' : ''}${name} ${JSON.stringify([params, values])}`
}

/** A list is another key than a text with the same commas. */
const keyPartOf = (value: unknown): string | string[] | null =>
  value === undefined ? null : Array.isArray(value) ? value.map(String) : String(value)
