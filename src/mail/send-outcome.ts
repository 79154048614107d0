// What a mail transport does, and the outcomes of sending one mail.
import type { Letter } from './compose.ts'

export type SendOutcome =
  | { result: 'sent' /** Where it was written, if that is what sending means here. */; file?: string }
  | Failure

export interface Failure {
  /** Refused is final; deferred concerns this mail for now; unreachable concerns them all; stopped was our own wish. */
  result: 'refused' | 'deferred' | 'unreachable' | 'stopped'
  /** A code for the outbox. */
  problem: string
  /** Codes of the transport, for the log. Never words, which may hold an address. */
  cause: string
  /** The line broke when everything was said but nothing answered. */
  mayHaveArrived?: boolean
}

/** Told to stop, either ends within seconds. */
export interface Transport {
  send(letter: Letter, stop?: AbortSignal): Promise<SendOutcome>
  /** Whether a mail could be sent now, as far as can be known without sending one. */
  verify(stop?: AbortSignal): Promise<SendOutcome>
}
