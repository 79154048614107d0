// Free/busy as JSON: merged times that are taken, for readers with full access and for the public.
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../actions/costly-work/semaphore.ts'
import { type BusyPeriod, listBusy, listPublicBusy, mergeTouching } from '../../actions/events/busy-times.ts'
import type { Context } from '../../context.ts'
import { FreeBusyQuery, type FreeBusyQueryValues } from '../../contract/event-queries.ts'
import { Type } from '../../contract/json-schema.ts'
import { BusyTime } from '../../contract/public.ts'
import { formatInstant, formatUtc } from '../../domain/time/text.ts'
import type { Range } from '../../domain/time/window.ts'
import type { Zone } from '../../domain/time/zone.ts'
import type { CachedResponse } from '../../http/responses/response-cache.ts'
import type { Site } from '../../http/site.ts'
import type { RouteDocs } from '../docs/route.ts'
import { createJsonResponse, sendJsonResponse } from '../json-response.ts'
import { parseZoneParameter, readWindow } from './list-query.ts'

export function addFreeBusyRoute(app: FastifyInstance, ctx: Context, site: Site): void {
  app.get<{ Querystring: FreeBusyQueryValues }>(
    `${site.base}/freebusy`,
    { schema: { querystring: FreeBusyQuery }, config: { access: 'read_full', docs: freeBusyDocs.full } },
    async (request, reply) => {
      const { range, zone } = readRange(request.query, ctx)
      const periods = await listBusy(ctx, request.viewer, range, zone, request.caller)
      return sendJsonResponse(request, reply, presentBusy(periods, range, zone))
    },
  )
}

/** For the public; the response is cached. */
export async function createPublicFreeBusy(
  ctx: Context,
  query: FreeBusyQueryValues,
  caller: Caller,
): Promise<CachedResponse> {
  const { range, zone } = readRange(query, ctx)
  return presentBusy(await listPublicBusy(ctx, range, zone, caller), range, zone)
}

function readRange(query: FreeBusyQueryValues, ctx: Context): { range: Range; zone: Zone } {
  const zone = parseZoneParameter(query.timezone, ctx.config)
  return { zone, range: readWindow({ ...query, view: undefined }, zone, ctx.config, ctx.clock())! }
}

/** Tentative times are taken like others. Merged, so that neither number nor ends of single events are shown. */
const presentBusy = (periods: readonly BusyPeriod[], range: Range, zone: Zone): CachedResponse =>
  createJsonResponse({
    data: mergeTouching(periods).map(({ from, to }) => ({ start: formatUtc(from), end: formatUtc(to) })),
    meta: {
      range: { from: formatInstant(range.from, zone), to: formatInstant(range.to, zone) },
      timezone: zone.name,
    },
  })

const success = {
  status: 200,
  headers: ['ETag'],
  description: 'The times that are taken, soonest first.',
  data: Type.Array(BusyTime),
} as const

export const freeBusyDocs = {
  full: {
    id: 'getFreeBusy',
    summary: 'Read which times are taken',
    description:
      'Overlapping and touching times are one. Cancelled and transparent occurrences take none, as in CalDAV; tentative ones do. The window is 1,830 days at most, with 10,000 occurrences.',
    success,
    errors: ['too_many_occurrences', 'service_unavailable'],
  },
  public: {
    id: 'getPublicFreeBusy',
    summary: 'Read which times are taken, as the public sees them',
    description:
      'As `GET /freebusy`, of what the public sees. A private event always takes its time: the public is not told whether it is transparent. Any cache may keep the answer.',
    success,
    errors: ['too_many_occurrences', 'service_unavailable'],
  },
} satisfies Record<string, RouteDocs>
