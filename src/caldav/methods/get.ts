// GET and HEAD of one event or series as sent; conditional requests by ETag. RFC 4791 §5.3.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { findHead, findObject, type ObjectHead } from '../../actions/caldav-objects/objects.ts'
import { fail } from '../../errors.ts'
import { isNotModified } from '../../http/responses/conditional.ts'
import { CONTENT_TYPE } from '../properties/core.ts'
import type { DavRequest } from '../request.ts'

/** For HEAD, and if the ETag decides, the text is not read. */
export async function getObject({ context, place, request, reply }: DavRequest): Promise<FastifyReply> {
  const { ctx, viewer, caller } = context
  const name = place.kind === 'object' ? place.name : fail('route_not_found')
  const known = request.headers['if-none-match']
  const isHead = request.method === 'HEAD'
  const requireHead = async (isSized: boolean): Promise<ObjectHead> =>
    (await findHead(ctx, viewer, name, isSized, caller)) ?? fail('event_not_found')
  if (known !== undefined) {
    const head = await requireHead(false)
    if (isNotModified(known, head.etag)) return tagged(reply, head).code(304).send()
  }
  if (isHead) {
    const head = await requireHead(true)
    // Fastify counts a missing body as empty, and leaves the Content-Length of a stream unchanged.
    return tagged(reply, head).type(CONTENT_TYPE).header('content-length', head.size).send(Readable.from([]))
  }
  const object = (await findObject(ctx, viewer, name, { caller })) ?? fail('event_not_found')
  return tagged(reply, object).type(CONTENT_TYPE).send(Buffer.from(object.text))
}

const tagged = (reply: FastifyReply, { etag, updatedAt }: ObjectHead): FastifyReply =>
  reply.headers({ etag, 'last-modified': new Date(updatedAt).toUTCString() })
