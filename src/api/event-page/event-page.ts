// Routes of the pages of events: an event, or one date of a series, as the public sees them.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findOpenCategory } from '../../actions/categories/public-categories.ts'
import type { Context } from '../../context.ts'
import { writeColorRules } from '../../domain/categories/color-rules.ts'
import type { ShownEvent } from '../../domain/privacy/mask.ts'
import { etagOfBytes } from '../../http/responses/conditional.ts'
import { type CachedResponse, createResponseCache } from '../../http/responses/response-cache.ts'
import type { HttpServer } from '../../http/server.ts'
import type { Site } from '../../http/site.ts'
import { divideMemory } from '../../memory-budget.ts'
import { type CachedRouteServer, cacheKeyOf, createCachedRoute } from '../cached-route.ts'
import { presentShades } from '../categories/categories.ts'
import { languageChosenBy, languageHeaders, languageOf, slotByLanguage } from '../page-language.ts'
import { addOEmbed } from '../previews/oembed.ts'
import { addPictures } from '../previews/pictures.ts'
import { pagePolicy } from '../static.ts'
import { findBuiltWebApp } from '../web-app/files.ts'
import { writeEventPage } from './document.ts'
import { shownAt } from './page-facts.ts'
import { createProblemRenderer } from './problem-page.ts'
import { namedIn, readFacts, untilNextDate } from './read-facts.ts'
import { styleWith } from './style.ts'

type EventPageServer = CachedRouteServer & Pick<HttpServer, 'errorRenderers'>

export function addEventPages(app: FastifyInstance, ctx: Context, site: Site, server: EventPageServer): void {
  server.errorRenderers.push(createProblemRenderer(ctx, site))
  const cache = createResponseCache(divideMemory(ctx.config.memoryLimitMib).eventPages)
  ctx.metrics.caches.set('event_pages', cache)
  const handler = (name: string) =>
    createCachedRoute(ctx, server, {
      slotOf: (request) => slotByLanguage(ctx, request, cache, keyOf(request, name)),
      make: (request) => makePage(ctx, site, request),
    })
  // Addresses that are shared get parameters added, which mean nothing here.
  const config = { isPage: true, ignoresCredentials: true, readsQuery: ['lang'] }
  app.get(`${site.root}/events/:event_id`, { config, handler: handler('event') })
  app.get(`${site.root}/events/:event_id/:occurrence_key`, { config, handler: handler('date') })
  addOEmbed(app, ctx, site, { server, cache })
  addPictures(app, ctx, site)
}

/** Links of the page keep a language that its address chose. */
const keyOf = (request: FastifyRequest, name: string): string =>
  cacheKeyOf(request, `${name} ${languageChosenBy(request.query) ?? ''}`, [])

async function makePage(ctx: Context, site: Site, request: FastifyRequest): Promise<CachedResponse> {
  const now = ctx.clock()
  const language = languageOf(ctx, request)
  const facts = await readFacts(ctx, site, namedIn(request), request.caller)
  const style = styleWith(await readColorRule(ctx, shownAt(facts)))
  const body = Buffer.from(writeEventPage(facts, style, language, languageChosenBy(request.query)))
  return {
    body,
    etag: etagOfBytes(body),
    headers: { 'content-type': 'text/html; charset=utf-8' },
    policyHeaders: {
      ...languageHeaders(language),
      'content-security-policy': pagePolicy({
        style,
        loadsScript: true,
        scriptHash: findBuiltWebApp()?.languageScript?.hash,
      }),
      ...(shownAt(facts).level === 'masked' && { 'x-robots-tag': 'noindex' }),
    },
    ...untilNextDate(facts, now),
  }
}

/** Of the category that the page names; empty where it has no colour. */
async function readColorRule(ctx: Context, shown: ShownEvent): Promise<string> {
  const name = shown.level === 'masked' ? null : shown.details.category
  const managed = name === null ? undefined : await findOpenCategory(ctx, name)
  if (!managed) return ''
  const { color_light: light, color_dark: dark } = presentShades(managed)
  return writeColorRules([{ name: managed.name, light, dark }])
}
