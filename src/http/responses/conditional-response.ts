// Sends conditional responses: 304 by ETag, HEAD, Content-Length, and the negotiated encoding.
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkKey } from '../../rate-limits/request-hooks.ts'
import type { Encoding } from './encoding.ts'
import type { SentResponse } from './fast-path.ts'
import { addHeaders } from './headers.ts'
import { negotiate } from './negotiate.ts'
import type { ResponseWriter } from './response-writer.ts'

/** What is known of a response before its body is needed. */
export interface Representation {
  etag: string
  /** Bytes of the body before encoding. */
  length: number
  /** True if the body is also sent compressed. Then the ETag names the encoding, and the response varies by it. */
  isEncoded?: boolean
  /** A longer body is not compressed; its response still varies by encoding. */
  maxEncodedBytes?: number
  /** Headers of 200 and 304: Cache-Control, Vary and others that caches store. */
  headers: Record<string, string>
  /** Headers of 200 only: Content-Type and others that describe the body. */
  contentHeaders: Record<string, string>
}

/** The body in the encoding that was negotiated; undefined if there is none for HEAD. */
type BodyReader = (encoding: Encoding | undefined) => Buffer | Promise<Buffer> | undefined

interface SelectedForm {
  isKnown: boolean
  encoding: Encoding | undefined
  headers: Record<string, string>
}

function selectForm({ method, headers }: FastifyRequest, response: Representation): SelectedForm {
  const { etag, length, isEncoded = false, maxEncodedBytes } = response
  const isRead = method === 'GET' || method === 'HEAD'
  const asked = {
    'if-none-match': isRead ? headers['if-none-match'] : undefined,
    'accept-encoding': isEncoded ? headers['accept-encoding'] : undefined,
  }
  const { knownTag, ownTag, encoding } = negotiate(asked, { etag, bytes: length, maxEncodedBytes })
  const { vary: others } = response.headers
  const vary = [isEncoded && 'Accept-Encoding', others].filter(Boolean).join(', ')
  const tagged = { ...response.headers, ...(vary && { vary }) }
  if (knownTag !== undefined) return { isKnown: true, encoding, headers: { ...tagged, etag: knownTag } }
  const coding = encoding && { 'content-encoding': encoding }
  return { isKnown: false, encoding, headers: { ...tagged, etag: ownTag, ...response.contentHeaders, ...coding } }
}

/** Sends through Fastify, so its `onSend` hooks check the reader again and count long bodies. */
export async function sendConditional(
  request: FastifyRequest,
  reply: FastifyReply,
  response: Representation,
  readBody: BodyReader,
  status = 200,
): Promise<FastifyReply> {
  const { isKnown, encoding, headers } = selectForm(request, response)
  addHeaders(reply, headers)
  if (isKnown) return reply.code(304).send()
  const body = await readBody(encoding)
  if (body) return reply.code(status).send(body)
  // Fastify counts a missing body as empty, and leaves the Content-Length of a stream unchanged.
  return reply.code(status).header('content-length', response.length).send(Readable.from([]))
}

/** Sends directly to the socket, without the hooks of Fastify, and returns what was sent. */
export async function writeConditional(
  request: FastifyRequest,
  reply: FastifyReply,
  response: Representation,
  writer: ResponseWriter,
  readBody: BodyReader,
): Promise<SentResponse> {
  const { isKnown, encoding, headers } = selectForm(request, response)
  if (isKnown) return endWith(request, reply, 304, headers, undefined, writer)
  const made = readBody(encoding)
  const bytes = made instanceof Promise ? await made : made
  const length = { 'content-length': `${bytes?.length ?? response.length}` }
  return endWith(request, reply, 200, { ...headers, ...length }, request.method === 'HEAD' ? undefined : bytes, writer)
}

/** Sends 304 if the client has the response, whose body need not be built for that; otherwise undefined. */
export function writeNotModified(
  request: FastifyRequest,
  reply: FastifyReply,
  response: Representation,
  writer: ResponseWriter,
): SentResponse | undefined {
  const { isKnown, headers } = selectForm(request, response)
  return isKnown ? endWith(request, reply, 304, headers, undefined, writer) : undefined
}

function endWith(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  headers: Record<string, string>,
  bytes: Buffer | undefined,
  writer: ResponseWriter,
): SentResponse {
  addHeaders(reply.code(status), headers)
  const all = reply.getHeaders() as OutgoingHttpHeaders
  reply.hijack()
  writer.send(reply.raw, networkKey(request), status, all, bytes)
  return { status, headers: all, bytes }
}
