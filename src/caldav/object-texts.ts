// Sends the text of one object and keeps it for the fast path, which answers the same GET again.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isNewToClient, type ServedVersion } from '../actions/caldav-objects/served-versions.ts'
import type { Context } from '../context.ts'
import { type Representation, sendConditional, writeConditional } from '../http/responses/conditional-response.ts'
import { keyForSight } from '../http/responses/fast-path.ts'
import { type CachedResponse, createResponseCache } from '../http/responses/response-cache.ts'
import type { HttpServer } from '../http/server.ts'
import { divideMemory } from '../memory-budget.ts'

export type SendText = (
  request: FastifyRequest,
  reply: FastifyReply,
  response: Representation,
  body: Buffer,
  version: ServedVersion,
) => Promise<FastifyReply>

type TextServer = Pick<HttpServer, 'fastPath' | 'responseWriter' | 'recheckReader'>

export function createTextSender(ctx: Context, { fastPath, responseWriter, recheckReader }: TextServer): SendText {
  const { davTexts } = divideMemory(ctx.config.memoryLimitMib)
  const cache = createResponseCache(davTexts)
  ctx.metrics.caches.set('caldav_texts', cache)
  return async (request, reply, response, body, version) => {
    if (body.length > davTexts.maxAnswerBytes) return sendConditional(request, reply, response, () => body)
    const answer: CachedResponse = {
      body,
      etag: response.etag,
      headers: { ...response.headers, ...response.contentHeaders },
      // What a client receives for the first time is recorded, which the fast path does not do.
      mayRepeat: (viewer) => !isNewToClient(ctx, viewer, version),
    }
    cache.counts.misses += 1
    // Only readers with full sight have objects.
    cache.keep(request.state.revision, keyForSight('full', request.url), answer)
    await recheckReader(request)
    const sent = await writeConditional(request, reply, response, responseWriter, () => body)
    fastPath.rememberForSight(request.raw, { cache, sight: 'full' }, answer, sent)
    return reply
  }
}
