// GET /metrics for a Prometheus server that sends the metrics token.
import type { FastifyInstance } from 'fastify'
import { isMetricsToken, type Scraper } from '../actions/maintenance/scrape.ts'
import type { Context } from '../context.ts'
import { failUnauthorized } from '../http/guard/viewer.ts'
import { EXPOSITION_TYPE } from '../ops/exposition.ts'

export function addMetricsRoute(app: FastifyInstance, ctx: Context, scraper: Scraper): void {
  app.get('/metrics', { config: { carriesSecrets: true } }, async ({ headers }, reply) => {
    if (!isMetricsToken(ctx, headers.authorization)) failUnauthorized('invalid_credentials')
    return reply
      .header('cache-control', 'no-store')
      .type(EXPOSITION_TYPE)
      .send(await scraper.scrape())
  })
}
