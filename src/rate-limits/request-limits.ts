// Rate limit policies: limit, window and key of each. Refusals carry Retry-After.

import type { Context } from '../context.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time/instant.ts'
import { AppError } from '../errors.ts'
import { LruMap } from '../lru-map.ts'
import { type NetworkWidth, networksOf, WIDTHS } from './networks.ts'
import type { RateLimitPolicy as Counted, Denied, Hit } from './rate-limit-policy.ts'
import { createRateLimiter } from './rate-limiter.ts'

/** By network: counted for the narrowest network of the address and for the wider ones around it. */
const networkPolicies = {
  register: { limit: 5, windowMs: 30 * MINUTE_MS },
  'register-day': { limit: 20, windowMs: DAY_MS },
  verify: { limit: 20, windowMs: 15 * MINUTE_MS },
  'forgot-ip': { limit: 20, windowMs: 30 * MINUTE_MS },
  /** Of the 100 password-reset mails an hour one network uses 40 at most, however wide it is. */
  'forgot-hour': { limit: 40, windowMs: HOUR_MS, wideFactor: 1 },
  reset: { limit: 10, windowMs: 15 * MINUTE_MS },
  setup: { limit: 10, windowMs: 15 * MINUTE_MS },
  /** Failed credentials of one account from one network. */
  'login-pair': { limit: 10, windowMs: 15 * MINUTE_MS },
  /** Failed credentials from one network. */
  'login-ip': { limit: 50, windowMs: 15 * MINUTE_MS },
  'public-ip': { limit: 600, windowMs: 5 * MINUTE_MS, isHot: true },
  /** Pages, their files, and everything that no other limit counts; not health checks. */
  'page-ip': { limit: 3_000, windowMs: 5 * MINUTE_MS, isHot: true },
} satisfies Record<string, Numbers>

/** By account, address or the whole installation. */
const otherPolicies = {
  /** By the whole installation. */
  'register-global': { limit: 100, windowMs: HOUR_MS },
  /** The same counter for registrations with a proof of work, which is required as the limit without one fills up. */
  'register-proven': { limit: 500, windowMs: HOUR_MS, countedAs: 'register-global' },
  /** By the whole installation; refuses nothing, but decides when a proof of work is required. */
  'forgot-global': { limit: 1_000, windowMs: HOUR_MS },
  /** By address. */
  'forgot-email': { limit: 5, windowMs: 30 * MINUTE_MS },
  /**
   * Failed credentials of one account from anywhere. Above it responses are delayed; an attacker cannot lock an owner
   * out.
   */
  'login-account': { limit: 100, windowMs: DAY_MS },
  /** By account. */
  'api-user': { limit: 600, windowMs: MINUTE_MS, isHot: true },
  'api-user-writes': { limit: 120, windowMs: MINUTE_MS, isHot: true },
  /** A calendar client that uploads a whole calendar writes in one burst; per hour the rate is that of other writes. */
  'caldav-writes': { limit: 2_000, windowMs: 10 * MINUTE_MS, isHot: true },
  'caldav-writes-hour': { limit: 7_200, windowMs: HOUR_MS, isHot: true },
} satisfies Record<string, Numbers>

interface Numbers {
  limit: number
  windowMs: number
  isHot?: true
  countedAs?: string
  /** How many times the limit wider networks have, if not the usual factor. */
  wideFactor?: number
}

/**
 * How many times the limit of the narrowest network a wider one has. One customer may hold a /56 or a /48; a /24 is
 * shared by many. Reads have larger factors, since many people of one network read at once.
 */
const FACTORS: Record<NetworkWidth, number> = { 56: 2, 48: 4, 24: 8 }
const READING_FACTORS: Record<NetworkWidth, number> = { 56: 4, 48: 16, 24: 32 }

export type PolicyName = keyof typeof networkPolicies | keyof typeof otherPolicies
export type NetworkPolicy = keyof typeof networkPolicies
/** The policy that a costly read or write is charged to, besides once for its request. */
export type ChargedPolicy = 'public-ip' | 'api-user'

/** A costly read or write counts as one request for each of these. */
const UNIT_MS = 10
/** One minute of work: statements and requests are aborted long before that. */
const MAX_UNITS = 6_000

export interface Limits {
  /** Counts one; refuses when the window is full. */
  count(policy: PolicyName, key: string): Promise<void>
  /** Refuses when the window is full; counts nothing. For policies that are counted in memory. */
  requireRoom(policy: ChargedPolicy, key: string): Promise<void>
  /** Counts one if the window has room; never refuses. */
  hit(policy: PolicyName, key: string): Promise<void>
  /** Takes one count back. */
  refund(policy: PolicyName, key: string): Promise<void>
  /** Whether the window is full; counts nothing. */
  isOver(policy: PolicyName, key: string): Promise<boolean>
  /** How many count at this moment. */
  usage(policy: PolicyName, key: string): Promise<number>
  /** Counts one for every network the address is in, all or none. `login-pair` is counted by account and network. */
  countFrom(address: string, policies: readonly NetworkPolicy[], account?: string): Promise<void>
  refundFrom(address: string, policies: readonly NetworkPolicy[], account?: string): Promise<void>
  /** Synchronous variant for reads, which are counted in memory: false when a window is full. */
  countReadNow(address: string): boolean
  uncountReadNow(address: string): void
  /**
   * Counts the cost of completed work and refuses nothing; the next request is refused. `public-ip` is charged by
   * address, to every network it is in; `api-user` by account.
   */
  charge(policy: ChargedPolicy, key: string, costMs: number): void
  stop(): Promise<void>
}

export function createLimits(ctx: Context): Limits {
  if (!ctx.config.rateLimits) return NO_LIMITS
  const counts = createRateLimiter(ctx)
  const readsFrom = createReadHits()
  return {
    async count(policy, key) {
      const refusal = await counts.consume(counted[policy], key)
      if (refusal) throw refusalOf(refusal)
    },
    async requireRoom(policy, key) {
      const refusal = await counts.consume(counted[policy], key)
      if (refusal) throw refusalOf(refusal)
      await counts.refund(counted[policy], key)
    },
    async hit(policy, key) {
      await counts.consume(counted[policy], key)
    },
    refund: (policy, key) => counts.refund(counted[policy], key),
    isOver: (policy, key) => counts.isExhausted(counted[policy], key),
    usage: (policy, key) => counts.usage(counted[policy], key),
    async countFrom(address, policies, account) {
      const refusal = await counts.consumeAll(hitsFrom(address, policies, account))
      if (refusal) throw refusalOf(refusal)
    },
    refundFrom: (address, policies, account) => counts.refundAll(hitsFrom(address, policies, account)),
    countReadNow: (address) => counts.consumeAllNow(readsFrom(address)) === undefined,
    uncountReadNow: (address) => counts.refundAllNow(readsFrom(address)),
    charge(policy, key, costMs) {
      const units = Math.min(MAX_UNITS, Math.floor(costMs / UNIT_MS))
      const hits = policy === 'public-ip' ? readsFrom(key) : [{ policy: counted[policy], key }]
      for (const hit of hits) counts.charge(hit.policy, hit.key, units)
    },
    stop: counts.stop,
  }
}

const READS = ['public-ip'] as const

const countedAs = (name: string, numbers: Numbers): Counted => ({ isHot: false, ...numbers, name })

const counted = Object.fromEntries(
  Object.entries({ ...networkPolicies, ...otherPolicies }).map(([name, policy]) => [name, countedAs(name, policy)]),
) as Record<PolicyName, Counted>

const widened = Object.fromEntries(
  Object.entries<Numbers>(networkPolicies).map(([name, policy]) => [
    name,
    Object.fromEntries(
      WIDTHS.map((width) => {
        const factor = policy.wideFactor ?? (policy.isHot ? READING_FACTORS : FACTORS)[width]
        return [width, countedAs(`${name}-${width}`, { ...policy, limit: policy.limit * factor })]
      }),
    ),
  ]),
) as Record<NetworkPolicy, Record<NetworkWidth, Counted>>

/** The narrowest network first, so that a device that is refused there does not use up the limit of its neighbours. */
function hitsFrom(address: string, policies: readonly NetworkPolicy[], account?: string): Hit[] {
  const networks = networksOf(address)
  return policies.flatMap((policy) =>
    networks.map(({ name, width }) => ({
      policy: width === undefined ? counted[policy] : widened[policy][width],
      key: policy === 'login-pair' ? `${account} ${name}` : name,
    })),
  )
}

/** Cached addresses; some hundred bytes each. */
const MAX_ADDRESSES = 2_000

/** Counter hits for a read from an address, cached: in a flood, computing the networks takes longer than counting. */
function createReadHits(): (address: string) => readonly Hit[] {
  const known = new LruMap<string, readonly Hit[]>(MAX_ADDRESSES)
  return (address) => {
    const remembered = known.get(address)
    if (remembered) return remembered
    const hits = hitsFrom(address, READS)
    known.set(address, hits)
    return hits
  }
}

const NO_LIMITS: Limits = {
  count: async () => {},
  requireRoom: async () => {},
  hit: async () => {},
  refund: async () => {},
  isOver: async () => false,
  usage: async () => 0,
  countFrom: async () => {},
  refundFrom: async () => {},
  countReadNow: () => true,
  uncountReadNow: () => {},
  charge: () => {},
  stop: async () => {},
}

function refusalOf({ policy: { name, limit, windowMs }, roomInMs }: Denied): AppError {
  const seconds = Math.max(1, Math.ceil(roomInMs / 1_000))
  return new AppError('rate_limited', {
    headers: {
      'retry-after': `${seconds}`,
      'ratelimit-policy': `"${name}";q=${limit};w=${windowMs / 1_000}`,
      ratelimit: `"${name}";r=0;t=${seconds}`,
    },
  })
}
