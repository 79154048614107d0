// Interface of a mail transport, and the outcomes of sending one mail.
import type { AddressedMessage } from './compose.ts'

export type SendOutcome =
  | { result: 'sent' /** Path of the file, if the mail was written to one. */; file?: string }
  | Failure

export interface Failure {
  /** Refused is final; deferred affects this mail for now; unreachable affects all; stopped means the service stops. */
  result: 'refused' | 'deferred' | 'unreachable' | 'stopped'
  /** A code for the outbox. */
  problem: string
  /** Codes of the transport, for the log. Never its messages, which may contain an address. */
  cause: string
  /** The connection broke after the whole message was sent and before it was confirmed. */
  mayHaveArrived?: boolean
}

/** After `stop` is aborted, both calls end within seconds. */
export interface Transport {
  send(letter: AddressedMessage, stop?: AbortSignal): Promise<SendOutcome>
  /** Whether a mail could be sent now, as far as that is known without sending one. */
  verify(stop?: AbortSignal): Promise<SendOutcome>
}
