// Post-login redirect: back to the page in `next`, never to another site.
import { PAGES } from '../../src/contract/site.ts'
import { pathUnder, site } from '../site.ts'
import type { Route } from './router.tsx'

/** Pages that are no destination after signing in. */
const DONE_WITH = ['/', '/setup', '/sign-in', '/register', '/verify', '/forgot-password', '/reset-password']

export function withNext(to: string, { path, query }: Route): string {
  const next = DONE_WITH.includes(path) ? query.get('next') : `${path}${query.size > 0 ? `?${query}` : ''}`
  return next ? `${to}?${new URLSearchParams({ next })}` : to
}

/** A path of this site, under the root; `/` if `next` is missing or not one of our pages. */
export function readNext(query: URLSearchParams): string {
  const address = pathUnder(query.get('next') ?? '/')
  if (!URL.canParse(address, location.origin)) return '/'
  const { origin, pathname, search } = new URL(address, location.origin)
  const path = pathname.slice(site.root.length)
  const isPage = origin === location.origin && (PAGES as readonly string[]).includes(path)
  return isPage ? `${path}${search}` : '/'
}
