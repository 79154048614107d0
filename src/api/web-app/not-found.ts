// Renders 404 for browsers as the page of the web app, which handles unknown addresses itself.
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { isAllowedTransport } from '../../http/guard/request-target.ts'
import { prefersPage } from '../../http/responses/accept.ts'
import type { ErrorRenderer } from '../../http/responses/errors.ts'
import { API_ROOT, type Site } from '../../http/site.ts'
import { languageOf } from '../page-language.ts'
import type { StaticFile } from '../static.ts'

/** Other clients, and requests to the paths of programs, get the error as JSON. */
export const createPageErrorRenderer = (
  ctx: Context,
  site: Site,
  page: (request: FastifyRequest) => StaticFile,
  policy: string,
): ErrorRenderer => ({
  owns: (request, code) =>
    code === 'route_not_found' &&
    (request.method === 'GET' || request.method === 'HEAD') &&
    prefersPage(request.headers.accept) &&
    isForPeople(site, request.url) &&
    isAllowedTransport(request.peer, site, false),
  headersOf: (_, request) => ({
    'content-language': languageOf(ctx, request),
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-robots-tag': 'noindex',
  }),
  renderError: (_, __, request) => page(request).body,
})

function isForPeople(site: Site, url: string): boolean {
  const path = `${/^[^?#]*/.exec(url)![0]}/`
  const others = [`${site.root}${API_ROOT}`, site.davBase, `${site.root}/assets`]
  return path.startsWith(`${site.root}/`) && !others.some((base) => path.startsWith(`${base}/`))
}
