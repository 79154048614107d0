// Fastify hooks for rate limits: count each request, refused ones too, by network or account.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../actions/costly-work/semaphore.ts'
import type { Viewer } from '../domain/privacy/viewer.ts'
import { AppError } from '../errors.ts'
import { networkOf, networksOf } from './networks.ts'
import type { CountedClient, NetworkPolicy, PolicyName } from './rate-limit-policy.ts'
import type { RequestLimits } from './request-limits.ts'

/** What the hooks read of a request. */
type CountedRequest = FastifyRequest & { peer: CountedClient; viewer: Viewer }

export const networkKey = (request: CountedRequest): string => networkOf(request.peer.address)

/**
 * Names limits by network that the request counts against. What is left of them is not sent: others of the network use
 * it up too, and costly reads are charged by their time, which would show how long a read took.
 */
export function addPolicies(reply: FastifyReply, limits: RequestLimits, ...names: NetworkPolicy[]): void {
  const added = limits.policyField(names)
  if (added === undefined) return
  const before = reply.getHeader('ratelimit-policy')
  reply.header('ratelimit-policy', before === undefined ? added : `${before}, ${added}`)
}

/** Names limits of an account, with what is left of each. */
function setAccountLimits(
  reply: FastifyReply,
  limits: RequestLimits,
  names: readonly PolicyName[],
  accountId: string,
): void {
  const policies = limits.policyField(names)
  const remaining = limits.remainingField(names, accountId)
  if (policies !== undefined && remaining !== undefined)
    reply.headers({ 'ratelimit-policy': policies, ratelimit: remaining })
}

/** `onRequest` hook of a route: counts the request for every network of its client. */
export const limitByNetwork =
  (limits: RequestLimits, ...policies: NetworkPolicy[]) =>
  async (request: CountedRequest, reply: FastifyReply): Promise<void> => {
    await limits.countFrom(request.peer, policies)
    addPolicies(reply, limits, ...policies)
  }

/** The same in a hook that decides what is counted. */
export const countByNetwork = (
  limits: RequestLimits,
  request: CountedRequest,
  reply: FastifyReply,
  policy: NetworkPolicy,
): Promise<void> => limitByNetwork(limits, policy)(request, reply)

export type CountedKind = 'read' | 'write' | 'caldav-write'

const ACCOUNT_POLICIES: Record<CountedKind, PolicyName[]> = {
  read: ['api-user'],
  write: ['api-user', 'api-user-writes'],
  'caldav-write': ['caldav-writes', 'caldav-writes-hour'],
}

/**
 * Counts a request with credentials before it can be denied, since a denied request costs work too. A viewer who may not
 * act counts by network, as anonymous requests do.
 */
export async function countViewer(
  limits: RequestLimits,
  request: CountedRequest,
  reply: FastifyReply,
  kind: CountedKind,
): Promise<void> {
  const { viewer } = request
  if (viewer.kind !== 'account' || viewer.standing) return countByNetwork(limits, request, reply, 'public-ip')
  const { id } = viewer.account
  for (const policy of ACCOUNT_POLICIES[kind]) await limits.count(policy, id)
  setAccountLimits(reply, limits, ACCOUNT_POLICIES[kind], id)
  // Requests of calendar clients that write do not count in `api-user`, but their cost is charged to it.
  if (kind === 'caldav-write') await limits.requireRoom('api-user', id)
}

/** A foreign page has permits and waiting places of its own too: otherwise it could tell from them what its visitor does. */
export function networkCaller(limits: RequestLimits, client: CountedClient): Caller {
  const prefix = client.isForeignPage ? 'foreign ' : ''
  const [narrowest, ...wider] = networksOf(client.address).map(({ name }) => `${prefix}${name}`)
  return {
    key: `public-ip ${narrowest}`,
    widerNetworks: wider,
    charge: (costMs) => limits.chargeNetwork(client, costMs),
  }
}

export const accountCaller = (limits: RequestLimits, id: string): Caller => ({
  key: `api-user ${id}`,
  isAccount: true,
  charge: (costMs) => limits.chargeAccount(id, costMs),
})

const counted = new WeakSet<FastifyRequest>()

/** Called where another limit counts the request. */
export const markCounted = (request: FastifyRequest): void => void counted.add(request)

/**
 * A refused request that no other limit counted counts as an anonymous one. Returns the error to answer with: the given
 * one, or 429 when the network has used up its requests.
 */
export async function countRefused(
  limits: RequestLimits,
  request: CountedRequest,
  reply: FastifyReply,
  error: AppError,
): Promise<AppError> {
  if (counted.has(request) || error.status >= 500 || error.status === 429) return error
  markCounted(request)
  try {
    await limits.countFrom(request.peer, ['public-ip'])
    if (!reply.hasHeader('ratelimit-policy')) addPolicies(reply, limits, 'public-ip')
    return error
  } catch (refusal) {
    return refusal instanceof AppError ? refusal : error
  }
}
