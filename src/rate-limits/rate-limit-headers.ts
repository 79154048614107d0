// RateLimit and RateLimit-Policy header fields (draft-ietf-httpapi-ratelimit-headers-11).
import type { RateLimitPolicy } from './rate-limit-policy.ts'

/** What is left of a limit: so many hits fit in the next `seconds`. */
export interface Remaining {
  policy: RateLimitPolicy
  hits: number
  seconds: number
}

export const formatPolicies = (policies: readonly RateLimitPolicy[]): string =>
  policies.map(({ name, limit, windowMs }) => `"${name}";q=${limit};w=${windowMs / 1_000}`).join(', ')

export const formatRemaining = (all: readonly Remaining[]): string =>
  all.map(({ policy, hits, seconds }) => `"${policy.name}";r=${hits};t=${seconds}`).join(', ')
