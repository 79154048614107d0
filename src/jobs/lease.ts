// Runs work on one node at a time under a short lease, which a timer renews until the work ends.
import { holdLease, releaseNodeLease } from '../actions/maintenance/housekeeping.ts'
import type { Context } from '../context.ts'
import { startInterval } from '../scheduling/interval.ts'

/** How long other nodes wait after a node was killed. */
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
  // While the database does not answer, the lease expires, and another node may take it.
  const expiry = startInterval(renewMs, () => {
    if (performance.now() - heldSince >= termMs) lost.abort()
  })
  const renewal = startInterval(renewMs, async () => {
    if (!lost.signal.aborted && !(await hold())) lost.abort()
  })
  try {
    await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal)
  } finally {
    await expiry.stop()
    // A renewal after the release would take the lease again.
    await renewal.stop()
    await releaseNodeLease(ctx, name).catch(() => {})
  }
  if (lost.signal.aborted) ctx.log.warn('housekeeping stopped: this node lost its lease', { lease: name })
  return !lost.signal.aborted
}
