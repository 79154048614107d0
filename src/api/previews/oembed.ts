// Routes of oEmbed: the answer for the address of an event's page, and the card in a frame.
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { OEmbedQuery, type OEmbedQueryValues } from '../../contract/public.ts'
import { fail } from '../../errors.ts'
import { etagOfBytes } from '../../http/responses/conditional.ts'
import type { CachedResponse, ResponseCache } from '../../http/responses/response-cache.ts'
import type { Site } from '../../http/site.ts'
import { type CachedRouteServer, cacheKeyOf, createCachedRoute } from '../cached-route.ts'
import type { EventPageFacts } from '../event-page/page-facts.ts'
import { type NamedEvent, namedIn, readFacts, untilNextDate } from '../event-page/read-facts.ts'
import { languageHeaders, languageOf, slotByLanguage } from '../page-language.ts'
import { CARD_POLICY, writeCard } from './event-card.ts'
import { oembedAnswer, roomFor, writeOEmbedXml } from './oembed-answer.ts'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from './picture-size.ts'

const FORMATS = ['json', 'xml'] as const

/** Pages of other sites may read the answer and show the card. */
const OPEN = { 'cross-origin-resource-policy': 'cross-origin' }

export function addOEmbed(
  app: FastifyInstance,
  ctx: Context,
  site: Site,
  { server, cache }: { server: CachedRouteServer; cache: ResponseCache },
): void {
  const config = { isPage: true, ignoresCredentials: true }
  const respond = (facts: EventPageFacts, text: string, type: string, policyHeaders: Record<string, string>) => {
    const body = Buffer.from(text)
    const headers = { 'content-type': `${type}; charset=utf-8` }
    const answer: CachedResponse = {
      body,
      etag: etagOfBytes(body),
      headers,
      policyHeaders: { ...OPEN, ...policyHeaders },
    }
    return { ...answer, ...untilNextDate(facts, ctx.clock()) }
  }

  app.get(`${site.root}/oembed`, {
    schema: { querystring: OEmbedQuery },
    config,
    handler: createCachedRoute(ctx, server, {
      slotOf: ({ query }) => ({
        cache,
        key: `oembed ${JSON.stringify(readQuestion(site, query as OEmbedQueryValues))}`,
      }),
      async make({ query, caller }) {
        const { named, format, room, mayShowPicture } = readQuestion(site, query as OEmbedQueryValues)
        const facts = await readFacts(ctx, site, named, caller)
        const answer = oembedAnswer(facts, room, mayShowPicture)
        const open = { 'access-control-allow-origin': '*' }
        return format === 'json'
          ? respond(facts, JSON.stringify(answer), 'application/json', open)
          : respond(facts, writeOEmbedXml(answer), 'text/xml', open)
      },
    }),
  })

  for (const path of ['/events/:event_id', '/events/:event_id/:occurrence_key'])
    app.get(`${site.root}${path}/card`, {
      config: { ...config, readsQuery: ['lang'] },
      handler: createCachedRoute(ctx, server, {
        slotOf: (request) => slotByLanguage(ctx, request, cache, cacheKeyOf(request, 'card', [])),
        async make(request) {
          const language = languageOf(ctx, request)
          const facts = await readFacts(ctx, site, namedIn(request), request.caller)
          return respond(facts, writeCard(facts, language), 'text/html', {
            ...languageHeaders(language),
            'content-security-policy': CARD_POLICY,
            'x-robots-tag': 'noindex',
          })
        },
      }),
    })
}

interface OEmbedQuestion {
  named: NamedEvent
  format: (typeof FORMATS)[number]
  room: { width: number; height: number }
  mayShowPicture: boolean
}

function readQuestion(site: Site, { url, format = 'json', maxwidth, maxheight }: OEmbedQueryValues): OEmbedQuestion {
  const known = FORMATS.find((one) => one === format) ?? fail('format_not_implemented')
  const named = findNamed(site, url) ?? fail('event_not_found')
  const mayShowPicture = (maxwidth ?? PICTURE_WIDTH) >= PICTURE_WIDTH && (maxheight ?? PICTURE_HEIGHT) >= PICTURE_HEIGHT
  return { named, format: known, room: roomFor(maxwidth, maxheight), mayShowPicture }
}

const EVENT_PATH = /^\/events\/([0-9a-z]+)(?:\/([0-9TZ]+))?\/?$/

/** What is behind `?` and `#` does not matter: links that are shared get such parts. */
function findNamed({ origin, root }: Site, url: string): NamedEvent | undefined {
  const { host, pathname, protocol } = URL.parse(url) ?? {}
  if (host !== new URL(origin).host || !/^https?:$/.test(protocol!) || !pathname!.startsWith(`${root}/`))
    return undefined
  const [, id, key] = EVENT_PATH.exec(pathname!.slice(root.length)) ?? []
  return id === undefined ? undefined : { id, key }
}
