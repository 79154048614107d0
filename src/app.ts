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
import { closeMethods } from './http/methods.ts'
import { makeServer } from './http/server.ts'
import type { Site } from './http/site.ts'
import { startJobs } from './jobs/run.ts'

export interface App {
  ctx: Context
  server: FastifyInstance
  site: Site
  /** The API described, as served. */
  openApi(): object
  close(): Promise<void>
}

export const VERSION: string = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')).version

export async function buildApp(config: Config, options: BootOptions = {}): Promise<App> {
  const ctx = await openContext(config, options)
  const { app: server, site, limits } = makeServer(ctx)
  const writeOpenApi = describeRoutes(server, site, VERSION)
  addEventRoutes(server, ctx, site)
  addOccurrenceRoutes(server, ctx, site)
  addSetupRoutes(server, ctx, site, limits)
  addHealthRoutes(server, ctx)
  addDocsRoutes(server, site, writeOpenApi)
  addRedirects(server, site)
  closeMethods(server)
  const jobs = startJobs(ctx)
  return {
    ctx,
    server,
    site,
    openApi: writeOpenApi,
    async close() {
      await server.close()
      await jobs.stop()
      await ctx.storage.close()
    },
  }
}
