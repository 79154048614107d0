// CORS headers: any origin may read public responses; listed origins may call the API with a token.
import type { IncomingMessage } from 'node:http'
import type { RoutePaths } from '../methods.ts'
import type { Site } from '../site.ts'

export const EXPOSED_HEADERS = 'ETag, Link, Retry-After, X-Request-Id'

export const API_EXPOSED_HEADERS =
  'Content-Disposition, ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'

/** Never with credentials: other origins may read only what is public. */
const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
  'cross-origin-resource-policy': 'cross-origin',
}

/** Browsers repeat a preflight after two hours at the latest. */
const MAX_AGE = { 'access-control-max-age': '7200' }

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': '*',
  ...MAX_AGE,
}

/** `*` does not include Authorization (Fetch standard). */
const API_PREFLIGHT = {
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID',
  ...MAX_AGE,
}

type CorsRequest = Pick<IncomingMessage, 'url' | 'method' | 'headers'>

export interface Cors {
  /** Decided by the path and not by the route, so that a page can also read why its request was refused. */
  headersOf(request: CorsRequest): Record<string, string>
  /** Whether a page of a listed origin calls the API: it may send a token, its cookies are not used. */
  isListedPage(request: CorsRequest): boolean
}

export function createCors(
  { base, bareBase, origin: ownOrigin }: Site,
  apiOrigins: readonly string[],
  findPath: RoutePaths['find'],
): Cors {
  const listed = new Set(apiOrigins.filter((origin) => origin !== ownOrigin))
  const roots = [base, bareBase].filter((path) => path !== undefined)
  const isBelow = (url: string, folder: string): boolean => roots.some((root) => url.startsWith(`${root}/${folder}`))
  // An address below /feeds is a secret by itself, which no token replaces.
  const isApi = (url: string): boolean => listed.size > 0 && isBelow(url, '') && !isBelow(url, 'feeds/')
  const findListedOrigin = ({ origin, host, 'sec-fetch-site': site }: CorsRequest['headers']): string | undefined => {
    if (origin === undefined || !listed.has(origin) || site === 'same-origin') return undefined
    // On the same machine the service's own page may have been opened under a loopback name.
    return origin === `http://${host}` || origin === `https://${host}` ? undefined : origin
  }
  return {
    headersOf({ url = '', method, headers }) {
      if (isBelow(url, 'public/')) return method === 'OPTIONS' ? { ...OPEN, ...PREFLIGHT } : OPEN
      if (!isApi(url)) return {}
      // Also without an origin: a cache must not give that response to a page.
      const vary = { vary: 'Origin' }
      const origin = findListedOrigin(headers)
      if (origin === undefined) return vary
      const allowed = { ...vary, 'access-control-allow-origin': origin }
      if (method !== 'OPTIONS') return { ...allowed, 'access-control-expose-headers': API_EXPOSED_HEADERS }
      const methods = [...(findPath(url)?.methods ?? [])].sort().join(', ')
      return { ...allowed, ...API_PREFLIGHT, 'access-control-allow-methods': methods }
    },
    isListedPage: ({ url = '', headers }) =>
      isApi(url) && !isBelow(url, 'public/') && findListedOrigin(headers) !== undefined,
  }
}
