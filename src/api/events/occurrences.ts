// Routes of single occurrences and of exceptions.
import type { FastifyInstance } from 'fastify'
import type { OccurrenceList } from '../../actions/events/list-events.ts'
import type { ShownOccurrence } from '../../actions/events/masked-reads.ts'
import { deleteException, deleteOccurrence, getOccurrence, patchOccurrence } from '../../actions/events/occurrences.ts'
import { writeOccurrenceList } from '../../actions/events/series-occurrences.ts'
import type { Context } from '../../context.ts'
import { type ListQueryValues, OccurrencesQuery, SingleQuery } from '../../contract/event-queries.ts'
import { OccurrencePatch } from '../../contract/event-requests.ts'
import { FullOccurrence, SeenInList, UnseenEvent } from '../../contract/event-responses.ts'
import { Type } from '../../contract/json-schema.ts'
import type { OccurrenceFieldsPatch as OccurrencePatchFields } from '../../domain/calendar/fields.ts'
import { requireZone, type Zone } from '../../domain/time/zone.ts'
import { readPrecondition, requirePrecondition } from '../../http/responses/conditional.ts'
import type { Site } from '../../http/site.ts'
import type { RouteDocs } from '../docs/route.ts'
import { createEventResponse, sendJsonResponse } from '../json-response.ts'
import { parseZoneParameter, readListQuery } from './list-query.ts'
import { createListResponse, linkQueryOf } from './lists.ts'
import { presentListed } from './present.ts'

type OfEventId = { Params: { event_id: string } }
type ByKey = { Params: { event_id: string; occurrence_key: string } }

export function addOccurrenceRoutes(app: FastifyInstance, ctx: Context, site: Site): void {
  const event = `${site.base}/events/:event_id`
  const one = `${event}/occurrences/:occurrence_key`

  app.get<OfEventId & { Querystring: ListQueryValues }>(
    `${event}/occurrences`,
    { schema: { querystring: OccurrencesQuery }, config: { access: 'anyone', docs: docs.list } },
    async (request, reply) => {
      const values = hasWindow(request.query) ? request.query : { ...request.query, view: 'list' as const }
      const { range, zone, page } = readListQuery(values, ctx.config, ctx.clock())
      const id = request.params.event_id
      const frame = {
        path: `${site.base}/events/${id}/occurrences`,
        query: linkQueryOf(request.query),
        view: request.query.view,
        range,
        zone,
        page,
      }
      const write = (listing: OccurrenceList) => createListResponse(listing, frame)
      const asked = { range: range!, zone, page }
      const answer = await writeOccurrenceList(ctx, request.viewer, id, asked, request.caller, write)
      return sendJsonResponse(request, reply, answer)
    },
  )

  app.get<ByKey & { Querystring: { timezone?: string } }>(
    one,
    { schema: { querystring: SingleQuery }, config: { access: 'anyone', docs: docs.get } },
    async (request, reply) => {
      const { timezone } = request.query
      const zone = timezone === undefined ? undefined : parseZoneParameter(timezone, ctx.config)
      const { event_id, occurrence_key } = request.params
      const occurrence = await getOccurrence(ctx, request.viewer, event_id, occurrence_key)
      return sendJsonResponse(request, reply, occurrenceAnswer(occurrence, zone))
    },
  )

  app.patch<ByKey>(
    one,
    {
      preValidation: requirePrecondition,
      schema: { body: OccurrencePatch },
      config: { access: 'write', docs: docs.patch },
    },
    async (request, reply) => {
      const { event_id, occurrence_key } = request.params
      const expected = readPrecondition(request.headers['if-match'], request.body)
      const occurrence = await patchOccurrence(
        ctx,
        request.viewer,
        event_id,
        occurrence_key,
        request.body as OccurrencePatchFields,
        expected,
        request.caller,
      )
      const answer = occurrence
        ? occurrenceAnswer(occurrence, undefined)
        : createEventResponse({ data: { id: event_id } }, undefined)
      return sendJsonResponse(request, reply, answer)
    },
  )

  app.delete<ByKey>(one, { config: { access: 'write', docs: docs.delete } }, async (request, reply) => {
    const { event_id, occurrence_key } = request.params
    await deleteOccurrence(
      ctx,
      request.viewer,
      event_id,
      occurrence_key,
      readPrecondition(request.headers['if-match'], undefined),
      request.caller,
    )
    return reply.code(204).send()
  })

  app.delete<ByKey>(
    `${event}/exceptions/:occurrence_key`,
    { config: { access: 'write', docs: docs.restore } },
    async (request, reply) => {
      const { event_id, occurrence_key } = request.params
      await deleteException(
        ctx,
        request.viewer,
        event_id,
        occurrence_key,
        readPrecondition(request.headers['if-match'], undefined),
        request.caller,
      )
      return reply.code(204).send()
    },
  )
}

const hasWindow = ({ from, to, view }: ListQueryValues): boolean =>
  from !== undefined || to !== undefined || view !== undefined

function occurrenceAnswer(occurrence: ShownOccurrence, zone: Zone | undefined) {
  const { event } = occurrence
  const data = presentListed(occurrence, zone ?? requireZone(event.timing.zone))
  const meta = event.level === 'full' ? { meta: { version: event.record.version } } : {}
  return createEventResponse({ data, ...meta }, event)
}

const Shown = Type.Union([FullOccurrence, SeenInList])

const ONE = ['invalid_occurrence_key', 'event_not_found', 'occurrence_not_found', 'event_not_recurring'] as const

const docs = {
  list: {
    id: 'listOccurrences',
    summary: 'List the occurrences of one series',
    description: 'Without a window: the coming 366 days.',
    success: {
      status: 200,
      headers: ['ETag', 'Link'],
      description: 'Its occurrences, soonest first.',
      data: Type.Union([Type.Array(FullOccurrence), Type.Array(SeenInList)]),
    },
    errors: ['event_not_found', 'too_many_occurrences', 'service_unavailable'],
  },
  get: {
    id: 'getOccurrence',
    summary: 'Read one occurrence',
    description: 'By the key of the occurrence, at any date, also beyond the lists.',
    success: { status: 200, headers: ['ETag'], description: 'The occurrence.', data: Shown },
    errors: [...ONE, 'service_unavailable'],
  },
  patch: {
    id: 'patchOccurrence',
    summary: 'Edit one occurrence; the series stays whole',
    description:
      'Makes an exception of the series, with the texts or the time that were sent. A request that changes nothing makes none.',
    success: {
      status: 200,
      headers: ['ETag'],
      description: 'The occurrence as stored.',
      data: Type.Union([FullOccurrence, SeenInList, UnseenEvent]),
    },
    errors: [...ONE, 'too_many_exceptions', 'event_too_large', 'service_unavailable'],
    takesPrecondition: 'required',
  },
  delete: {
    id: 'deleteOccurrence',
    summary: 'Delete one occurrence; the series stays whole',
    description:
      'Makes an exception of the series. `DELETE /events/{event_id}/exceptions/{occurrence_key}` restores it.',
    success: { status: 204, description: 'Gone from the series; an exception remembers it.' },
    errors: [...ONE, 'too_many_exceptions', 'event_too_large', 'service_unavailable'],
    takesPrecondition: 'optional',
  },
  restore: {
    id: 'deleteException',
    summary: 'Remove an exception: a deleted occurrence comes back, an edited one returns to the series',
    description: 'Other exceptions stay. The occurrence has the texts and the time of the series again.',
    success: { status: 204, description: 'The occurrence is what the series says.' },
    errors: ['invalid_occurrence_key', 'event_not_found', 'exception_not_found', 'service_unavailable'],
    takesPrecondition: 'optional',
  },
} satisfies Record<string, RouteDocs>
