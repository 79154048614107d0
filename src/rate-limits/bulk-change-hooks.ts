// Fastify hooks that slow down very many changes: count each, and name the limit in its response.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../domain/privacy/viewer.ts'
import type { RequestLimits } from './request-limits.ts'

/** After all other checks; what changed nothing, or only created an event, is not counted. */
export function slowBulkChanges(app: FastifyInstance, limits: RequestLimits): void {
  const admitted = new WeakSet<FastifyRequest>()
  app.addHook('preHandler', async (request) => {
    const { viewer, routeOptions } = request
    if (!routeOptions.config.changesEvents || viewer.kind !== 'account' || createsOnly(request)) return
    await limits.admitChange(viewer)
    admitted.add(request)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (admitted.has(request) && isChange(reply)) addChangeLimit(reply, limits, request.viewer)
    return payload
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (admitted.has(request) && !isChange(reply) && request.viewer.kind === 'account')
      limits.refundChange(request.viewer)
    done()
  })
}

const isChange = ({ statusCode }: FastifyReply): boolean => statusCode >= 200 && statusCode < 300 && statusCode !== 201

/** Only CalDAV has this condition; other routes ignore it. */
const createsOnly = ({ method, headers, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.isDav === true && method === 'PUT' && headers['if-none-match'] === '*'

/** Names the limit of changes besides those that the response names already. */
export function addChangeLimit(reply: FastifyReply, limits: RequestLimits, viewer: Viewer): void {
  const added = viewer.kind === 'account' ? limits.changeFields(viewer) : undefined
  for (const [name, value] of Object.entries(added ?? {})) {
    const before = reply.getHeader(name)
    reply.header(name, before === undefined ? value : `${before}, ${value}`)
  }
}
