// How long the service waits for those who do not read, and how much of it one network may hold meanwhile.
const MIB = 1_024 * 1_024

/** Numbers of the service, not settings: tests alone hand in others. */
export interface ConnectionLimits {
  /** An answer of which nothing more could be sent for so long is given up, with its connection. */
  stallMs: number
  /** A body of which fewer than `minBodyBytes` arrive in this time is given up; so is what sends no body it announced. */
  bodyStallMs: number
  minBodyBytes: number
  /** Headers must be complete after this time. */
  headersMs: number
  /** While the service stops, requests that are not complete after this time are refused. */
  drainMs: number
  /** While it stops, every connection is closed after this time. */
  longestDrainMs: number
  /** So long a refused connection stays open, for the client to read why. */
  lingerMs: number
  lookEveryMs: number
  handshakeMs: number
  /** Open connections from one network. */
  perNetwork: number
  /** Bytes of long bodies from one network that have not been answered. */
  bodyBytesPerNetwork: number
  /** Besides named proxies: whoever comes from there may be everybody. */
  spared: readonly string[]
  /** Bytes of long answers that are still being sent, each counted once. */
  heldBytes: number
  heldPerNetworkBytes: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  // With the time between two looks, each of these ends a connection within 15 seconds.
  stallMs: 13_500,
  bodyStallMs: 11_000,
  minBodyBytes: 1_024,
  headersMs: 10_000,
  // The process is ended after 25 seconds, whatever is under way; an orderly end comes before that.
  drainMs: 5_000,
  longestDrainMs: 20_000,
  lingerMs: 1_000,
  lookEveryMs: 1_000,
  handshakeMs: 10_000,
  perNetwork: 100,
  bodyBytesPerNetwork: 16 * MIB,
  spared: ['127.0.0.0/8', '::1'],
  heldBytes: 256 * MIB,
  heldPerNetworkBytes: 64 * MIB,
}
