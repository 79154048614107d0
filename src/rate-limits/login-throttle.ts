// Login throttle against brute force: counts attempts by network and account, never locks out.
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { type Attempt, emailKeyOf } from '../actions/access/sign-in.ts'
import type { NewAuditEntry } from '../domain/account/audit.ts'
import { networkOf } from './networks.ts'
import type { NetworkPolicy } from './rate-limit-policy.ts'
import type { RequestLimits } from './request-limits.ts'

/** Without an email only the network is counted: a token does not name an account. */
export type LoginThrottle = (request: FastifyRequest, email?: string) => Attempt

/** An account under attack from many networks answers slowly, to its owner too, but is never locked. */
const SLOW_MS = 2_000

export function createLoginThrottle(limits: RequestLimits, note: (entry: NewAuditEntry) => void): LoginThrottle {
  return (request, email) => {
    const { peer } = request
    // Read when needed: most credentials are found in the cache, and no attempt is counted.
    const accountOf = (): string | undefined => (email === undefined ? undefined : emailKeyOf(email))
    // The pair first: a device that is refused there does not use up the limit of its whole network.
    const policies: NetworkPolicy[] = email === undefined ? ['login-ip'] : ['login-pair', 'login-ip']
    return {
      network: networkOf(peer.address),
      async consume() {
        const account = accountOf()
        await limits.countFrom(peer, policies, account)
        if (account !== undefined && (await limits.isExhausted('login-account', account))) await delay(SLOW_MS)
      },
      refund: () => limits.refundFrom(peer, policies, accountOf()),
      countRepeat: () => limits.countFrom(peer, ['public-ip']),
      async failed(accountId) {
        const account = accountOf()
        if (account !== undefined) await limits.hit('login-account', account)
        note({
          action: 'login_failed',
          actorId: null,
          subjectId: accountId ?? null,
          requestId: request.id,
          detail: {},
        })
      },
    }
  }
}
