// Multistatus responses: short ones are sent whole, long ones streamed. RFC 4918 §13.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { yieldToEventLoop } from '../scheduling/event-loop.ts'
import { XML_TYPE } from './errors.ts'
import { DAV } from './xml/names.ts'
import { closeDocument, openDocument, type Xml } from './xml/write.ts'

/** Up to this length a response is built before it is sent, so that a failure can still be answered as an error. */
const WHOLE_CHARACTERS = 65_536

export async function sendMultistatus(
  reply: FastifyReply,
  parts: AsyncIterable<Xml> | Iterable<Xml>,
): Promise<FastifyReply> {
  reply.code(207).type(XML_TYPE)
  const pieces = documentOf(parts)
  let begun = ''
  for (;;) {
    const { value, done } = await pieces.next()
    if (done) return reply.send(begun)
    begun += value
    if (begun.length >= WHOLE_CHARACTERS) break
  }
  return reply.send(Readable.from(rest(begun, pieces), { objectMode: false }))
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
async function* rest(begun: string, pieces: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  let text = begun
  try {
    for await (const piece of pieces) {
      text += piece
      if (text.length < WHOLE_CHARACTERS) continue
      const bytes = Buffer.from(text)
      // Cleared first: the buffer may wait long for its client, and must not be in memory twice.
      text = ''
      yield bytes
    }
    yield Buffer.from(text)
  } finally {
    await pieces.return(undefined)
  }
}
