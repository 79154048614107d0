// Routes of sitemap.xml, feed.xml (Atom) and feed.json (JSON Feed): the public events.
import type { FastifyInstance } from 'fastify'
import { listSitemapEvents } from '../../actions/feeds/sitemap.ts'
import { listUpcomingNews } from '../../actions/feeds/upcoming-feed.ts'
import type { Context } from '../../context.ts'
import { DAY_MS } from '../../domain/time/instant.ts'
import { etagOfLongBytes } from '../../http/responses/conditional.ts'
import type { CachedResponse, ResponseCache } from '../../http/responses/response-cache.ts'
import type { Site } from '../../http/site.ts'
import { type CachedRouteOptions, type CachedRouteServer, createCachedRoute } from '../cached-route.ts'
import { placeOf } from '../event-page/read-facts.ts'
import { writeAtom, writeJsonFeed, writeSitemap } from './news-documents.ts'

export function addNewsRoutes(
  app: FastifyInstance,
  ctx: Context,
  site: Site,
  { server, cache }: { server: CachedRouteServer; cache: ResponseCache },
): void {
  const add = (name: string, make: CachedRouteOptions['make']): void => {
    app.get(`${site.root}/${name}`, {
      config: { isPage: true, ignoresCredentials: true },
      handler: createCachedRoute(ctx, server, { slotOf: () => ({ cache, key: name }), make }),
    })
  }
  const addNews = (name: string, type: string, write: typeof writeAtom): void =>
    add(name, async ({ caller }) => {
      const { items, until } = await listUpcomingNews(ctx, caller)
      return { ...(await responseOf(write(placeOf(ctx, site), items, ctx.config.language), type)), until }
    })
  addNews('feed.xml', 'application/atom+xml; charset=utf-8', writeAtom)
  addNews('feed.json', 'application/feed+json; charset=utf-8', writeJsonFeed)
  add('sitemap.xml', async ({ caller }) => {
    const made = await writeSitemap(site, await listSitemapEvents(ctx, caller))
    return { ...(await responseOf(made, 'application/xml; charset=utf-8')), until: ctx.clock() + DAY_MS }
  })
}

async function responseOf(text: string, type: string): Promise<CachedResponse> {
  const body = Buffer.from(text)
  return { body, etag: await etagOfLongBytes(body), headers: { 'content-type': type } }
}
