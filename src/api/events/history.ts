// Routes of an event's history: list its versions, read one compared with another, and restore it.
import type { FastifyInstance } from 'fastify'
import { restoreVersion } from '../../actions/history/restore-version.ts'
import { readHistory, readVersion } from '../../actions/history/versions.ts'
import type { Context } from '../../context.ts'
import { FullEvent } from '../../contract/event-responses.ts'
import {
  HistoryItem,
  HistoryQuery,
  type HistoryValues,
  HistoryVersion,
  VersionQuery,
  VersionRestore,
  type VersionValues,
} from '../../contract/history/versions.ts'
import { Type } from '../../contract/json-schema.ts'
import { fail } from '../../errors.ts'
import { keyHolderOf } from '../../http/guard/idempotency.ts'
import { readPrecondition, requirePrecondition } from '../../http/responses/conditional.ts'
import type { Site } from '../../http/site.ts'
import type { RouteDocs } from '../docs/route.ts'
import { createEventResponse, pageLinks, sendJsonResponse } from '../json-response.ts'
import { presentWritten } from './present.ts'
import { presentListedVersion, presentVersion } from './present-history.ts'

const DEFAULT_PER_PAGE = 20

type OfEvent = { Params: { event_id: string } }
type OfVersion = { Params: { event_id: string; version: string } }

export function addHistoryRoutes(app: FastifyInstance, ctx: Context, site: Site): void {
  const path = `${site.base}/events/:event_id/history`

  app.get<OfEvent & { Querystring: HistoryValues }>(
    path,
    { schema: { querystring: HistoryQuery }, config: { access: 'write', docs: docs.list } },
    async (request, reply) => {
      const { page = 1, per_page: perPage = DEFAULT_PER_PAGE } = request.query
      const id = request.params.event_id
      const { entries, total } = await readHistory(ctx, request.viewer, id, { page, perPage }, request.caller)
      const totalPages = Math.ceil(total / perPage)
      const here = `${site.base}/events/${encodeURIComponent(id)}/history`
      reply.header('link', pageLinks(here, new URLSearchParams(), page, perPage, totalPages))
      const meta = { pagination: { page, per_page: perPage, total, total_pages: totalPages } }
      return { data: entries.map(presentListedVersion), meta }
    },
  )

  app.get<OfVersion & { Querystring: VersionValues }>(
    `${path}/:version`,
    { schema: { querystring: VersionQuery }, config: { access: 'write', docs: docs.get } },
    async ({ params, query, viewer, caller }) => {
      const { against = 'previous' } = query
      const version = parseVersion(params.version)
      return { data: presentVersion(await readVersion(ctx, viewer, params.event_id, version, against, caller)) }
    },
  )

  app.post<OfVersion>(
    `${path}/:version/restore`,
    {
      preValidation: requirePrecondition,
      schema: { body: VersionRestore },
      config: { access: 'write', docs: docs.restore },
    },
    async (request, reply) => {
      const { event_id: id, version } = request.params
      const expected = readPrecondition(request.headers['if-match'], request.body)
      const options = { caller: request.caller, keyHolder: keyHolderOf(request) }
      const event = await restoreVersion(ctx, request.viewer, id, parseVersion(version), expected, options)
      return sendJsonResponse(request, reply, createEventResponse(presentWritten(id, event, []), event))
    },
  )
}

const parseVersion = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : fail('version_not_found'))

const docs = {
  list: {
    id: 'listEventHistory',
    summary: 'List the versions of an event',
    description:
      'The current one first, each with who made it, by what means, and what it changed. Earlier versions are kept for `history_days`, 365 by default. Needs the right to read besides that to write.',
    success: { status: 200, headers: ['Link'], description: 'The versions.', data: Type.Array(HistoryItem) },
    errors: ['event_not_found', 'service_unavailable'],
  },
  get: {
    id: 'getEventVersion',
    summary: 'Read an earlier version of an event',
    description: 'The event as it was, and how it differs from another version.',
    success: { status: 200, description: 'The version.', data: HistoryVersion },
    errors: ['event_not_found', 'version_not_found', 'service_unavailable'],
  },
  restore: {
    id: 'restoreEventVersion',
    summary: 'Restore an earlier version of an event',
    description:
      'Its text, with its exceptions and its `visibility`, becomes the next version. If it is that of the current version, nothing changes.',
    success: { status: 200, headers: ['ETag'], description: 'The event as stored.', data: FullEvent },
    errors: ['event_not_found', 'version_not_found', 'service_unavailable'],
    takesPrecondition: 'required',
  },
} satisfies Record<string, RouteDocs>
