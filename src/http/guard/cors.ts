// CORS headers: pages of any origin may read public responses, and nothing else.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Site } from '../site.ts'

export const EXPOSED_HEADERS = 'ETag, Link, Retry-After, X-Request-Id'

/** Never with credentials: other origins may read only what is public. */
const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
  'cross-origin-resource-policy': 'cross-origin',
}

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': '*',
  'access-control-max-age': '7200',
}

/** Decided by the path and not by the route, so that a page can also read why its request was refused. */
export function createCorsHeaders({ base, bareBase }: Site): (request: FastifyRequest, reply: FastifyReply) => void {
  const paths = [base, bareBase].filter((path) => path !== undefined).map((path) => `${path}/public/`)
  return ({ url, method }, reply) => {
    if (!paths.some((path) => url.startsWith(path))) return
    reply.headers(method === 'OPTIONS' ? { ...OPEN, ...PREFLIGHT } : OPEN)
  }
}
