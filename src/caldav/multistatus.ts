// Multistatus responses: short ones are sent whole, long ones streamed. RFC 4918 §13.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { yieldToEventLoop } from '../scheduling/event-loop.ts'
import { XML_TYPE } from './errors.ts'
import { DAV } from './xml/names.ts'
import { closeDocument, openDocument, type Xml } from './xml/write.ts'

/** Up to this length a response is built before it is sent, so that a failure can still be answered as an error. */
const WHOLE_CHARACTERS = 65_536

/** Gathers the parts of a response that is being streamed. */
export interface PartCollector {
  add(part: Buffer): void
  /** All parts; undefined if they are too long to be cached. */
  finish(): Buffer | undefined
  /** Must be called when the response has ended, in whatever way. */
  end(): void
}

/** Keeps the bytes of a response that was made to its end. */
export interface ResponseKeeper {
  collect(): PartCollector | undefined
  keep(body: Buffer): void
}

export async function sendMultistatus(
  reply: FastifyReply,
  parts: AsyncIterable<Xml> | Iterable<Xml>,
  keeper?: ResponseKeeper,
): Promise<FastifyReply> {
  reply.code(207).type(XML_TYPE)
  const pieces = documentOf(parts)
  let begun = ''
  for (;;) {
    const { value, done } = await pieces.next()
    if (done) {
      const body = Buffer.from(begun)
      keeper?.keep(body)
      return reply.send(body)
    }
    begun += value
    if (begun.length >= WHOLE_CHARACTERS) break
  }
  return reply.send(Readable.from(rest(begun, pieces, keeper), { objectMode: false }))
}

async function* documentOf(parts: AsyncIterable<Xml> | Iterable<Xml>): AsyncGenerator<string> {
  yield openDocument(DAV, 'multistatus')
  let length = 0
  for await (const part of parts) {
    yield part
    length += part.length
    if (length < WHOLE_CHARACTERS) continue
    // Yields to the event loop during long responses, so that other requests are answered in between.
    await yieldToEventLoop()
    length = 0
  }
  yield closeDocument(DAV, 'multistatus')
}

/** In larger buffers, because each costs a write. If the client disconnects, reading ends too. */
async function* rest(
  begun: string,
  pieces: AsyncGenerator<string>,
  keeper: ResponseKeeper | undefined,
): AsyncGenerator<Buffer> {
  let text = begun
  const collector = keeper?.collect()
  const take = (): Buffer => {
    const bytes = Buffer.from(text)
    // Cleared first: the buffer may wait long for its client, and must not be in memory twice.
    text = ''
    collector?.add(bytes)
    return bytes
  }
  try {
    for await (const piece of pieces) {
      text += piece
      if (text.length >= WHOLE_CHARACTERS) yield take()
    }
    const last = take()
    const body = collector?.finish()
    if (body) keeper?.keep(body)
    yield last
  } finally {
    collector?.end()
    await pieces.return(undefined)
  }
}
