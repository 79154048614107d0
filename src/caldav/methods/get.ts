// GET and HEAD of one event or series as sent; conditional requests by ETag. RFC 4791 §5.3.
import type { FastifyReply } from 'fastify'
import { findHead, findObject, type ObjectHead } from '../../actions/caldav-objects/objects.ts'
import { isNewToClient, recordObjects } from '../../actions/caldav-objects/served-versions.ts'
import { fail } from '../../errors.ts'
import { isNotModified } from '../../http/responses/conditional.ts'
import { sendConditional } from '../../http/responses/conditional-response.ts'
import { CONTENT_TYPE } from '../properties/core.ts'
import type { DavRequest } from '../request.ts'
import { whenReceived } from '../when-received.ts'

/** For HEAD, and if the ETag decides, the text is not read. */
export async function getObject({ context, target, request, reply }: DavRequest): Promise<FastifyReply> {
  const { ctx, viewer, caller, sendText } = context
  const name = target.kind === 'object' ? target.name : fail('route_not_found')
  const isHead = request.method === 'HEAD'
  const head = async (isSized: boolean): Promise<ObjectHead> =>
    (await findHead(ctx, viewer, name, isSized, caller)) ?? fail('event_not_found')
  const send = ({ etag, revision, updatedAt, size = 0 }: ObjectHead, body?: Buffer): Promise<FastifyReply> => {
    const headers = { 'last-modified': new Date(updatedAt).toUTCString() }
    const response = { etag, length: body?.length ?? size, headers, contentHeaders: { 'content-type': CONTENT_TYPE } }
    if (body) return sendText(request, reply, response, body, { name, revision })
    return sendConditional(request, reply, response, () => undefined)
  }
  const recordOnce = ({ revision }: ObjectHead): void => {
    const version = { name, revision }
    if (isNewToClient(ctx, viewer, version)) whenReceived(ctx, reply, () => recordObjects(ctx, viewer, [version]))
  }
  const known = request.headers['if-none-match']
  if (known !== undefined) {
    const found = await head(false)
    if (isNotModified(known, found.etag)) {
      // The client has the text of the ETag that it names; `*` names none.
      if (!isHead && known.trim() !== '*') recordOnce(found)
      return send(found)
    }
  }
  if (isHead) return send(await head(true))
  const object = (await findObject(ctx, viewer, name, { caller })) ?? fail('event_not_found')
  recordOnce(object)
  return send(object, Buffer.from(object.text))
}
