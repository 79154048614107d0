// Request headers: only the names that the service reads become properties of `headers`.
import { IncomingMessage } from 'node:http'
import { JoiningIncomingMessage } from './body-pieces.ts'

/**
 * V8 keeps every property name in one table until the next full garbage collection. A client that sends ever new header
 * names makes it grow to millions of entries, and each time it doubles all of them are hashed again in one turn of the
 * event loop (0.7 s at four million). Looking a name up in a Set has the same effect, so this is a pattern. A test
 * checks that it has every name that the source reads.
 */
export const READ_HEADER =
  /^(?:accept|accept-encoding|accept-language|authorization|brief|connection|content-encoding|content-length|content-range|content-type|cookie|depth|destination|expect|forwarded|host|idempotency-key|if|if-match|if-none-match|if-unmodified-since|last-event-id|origin|overwrite|prefer|sec-fetch-mode|sec-fetch-site|transfer-encoding|upgrade|user-agent|via|x-csrf-token|x-forwarded-for|x-forwarded-host|x-forwarded-proto|x-real-ip)$/i

/** Node's own method, which builds `headers` and `trailers` line by line. */
interface HeaderLines {
  _addHeaderLine(name: string, value: string, headers: object): void
}

const addLine = (IncomingMessage.prototype as unknown as HeaderLines)._addHeaderLine

/** All lines as received stay in `rawHeaders`. */
export class BoundedIncomingMessage extends JoiningIncomingMessage implements HeaderLines {
  /** When its headers were parsed, on the clock of `performance.now()`. */
  readonly arrivedAt = performance.now()
  /** Whether the access log has it: several events can end one request. */
  isLogged = false

  _addHeaderLine(name: string, value: string, headers: object): void {
    if (READ_HEADER.test(name)) addLine.call(this, name, value, headers)
  }
}
