// Runs work on one node at a time under a short lease, which a timer renews until the work ends.
import { holdLease, releaseNodeLease } from '../actions/maintenance/housekeeping.ts'
import type { Context } from '../context.ts'

/** How long a killed process keeps the other nodes waiting. */
const TERM_MS = 10_000
/** Several attempts fit into one term. */
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
    // While the database does not answer, the lease expires, and another node may take it.
    if (performance.now() - heldSince >= termMs) lost.abort()
    if (!lost.signal.aborted) renewing ??= renew()
  }, renewMs)
  timer.unref()
  try {
    await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal)
  } finally {
    clearInterval(timer)
    // A renewal after the release would take the lease again.
    await renewing
    await releaseNodeLease(ctx, name).catch(() => {})
  }
  if (lost.signal.aborted) ctx.log.warn('housekeeping stopped: this node lost its lease', { lease: name })
  return !lost.signal.aborted
}
