// Routes of the trash: list deleted events, restore one, and empty it.
import type { FastifyInstance } from 'fastify'
import { emptyTrash, type ListedTrash, readTrash, restoreFromTrash } from '../../actions/history/trash.ts'
import type { Context } from '../../context.ts'
import { FullEvent } from '../../contract/event-responses.ts'
import { Type } from '../../contract/json-schema.ts'
import { TrashItem, TrashQuery, type TrashValues } from '../../contract/trash.ts'
import { DAY_MS } from '../../domain/time/instant.ts'
import { formatUtc } from '../../domain/time/text.ts'
import { requireZone } from '../../domain/time/zone.ts'
import type { Site } from '../../http/site.ts'
import type { RouteDocs } from '../docs/route.ts'
import { createEventResponse, pageLinks, sendJsonResponse } from '../json-response.ts'
import { presentPlace, presentWritten } from './present.ts'

const DEFAULT_PER_PAGE = 50

export function addTrashRoutes(app: FastifyInstance, ctx: Context, site: Site): void {
  const path = `${site.base}/trash`

  app.get<{ Querystring: TrashValues }>(
    path,
    { schema: { querystring: TrashQuery }, config: { access: 'write', docs: docs.list } },
    async (request, reply) => {
      const { page = 1, per_page: perPage = DEFAULT_PER_PAGE } = request.query
      const { entries, total } = await readTrash(ctx, request.viewer, { page, perPage }, request.caller)
      const totalPages = Math.ceil(total / perPage)
      reply.header('link', pageLinks(path, new URLSearchParams(), page, perPage, totalPages))
      const meta = { pagination: { page, per_page: perPage, total, total_pages: totalPages } }
      return { data: entries.map((entry) => presentEntry(ctx, entry)), meta }
    },
  )

  app.post<{ Params: { event_id: string } }>(
    `${path}/:event_id/restore`,
    { config: { access: 'write', docs: docs.restore } },
    async (request, reply) => {
      const id = request.params.event_id
      const event = await restoreFromTrash(ctx, request.viewer, id, request.caller)
      return sendJsonResponse(request, reply, createEventResponse(presentWritten(id, event, []), event))
    },
  )

  app.delete(path, { config: { access: 'administer', docs: docs.empty } }, async (request, reply) => {
    await emptyTrash(ctx, request.viewer, request.id)
    return reply.code(204).send()
  })
}

function presentEntry({ config }: Context, entry: ListedTrash) {
  const zone = requireZone(entry.timezone)
  const timing = { allDay: entry.all_day === 1, startAt: entry.start_at, durationMs: entry.duration_ms }
  return {
    id: entry.event_id,
    title: entry.title,
    ...presentPlace({ timing }, zone),
    timezone: entry.timezone,
    uid: entry.uid,
    visibility: entry.visibility,
    recurring: entry.is_recurring === 1,
    version: entry.version,
    deleted_at: formatUtc(entry.deleted_at),
    deleted_by: entry.deleted_by,
    deleted_by_name: entry.deleted_by_name,
    deleted_with: entry.deleted_with,
    credential_name: entry.credential_name,
    purged_at: formatUtc(entry.deleted_at + config.trashDays * DAY_MS),
  }
}

const docs = {
  list: {
    id: 'listTrash',
    summary: 'List deleted events',
    description:
      'What can be restored, the last deleted first. Deleted events are kept for `trash_days`, 180 by default. Needs the right to read besides that to write.',
    success: { status: 200, headers: ['Link'], description: 'The deleted events.', data: Type.Array(TrashItem) },
    errors: ['service_unavailable'],
  },
  restore: {
    id: 'restoreEvent',
    summary: 'Restore a deleted event',
    description:
      'With the same `id`, `uid` and text, its exceptions included, as the next version. If another event has its `uid` by now, 409.',
    success: { status: 200, headers: ['ETag'], description: 'The event as stored.', data: FullEvent },
    errors: ['event_not_found', 'uid_conflict', 'service_unavailable'],
  },
  empty: {
    id: 'emptyTrash',
    summary: 'Delete what is in the trash for good',
    description: 'Every deleted event up to now. This cannot be undone; it is in the audit trail.',
    success: { status: 204, description: 'Gone.' },
    errors: ['service_unavailable'],
  },
} satisfies Record<string, RouteDocs>
