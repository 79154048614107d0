// Multistatus responses: short ones are sent whole, long ones streamed. RFC 4918 §13.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { yieldToEventLoop } from '../scheduling/event-loop.ts'
import { XML_TYPE } from './errors.ts'
import { DAV } from './xml/names.ts'
import { closeDocument, openDocument, type Xml } from './xml/write.ts'

/** Up to this length a response is built before it is sent, so that a failure can still be answered as an error. */
const WHOLE_CHARACTERS = 524_288
/** Of the parts that follow, each of which may wait for a slow client. */
const PART_CHARACTERS = 65_536

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

/** A text is sent whole, whatever its length. */
export type MultistatusParts = AsyncIterable<Xml> | Iterable<Xml> | Xml

export async function sendMultistatus(
  reply: FastifyReply,
  parts: MultistatusParts,
  keeper?: ResponseKeeper,
): Promise<FastifyReply> {
  reply.code(207).type(XML_TYPE)
  if (typeof parts === 'string') {
    const bytes = Buffer.from(openDocument(DAV, 'multistatus') + parts + closeDocument(DAV, 'multistatus'))
    keeper?.keep(bytes)
    return reply.send(bytes)
  }
  const document = openParts(parts)
  const begun = await document.take()
  if (!begun.isLast) return reply.send(Readable.from(rest([begun.bytes], document, keeper), { objectMode: false }))
  keeper?.keep(begun.bytes)
  return reply.send(begun.bytes)
}

/** The document in buffers of some length. */
interface DocumentParts {
  take(): Promise<{ bytes: Buffer; isLast: boolean }>
  /** If the client disconnects, reading ends too. */
  end(): Promise<void>
}

/**
 * No generator: one that waits for its consumer keeps the part that it has given last, which may be ten megabytes, for
 * as long as a slow client takes.
 */
function openParts(parts: AsyncIterable<Xml> | Iterable<Xml>): DocumentParts {
  const iterator = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]()
  let begin: string = openDocument(DAV, 'multistatus')
  return {
    async take() {
      let text = begin
      const length = begin === '' ? PART_CHARACTERS : WHOLE_CHARACTERS
      begin = ''
      while (text.length < length) {
        const { value, done } = await iterator.next()
        if (done) return { bytes: Buffer.from(text + closeDocument(DAV, 'multistatus')), isLast: true }
        text += value
      }
      // Yields to the event loop during long responses, so that other requests are answered in between.
      await yieldToEventLoop()
      return { bytes: Buffer.from(text), isLast: false }
    },
    async end() {
      await iterator.return?.()
    },
  }
}

/** `begun` is emptied: an argument is kept as long as the generator. */
async function* rest(
  begun: Buffer[],
  document: DocumentParts,
  keeper: ResponseKeeper | undefined,
): AsyncGenerator<Buffer> {
  const collector = keeper?.collect()
  try {
    for (const first of begun) collector?.add(first)
    yield begun.pop()!
    for (;;) {
      const { bytes, isLast } = await document.take()
      collector?.add(bytes)
      const body = isLast ? collector?.finish() : undefined
      if (body) keeper?.keep(body)
      yield bytes
      if (isLast) return
    }
  } finally {
    collector?.end()
    await document.end()
  }
}
