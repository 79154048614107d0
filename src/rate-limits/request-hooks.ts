// Fastify hooks for rate limits: count each request, refused ones too, by network or account.
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../actions/costly-work/semaphore.ts'
import type { Viewer } from '../domain/privacy/viewer.ts'
import { AppError } from '../errors.ts'
import { networkOf, networksOf } from './networks.ts'
import type { CountedClient, NetworkPolicy, PolicyName } from './rate-limit-policy.ts'
import type { RequestLimits } from './request-limits.ts'

/** What the hooks read of a request. */
type CountedRequest = FastifyRequest & { peer: CountedClient; viewer: Viewer }

export const networkKey = (request: CountedRequest): string => networkOf(request.peer.address)

/** `onRequest` hook of a route: counts the request for every network of its client. */
export const limitByNetwork =
  (limits: RequestLimits, ...policies: NetworkPolicy[]) =>
  (request: CountedRequest): Promise<void> =>
    limits.countFrom(request.peer, policies)

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
export async function countViewer(limits: RequestLimits, request: CountedRequest, kind: CountedKind): Promise<void> {
  const { viewer, peer } = request
  if (viewer.kind !== 'account' || viewer.standing) return limits.countFrom(peer, ['public-ip'])
  const { id } = viewer.account
  for (const policy of ACCOUNT_POLICIES[kind]) await limits.count(policy, id)
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
export async function countRefused(limits: RequestLimits, request: CountedRequest, error: AppError): Promise<AppError> {
  if (counted.has(request) || error.status >= 500 || error.status === 429) return error
  markCounted(request)
  try {
    await limits.countFrom(request.peer, ['public-ip'])
    return error
  } catch (refusal) {
    return refusal instanceof AppError ? refusal : error
  }
}
