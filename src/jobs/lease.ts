// Runs work under a short lease that a timer renews: one node at a time, and a killed one blocks for seconds.
import { holdLease, releaseNodeLease } from '../actions/maintenance/housekeeping.ts'
import type { Context } from '../context.ts'

/** A process that is killed keeps the others waiting for this long. */
const TERM_MS = 10_000
/** Several tries fit into one term. */
const RENEW_MS = 2_500

export interface LeaseOptions {
  name: string
  termMs?: number
  renewMs?: number
  /** Stops the work. */
  signal?: AbortSignal
}

/** False when another node has the lease, or took it before the work was done. */
export async function runWithLease(
  ctx: Context,
  { name, termMs = TERM_MS, renewMs = RENEW_MS, signal }: LeaseOptions,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const lost = new AbortController()
  let heldSince = performance.now()
  const hold = async (): Promise<boolean> => {
    const at = performance.now()
    const isOurs = await holdLease(ctx, name, termMs)
    if (isOurs) heldSince = at
    return isOurs
  }
  if (!(await hold())) return false
  let renewing: Promise<void> | undefined
  const renew = async (): Promise<void> => {
    if (!(await hold().catch(() => true))) lost.abort()
    renewing = undefined
  }
  const timer = setInterval(() => {
    // Without an answer of the database the lease ends by itself, and another node may have it.
    if (performance.now() - heldSince >= termMs) lost.abort()
    if (!lost.signal.aborted) renewing ??= renew()
  }, renewMs)
  timer.unref()
  try {
    await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal)
  } finally {
    clearInterval(timer)
    // A renewal that comes after the release would take the lease again.
    await renewing
    await releaseNodeLease(ctx, name).catch(() => {})
  }
  if (lost.signal.aborted) ctx.log.warn('housekeeping stopped: this node lost its lease', { lease: name })
  return !lost.signal.aborted
}
