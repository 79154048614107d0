// Routes of preview pictures: of an event, of one date and of the calendar, as PNG of 1200 × 630.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withPermit } from '../../actions/costly-work/semaphore.ts'
import type { Context } from '../../context.ts'
import { describeKind, fail } from '../../errors.ts'
import { etagOfBytes } from '../../http/responses/conditional.ts'
import { sendConditional } from '../../http/responses/conditional-response.ts'
import { type CachedResponse, createResponseCache } from '../../http/responses/response-cache.ts'
import type { Site } from '../../http/site.ts'
import { divideMemory } from '../../memory-budget.ts'
import { FOR_ALL } from '../cached-route.ts'
import { namedIn, readFacts } from '../event-page/read-facts.ts'
import { createPictureMaker } from './picture-maker.ts'
import { cardOfEvent, cardOfSite, type PreviewCard, textOfCard } from './preview-card.ts'

/**
 * A picture is named by what is on it, not by the revision: a change elsewhere in the calendar draws nothing again, and a
 * client that has the picture is told so without drawing it.
 */
const EVERY_REVISION = 0

const HEADERS = { 'content-type': 'image/png' }

/** Pages of other sites show these. */
const POLICY = { 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' }

export function addPictures(app: FastifyInstance, ctx: Context, site: Site): void {
  const cache = createResponseCache(divideMemory(ctx.config.memoryLimitMib).pictures, 1)
  ctx.metrics.caches.set('pictures', cache)
  const maker = createPictureMaker({
    // An error, because those are throttled, and requests can cause this again and again.
    onRefused: (reason, cause) =>
      ctx.log.error('a picture was not drawn', { reason, ...(cause !== undefined && describeKind(cause)) }),
  })
  app.addHook('onClose', () => maker.close())

  const send = async (request: FastifyRequest, reply: FastifyReply, card: PreviewCard): Promise<FastifyReply> => {
    const text = textOfCard(card)
    const etag = etagOfBytes(Buffer.from(text))
    const make = async (): Promise<CachedResponse> => ({
      body: await withPermit(ctx, request.caller, () => maker.draw(card), { queue: 'pictures' }),
      etag,
      headers: HEADERS,
    })
    const headers = { 'cache-control': FOR_ALL, ...POLICY }
    return sendConditional(request, reply, { etag, length: 0, headers, contentHeaders: HEADERS }, async () => {
      const { body } = await cache.take(EVERY_REVISION, text, ctx.clock(), make)
      return body
    })
  }

  const config = { isPage: true, ignoresCredentials: true }
  app.get(`${site.root}/preview.png`, { config }, async (request, reply) =>
    send(request, reply, cardOfSite({ ...site, name: ctx.config.siteName })),
  )
  for (const path of ['/events/:event_id', '/events/:event_id/:occurrence_key'])
    app.get(`${site.root}${path}/preview.png`, { config }, async (request, reply) => {
      const facts = await readFacts(ctx, site, namedIn(request), request.caller)
      return send(request, reply, cardOfEvent(facts) ?? fail('event_not_found'))
    })
}
