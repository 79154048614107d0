// Joins the small pieces of a chunked body: a client may send each octet in a chunk of its own.
import { IncomingMessage } from 'node:http'

/** Whether bytes are being parsed; parsing is synchronous. */
let isParsing = false
/** Requests with pieces in those bytes; most reads contain none. */
let joining: Set<JoiningIncomingMessage> | undefined

/** Runs the parser on some bytes, then pushes what they contain of each body. */
export function parseJoining(parse: () => void): void {
  isParsing = true
  try {
    parse()
  } finally {
    isParsing = false
    const requests = joining
    joining = undefined
    if (requests) for (const request of requests) request.pushJoined()
  }
}

/**
 * The parser pushes a buffer for each chunk, which takes some 400 bytes of memory besides its contents, and a body that
 * is not read may wait with 64 KiB: as many buffers on each connection. Joined, it has one for each parsed slice.
 */
export class JoiningIncomingMessage extends IncomingMessage {
  private joined: Buffer[] | undefined
  private joinedBytes = 0

  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    if (!isParsing || !Buffer.isBuffer(chunk)) {
      this.pushJoined()
      return super.push(chunk, encoding)
    }
    joining ??= new Set()
    joining.add(this)
    this.joined ??= []
    this.joined.push(chunk)
    this.joinedBytes += chunk.length
    return this.readableLength + this.joinedBytes < this.readableHighWaterMark
  }

  pushJoined(): void {
    const { joined } = this
    if (!joined) return
    this.joined = undefined
    this.joinedBytes = 0
    super.push(joined.length === 1 ? joined[0] : Buffer.concat(joined))
  }
}
