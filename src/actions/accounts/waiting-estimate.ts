// Estimates how many unverified accounts wait, so that no caller can observe a single registration.
import type { Context } from '../../context.ts'
import { type Instant, MINUTE_MS } from '../../domain/time/instant.ts'
import { AppError } from '../../errors.ts'
import { keyedHash } from '../../secrets.ts'
import { countUnverifiedRequests } from '../../storage/accounts/accounts.ts'

/** Accounts are counted once per period; until the next count every request adds one, new address or not. */
export const SAMPLE_MS = 10 * MINUTE_MS
/** Each sample is raised by a random number below this, so that an exact count cannot be read from a threshold. */
export const MAX_NOISE = 128

export interface WaitingEstimate {
  /** Never less than the number of waiting accounts, except for what other nodes stored since the last sample. */
  current(): Promise<number>
  /** Counts one request, or refuses it at the maximum. */
  reserve(max: number): Promise<void>
}

interface WaitingSample {
  period: number
  count: Promise<number>
  /** Requests of any address since the sample was taken. */
  received: number
}

export function createWaitingEstimate(ctx: Context): WaitingEstimate {
  let sample: WaitingSample | undefined

  function currentSample(): WaitingSample {
    const period = Math.floor(ctx.clock() / SAMPLE_MS)
    if (sample?.period === period) return sample
    const taken: WaitingSample = { period, count: countUnverifiedRequests(ctx.storage.reads), received: 0 }
    taken.count.catch(() => {
      if (sample === taken) sample = undefined
    })
    sample = taken
    return taken
  }

  const estimateOf = (taken: WaitingSample, count: number): number =>
    count + taken.received + noiseAt(ctx.secret, taken.period * SAMPLE_MS)

  return {
    async current() {
      const taken = currentSample()
      return estimateOf(taken, await taken.count)
    },
    async reserve(max) {
      const taken = currentSample()
      const count = await taken.count
      if (estimateOf(taken, count) >= max) throw new AppError('rate_limited', { headers: fullAt(max) })
      taken.received += 1
    },
  }
}

/** Deterministic across nodes and restarts, and unpredictable without the secret. */
export const noiseAt = (secret: string, now: Instant): number =>
  Number.parseInt(keyedHash(secret, `waiting ${Math.floor(now / SAMPLE_MS)}`).slice(0, 8), 16) % MAX_NOISE

const fullAt = (max: number) => ({
  'retry-after': '3600',
  'ratelimit-policy': `"unproven";q=${max};w=604800`,
  ratelimit: '"unproven";r=0;t=3600',
})
