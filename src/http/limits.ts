// Rate limits: each policy a number, a window and what it is counted by. Refusals say when to come back.
import type { Policy as Counted, Refusal } from '../actions/limit-policy.ts'
import { makeCounts } from '../actions/limits.ts'
import type { Context } from '../context.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time/instant.ts'
import { AppError } from '../errors.ts'

/** By network unless it says otherwise. */
const policies = {
  register: { limit: 5, windowMs: 30 * MINUTE_MS },
  'register-day': { limit: 20, windowMs: DAY_MS },
  /** By the whole installation. */
  'register-global': { limit: 100, windowMs: HOUR_MS },
  verify: { limit: 20, windowMs: 15 * MINUTE_MS },
  /** By address. */
  'forgot-email': { limit: 5, windowMs: 30 * MINUTE_MS },
  'forgot-ip': { limit: 20, windowMs: 30 * MINUTE_MS },
  reset: { limit: 10, windowMs: 15 * MINUTE_MS },
  setup: { limit: 10, windowMs: 15 * MINUTE_MS },
  /** Failed credentials of one account from one network. */
  'login-pair': { limit: 10, windowMs: 15 * MINUTE_MS },
  /** Failed credentials from one network. */
  'login-ip': { limit: 50, windowMs: 15 * MINUTE_MS },
  /** Failed credentials of one account from anywhere. Past it, answers are slow; nobody can lock somebody else out. */
  'login-account': { limit: 100, windowMs: DAY_MS },
  /** By account. */
  'api-user': { limit: 600, windowMs: MINUTE_MS, isHot: true },
  'api-user-writes': { limit: 120, windowMs: MINUTE_MS, isHot: true },
  /** A calendar moved over by its program is one burst of writes; over an hour they are no more than any others. */
  'caldav-writes': { limit: 2_000, windowMs: 10 * MINUTE_MS, isHot: true },
  'caldav-writes-hour': { limit: 7_200, windowMs: HOUR_MS, isHot: true },
  'public-ip': { limit: 600, windowMs: 5 * MINUTE_MS, isHot: true },
} satisfies Record<string, { limit: number; windowMs: number; isHot?: true }>

export type Policy = keyof typeof policies
type HotPolicy = 'public-ip'
/** What a costly read counts in, besides once for its request. */
export type ChargedPolicy = 'public-ip' | 'api-user'

/** A costly read counts as one request for each of these, up to a number that a slow machine does not exceed. */
const UNIT_MS = 10
const MAX_UNITS = 30

export interface Limits {
  /** Counts one; refuses when the window is full. */
  count(policy: Policy, key: string): Promise<void>
  /** Counts one if there is room, and refuses nobody. */
  hit(policy: Policy, key: string): Promise<void>
  /** Takes one count back. */
  giveBack(policy: Policy, key: string): Promise<void>
  /** Whether the window is full; counts nothing. */
  isOver(policy: Policy, key: string): Promise<boolean>
  /** At once, for what is counted in memory: false when the window is full. */
  countNow(policy: HotPolicy, key: string): boolean
  uncountNow(policy: HotPolicy, key: string): void
  /** Counts the cost of what was done already, and refuses nothing: the next request is refused. */
  charge(policy: ChargedPolicy, key: string, costMs: number): void
  stop(): Promise<void>
}

export function makeLimits(ctx: Context): Limits {
  if (!ctx.config.rateLimits) return NO_LIMITS
  const counts = makeCounts(ctx)
  return {
    async count(policy, key) {
      const refusal = await counts.take(counted[policy], key)
      if (refusal) throw refusalOf(policy, refusal)
    },
    async hit(policy, key) {
      await counts.take(counted[policy], key)
    },
    giveBack: (policy, key) => counts.giveBack(counted[policy], key),
    isOver: (policy, key) => counts.isFull(counted[policy], key),
    countNow: (policy, key) => counts.takeNow(counted[policy], key),
    uncountNow: (policy, key) => counts.giveBackNow(counted[policy], key),
    charge: (policy, key, costMs) =>
      counts.charge(counted[policy], key, Math.min(MAX_UNITS, Math.floor(costMs / UNIT_MS))),
    stop: counts.stop,
  }
}

const counted = Object.fromEntries(
  Object.entries(policies).map(([name, policy]) => [name, { isHot: false, ...policy, name }]),
) as Record<Policy, Counted>

const NO_LIMITS: Limits = {
  count: async () => {},
  hit: async () => {},
  giveBack: async () => {},
  isOver: async () => false,
  countNow: () => true,
  uncountNow: () => {},
  charge: () => {},
  stop: async () => {},
}

function refusalOf(policy: Policy, { roomInMs }: Refusal): AppError {
  const seconds = Math.max(1, Math.ceil(roomInMs / 1_000))
  const { limit, windowMs } = policies[policy]
  return new AppError('rate_limited', {
    headers: {
      'retry-after': `${seconds}`,
      'ratelimit-policy': `"${policy}";q=${limit};w=${windowMs / 1_000}`,
      ratelimit: `"${policy}";r=0;t=${seconds}`,
    },
  })
}
