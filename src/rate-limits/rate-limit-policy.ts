// Rate limit policies: limit, window, key and store of each, and the counters a request adds to.
import type { Context } from '../context.ts'
import type { Limit } from '../domain/limits/sliding-window.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time/instant.ts'
import { keyedHash } from '../secrets.ts'
import { type NetworkWidth, networksOf, WIDTHS } from './networks.ts'

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
  'test-mail': { limit: 5, windowMs: 15 * MINUTE_MS },
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

const definePolicy = (name: string, numbers: Numbers): RateLimitPolicy => ({ isHot: false, ...numbers, name })

/** Every policy by name. */
export const policies = Object.fromEntries(
  Object.entries({ ...networkPolicies, ...otherPolicies }).map(([name, policy]) => [name, definePolicy(name, policy)]),
) as Record<PolicyName, RateLimitPolicy>

const widened = Object.fromEntries(
  Object.entries<Numbers>(networkPolicies).map(([name, policy]) => [
    name,
    Object.fromEntries(
      WIDTHS.map((width) => {
        const factor = policy.wideFactor ?? (policy.isHot ? READING_FACTORS : FACTORS)[width]
        return [width, definePolicy(`${name}-${width}`, { ...policy, limit: policy.limit * factor })]
      }),
    ),
  ]),
) as Record<NetworkPolicy, Record<NetworkWidth, RateLimitPolicy>>

/** Where a request comes from, as the limits by network count it. */
export interface CountedClient {
  address: string
  /**
   * Sent by a page of another site in a visitor's browser. Its reads are counted apart, so that such a page can neither
   * use up the limit of its visitor nor learn from what is left of it whether the visitor is signed in.
   */
  isForeignPage: boolean
}

/** The narrowest network first, so that a device that is refused there does not use up the limit of its neighbours. */
export function listHits(client: CountedClient, names: readonly NetworkPolicy[], account?: string): Hit[] {
  const networks = networksOf(client.address)
  return names.flatMap((policy) =>
    networks.map(({ name, width }) => ({
      policy: width === undefined ? policies[policy] : widened[policy][width],
      key: keyOf(client, policy, name, account),
    })),
  )
}

function keyOf({ isForeignPage }: CountedClient, policy: NetworkPolicy, network: string, account?: string): string {
  if (policy === 'login-pair') return `${account} ${network}`
  // Only reads: any client can claim to be a page, and limits that protect accounts must not double.
  return isForeignPage && policies[policy].isHot ? `foreign ${network}` : network
}
