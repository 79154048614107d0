// Liveness and readiness: whether the process runs, and whether it can serve.
import type { FastifyInstance } from 'fastify'
import { checkReadiness } from '../actions/readiness.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { Life } from '../http/checks.ts'

export function addHealthRoutes(app: FastifyInstance, ctx: Context, life: Life): void {
  app.get('/healthz', { config: { needsHttps: false } }, async () => ({ data: { status: 'alive' } }))
  app.get('/readyz', { config: { needsHttps: false } }, async () => {
    const readiness = await checkReadiness(ctx, life.isDraining)
    if (readiness.status === 'not_ready') throw new AppError('service_unavailable', { details: readiness })
    return { data: readiness }
  })
}
