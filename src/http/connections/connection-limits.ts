// Timeouts and caps for connections: slow readers and senders, and what one network may hold.
const MIB = 1_024 * 1_024

/** Constants of the service, not settings: only tests pass other values. */
export interface ConnectionLimits {
  /** A connection is closed when no more of its response could be sent for this long. */
  stallMs: number
  /** A request is refused when fewer than `minBodyBytes` of an announced body arrive in this time. */
  bodyStallMs: number
  minBodyBytes: number
  /** Headers must be complete after this time. */
  headersMs: number
  /** While the service stops, requests that are not complete after this time are refused. */
  drainMs: number
  /** While it stops, every connection is closed after this time. */
  longestDrainMs: number
  /** How long a refused connection stays open so that the client can read the reason. */
  lingerMs: number
  checkEveryMs: number
  handshakeMs: number
  /** Open connections from one network. */
  perNetwork: number
  /** Bytes of long request bodies from one network that have not been answered. */
  bodyBytesPerNetwork: number
  bodyBytesPerAccount: number
  /** Of all accounts. */
  bodyBytes: number
  /** Exempt besides the named proxies: a loopback peer may be an unnamed proxy with any number of clients behind it. */
  spared: readonly string[]
  /** Bytes of long responses that are still being sent, each buffer counted once. */
  heldBytes: number
  heldPerNetworkBytes: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  // Together with the check interval, each of these ends a connection within 15 seconds.
  stallMs: 13_500,
  bodyStallMs: 11_000,
  minBodyBytes: 1_024,
  headersMs: 10_000,
  // The process is ended after 25 seconds in any case; an orderly stop finishes before that.
  drainMs: 5_000,
  longestDrainMs: 20_000,
  lingerMs: 1_000,
  checkEveryMs: 1_000,
  handshakeMs: 10_000,
  perNetwork: 100,
  bodyBytesPerNetwork: 16 * MIB,
  bodyBytesPerAccount: 32 * MIB,
  bodyBytes: 128 * MIB,
  spared: ['127.0.0.0/8', '::1'],
  heldBytes: 256 * MIB,
  heldPerNetworkBytes: 64 * MIB,
}
