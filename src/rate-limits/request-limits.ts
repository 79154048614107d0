// Request limits: counts named policies by network or account; refuses with 429 and Retry-After.
import type { Context } from '../context.ts'
import type { AccountViewer } from '../domain/privacy/viewer.ts'
import { AppError } from '../errors.ts'
import { LruMap } from '../lru-map.ts'
import { countRefusal } from '../ops/metrics.ts'
import { type ChangeBatch, createBulkChangeLimiter } from './bulk-changes.ts'
import { formatPolicies, formatRemaining, type Remaining } from './rate-limit-headers.ts'
import {
  type CountedClient,
  type Denied,
  type Hit,
  listHits,
  type NetworkPolicy,
  type PolicyName,
  policies,
} from './rate-limit-policy.ts'
import { createRateLimiter } from './rate-limiter.ts'

/** A costly read or write counts as one request for each of these. */
const UNIT_MS = 10
/** One minute of work: statements and requests are aborted long before that. */
const MAX_UNITS = 6_000

export interface RequestLimits {
  /** Counts one; refuses when the window is full. */
  count(policy: PolicyName, key: string): Promise<void>
  /** Refuses when the window is full; counts nothing. For policies that are counted in memory. */
  requireRoom(policy: PolicyName, key: string): Promise<void>
  /** Counts one if the window has room; never refuses. */
  hit(policy: PolicyName, key: string): Promise<void>
  /** Refunds one hit. */
  refund(policy: PolicyName, key: string): Promise<void>
  /** Whether the window is full; counts nothing. */
  isExhausted(policy: PolicyName, key: string): Promise<boolean>
  /** How many count at this moment. */
  usage(policy: PolicyName, key: string): Promise<number>
  /** Counts one for every network of the client, all or none. `login-pair` is counted by account and network. */
  countFrom(client: CountedClient, policies: readonly NetworkPolicy[], account?: string): Promise<void>
  refundFrom(client: CountedClient, policies: readonly NetworkPolicy[], account?: string): Promise<void>
  /** Synchronous variant for reads, which are counted in memory: false when a window is full. */
  consumeReadNow(client: CountedClient): boolean
  refundReadNow(client: CountedClient): void
  /** The same for a read of an account. */
  consumeAccountReadNow(id: string): boolean
  refundAccountReadNow(id: string): void
  /** Counts the cost of completed work for every network of the client; the next request is refused, not this one. */
  chargeNetwork(client: CountedClient, costMs: number): void
  chargeAccount(id: string, costMs: number): void
  /** The `RateLimit-Policy` field of these policies; undefined where nothing is limited. */
  policyField(names: readonly PolicyName[]): string | undefined
  /** The `RateLimit` field of policies that are counted in memory; undefined where nothing is limited. */
  remainingField(names: readonly PolicyName[], key: string): string | undefined
  /** Counts one change of a stored event; slows down or refuses a credential that makes very many. */
  admitChange(viewer: AccountViewer, maxWaitMs?: number): Promise<void>
  refundChange(viewer: AccountViewer): void
  /** The fields of the limit of changes; undefined where nothing is limited. */
  changeFields(viewer: AccountViewer): LimitFields | undefined
  openChangeBatch(viewer: AccountViewer, count: number): AdmittedChanges
  stop(): Promise<void>
}

/** Header fields of one limit. */
export type LimitFields = Record<'ratelimit-policy' | 'ratelimit', string>

/** Changes of one bulk request, as the limiter of changes admits them. */
export interface AdmittedChanges extends Omit<ChangeBatch, 'admit'> {
  /** Called before each change; refuses one too many. */
  admit(): Promise<void>
}

export function createRequestLimits(ctx: Context): RequestLimits {
  if (!ctx.config.rateLimits) return NO_LIMITS
  const counts = createRateLimiter(ctx)
  const bulkChanges = createBulkChangeLimiter(ctx, counts)
  const readsFrom = createReadHits()
  const refuse = (denied: Denied): never => {
    countRefusal(ctx.metrics, denied.policy.name)
    throw refusalOf(denied)
  }
  return {
    async count(policy, key) {
      const refusal = await counts.consume(policies[policy], key)
      if (refusal) refuse(refusal)
    },
    async requireRoom(policy, key) {
      const refusal = await counts.consume(policies[policy], key)
      if (refusal) refuse(refusal)
      await counts.refund(policies[policy], key)
    },
    async hit(policy, key) {
      await counts.consume(policies[policy], key)
    },
    refund: (policy, key) => counts.refund(policies[policy], key),
    isExhausted: (policy, key) => counts.isExhausted(policies[policy], key),
    usage: (policy, key) => counts.usage(policies[policy], key),
    async countFrom(client, names, account) {
      const refusal = await counts.consumeAll(listHits(client, names, account))
      if (refusal) refuse(refusal)
    },
    refundFrom: (client, names, account) => counts.refundAll(listHits(client, names, account)),
    consumeReadNow: (client) => counts.consumeAllNow(readsFrom(client)) === undefined,
    refundReadNow: (client) => counts.refundAllNow(readsFrom(client)),
    consumeAccountReadNow: (id) => counts.consumeAllNow(accountRead(id)) === undefined,
    refundAccountReadNow: (id) => counts.refundAllNow(accountRead(id)),
    chargeNetwork(client, costMs) {
      for (const { policy, key } of readsFrom(client)) counts.charge(policy, key, unitsOf(costMs))
    },
    chargeAccount: (id, costMs) => counts.charge(policies['api-user'], id, unitsOf(costMs)),
    policyField: (names) => formatPolicies(names.map((name) => policies[name])),
    remainingField: (names, key) => formatRemaining(names.map((name) => counts.remaining(policies[name], key))),
    async admitChange(viewer, maxWaitMs) {
      const denied = await bulkChanges.admit(viewer, maxWaitMs)
      if (denied) refuse(denied)
    },
    refundChange: bulkChanges.refund,
    changeFields(viewer) {
      const remaining = bulkChanges.remaining(viewer)
      return remaining && limitFields(remaining)
    },
    openChangeBatch(viewer, count) {
      const batch = bulkChanges.openBatch(viewer, count)
      const admit = async (): Promise<void> => {
        const denied = await batch.admit()
        if (denied) refuse(denied)
      }
      return { ...batch, admit }
    },
    stop: counts.stop,
  }
}

const READS = ['public-ip'] as const

const accountRead = (key: string): readonly Hit[] => [{ policy: policies['api-user'], key }]

const unitsOf = (costMs: number): number => Math.min(MAX_UNITS, Math.floor(costMs / UNIT_MS))

/** Cached addresses; a few hundred bytes each. */
const MAX_ADDRESSES = 2_000

/** Counter hits for a read of a client, cached: in a flood, computing the networks takes longer than counting. */
function createReadHits(): (client: CountedClient) => readonly Hit[] {
  const own = new LruMap<string, readonly Hit[]>(MAX_ADDRESSES)
  const foreign = new LruMap<string, readonly Hit[]>(MAX_ADDRESSES)
  return (client) => {
    const known = client.isForeignPage ? foreign : own
    const remembered = known.get(client.address)
    if (remembered) return remembered
    const hits = listHits(client, READS)
    known.set(client.address, hits)
    return hits
  }
}

export const UNCOUNTED_CHANGES: AdmittedChanges = { admit: async () => {}, refund: () => {}, end: async () => {} }

const NO_LIMITS: RequestLimits = {
  count: async () => {},
  requireRoom: async () => {},
  hit: async () => {},
  refund: async () => {},
  isExhausted: async () => false,
  usage: async () => 0,
  countFrom: async () => {},
  refundFrom: async () => {},
  consumeReadNow: () => true,
  refundReadNow: () => {},
  consumeAccountReadNow: () => true,
  refundAccountReadNow: () => {},
  chargeNetwork: () => {},
  chargeAccount: () => {},
  policyField: () => undefined,
  remainingField: () => undefined,
  admitChange: async () => {},
  refundChange: () => {},
  changeFields: () => undefined,
  openChangeBatch: () => UNCOUNTED_CHANGES,
  stop: async () => {},
}

const limitFields = (remaining: Remaining): LimitFields => ({
  'ratelimit-policy': formatPolicies([remaining.policy]),
  ratelimit: formatRemaining([remaining]),
})

function refusalOf({ policy, roomInMs }: Denied): AppError {
  const seconds = Math.max(1, Math.ceil(roomInMs / 1_000))
  return new AppError('rate_limited', {
    headers: {
      'retry-after': `${seconds}`,
      ...limitFields({ policy, hits: 0, seconds }),
    },
  })
}
