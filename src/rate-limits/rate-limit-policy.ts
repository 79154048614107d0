// Rate limit policy: limit, window, where it is counted, and the hashed name of a key.
import type { Context } from '../context.ts'
import type { Limit } from '../domain/limits/sliding-window.ts'
import { keyedHash } from '../secrets.ts'

export interface RateLimitPolicy extends Limit {
  name: string
  /** Applied to every request, so it must not wait for the database. */
  isHot: boolean
  /** The policy whose counts this one shares, under another limit. */
  countedAs?: string | undefined
}

/** One count of a policy under a key. */
export interface Hit {
  policy: RateLimitPolicy
  key: string
}

export interface Denied {
  /** The policy that had no room. */
  policy: RateLimitPolicy
  roomInMs: number
}

/** The name that a hit is stored under: a keyed hash, so the table reveals no addresses. */
export function nameOf(ctx: Context, { name, countedAs = name }: RateLimitPolicy, key: string): string {
  return `${countedAs} ${keyedHash(ctx.secret, `limit ${countedAs} ${key}`)}`
}
