// Metrics of this node in Prometheus text format: its counters, its process, the calendar's totals.
import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Context } from '../../context.ts'
import { createExposition, type Exposition, type Sample } from '../../ops/exposition.ts'
import type { Metrics, WatchedCache } from '../../ops/metrics.ts'
import { hashSecret, isSameSecret } from '../../secrets.ts'
import type { PoolMetrics } from '../../storage/engine/pool-metrics.ts'
import { type CalendarTotals, createTotalsReader } from './calendar-totals.ts'

export interface Scraper {
  scrape(): Promise<string>
  stop(): void
}

const LAG_RESOLUTION_MS = 20

export function createScraper(ctx: Context, version: string): Scraper {
  const readTotals = createTotalsReader(ctx)
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  lag.enable()
  return {
    async scrape() {
      const totals = await readTotals()
      const out = createExposition()
      addRequests(out, ctx.metrics)
      addCaches(out, ctx.metrics)
      addStreams(out, ctx.metrics)
      addDatabase(out, ctx.storage.pools, totals)
      addTotals(out, totals)
      addProcess(out, ctx, version)
      addEventLoop(out, lag, performance.eventLoopUtilization())
      return out.text()
    },
    stop: () => void lag.disable(),
  }
}

const BEARER = /^bearer +([\x21-\x7e]{1,500}) *$/i

/** Hashes have one length, so the time of the comparison says nothing about the token. */
export function isMetricsToken({ config }: Context, authorization: string | undefined): boolean {
  const sent = BEARER.exec(authorization ?? '')?.[1]
  return sent !== undefined && isSameSecret(hashSecret(sent), hashSecret(config.metricsToken))
}

function addRequests(out: Exposition, { requests, refusals }: Metrics): void {
  const series = requests.list().flatMap((route) => [...route.list()].map((of) => ({ route: route.route, ...of })))
  out.counter(
    'daybook_http_requests_total',
    'Answered requests.',
    series.flatMap(({ route, method, statuses }) =>
      statuses.map(([status, count]): Sample => [{ route, method, status }, count]),
    ),
  )
  out.histogram(
    'daybook_http_request_duration_seconds',
    'Time from the headers of a request to the end of its response.',
    series.map(({ route, method, durations }) => [{ route, method }, durations]),
  )
  out.counter(
    'daybook_rate_limit_refusals_total',
    'Requests refused by a limit.',
    [...refusals].map(([policy, count]): Sample => [{ policy }, count]),
  )
}

function addCaches(out: Exposition, { caches }: Metrics): void {
  const each = (read: (cache: WatchedCache) => number): Sample[] =>
    [...caches].map(([cache, of]) => [{ cache }, read(of)])
  out.counter(
    'daybook_cache_hits_total',
    'Responses or parts that came from a cache.',
    each(({ counts }) => counts.hits),
  )
  out.counter(
    'daybook_cache_misses_total',
    'Responses or parts that were built.',
    each(({ counts }) => counts.misses),
  )
  out.gauge(
    'daybook_cache_bytes',
    'Bytes in a cache.',
    each((cache) => cache.bytes()),
  )
}

function addStreams(out: Exposition, { streams }: Metrics): void {
  out.gauge(
    'daybook_open_streams',
    'Open change streams.',
    streams().map(([sight, count]): Sample => [{ sight }, count]),
  )
}

function addDatabase(out: Exposition, pools: readonly PoolMetrics[], { isUp }: CalendarTotals): void {
  const each = (read: (pool: PoolMetrics) => number): Sample[] => pools.map((pool) => [{ pool: pool.name }, read(pool)])
  out.gauge('daybook_database_up', 'Whether the database answered.', isUp ? 1 : 0)
  out.gauge(
    'daybook_database_connections',
    'Connections that may be open.',
    each(({ size }) => size),
  )
  out.gauge(
    'daybook_database_connections_in_use',
    'Connections in use.',
    each((pool) => pool.usage().inUse),
  )
  out.gauge(
    'daybook_database_waiting',
    'Transactions and reads that wait for a connection.',
    each((pool) => pool.usage().waiting),
  )
  out.histogram(
    'daybook_database_wait_seconds',
    'Time waited for a connection.',
    pools.map(({ name, waits }) => [{ pool: name }, waits]),
  )
  out.histogram(
    'daybook_database_statement_seconds',
    'Time of a statement.',
    pools.map(({ name, statements }) => [{ pool: name }, statements]),
  )
}

function addTotals(out: Exposition, { accounts, mail, sizes, backup }: CalendarTotals): void {
  out.gauge('daybook_events', 'Stored events and series.', sizes?.events)
  out.gauge('daybook_occurrences', 'Occurrences in the index.', sizes?.occurrences)
  out.gauge(
    'daybook_accounts',
    'Accounts by approval state.',
    Object.entries(accounts ?? {}).map(([state, count]): Sample => [{ state }, count]),
  )
  out.gauge('daybook_outbox_waiting', 'Mails that are not sent yet.', mail?.waiting)
  out.gauge('daybook_outbox_oldest_seconds', 'Age of the oldest of them; 0 if there is none.', mail?.oldestSeconds)
  const lastBackup = backup && (backup.succeededAt ?? 0) / 1_000
  out.gauge(
    'daybook_last_backup_timestamp_seconds',
    'Time of the last scheduled backup; 0 if there is none.',
    lastBackup,
  )
  out.gauge(
    'daybook_backup_failing',
    '1 if the last scheduled backup failed.',
    backup && Number(backup.status === 'failing'),
  )
}

function addProcess(out: Exposition, { config, storage }: Context, version: string): void {
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
  const kinds = { rss, heap_used: heapUsed, heap_total: heapTotal, external, array_buffers: arrayBuffers }
  out.gauge(
    'daybook_memory_bytes',
    'Memory of the process; external contains array_buffers.',
    Object.entries(kinds).map(([kind, bytes]): Sample => [{ kind }, bytes]),
  )
  out.gauge('daybook_memory_limit_bytes', 'The setting memory_limit.', config.memoryLimitMib * 1_024 * 1_024)
  const { user, system } = process.cpuUsage()
  out.counter('process_cpu_seconds_total', 'CPU time of the process.', (user + system) / 1_000_000)
  out.gauge('process_start_time_seconds', 'Start of the process, in Unix time.', performance.timeOrigin / 1_000)
  const labels = { version, engine: storage.engine, node: process.versions.node }
  out.gauge('daybook_info', 'Version of the service and of Node, and the database engine.', [[labels, 1]])
}

/** Lag since the scrape before, so that a single long block shows in one scrape and not for ever. */
function addEventLoop(
  out: Exposition,
  lag: ReturnType<typeof monitorEventLoopDelay>,
  { active }: EventLoopUtilization,
): void {
  // The monitor measures the time between two of its timers, and so never less than its resolution.
  const seconds = (nanoseconds: number): number =>
    Math.max(0, (nanoseconds - LAG_RESOLUTION_MS * 1_000_000) / 1_000_000_000)
  if (lag.count > 0)
    out.gauge('daybook_event_loop_lag_seconds', 'Delay of timers since the last scrape; quantile 1 is the longest.', [
      [{ quantile: '0.5' }, seconds(lag.percentile(50))],
      [{ quantile: '0.99' }, seconds(lag.percentile(99))],
      [{ quantile: '1' }, seconds(lag.max)],
    ])
  lag.reset()
  out.counter('daybook_event_loop_active_seconds_total', 'Time in which the event loop was not idle.', active / 1_000)
}
