// Route for administrators that rewinds the calendar to a moment, or says what that would do.
import type { FastifyInstance } from 'fastify'
import { type RewindSummary, rewindCalendar } from '../../actions/history/rewind.ts'
import type { Context } from '../../context.ts'
import { RewindBody, RewindResult, type RewindValues } from '../../contract/history/rewind.ts'
import { formatUtc } from '../../domain/time/text.ts'
import { createDisconnectSignal } from '../../http/connections/client-disconnect.ts'
import { keyHolderOf } from '../../http/guard/idempotency.ts'
import type { Site } from '../../http/site.ts'
import type { RouteDocs } from '../docs/route.ts'

export function addRewindRoutes(app: FastifyInstance, ctx: Context, site: Site): void {
  app.post<{ Body: RewindValues }>(
    `${site.base}/admin/rewind`,
    { schema: { body: RewindBody }, config: { access: 'administer', docs: docs.rewind } },
    async (request, reply) => {
      const { body, viewer, id: requestId, caller } = request
      const { to, by, dry_run: isDryRun = false } = body
      const signal = createDisconnectSignal(reply)
      const options = { isDryRun, requestId, keyHolder: keyHolderOf(request), caller, signal }
      return { data: presentReport(await rewindCalendar(ctx, viewer, { to, by }, options)) }
    },
  )
}

const presentReport = ({ isDryRun, to, undoTo, events, isTruncated, ...counts }: RewindSummary) => ({
  dry_run: isDryRun,
  to: formatUtc(to),
  // With milliseconds: what was changed just before is not undone.
  undo_to: undoTo === undefined ? null : new Date(undoTo).toISOString(),
  ...counts,
  truncated: isTruncated,
  events: events.map(({ id, title, result, reason, becomesPublic }) => ({
    id,
    title,
    result,
    ...(reason ? { reason } : {}),
    published: becomesPublic,
  })),
})

const docs = {
  rewind: {
    id: 'rewindCalendar',
    summary: 'Rewind the calendar to a moment',
    description:
      'Events created since go to the trash, events changed since get their text of then, and events deleted since come back, all as ordinary changes that clients synchronise. It goes back as far as both `history_days` and `trash_days` allow. With `by` only changes of one account are undone; an event that another account changed later is skipped. With `dry_run` nothing changes, and the report says what the rewind would do and skip. It is in the audit trail, and rewinding to `undo_to` undoes it.',
    success: { status: 200, description: 'What came of each event.', data: RewindResult },
    errors: ['user_not_found', 'rewind_too_early', 'service_unavailable'],
  },
} satisfies Record<string, RouteDocs>
