// Security headers of every response: CSP, nosniff, referrer policy, cross-origin policies, HSTS.
import type { FastifyReply } from 'fastify'
import type { Config } from '../../config.ts'
import type { Site } from '../site.ts'

export type SecurityHeaders = Record<string, string>

export const securityHeaders = (site: Site, { hstsSubdomains }: Config): SecurityHeaders => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  // A page of another site that opens one of ours keeps no handle on its window, so it cannot observe when it loads.
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
  ...(site.isSecure
    ? { 'strict-transport-security': `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}` }
    : {}),
})

/** Removes the headers that describe a response when an error is sent in its place. */
export function removeContentHeaders(reply: FastifyReply): void {
  for (const name of ['content-disposition', 'content-encoding', 'content-length', 'etag', 'last-modified', 'link'])
    reply.removeHeader(name)
}

/** Sets headers; the names in `vary` are added to those that are set. */
export function addHeaders(reply: FastifyReply, { vary, ...others }: Record<string, string>): void {
  reply.headers(others)
  const before = reply.getHeader('vary')
  if (vary !== undefined) reply.header('vary', before === undefined ? vary : `${before}, ${vary}`)
}
