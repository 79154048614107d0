// DELETE: deletes an event or series; synchronising clients see it as a tombstone.
import type { FastifyReply } from 'fastify'
import { deleteObject } from '../../actions/caldav-objects/put-object.ts'
import { fail } from '../../errors.ts'
import { type DavRequest, readTags, refuseUnknownConditions } from '../request.ts'

export async function deleteCalendarObject({ context, target, request, reply }: DavRequest): Promise<FastifyReply> {
  const name = target.kind === 'object' ? target.name : fail('route_not_found')
  refuseUnknownConditions(request)
  await deleteObject(context.ctx, context.viewer, name, readTags(request.headers['if-match']), context.caller)
  return reply.code(204).send()
}
