// PUT: stores a calendar object if its preconditions hold. RFC 4791 §5.3.2 and §5.3.4.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { findHead, findObject } from '../../actions/caldav-objects/objects.ts'
import { putObject } from '../../actions/caldav-objects/put-object.ts'
import { recordObjects } from '../../actions/caldav-objects/served-versions.ts'
import type { Precondition } from '../../domain/precondition.ts'
import { fail } from '../../errors.ts'
import { withConflictHref } from '../errors.ts'
import { CONTENT_TYPE } from '../properties/core.ts'
import {
  type DavRequest,
  readPreferences,
  readTags,
  refuseUnknownConditions,
  setPreferenceApplied,
} from '../request.ts'
import type { DavContext } from '../resources.ts'
import { whenReceived } from '../when-received.ts'

export async function putCalendarObject({ context, target, request, reply }: DavRequest): Promise<FastifyReply> {
  const { ctx, viewer, paths, caller } = context
  const name = target.kind === 'object' ? target.name : fail('route_not_found')
  if (request.headers['content-range'] !== undefined) fail('invalid_header')
  const text = typeof request.body === 'string' ? request.body : ''
  const expected = await readPutPrecondition(context, request, name)
  const { head, isNew } = await withConflictHref(paths, putObject(ctx, viewer, name, text, expected, caller))
  reply.code(isNew ? 201 : 204)
  if (isNew) reply.header('location', paths.object(name))
  const { wantsResult } = readPreferences(request)
  const kept = wantsResult && head ? await findObject(ctx, viewer, name, { caller, isContinued: true }) : undefined
  // Another client may have changed it since; then only the ETag of the stored version is returned.
  const isShown = kept !== undefined && kept.etag === head?.etag
  // RFC 4791 §5.3.4: no ETag if the stored text differs from the sent one, so that the client reads it again.
  if (head && (isShown || !request.isBodyUnfolded)) {
    reply.header('etag', head.etag)
    whenReceived(ctx, reply, () => recordObjects(ctx, viewer, [head]))
  }
  setPreferenceApplied(reply, { 'return=representation': isShown })
  if (!isShown) return reply.send()
  return reply
    .code(isNew ? 201 : 200)
    .type(CONTENT_TYPE)
    .send(Buffer.from(kept.text))
}

async function readPutPrecondition(context: DavContext, request: FastifyRequest, name: string): Promise<Precondition> {
  refuseUnknownConditions(request)
  const known = readTags(request.headers['if-none-match'])
  const isNewAsked = known?.includes('*')
  if (known && !isNewAsked) {
    const head = await findHead(context.ctx, context.viewer, name, false)
    if (head && known.includes(head.etag)) fail('version_mismatch')
  }
  return { etags: readTags(request.headers['if-match']), mustBeNew: isNewAsked }
}
