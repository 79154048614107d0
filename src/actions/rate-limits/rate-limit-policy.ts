// What a limit is to those who count: a number, a window, where to count, and the name a key goes by.
import type { Context } from '../../context.ts'
import type { Limit } from '../../domain/limits/sliding-window.ts'
import { keyedHash } from '../../secrets.ts'

export interface RateLimitPolicy extends Limit {
  name: string
  /** Passed by every request, so it must not wait for the database. */
  isHot: boolean
  /** The policy whose counts this one shares, under another limit. */
  countedAs?: string | undefined
}

/** One count: of a policy, under a key. */
export interface Hit {
  policy: RateLimitPolicy
  key: string
}

export interface Denied {
  /** The one that had no room. */
  policy: RateLimitPolicy
  roomInMs: number
}

/** What a hit is kept under: nobody who reads the table learns an address from it. */
export function nameOf(ctx: Context, { name, countedAs = name }: RateLimitPolicy, key: string): string {
  return `${countedAs} ${keyedHash(ctx.secret, `limit ${countedAs} ${key}`)}`
}
