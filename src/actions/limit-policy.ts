// What a limit is to those who count: a number, a window, where to count, and the name a key goes by.
import type { Context } from '../context.ts'
import type { Limit } from '../domain/limits/sliding-window.ts'
import { keyedHash } from '../secrets.ts'

export interface Policy extends Limit {
  name: string
  /** Passed by every request, so it must not wait for the database. */
  isHot: boolean
}

export interface Refusal {
  roomInMs: number
}

/** What a hit is kept under: nobody who reads the table learns an address from it. */
export const nameOf = (ctx: Context, policy: Policy, key: string): string =>
  `${policy.name} ${keyedHash(ctx.secret, `limit ${policy.name} ${key}`)}`
