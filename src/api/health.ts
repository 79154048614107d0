// Whether the process lives, and whether it can work.
import type { FastifyInstance } from 'fastify'
import { isReady } from '../actions/state.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { Life } from '../http/checks.ts'

export function addHealthRoutes(app: FastifyInstance, ctx: Context, life: Life): void {
  app.get('/healthz', { config: { needsHttps: false } }, async () => ({ data: { status: 'alive' } }))
  app.get('/readyz', { config: { needsHttps: false } }, async () => {
    if (life.isDraining || !(await isReady(ctx))) throw new AppError('service_unavailable')
    return { data: { status: 'ready' } }
  })
}
