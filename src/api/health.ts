// Liveness and readiness probes: whether the process runs, and whether it can serve.
import type { FastifyInstance } from 'fastify'
import { checkReadiness } from '../actions/maintenance/readiness.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { ServerState } from '../http/guard/request-guard.ts'

export function addHealthRoutes(app: FastifyInstance, ctx: Context, serverState: ServerState): void {
  const config = { needsHttps: false, isProbe: true }
  app.get('/healthz', { config }, async () => ({ data: { status: 'alive' } }))
  app.get('/readyz', { config }, async () => {
    const readiness = await checkReadiness(ctx, serverState.isDraining)
    if (readiness.status === 'not_ready') throw new AppError('service_unavailable', { details: readiness })
    return { data: readiness }
  })
}
