// OPTIONS: what can be done at an address, and which parts of WebDAV there are. Anyone may ask. RFC 4918 §10.1, RFC 4791 §5.1.
import type { FastifyReply, FastifyRequest } from 'fastify'

/** No locks, hence no class 2. Access control can be read, and calendars cannot be made. */
const CLASSES = '1, 3, access-control, calendar-access'

export const answerOptions =
  (allow: string) =>
  async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    reply.code(200).headers({ dav: CLASSES, allow, 'content-length': '0' }).send()
