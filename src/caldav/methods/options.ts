// OPTIONS: allowed methods, without sign-in; the DAV header is on every response. RFC 4791 §5.1.
import type { FastifyReply, FastifyRequest } from 'fastify'

export const createOptionsHandler =
  (allow: string) =>
  async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    reply.code(200).headers({ allow, 'content-length': '0' }).send()
