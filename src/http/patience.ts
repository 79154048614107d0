// How long the service waits for those who do not read, and how much of it one network may hold meanwhile.
const MIB = 1_024 * 1_024

/** Numbers of the service, not settings: tests alone hand in others. */
export interface Patience {
  /** An answer of which nothing more could be sent for so long is given up, with its connection. */
  stallMs: number
  lookEveryMs: number
  handshakeMs: number
  /** Open connections from one network. */
  perNetwork: number
  /** Besides named proxies: whoever comes from there may be everybody. */
  spared: readonly string[]
  /** Bytes of long answers that are still being sent, each counted once. */
  heldBytes: number
  heldPerNetworkBytes: number
}

export const PATIENCE: Patience = {
  stallMs: 15_000,
  lookEveryMs: 1_000,
  handshakeMs: 10_000,
  perNetwork: 100,
  spared: ['127.0.0.0/8', '::1'],
  heldBytes: 256 * MIB,
  heldPerNetworkBytes: 64 * MIB,
}
