// Ways in: the bare address leads to the documentation, and with a slug the bare API path leads to the canonical one.
import type { FastifyInstance } from 'fastify'
import type { Site } from '../http/site.ts'

export function addRedirects(app: FastifyInstance, site: Site): void {
  const home = async (_request: unknown, reply: { redirect(url: string, code: number): unknown }) =>
    reply.redirect(`${site.base}/docs`, 302)
  app.get('/', home)
  if (!site.bareBase) return
  app.get(site.root, home)
  // 308 keeps method and body; no-store, because a kept redirect would outlive a change of the slug.
  app.all(`${site.bareBase}/*`, async (request, reply) =>
    reply.header('cache-control', 'no-store').redirect(`${site.root}${request.url}`, 308),
  )
}
