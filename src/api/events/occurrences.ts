// Routes of single occurrences and of exceptions.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { currentToken } from '../../actions/changes/sync-token.ts'
import { deleteFollowingOccurrences, patchFollowingOccurrences } from '../../actions/events/following.ts'
import type { ShownOccurrence } from '../../actions/events/masked-reads.ts'
import {
  deleteException,
  deleteOccurrence,
  getOccurrence,
  type OccurrenceTarget,
  patchOccurrence,
} from '../../actions/events/occurrences.ts'
import { writeOccurrenceList } from '../../actions/events/series-occurrences.ts'
import type { OccurrenceList } from '../../actions/lists/list-request.ts'
import type { Context } from '../../context.ts'
import {
  type ListQueryValues,
  type OccurrenceScope,
  OccurrencesQuery,
  ScopeQuery,
  SingleQuery,
} from '../../contract/event-queries.ts'
import { OccurrencePatch } from '../../contract/event-requests.ts'
import { FullEvent, FullOccurrence, SeenAlone, SeenInList, UnseenEvent } from '../../contract/event-responses.ts'
import { Type } from '../../contract/json-schema.ts'
import type { OccurrenceFieldsPatch as OccurrencePatchFields } from '../../domain/calendar/fields.ts'
import type { FollowingPatch } from '../../domain/calendar/following/patch-following.ts'
import { sightOf } from '../../domain/privacy/viewer.ts'
import { requireZone, type Zone } from '../../domain/time/zone.ts'
import { readPrecondition, requirePrecondition } from '../../http/responses/conditional.ts'
import type { Site } from '../../http/site.ts'
import type { RouteDocs } from '../docs/route.ts'
import { createEventResponse, sendJsonResponse } from '../json-response.ts'
import { parseZoneParameter, readListQuery, shownWeekStart } from './list-query.ts'
import { createListResponse, linkQueryOf } from './lists.ts'
import { presentListed, presentWritten } from './present.ts'
import { createSentBackCheck } from './sent-back.ts'

type OfEventId = { Params: { event_id: string } }
type Scoped = { Querystring: { scope?: OccurrenceScope } }
type ByKey = { Params: { event_id: string; occurrence_key: string } }

export function addOccurrenceRoutes(app: FastifyInstance, ctx: Context, site: Site): void {
  const event = `${site.base}/events/:event_id`
  const one = `${event}/occurrences/:occurrence_key`

  app.get<OfEventId & { Querystring: ListQueryValues }>(
    `${event}/occurrences`,
    { schema: { querystring: OccurrencesQuery }, config: { access: 'anyone', docs: docs.list } },
    async (request, reply) => {
      const values = hasWindow(request.query) ? request.query : { ...request.query, view: 'list' as const }
      const { range, zone, page } = readListQuery(values, ctx.config, ctx.clock(), sightOf(request.viewer))
      const id = request.params.event_id
      const frame = {
        path: `${site.base}/events/${id}/occurrences`,
        query: linkQueryOf(request.query),
        view: request.query.view,
        weekStart: shownWeekStart(request.query.view, ctx.config),
        range,
        zone,
        page,
        syncToken: currentToken(ctx, sightOf(request.viewer), request.state.stored),
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

  app.patch<ByKey & Scoped>(
    one,
    {
      preValidation: requirePrecondition,
      schema: { body: OccurrencePatch, querystring: ScopeQuery },
      config: { access: 'write', changesEvents: true, docs: docs.patch },
    },
    async (request, reply) => {
      const { body, viewer } = request
      const target = targetOf(request)
      if (request.query.scope === 'following') {
        const patch = pickFollowingFields(body as FollowingPatch)
        const isAsRead = (body as { occurrence_key?: unknown }).occurrence_key !== undefined
        const sent = { patch, isAsRead }
        const checkSentBack = createSentBackCheck(body, 'following', presentOccurrence)
        const { shown, dropped } = await patchFollowingOccurrences(ctx, viewer, target, sent, checkSentBack)
        return sendJsonResponse(request, reply, createEventResponse(presentWritten(target.id, shown, dropped), shown))
      }
      const patch = pickOccurrenceFields(body as OccurrencePatchFields)
      const checkSentBack = createSentBackCheck(body, 'occurrence', presentOccurrence)
      const occurrence = await patchOccurrence(ctx, viewer, target, patch, checkSentBack)
      const answer = occurrence
        ? occurrenceAnswer(occurrence, undefined)
        : createEventResponse({ data: { id: target.id } }, undefined)
      return sendJsonResponse(request, reply, answer)
    },
  )

  app.delete<ByKey & Scoped>(
    one,
    { schema: { querystring: ScopeQuery }, config: { access: 'write', changesEvents: true, docs: docs.delete } },
    async (request, reply) => {
      const target = targetOf(request)
      const remove = request.query.scope === 'following' ? deleteFollowingOccurrences : deleteOccurrence
      const removed = await remove(ctx, request.viewer, target)
      if (!removed) return reply.code(204).send()
      const { shown, dropped } = removed
      return sendJsonResponse(request, reply, createEventResponse(presentWritten(target.id, shown, dropped), shown))
    },
  )

  app.delete<ByKey>(
    `${event}/exceptions/:occurrence_key`,
    { config: { access: 'write', changesEvents: true, docs: docs.restore } },
    async (request, reply) => {
      await deleteException(ctx, request.viewer, targetOf(request))
      return reply.code(204).send()
    },
  )
}

/** Only a PATCH may name its version in the body. */
function targetOf({ method, params, headers, body, caller }: FastifyRequest<ByKey>): OccurrenceTarget {
  const { event_id: id, occurrence_key: keyText } = params
  return { id, keyText, expected: readPrecondition(headers['if-match'], method === 'PATCH' ? body : undefined), caller }
}

const hasWindow = ({ from, to, view }: ListQueryValues): boolean =>
  from !== undefined || to !== undefined || view !== undefined

/** Without the fields of the series that an occurrence as read has. */
const pickOccurrenceFields = ({
  title,
  description,
  location,
  category,
  url,
  status,
  start,
  end,
}: OccurrencePatchFields): OccurrencePatchFields =>
  withoutAbsent({ title, description, location, category, url, status, start, end })

const pickFollowingFields = (body: FollowingPatch): FollowingPatch => {
  const { visibility, transparency, all_day, timezone, rrule } = body
  return { ...pickOccurrenceFields(body), ...withoutAbsent({ visibility, transparency, all_day, timezone, rrule }) }
}

/** In a merge patch an absent field is not the same as one without a value. */
const withoutAbsent = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields

const presentOccurrence = (occurrence: ShownOccurrence) =>
  presentListed(occurrence, requireZone(occurrence.event.timing.zone))

function occurrenceAnswer(occurrence: ShownOccurrence, zone: Zone | undefined) {
  const { event } = occurrence
  const data = zone ? presentListed(occurrence, zone) : presentOccurrence(occurrence)
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
    summary: 'Edit one occurrence, or it and all later ones; the series stays whole',
    description:
      'Makes an exception of the series, with the texts or the time that were sent. `start` alone moves the occurrence, which keeps its length. An occurrence as read can be sent back. A request that changes nothing makes none. With `scope=following` the fields that are sent change in this occurrence and all later ones, edited ones included; the side with fewer occurrences is stored as exceptions of the series, at most 1,000.',
    success: {
      status: 200,
      headers: ['ETag'],
      description: 'The occurrence as stored; with `scope=following` the event as stored.',
      data: Type.Union([FullOccurrence, SeenInList, UnseenEvent, FullEvent, SeenAlone]),
    },
    errors: [...ONE, 'too_many_exceptions', 'too_many_overrides', 'event_too_large', 'service_unavailable'],
    takesPrecondition: 'required',
  },
  delete: {
    id: 'deleteOccurrence',
    summary: 'Delete one occurrence, or it and all later ones; the series stays whole',
    description:
      'Makes an exception of the series. `DELETE /events/{event_id}/exceptions/{occurrence_key}` restores it. With `scope=following` the rule ends before this occurrence, and later exceptions are dropped; where no occurrence is left, the event is deleted and is in the trash.',
    success: { status: 204, description: 'Gone from the series; an exception remembers it.' },
    otherSuccess: {
      status: 200,
      headers: ['ETag'],
      description:
        'With `scope=following`: the event as stored, and in `meta.dropped_exceptions` the exceptions that it had from this occurrence on. Its identifier alone where the event was deleted.',
      data: Type.Union([FullEvent, SeenAlone, UnseenEvent]),
    },
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
