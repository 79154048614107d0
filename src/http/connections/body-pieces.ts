// Joins the small pieces of a chunked body: a client may send each octet in a chunk of its own.
import { IncomingMessage } from 'node:http'

/** Requests with pieces in the bytes that are being parsed; parsing is synchronous. */
let parsing: Set<JoiningIncomingMessage> | undefined

/** Runs the parser on some bytes, then pushes what they contain of each body. */
export function parseJoining(parse: () => void): void {
  parsing = new Set()
  try {
    parse()
  } finally {
    const requests = parsing
    parsing = undefined
    for (const request of requests) request.pushJoined()
  }
}

/**
 * The parser pushes a buffer for each chunk, which takes some 400 bytes of memory besides its contents, and a body that
 * is not read may wait with 64 KiB: as many buffers on each connection. Joined, it has one for each parsed slice.
 */
export class JoiningIncomingMessage extends IncomingMessage {
  private joined: Buffer[] = []
  private joinedBytes = 0

  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    if (!parsing || !Buffer.isBuffer(chunk)) {
      this.pushJoined()
      return super.push(chunk, encoding)
    }
    parsing.add(this)
    this.joined.push(chunk)
    this.joinedBytes += chunk.length
    return this.readableLength + this.joinedBytes < this.readableHighWaterMark
  }

  pushJoined(): void {
    const { joined } = this
    if (joined.length === 0) return
    this.joined = []
    this.joinedBytes = 0
    super.push(joined.length === 1 ? joined[0] : Buffer.concat(joined))
  }
}
