// Route for `daybook doctor`: proves the instance to holders of its secret; how requests arrive.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerChallenge, isOwnChallenge } from '../actions/access/instance-proof.ts'
import type { Context } from '../context.ts'
import type { SelfCheck } from '../contract/health.ts'
import { Type } from '../contract/json-schema.ts'
import { fail } from '../errors.ts'
import { createNetworkList, FORWARDING_HEADERS, remoteAddressOf } from '../http/guard/peer.ts'
import type { Site } from '../http/site.ts'

const Query = Type.Object({ challenge: Type.Optional(Type.String({ maxLength: 200 })) })

/** Without https too: a proxy that sets no headers is found by what arrives. Strangers get 404, as for no route. */
export function addSelfCheckRoute(app: FastifyInstance, ctx: Context, site: Site): void {
  const isProxyAt = createNetworkList(ctx.config.trustProxy)
  app.get<{ Querystring: { challenge?: string } }>(
    `${site.base}/self-check`,
    { schema: { querystring: Query }, config: { needsHttps: false } },
    async (request) => {
      const { challenge = '' } = request.query
      if (!isOwnChallenge(ctx.secret, challenge, ctx.clock())) fail('route_not_found')
      return { data: { answer: answerChallenge(ctx.secret, challenge), ...describeArrival(request, isProxyAt) } }
    },
  )
}

function describeArrival(request: FastifyRequest, isProxyAt: (address: string) => boolean): Omit<SelfCheck, 'answer'> {
  const address = remoteAddressOf(request.raw.socket)
  return {
    is_secure: request.peer.isSecure,
    is_tls: 'encrypted' in request.raw.socket && request.raw.socket.encrypted === true,
    sender: address,
    is_trusted_proxy: isProxyAt(address),
    forwarding_headers: FORWARDING_HEADERS.filter((name) => request.headers[name] !== undefined),
  }
}
