// Answers about many resources at once: short ones in one piece, long ones as they are read. RFC 4918 §13.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { yieldToEventLoop } from '../scheduling/event-loop.ts'
import { XML_TYPE } from './errors.ts'
import { DAV } from './xml/names.ts'
import { closeDocument, openDocument, type Xml } from './xml/write.ts'

/** Up to here an answer is made before it is sent, and what goes wrong meanwhile is answered as such. */
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
    // A long answer is not made in one breath: others are answered in between.
    await yieldToEventLoop()
    length = 0
  }
  yield closeDocument(DAV, 'multistatus')
}

/** In buffers of some size: each costs a write. Whoever goes away in between ends the reading too. */
async function* rest(begun: string, pieces: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  let text = begun
  try {
    for await (const piece of pieces) {
      text += piece
      if (text.length < WHOLE_CHARACTERS) continue
      const bytes = Buffer.from(text)
      // It may wait for its client for long, and is not to be kept twice.
      text = ''
      yield bytes
    }
    yield Buffer.from(text)
  } finally {
    await pieces.return(undefined)
  }
}
