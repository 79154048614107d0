// `daybook start`: runs the service until it is stopped.
import { flushCompileCache } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { findTransportProblem } from '../actions/access/transport-problem.ts'
import type { App } from '../app.ts'
import { type Config, loadConfig } from '../config.ts'
import { readVariable } from '../environment.ts'
import { COMMAND, START_COMMAND } from '../installation.ts'
import { acceptWaiting } from '../scheduling/event-loop.ts'
import { checkTls } from './check-tls.ts'
import { type Command, writeLine } from './command.ts'
import { explainOpening } from './explain.ts'
import type { ServiceManager } from './service-manager.ts'
import { watchTlsFiles } from './watch-tls.ts'

export const start: Command = {
  usage: `Usage: daybook start

Runs the service until it is stopped (Ctrl+C). The first start creates the database.
Settings come from the environment (DAYBOOK_PORT=9000) or from daybook.json;
docs/settings.md lists them.`,
  options: {},
  async act() {
    const config = loadConfig()
    if (config.tls) checkTls(config.tls)
    // Loading the service takes longer than finding a mistake in its settings.
    const { buildApp } = await import('../app.ts')
    const app = await buildApp(config).catch((error) => Promise.reject(explainOpening(error, config)))
    try {
      await app.server.listen({ host: config.host, port: config.port })
    } catch (error) {
      await app.close()
      throw describeListenError(error, config.port, 'DAYBOOK_PORT=8081')
    }
    const metricsPort = await app.listenForMetrics().catch(async (error) => {
      await app.close()
      throw describeListenError(error, config.metricsPort!, 'DAYBOOK_METRICS_PORT=9465')
    })
    const manager = await findServiceManager(app)
    endOnSignals(app, () => manager?.reportStopping())
    if (config.tls) watchTlsFiles(app, config.tls)
    await greet(app, metricsPort)
    setTimeout(flushCompileCache, CACHE_AFTER_MS).unref()
  },
}

/** Node writes its cache of compiled code at exit, which a killed service does not reach. By then the start is over. */
const CACHE_AFTER_MS = 1_000

/** Loaded where systemd, or a program with its protocol, has started the service with `Type=notify`. */
async function findServiceManager(app: App): Promise<ServiceManager | undefined> {
  if (!readVariable('NOTIFY_SOCKET')) return undefined
  return (await import('./service-manager.ts')).reportToServiceManager(app)
}

async function greet(app: App, metricsPort: number | undefined): Promise<void> {
  const { config } = app.ctx
  const here = addressOf(app, config)
  writeLine(`\n  ${config.siteName} is running at ${here}${app.site.root}/`)
  writeLine(`  API          ${here}${app.site.base}`)
  writeLine(`  API manual   ${here}${app.site.base}/docs`)
  writeLine(`  Data         ${config.databaseUrl ? 'PostgreSQL' : config.dataDir}`)
  if (metricsPort !== undefined) writeLine(`  Metrics      http://127.0.0.1:${metricsPort}/metrics`)
  for (const warning of warningsOf(config)) writeLine(`  Warning      ${warning}`)
  const { offerSetupCode } = await import('../actions/accounts/accounts.ts')
  const code = await offerSetupCode(app.ctx)
  const outside = config.origins.public_url === 'default' ? here : app.site.origin
  if (code) printSetupLink(`${outside}${app.site.root}/setup#code=${code}`)
  writeLine('\n  Stop with Ctrl+C.\n')
}

/** The address it really listens on; with port 0 only the socket knows the port. */
function addressOf(app: App, config: Config): string {
  const bound = app.server.addresses()[0]
  const { port, address } = typeof bound === 'object' ? bound : { port: config.port, address: config.host }
  // A wildcard address cannot be opened; this machine is one of them.
  const isEverywhere = address === '0.0.0.0' || address === '::'
  const host = isEverywhere ? 'localhost' : config.host.includes(':') ? `[${config.host}]` : config.host
  return `${config.tls ? 'https' : 'http'}://${host}:${port}`
}

function printSetupLink(link: string): void {
  writeLine(`
  There is no administrator yet. Open this link in a browser to become one; it works once:

  Set up: ${link}

  Or here in a terminal: ${COMMAND} admin create --email you@example.org`)
}

function warningsOf(config: Config): string[] {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(config.publicUrl.hostname)
  const problem = findTransportProblem(config)
  return [
    ...(problem ? [problem.message] : []),
    ...(config.rateLimits ? [] : ['rate limits are off: for load tests only']),
    ...(config.publicUrl.protocol === 'http:' && !isLocal
      ? ['public_url is plain http: signing in is refused except on this machine']
      : []),
  ]
}

function describeListenError(error: unknown, port: number, another: string): Error {
  const code = (error as { code?: string }).code
  if (code === 'EADDRINUSE')
    return new Error(`port ${port} is already in use. Choose another: ${another} ${START_COMMAND}`)
  if (code === 'EACCES') return new Error(`this user is not allowed to use port ${port}`)
  return error as Error
}

/** Long enough for requests sent before the signal to arrive and be answered. */
const DRAIN_MS = 300
const LONGEST_END_MS = 25_000
const SAME_SIGNAL_MS = 1_000

/** Requests in progress are finished; a second signal, or too long a wait, ends the process at once. */
function endOnSignals(app: App, onEnd: () => void): void {
  let endingSince = 0
  const end = async (): Promise<void> => {
    // Ctrl+C reaches the whole process group, and the launcher forwards it once more: both count as one signal.
    if (endingSince > 0 && performance.now() - endingSince < SAME_SIGNAL_MS) return
    if (endingSince > 0) process.exit(1)
    endingSince = performance.now()
    setTimeout(() => process.exit(1), LONGEST_END_MS).unref()
    app.drain()
    onEnd()
    await delay(DRAIN_MS)
    await acceptWaiting()
    await app.close().catch(() => process.exit(1))
    process.exit(0)
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  // The reader of standard output may be gone; the service keeps running.
  process.stdout.on('error', () => {})
  // The same for the log: its collector may be restarted while the service runs.
  process.stderr.on('error', () => {})
  // After an unexpected error the process logs its kind and exits, so that a supervisor restarts it.
  for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(kind, (error: unknown) => {
      app.ctx.log.error(kind, {
        error: error instanceof Error ? `${error.name} ${error.stack?.split('\n')[1]?.trim() ?? ''}` : typeof error,
      })
      process.exit(1)
    })
  }
}
