// Answers that are the same for everyone who may have them: bytes that are kept, in the form the reader takes.
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Answer } from '../http/answer-cache.ts'
import { networkKey } from '../http/attempts.ts'
import { etagOfBytes, findKnownTag } from '../http/conditional.ts'
import { acceptedEncodings, chooseEncoding, encodedBytes, etagOfForm } from '../http/encoding.ts'
import type { Sending } from '../http/sending.ts'
import type { Place, Sent, ShortWay } from '../http/short-way.ts'
import { JSON_TYPE } from './answer.ts'

/** Any cache may keep it, and asks before it shows it again: what was public an hour ago may not be any more. */
export const FOR_ALL = 'public, no-cache'
/** Whoever fetched it may keep it, and asks before showing it again. */
export const FOR_ONE = 'private, no-cache'

export const feedAnswer = (body: Buffer, filename: string): Answer => ({
  body,
  etag: etagOfBytes(body),
  headers: { 'content-type': 'text/calendar; charset=utf-8', 'content-disposition': `inline; filename="${filename}"` },
})

/** Straight to the socket, and says what was sent; a form that is asked for the first time is made on the way. */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag, headers }: Answer,
  cacheControl: string,
  sending: Sending,
): Promise<Sent> {
  const accepted = acceptedEncodings(request.headers['accept-encoding'] as string | undefined)
  const encoding = chooseEncoding(accepted, body.length)
  const ownTag = etagOfForm(etag, encoding)
  // Of other forms only those the reader takes: a cache that mixes readers up must not be told that its copy will do.
  const otherTags = accepted.map((form) => etagOfForm(etag, form))
  const knownTag = findKnownTag(request.headers['if-none-match'], [ownTag, etag, ...otherTags])
  reply.headers({ etag: knownTag ?? ownTag, 'cache-control': cacheControl, vary: 'Accept-Encoding' })
  const end = (status: number, bytes?: Buffer): Sent => endWith(sending, request, reply, status, bytes)
  if (knownTag !== undefined) return end(304)
  const encoded = encoding && encodedBytes(body, encoding)
  const bytes = encoded instanceof Promise ? await encoded : (encoded ?? body)
  reply.headers({
    'content-type': JSON_TYPE,
    ...headers,
    ...(encoding && { 'content-encoding': encoding }),
    'content-length': bytes.length,
  })
  return end(200, request.method === 'HEAD' ? undefined : bytes)
}

function endWith(
  sending: Sending,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  bytes: Buffer | undefined,
): Sent {
  reply.code(status)
  const headers = reply.getHeaders() as OutgoingHttpHeaders
  reply.hijack()
  sending.send(reply.raw, networkKey(request), status, headers, bytes)
  return { status, headers, bytes }
}

/** How answers leave. */
export interface Ways {
  shortWay: ShortWay
  sending: Sending
}

export interface KeptRoute {
  /** Where the answer to this question is kept. */
  placeOf: (request: FastifyRequest) => Place
  make: (request: FastifyRequest) => Promise<Answer>
}

/** A route whose answers are kept: made once for all who ask meanwhile, and then sent the short way. */
export function keptRoute(ctx: Context, ways: Ways, { placeOf, make }: KeptRoute) {
  const { shortWay, sending } = ways
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { cache, key } = placeOf(request)
    const answer = await cache.take(request.state.revision, key, ctx.clock(), () => {
      sending.requireRoom(networkKey(request))
      return make(request)
    })
    const sent = await sendBytes(request, reply, answer, FOR_ALL, sending)
    shortWay.remember(request.raw, { cache, key }, answer, sent)
  }
}

/**
 * A question as it is kept: what the route knows, in one order, whatever else stands in the address. The name tells the
 * questions of one route from those of another.
 */
export function questionOf(
  { params, query }: Pick<FastifyRequest, 'params' | 'query'>,
  name: string,
  parameters: readonly string[],
): string {
  const asked = query as Record<string, unknown>
  const values = parameters.map((parameter) => (asked[parameter] === undefined ? null : String(asked[parameter])))
  // Whatever came twice is refused later, so this is like no question that is kept.
  const isOdd = parameters.length > 0 && Object.values(asked).some(Array.isArray)
  return `${isOdd ? 'odd ' : ''}${name} ${JSON.stringify([params, values])}`
}
