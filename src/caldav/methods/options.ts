// OPTIONS: allowed methods and DAV classes, without sign-in. RFC 4918 §10.1, RFC 4791 §5.1.
import type { FastifyReply, FastifyRequest } from 'fastify'

/** No locks, hence no class 2. Access control is read-only, and calendars cannot be created. */
const CLASSES = '1, 3, access-control, calendar-access'

export const createOptionsHandler =
  (allow: string) =>
  async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    reply.code(200).headers({ dav: CLASSES, allow, 'content-length': '0' }).send()
