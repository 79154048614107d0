// Counts requests by route template, method and status in preallocated arrays, with durations.
import { Histogram, REQUEST_BOUNDS } from './histogram.ts'

/** Any other method counts as `other`, so that clients cannot add series. */
const METHODS = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  ...['PROPFIND', 'PROPPATCH', 'REPORT', 'MOVE', 'COPY', 'MKCOL', 'MKCALENDAR'],
]
const OTHER = 'other'
const METHOD_INDEX = new Map(METHODS.map((method, i) => [method, i]))

/** The client closed the connection before the response began; the number is the one that nginx uses. */
export const CLIENT_CLOSED = 499

const STATUSES = [
  ...[
    200, 201, 202, 204, 206, 207, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 412,
  ],
  ...[413, 414, 415, 416, 417, 421, 422, 423, 424, 426, 428, 429, 431, CLIENT_CLOSED, 500, 501, 502, 503, 504, 507],
]
const STATUS_INDEX = new Uint8Array(600).fill(STATUSES.length)
for (const [i, status] of STATUSES.entries()) STATUS_INDEX[status] = i

export const methodLabel = (method: string | undefined): string => (METHOD_INDEX.has(method ?? '') ? method! : OTHER)

interface MethodCounts {
  statuses: Float64Array
  durations: Histogram
}

/** What was answered on one route. */
export class RouteSeries {
  readonly route: string
  readonly #offered = new Set<string>()
  readonly #methods: (MethodCounts | undefined)[] = Array.from({ length: METHODS.length + 1 }, () => undefined)

  readonly #unmatched: RouteSeries | undefined

  /** Methods that the route does not offer count as `unmatched`: clients could add thousands of series by them. */
  constructor(route: string, unmatched?: RouteSeries) {
    this.route = route
    this.#unmatched = unmatched
  }

  /** Of the table of routes: called when they are added. */
  offer(methods: Iterable<string>): void {
    for (const method of methods) this.#offered.add(method)
  }

  record(method: string, status: number, durationMs: number): void {
    const counts =
      this.#unmatched && !this.#offered.has(method) ? this.#unmatched.#countsOf(method) : this.#countsOf(method)
    counts.statuses[STATUS_INDEX[status] ?? STATUSES.length]! += 1
    counts.durations.observeMs(durationMs)
  }

  /** Everything counted so far; methods and statuses that did not occur are left out. */
  *list(): Generator<{ method: string; statuses: [status: string, count: number][]; durations: Histogram }> {
    for (const [i, counts] of this.#methods.entries()) {
      if (!counts) continue
      const statuses = [...counts.statuses].flatMap((count, at): [string, number][] =>
        count > 0 ? [[String(STATUSES[at] ?? OTHER), count]] : [],
      )
      yield { method: METHODS[i] ?? OTHER, statuses, durations: counts.durations }
    }
  }

  /** Allocated with the first request of a method. */
  #countsOf(method: string): MethodCounts {
    const index = METHOD_INDEX.get(method) ?? METHODS.length
    const known = this.#methods[index]
    if (known) return known
    const counts = { statuses: new Float64Array(STATUSES.length + 1), durations: new Histogram(REQUEST_BOUNDS) }
    this.#methods[index] = counts
    return counts
  }
}

export interface RequestMetrics {
  /** `route` is a template from the table of routes, never a path that a client sent. */
  seriesOf(route: string): RouteSeries
  /** For requests that no route takes, also by their method, or that were refused before one was looked for. */
  unmatched: RouteSeries
  list(): RouteSeries[]
}

export function createRequestMetrics(): RequestMetrics {
  const unmatched = new RouteSeries('unmatched')
  const routes = new Map<string, RouteSeries>()
  return {
    unmatched,
    seriesOf(route) {
      const series = routes.get(route) ?? new RouteSeries(route, unmatched)
      routes.set(route, series)
      return series
    },
    list: () => [...routes.values(), unmatched],
  }
}
