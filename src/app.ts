// The one place where everything is built and wired; what it returns can be listened to, injected into, and closed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { addDocsRoutes } from './api/docs.ts'
import { addEventRoutes } from './api/events.ts'
import { addHealthRoutes } from './api/health.ts'
import { addOccurrenceRoutes } from './api/occurrences.ts'
import { describeRoutes } from './api/openapi.ts'
import { addRedirects } from './api/redirects.ts'
import { addSetupRoutes } from './api/setup.ts'
import { type BootOptions, openContext } from './boot.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { makeServer } from './http/server.ts'
import type { Site } from './http/site.ts'
import { startJobs } from './jobs/run.ts'

export interface App {
  ctx: Context
  server: FastifyInstance
  site: Site
  /** Every address there is. */
  paths(): string[]
  /** The API described, as served. */
  openApi(): object
  /** Tells balancers and kept connections to go elsewhere, while requests are still answered. */
  drain(): void
  close(): Promise<void>
}

export const VERSION: string = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')).version

export async function buildApp(config: Config, options: BootOptions = {}): Promise<App> {
  const ctx = await openContext(config, options)
  const { app: server, site, limits, life, paths } = makeServer(ctx)
  const writeOpenApi = describeRoutes(server, site, VERSION)
  addEventRoutes(server, ctx, site)
  addOccurrenceRoutes(server, ctx, site)
  addSetupRoutes(server, ctx, site, limits)
  addHealthRoutes(server, ctx, life)
  addDocsRoutes(server, site, writeOpenApi)
  addRedirects(server, site)
  paths.close()
  const jobs = startJobs(ctx)
  return {
    ctx,
    server,
    site,
    paths: paths.list,
    openApi: writeOpenApi,
    drain() {
      life.isDraining = true
    },
    async close() {
      await server.close()
      await jobs.stop()
      await ctx.storage.close()
    },
  }
}
