// Redirects from the paths without the slug to the calendar and to the canonical API path.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Site } from '../http/site.ts'

export function addRedirects(app: FastifyInstance, site: Site): void {
  if (!site.bareBase) return
  app.get('/', { config: { isPage: true } }, async (_request, reply) => reply.redirect(`${site.root}/`, 302))
  // 308 keeps method and body; no-store, because a cached redirect would outlive a change of the slug.
  const redirect = async (request: FastifyRequest, reply: FastifyReply) =>
    reply.header('cache-control', 'no-store').redirect(`${site.root}${request.url}`, 308)
  // Before the body is read: the client sends it again to the new location.
  app.all(`${site.bareBase}/*`, { onRequest: redirect }, redirect)
}
