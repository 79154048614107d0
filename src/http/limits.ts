// Rate limits: each policy a number, a window and a key. This node's memory; refusals say when to come back.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../errors.ts'

const policies = {
  /** Failed credentials of one account from one network. */
  'login-pair': { limit: 10, windowSeconds: 900 },
  /** Failed credentials from one network. */
  'login-ip': { limit: 50, windowSeconds: 900 },
  setup: { limit: 10, windowSeconds: 900 },
  'api-user': { limit: 600, windowSeconds: 60 },
  'api-user-writes': { limit: 120, windowSeconds: 60 },
  'public-ip': { limit: 600, windowSeconds: 300 },
} as const

export type Policy = keyof typeof policies

export interface Limits {
  /** Counts one; refuses when the window is full. */
  count(policy: Policy, key: string): Promise<void>
  /** Takes one count back. */
  giveBack(policy: Policy, key: string): Promise<void>
}

export function makeLimits(isOn: boolean): Limits {
  if (!isOn) return { count: async () => {}, giveBack: async () => {} }
  const limiters = new Map(
    Object.entries(policies).map(([name, { limit, windowSeconds }]) => [
      name as Policy,
      new RateLimiterMemory({ keyPrefix: name, points: limit, duration: windowSeconds }),
    ]),
  )
  return {
    async count(policy, key) {
      try {
        await limiters.get(policy)!.consume(key)
      } catch (full) {
        throw full instanceof RateLimiterRes ? refusal(policy, full.msBeforeNext) : full
      }
    },
    async giveBack(policy, key) {
      await limiters.get(policy)!.reward(key)
    },
  }
}

function refusal(policy: Policy, msBeforeNext: number): AppError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1_000))
  const { limit, windowSeconds } = policies[policy]
  return new AppError('rate_limited', {
    headers: {
      'retry-after': `${seconds}`,
      'ratelimit-policy': `"${policy}";q=${limit};w=${windowSeconds}`,
      ratelimit: `"${policy}";r=0;t=${seconds}`,
    },
  })
}
