// The headers every answer carries, whatever it answers.
import type { Config } from '../config.ts'
import type { Site } from './site.ts'

export type SecurityHeaders = Record<string, string>

export const securityHeaders = (site: Site, { hstsSubdomains }: Config): SecurityHeaders => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  ...(site.isSecure
    ? { 'strict-transport-security': `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}` }
    : {}),
})
