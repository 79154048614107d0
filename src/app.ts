// Composition root: builds and wires the whole service; the result can listen, be injected, close.
import type { FastifyInstance } from 'fastify'
import { flushUses } from './actions/access/last-used.ts'
import { createRecorder } from './actions/maintenance/diagnostics.ts'
import type { BackupRunner } from './actions/maintenance/scheduled-backup.ts'
import { createScraper } from './actions/maintenance/scrape.ts'
import { addAuthRoutes } from './api/accounts/auth.ts'
import { addCredentialRoutes } from './api/accounts/credentials.ts'
import { addSetupRoutes } from './api/accounts/setup.ts'
import { addUserRoutes } from './api/accounts/users.ts'
import { addAuditRoutes } from './api/admin/audit.ts'
import { addDiagnosticsRoutes } from './api/admin/diagnostics.ts'
import { addAdminHealthRoutes } from './api/admin/health.ts'
import { addRewindRoutes } from './api/admin/rewind.ts'
import { addSettingsRoutes } from './api/admin/settings.ts'
import { addUserAdminRoutes } from './api/admin/users.ts'
import { addCategoryRoutes } from './api/categories/categories.ts'
import { addDocsRoutes } from './api/docs/docs.ts'
import { describeRoutes } from './api/docs/openapi.ts'
import { addEventPages } from './api/event-page/event-page.ts'
import { addBulkRoutes } from './api/events/bulk.ts'
import { addChangeRoutes } from './api/events/changes.ts'
import { addEventRoutes } from './api/events/events.ts'
import { addFreeBusyRoute } from './api/events/free-busy.ts'
import { addHistoryRoutes } from './api/events/history.ts'
import { addOccurrenceRoutes } from './api/events/occurrences.ts'
import { addPublicRoutes } from './api/events/public.ts'
import { addTransferRoutes } from './api/events/transfer.ts'
import { addTrashRoutes } from './api/events/trash.ts'
import { addFeedLinkRoutes } from './api/feeds/feed-links.ts'
import { addFeedRoutes } from './api/feeds/feeds.ts'
import { addHealthRoutes } from './api/health.ts'
import { addMetricsRoute } from './api/metrics.ts'
import { addRedirects } from './api/redirects.ts'
import { addSelfCheckRoute } from './api/self-check.ts'
import { createOpenStreams, STREAM_LIMITS, type StreamLimits } from './api/streams/open-streams.ts'
import { addStreamRoutes } from './api/streams/streams.ts'
import { addWebApp } from './api/web-app.ts'
import { type BootOptions, openContext } from './boot.ts'
import { addCalDav } from './caldav/mount.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { CONNECTION_LIMITS, type ConnectionLimits } from './http/connections/connection-limits.ts'
import { createMetricsServer } from './http/metrics-server.ts'
import { createHttpServer, type RequestListener } from './http/server.ts'
import type { Site } from './http/site.ts'
import { VERSION } from './installation.ts'
import { createBackupJob } from './jobs/backups.ts'
import { createHousekeeping } from './jobs/housekeeping.ts'
import { startMailJob } from './jobs/mail.ts'
import { startServedVersionsJob } from './jobs/served-versions.ts'
import { startSettingsPolling } from './jobs/settings.ts'
import { createMailWorker } from './mail/deliver.ts'

export interface App {
  ctx: Context
  server: FastifyInstance
  /** Handles a request like the server does, for callers without a socket; after `server.ready()`. */
  listener: RequestListener
  site: Site
  /** Every route path. */
  paths(): string[]
  /** The OpenAPI document, as served. */
  openApi(): object
  /** Makes readiness fail and ends kept-alive connections with their next response; requests are still answered. */
  drain(): void
  /** Writes the traces of requests that are still in memory. */
  flushTraces(): Promise<void>
  /** Opens the port of metrics, if there is one, and returns its number. */
  listenForMetrics(): Promise<number | undefined>
  /** Sends the mail that is due now, as the worker does every second; returns how many were sent. */
  deliverMail(): Promise<number>
  close(): Promise<void>
}

/** Tests use shorter timeouts. */
export interface AppOptions extends BootOptions {
  patience?: Partial<ConnectionLimits> | undefined
  streams?: Partial<StreamLimits> | undefined
  /** Instead of `daybook backup` in a process of its own. */
  runBackup?: BackupRunner
}

export async function buildApp(config: Config, options: AppOptions = {}): Promise<App> {
  const ctx = await openContext(config, options)
  const recorder = createRecorder(ctx)
  const http = createHttpServer(ctx, recorder, { ...CONNECTION_LIMITS, ...options.patience })
  const { app: server, site, limits, serverState, paths } = http
  const writeOpenApi = describeRoutes(server, { site, version: VERSION, cookieName: http.cookie.publicName })
  addEventRoutes(server, ctx, http)
  addBulkRoutes(server, ctx, http)
  addOccurrenceRoutes(server, ctx, site)
  addFreeBusyRoute(server, ctx, site)
  addPublicRoutes(server, ctx, site, http)
  addChangeRoutes(server, ctx, http)
  const streams = createOpenStreams(ctx, { ...STREAM_LIMITS, ...options.streams })
  addStreamRoutes(server, ctx, site, streams)
  addFeedRoutes(server, ctx, site, http)
  addUserAdminRoutes(server, ctx, http)
  addDiagnosticsRoutes(server, ctx, site, recorder)
  addAdminHealthRoutes(server, ctx, site)
  addAuditRoutes(server, ctx, site)
  addTransferRoutes(server, ctx, site)
  addCategoryRoutes(server, ctx, site)
  addRewindRoutes(server, ctx, site)
  addTrashRoutes(server, ctx, site)
  addHistoryRoutes(server, ctx, site)
  addSettingsRoutes(server, ctx, http)
  addSetupRoutes(server, ctx, site, limits)
  addUserRoutes(server, ctx, site, limits)
  addAuthRoutes(server, ctx, http)
  addCredentialRoutes(server, ctx, site)
  addFeedLinkRoutes(server, ctx, site)
  addHealthRoutes(server, ctx, serverState)
  addSelfCheckRoute(server, ctx, site)
  const { metricsToken, metricsPort } = config
  const hasMetrics = metricsToken !== '' || metricsPort !== undefined
  const scraper = hasMetrics ? createScraper(ctx, VERSION) : undefined
  if (scraper && metricsToken) addMetricsRoute(server, ctx, scraper)
  const metricsServer = scraper && metricsPort !== undefined ? createMetricsServer(scraper) : undefined
  addDocsRoutes(server, site, writeOpenApi)
  addRedirects(server, site)
  addWebApp(server, ctx, http, VERSION)
  addEventPages(server, ctx, site, http)
  addCalDav(server, ctx, http)
  const housekeeping = createHousekeeping(ctx)
  const backups = createBackupJob(ctx, options.runBackup)
  server.addHook('onListen', async () => {
    housekeeping.start()
    backups.start()
  })
  const settingsPolling = startSettingsPolling(ctx)
  const servedVersions = startServedVersionsJob(ctx)
  const mailWorker = createMailWorker(ctx)
  const mailRounds = startMailJob(mailWorker)
  const drain = (): void => {
    serverState.isDraining = true
    serverState.drainingSince ??= performance.now()
    streams.endAll()
  }
  return {
    ctx,
    server,
    listener: http.handle,
    site,
    paths: paths.list,
    openApi: writeOpenApi,
    drain,
    flushTraces: recorder.flush,
    listenForMetrics: async () => metricsServer?.listen(metricsPort!),
    deliverMail: mailWorker.deliver,
    async close() {
      drain()
      // Connections may take many seconds to close: meanwhile leases and claims are released, and audit entries
      // written.
      const ended = await Promise.allSettled([
        server.close(),
        mailRounds.stop(),
        housekeeping.stop(),
        backups.stop(),
        settingsPolling.stop(),
        streams.stop(),
        recorder.flush(),
        flushUses(ctx),
      ])
      await metricsServer?.close()
      scraper?.stop()
      // The last requests may have added to these.
      await servedVersions.stop()
      await limits.stop()
      await recorder.stop()
      await flushUses(ctx)
      await ctx.storage.close()
      for (const end of ended) if (end.status === 'rejected') throw end.reason
    },
  }
}
