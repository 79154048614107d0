// Ways in: the bare address leads to the documentation, and with a slug the bare API path leads to the canonical one.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Site } from '../http/site.ts'

export function addRedirects(app: FastifyInstance, site: Site): void {
  const home = async (_request: unknown, reply: { redirect(url: string, code: number): unknown }) =>
    reply.redirect(`${site.base}/docs`, 302)
  app.get('/', { config: { isPage: true } }, home)
  if (!site.bareBase) return
  app.get(site.root, { config: { isPage: true } }, home)
  // 308 keeps method and body; no-store, because a kept redirect would outlive a change of the slug.
  const redirect = async (request: FastifyRequest, reply: FastifyReply) =>
    reply.header('cache-control', 'no-store').redirect(`${site.root}${request.url}`, 308)
  // Before the body is looked at: whoever is sent on takes it along, whatever it is.
  app.all(`${site.bareBase}/*`, { onRequest: redirect }, redirect)
}
