// An address that is nobody's, said to people: the page of the web app, which knows its own addresses.

import { isAllowedTransport } from '../../http/guard/request-target.ts'
import { prefersPage } from '../../http/responses/accept.ts'
import type { ErrorRenderer } from '../../http/responses/errors.ts'
import { API_ROOT, type Site } from '../../http/site.ts'
import type { StaticFile } from '../static.ts'
import { PAGE_POLICY } from './page.ts'

/** Everybody else, and whoever asks where programs do, is told in JSON. */
export const createPageErrorRenderer = (site: Site, page: () => StaticFile): ErrorRenderer => ({
  owns: (request, code) =>
    code === 'route_not_found' &&
    (request.method === 'GET' || request.method === 'HEAD') &&
    prefersPage(request.headers.accept) &&
    isForPeople(site, request.url) &&
    isAllowedTransport(request.peer, site, false),
  headersOf: () => ({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': PAGE_POLICY,
    'x-robots-tag': 'noindex',
  }),
  renderError: () => page().body,
})

function isForPeople(site: Site, url: string): boolean {
  const path = `${/^[^?#]*/.exec(url)![0]}/`
  const others = [`${site.root}${API_ROOT}`, site.davBase, `${site.root}/assets`]
  return path.startsWith(`${site.root}/`) && !others.some((base) => path.startsWith(`${base}/`))
}
