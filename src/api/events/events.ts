// Routes of events: list, create, read, replace, patch and delete.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { StoredAnswer } from '../../actions/access/idempotency.ts'
import { currentToken } from '../../actions/changes/sync-token.ts'
import {
  type Created,
  createEvent,
  deleteEvent,
  getEvent,
  patchEvent,
  replaceEvent,
} from '../../actions/events/events.ts'
import { writeEventList } from '../../actions/events/list-events.ts'
import type { OccurrenceList } from '../../actions/lists/list-request.ts'
import type { Context } from '../../context.ts'
import { ListQuery, type ListQueryValues, PublicListQuery, SingleQuery } from '../../contract/event-queries.ts'
import { EventPatch, EventReplacement, NewEvent } from '../../contract/event-requests.ts'
import { FullEvent, FullOccurrence, SeenAlone, SeenInList, UnseenEvent } from '../../contract/event-responses.ts'
import { Type } from '../../contract/json-schema.ts'
import type { EventFields, FieldsPatch as EventPatchFields } from '../../domain/calendar/fields.ts'
import { sightOf } from '../../domain/privacy/viewer.ts'
import { identifyPost, REPLAYED } from '../../http/guard/idempotency.ts'
import { readPrecondition, requirePrecondition } from '../../http/responses/conditional.ts'
import { keyForSight } from '../../http/responses/fast-path.ts'
import { type CachedResponse, createResponseCache } from '../../http/responses/response-cache.ts'
import type { HttpServer } from '../../http/server.ts'
import { divideMemory } from '../../memory-budget.ts'
import { networkKey } from '../../rate-limits/request-hooks.ts'
import type { RouteDocs } from '../docs/route.ts'
import {
  cachedAnswerOf,
  createEventResponse,
  sendJsonResponse,
  storedAnswerOf,
  writeJsonResponse,
} from '../json-response.ts'
import { formsOfNewEvent } from './canonical-event.ts'
import { parseZoneParameter, readFields, readListQuery, shownWeekStart, untilOf } from './list-query.ts'
import { createListResponse, linkQueryOf } from './lists.ts'
import { presentEvent, presentWritten } from './present.ts'
import { createSentBackCheck } from './sent-back.ts'

type EventServer = Pick<HttpServer, 'site' | 'fastPath' | 'responseWriter' | 'recheckReader'>
type ByEventId = { Params: { event_id: string } }

export function addEventRoutes(app: FastifyInstance, ctx: Context, server: EventServer): void {
  const { site, fastPath, responseWriter, recheckReader } = server
  const path = `${site.base}/events`
  const cache = createResponseCache(divideMemory(ctx.config.memoryLimitMib).answers)
  ctx.metrics.caches.set('lists', cache)
  const send = async (request: FastifyRequest, reply: FastifyReply, answer: CachedResponse): Promise<FastifyReply> => {
    const sent = await writeJsonResponse(request, reply, answer, responseWriter)
    fastPath.rememberForSight(request.raw, { cache, sight: sightOf(request.viewer) }, answer, sent)
    return reply
  }
  /** A route hook that runs before the query is parsed: the viewer and the calendar's revision are known by then. */
  const sendCached = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const cached = cache.find(request.state.revision, answerKey(request), ctx.clock())
    if (!cached) return
    cache.counts.hits += 1
    await send(request, reply, cached)
  }
  /** Sent as if it had been cached: no header shows whether the calendar changed since the last request. */
  const keepAndSend = async (request: FastifyRequest, reply: FastifyReply, answer: CachedResponse) => {
    cache.counts.misses += 1
    cache.keep(request.state.revision, answerKey(request), answer)
    await recheckReader(request)
    return send(request, reply, answer)
  }

  app.get<{ Querystring: ListQueryValues }>(
    path,
    {
      schema: { querystring: ListQuery },
      config: { access: 'anyone', docs: docs.list, publicQuery: PublicListQuery },
      onRequest: sendCached,
    },
    async (request, reply) => {
      const now = ctx.clock()
      const sight = sightOf(request.viewer)
      const query = readListQuery(request.query, ctx.config, now, sight)
      const fields = readFields(request.query.fields, sight)
      const { range, zone, page } = query
      responseWriter.requireRoom(networkKey(request))
      const syncToken = currentToken(ctx, sight, request.state.stored)
      const { view } = request.query
      const asked = { query: linkQueryOf(request.query), view, weekStart: shownWeekStart(view, ctx.config) }
      const frame = { path, ...asked, range, zone, page, syncToken, fields }
      const write = (listing: OccurrenceList) => createListResponse(listing, frame)
      const made = await writeEventList(ctx, request.viewer, query, request.caller, write)
      return keepAndSend(request, reply, { ...made, until: untilOf(request.query, zone, now) })
    },
  )

  app.post(
    path,
    { schema: { body: NewEvent }, config: { access: 'write', claimsIdempotencyKey: true, docs: docs.create } },
    async (request, reply) => {
      const { uid, ...fields } = request.body as EventFields & { uid?: string }
      const present = ({ id, event, dropped, continues }: Created): CachedResponse =>
        createEventResponse(presentWritten(id, event, dropped, continues), event, { location: `${path}/${id}` })
      const defaults = { zone: ctx.config.timezone, visibility: ctx.config.defaultVisibility }
      const repeatable = identifyPost(ctx, request, ...formsOfNewEvent({ uid, ...fields }, defaults))
      const answerOf = (created: Created): StoredAnswer => storedAnswerOf(request.viewer, 201, present(created))
      const created = await createEvent(ctx, request.viewer, fields, {
        uid,
        idempotency: repeatable && { request: repeatable, answerOf },
        caller: request.caller,
      })
      const { replay } = created
      const made = replay?.answer ? cachedAnswerOf(replay.answer) : present(created)
      const answer = replay ? { ...made, headers: { ...made.headers, ...REPLAYED } } : made
      return sendJsonResponse(request, reply, answer, 201)
    },
  )

  app.get<ByEventId & { Querystring: { timezone?: string } }>(
    `${path}/:event_id`,
    {
      schema: { querystring: SingleQuery },
      config: { access: 'anyone', docs: docs.get },
      onRequest: sendCached,
    },
    async (request, reply) => {
      const { timezone } = request.query
      const zone = timezone === undefined ? undefined : parseZoneParameter(timezone, ctx.config)
      const event = await getEvent(ctx, request.viewer, request.params.event_id, request.caller)
      const meta = event.level === 'full' ? { meta: { version: event.record.version } } : {}
      const answer = createEventResponse({ data: presentEvent(event, zone), ...meta }, event)
      return keepAndSend(request, reply, answer)
    },
  )

  app.put<ByEventId>(
    `${path}/:event_id`,
    {
      preValidation: requirePrecondition,
      schema: { body: EventReplacement },
      config: { access: 'write', changesEvents: true, docs: docs.replace },
    },
    async (request, reply) => {
      const expected = readPrecondition(request.headers['if-match'], request.body)
      const { shown: event, dropped } = await replaceEvent(
        ctx,
        request.viewer,
        request.params.event_id,
        request.body as EventFields,
        createSentBackCheck(request.body, 'event', presentEvent),
        expected,
        request.caller,
      )
      return sendJsonResponse(
        request,
        reply,
        createEventResponse(presentWritten(request.params.event_id, event, dropped), event),
      )
    },
  )

  app.patch<ByEventId>(
    `${path}/:event_id`,
    {
      preValidation: requirePrecondition,
      schema: { body: EventPatch },
      config: { access: 'write', changesEvents: true, docs: docs.patch },
    },
    async (request, reply) => {
      const expected = readPrecondition(request.headers['if-match'], request.body)
      const { shown: event, dropped } = await patchEvent(
        ctx,
        request.viewer,
        request.params.event_id,
        request.body as EventPatchFields,
        createSentBackCheck(request.body, 'event', presentEvent),
        expected,
        request.caller,
      )
      return sendJsonResponse(
        request,
        reply,
        createEventResponse(presentWritten(request.params.event_id, event, dropped), event),
      )
    },
  )

  app.delete<ByEventId>(
    `${path}/:event_id`,
    { config: { access: 'write', changesEvents: true, docs: docs.delete } },
    async (request, reply) => {
      await deleteEvent(
        ctx,
        request.viewer,
        request.params.event_id,
        readPrecondition(request.headers['if-match'], undefined),
        request.caller,
      )
      return reply.code(204).send()
    },
  )
}

const answerKey = ({ viewer, url }: FastifyRequest): string => keyForSight(sightOf(viewer), url)

const Shown = Type.Union([FullEvent, SeenAlone])
/** As the author may see it. */
const Written = Type.Union([FullEvent, SeenAlone, UnseenEvent])

const docs = {
  list: {
    id: 'listEvents',
    summary: 'List events',
    description:
      'With `from`, `to` or `view`: the occurrences in that window. Without: every event once, as stored, in pages. Anonymous readers get private events masked.',
    success: {
      status: 200,
      headers: ['ETag', 'Link'],
      description: 'The events, soonest first.',
      data: Type.Union([Type.Array(FullOccurrence), Type.Array(FullEvent), Type.Array(SeenInList)]),
    },
    errors: ['too_many_occurrences', 'service_unavailable'],
  },
  create: {
    id: 'createEvent',
    summary: 'Create an event',
    description:
      'Without `visibility` it has the default of the calendar, shipped as `private`. A repeated request with the same `Idempotency-Key` creates one event; if that was deleted since, 409.',
    success: {
      status: 201,
      headers: ['ETag', 'Location'],
      description: 'The event as stored. `Location` is its address, `ETag` its version.',
      data: Written,
    },
    errors: ['uid_conflict', 'idempotency_gone'],
  },
  get: {
    id: 'getEvent',
    summary: 'Read an event',
    description:
      'A series comes once, with its rule and its exceptions. Without credentials, or with those of an account that may not read, as the public sees it.',
    success: { status: 200, headers: ['ETag'], description: 'The event or series.', data: Shown },
    errors: ['event_not_found', 'service_unavailable'],
  },
  replace: {
    id: 'replaceEvent',
    summary: 'Replace an event',
    description:
      'Omitted fields take their defaults; exceptions stay where they still fit. A request that changes nothing keeps the version.',
    success: { status: 200, headers: ['ETag'], description: 'The event as stored.', data: Written },
    errors: ['event_not_found', 'too_many_exceptions', 'event_too_large', 'service_unavailable'],
    takesPrecondition: 'required',
  },
  patch: {
    id: 'patchEvent',
    summary: 'Change parts of an event',
    description:
      'A JSON Merge Patch (RFC 7396): absent fields stay, `null` clears. `start` alone moves the event, which keeps its length. A request that changes nothing keeps the version.',
    success: { status: 200, headers: ['ETag'], description: 'The event as stored.', data: Written },
    errors: ['event_not_found', 'too_many_exceptions', 'event_too_large', 'service_unavailable'],
    takesPrecondition: 'required',
  },
  delete: {
    id: 'deleteEvent',
    summary: 'Delete an event, with all its occurrences',
    description: 'Removes the series with its exceptions. `If-Match` is honoured when it is sent.',
    success: { status: 204, description: 'Gone.' },
    errors: ['event_not_found', 'service_unavailable'],
    takesPrecondition: 'optional',
  },
} satisfies Record<string, RouteDocs>
