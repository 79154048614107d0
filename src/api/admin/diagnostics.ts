// Route that lists the last request traces for administrators.
import type { FastifyInstance } from 'fastify'
import { type Recorder, readDiagnostics } from '../../actions/maintenance/diagnostics.ts'
import type { BackupHealth } from '../../actions/maintenance/scheduled-backup.ts'
import type { Context } from '../../context.ts'
import { DiagnosticsQuery, type DiagnosticsValues, TraceItem } from '../../contract/diagnostics.ts'
import { Type } from '../../contract/json-schema.ts'
import { formatUtc } from '../../domain/time/text.ts'
import type { Site } from '../../http/site.ts'
import type { RouteDocs } from '../docs/route.ts'

const DEFAULT_LIMIT = 20

export function addDiagnosticsRoutes(app: FastifyInstance, ctx: Context, site: Site, recorder: Recorder): void {
  app.get<{ Querystring: DiagnosticsValues }>(
    `${site.base}/admin/diagnostics`,
    { schema: { querystring: DiagnosticsQuery }, config: { access: 'administer', docs } },
    async (request) => {
      const { limit = DEFAULT_LIMIT } = request.query
      const { traces, skipped, warnings, maintenance } = await readDiagnostics(ctx, request.viewer, recorder, limit)
      const { index, unreadableEvents, backup } = maintenance
      const counts = {
        skipped,
        ...(index ? { index_done: index.done, index_total: index.total } : {}),
        ...(unreadableEvents > 0 ? { unreadable_events: unreadableEvents } : {}),
      }
      const meta = {
        counts,
        ...(warnings.length > 0 ? { warnings } : {}),
        ...(backup.status === 'off' ? {} : { backup: presentBackup(backup) }),
      }
      return { data: traces, meta }
    },
  )
}

const presentBackup = ({ status, succeededAt }: BackupHealth) => ({
  status,
  succeeded_at: succeededAt === undefined ? null : formatUtc(succeededAt),
})

const docs: RouteDocs = {
  id: 'listDiagnostics',
  summary: 'Show the last requests',
  description:
    'Of every node, newest first, for up to seven days. A busy second is not kept whole: `meta.counts.skipped` is how many this node has left out since it started. `meta.warnings` has `credentials_in_clear` when a password, or the address of a personal feed, was sent over plain http in the last seven days; `index_rebuilding` while events are derived again, `meta.counts.index_done` of `index_total`; `unreadable_events` when the text of `meta.counts.unreadable_events` stored events cannot be read, the log names them; `clock_in_doubt` while nothing is purged because the clock is far from the last time the calendar was in use; `backup_failing` when the last scheduled backup failed, `meta.backup` when the last one was made; `loopback_http_allowed` when plain http is answered on the machine itself although `public_url` is https.',
  success: { status: 200, description: 'The requests, without their content.', data: Type.Array(TraceItem) },
  errors: [],
}
