// GET and HEAD: one event or series, as it was sent. RFC 4791 §5.3.
import type { FastifyReply } from 'fastify'
import { findObject } from '../../actions/objects.ts'
import { fail } from '../../errors.ts'
import { isNotModified } from '../../http/conditional.ts'
import { CONTENT_TYPE } from '../properties/core.ts'
import type { Asking } from '../request.ts'

export async function getObject({ scene, place, request, reply }: Asking): Promise<FastifyReply> {
  const name = place.kind === 'object' ? place.name : fail('route_not_found')
  const object = (await findObject(scene.ctx, scene.person, name)) ?? fail('event_not_found')
  reply.headers({ etag: object.etag, 'last-modified': new Date(object.updatedAt).toUTCString() })
  if (isNotModified(request.headers['if-none-match'], object.etag)) return reply.code(304).send()
  return reply.type(CONTENT_TYPE).send(Buffer.from(object.text))
}
