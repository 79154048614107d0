// Routes of the trash: list deleted events, restore one or many, and empty it.
import type { FastifyInstance } from 'fastify'
import { countResults, type RestoreSummary, restoreMany } from '../../actions/history/restore-many.ts'
import { emptyTrash, type ListedTrash, readTrash, restoreFromTrash } from '../../actions/history/trash.ts'
import type { Context } from '../../context.ts'
import { FullEvent } from '../../contract/event-responses.ts'
import { Type } from '../../contract/json-schema.ts'
import {
  MAX_RESTORED,
  RestoreQuery,
  RestoreReport,
  TrashItem,
  TrashQuery,
  TrashRestoration,
  type TrashRestorationValues,
  type TrashValues,
} from '../../contract/trash.ts'
import { DAY_MS } from '../../domain/time/instant.ts'
import { formatUtc } from '../../domain/time/text.ts'
import { requireZone } from '../../domain/time/zone.ts'
import { createDisconnectSignal } from '../../http/connections/client-disconnect.ts'
import { keyHolderOf } from '../../http/guard/idempotency.ts'
import type { Site } from '../../http/site.ts'
import type { RouteDocs } from '../docs/route.ts'
import { createEventResponse, pageLinks, sendJsonResponse } from '../json-response.ts'
import { presentPlace, presentWritten } from './present.ts'
import { formatPosition, readPosition, readRestoration, readTrashQuery, SELECTION } from './trash-selection.ts'

const DEFAULT_PER_PAGE = 50

export function addTrashRoutes(app: FastifyInstance, ctx: Context, site: Site): void {
  const path = `${site.base}/trash`

  app.get<{ Querystring: TrashValues }>(
    path,
    { schema: { querystring: TrashQuery }, config: { access: 'write', docs: docs.list } },
    async (request, reply) => {
      const { page = 1, per_page: perPage = DEFAULT_PER_PAGE } = request.query
      const selection = readTrashQuery(request.query, ctx.config)
      const { entries, total } = await readTrash(ctx, request.viewer, selection, { page, perPage }, request.caller)
      const totalPages = Math.ceil(total / perPage)
      reply.header('link', pageLinks(path, askedOf(request.query), page, perPage, totalPages))
      const meta = { pagination: { page, per_page: perPage, total, total_pages: totalPages } }
      return { data: entries.map((entry) => presentEntry(ctx, entry)), meta }
    },
  )

  app.post<{ Params: { event_id: string }; Querystring: { replace?: boolean } }>(
    `${path}/:event_id/restore`,
    { schema: { querystring: RestoreQuery }, config: { access: 'write', docs: docs.restore } },
    async (request, reply) => {
      const id = request.params.event_id
      const replaces = request.query.replace ?? false
      const event = await restoreFromTrash(ctx, request.viewer, id, {
        caller: request.caller,
        replaces,
        keyHolder: keyHolderOf(request),
      })
      return sendJsonResponse(request, reply, createEventResponse(presentWritten(id, event, []), event))
    },
  )

  app.post(
    `${path}/restore`,
    { schema: { body: TrashRestoration }, config: { access: 'write', docs: docs.restoreMany } },
    async (request, reply) => {
      const { after, dry_run: isDryRun = false, ...values } = request.body as TrashRestorationValues
      const summary = await restoreMany(ctx, request.viewer, readRestoration(values, ctx.config), {
        isDryRun,
        after: after === undefined ? undefined : readPosition(after),
        limit: MAX_RESTORED,
        requestId: request.id,
        keyHolder: keyHolderOf(request),
        caller: request.caller,
        signal: createDisconnectSignal(reply),
      })
      return { data: presentSummary(summary, isDryRun) }
    },
  )

  app.delete(path, { config: { access: 'administer', docs: docs.empty } }, async (request, reply) => {
    await emptyTrash(ctx, request.viewer, request.id)
    return reply.code(204).send()
  })
}

const askedOf = (query: TrashValues): URLSearchParams =>
  new URLSearchParams(SELECTION.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])))

const presentSummary = ({ selected, events, next }: RestoreSummary, isDryRun: boolean) => ({
  dry_run: isDryRun,
  selected,
  ...countResults(events),
  next: next ? formatPosition(next) : null,
  events: events.map(({ event_id: id, uid, title, result }) => ({ id, uid, title, result })),
})

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
    credential_id: entry.credential_id,
    credential_name: entry.credential_name,
    continues: entry.continues,
    continued_by: entry.continued_by,
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
      'With the same `id`, `uid` and text, its exceptions included, as the next version. If another event has its `uid` by now, 409 with that event in `details`, or with `replace` the two change places: the other one goes to the trash.',
    success: { status: 200, headers: ['ETag'], description: 'The event as stored.', data: FullEvent },
    errors: ['event_not_found', 'uid_conflict', 'service_unavailable'],
  },
  restoreMany: {
    id: 'restoreEvents',
    summary: 'Restore many deleted events',
    description:
      'All that fulfil every given condition, at least one: for instance what one app password deleted since two o’clock. Each is restored as by itself, or not at all. One request handles 200 events; while `next` is not null, send the request again with it as `after`. It is in the audit trail.',
    success: { status: 200, description: 'What came of each event.', data: RestoreReport },
    errors: ['service_unavailable'],
  },
  empty: {
    id: 'emptyTrash',
    summary: 'Delete what is in the trash for good',
    description: 'Every deleted event up to now. This cannot be undone; it is in the audit trail.',
    success: { status: 204, description: 'Gone.' },
    errors: ['service_unavailable'],
  },
} satisfies Record<string, RouteDocs>
