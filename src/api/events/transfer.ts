// Routes for importing and exporting the whole calendar, for administrators.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { exportForDownload } from '../../actions/transfer/export.ts'
import { importCalendar } from '../../actions/transfer/import.ts'
import type { ImportSummary as Report } from '../../actions/transfer/import-report.ts'
import type { Context } from '../../context.ts'
import { CalendarFile, ImportQuery, ImportReport } from '../../contract/transfer.ts'
import { skipReasons } from '../../domain/calendar/skip-reasons.ts'
import { createDisconnectSignal } from '../../http/connections/client-disconnect.ts'
import { keyHolderOf } from '../../http/guard/idempotency.ts'
import { inPieces } from '../../http/responses/response-writer.ts'
import type { Site } from '../../http/site.ts'
import type { RouteDocs } from '../docs/route.ts'

const IMPORT_LIMIT_BYTES = 10 * 1_024 * 1_024

export function addTransferRoutes(app: FastifyInstance, ctx: Context, site: Site): void {
  app.post<{ Querystring: { dry_run?: boolean }; Body: string }>(
    `${site.base}/admin/import`,
    {
      bodyLimit: IMPORT_LIMIT_BYTES,
      schema: { querystring: ImportQuery, body: CalendarFile },
      config: { access: 'administer', takes: 'text/calendar', docs: docs.import },
    },
    async (request, reply) => {
      const isDryRun = request.query.dry_run ?? false
      const { id: requestId, caller } = request
      const signal = createDisconnectSignal(reply)
      const options = { isDryRun, requestId, keyHolder: keyHolderOf(request), caller, signal }
      const report = await importCalendar(ctx, request.viewer, request.body, options)
      return { data: presentReport(report) }
    },
  )

  app.get(
    `${site.base}/admin/export.ics`,
    { config: { access: 'administer', docs: docs.export } },
    async (request, reply) => {
      // HEAD sends no length: it is unknown without writing the whole file.
      const download = request.method === 'HEAD' ? undefined : await startDownload(ctx, request)
      // After the checks: a refusal is no file.
      reply.headers({
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': 'attachment; filename="calendar.ics"',
        'cache-control': 'private, no-store',
        ...(download?.length === undefined ? {} : { 'content-length': `${download.length}` }),
      })
      return reply.send(download && Readable.from(inPieces(download.pieces), { objectMode: false }))
    },
  )
}

interface Download {
  pieces: AsyncIterable<Buffer>
  /** Known if the whole file was written before. */
  length?: number
}

/**
 * HTTP/1.0, which nginx speaks to upstream servers by default, has no chunked coding: without a length a response that
 * is cut off looks complete. There the whole file is written before its first byte is sent.
 */
async function startDownload(ctx: Context, { viewer, id: requestId, raw }: FastifyRequest): Promise<Download> {
  if (raw.httpVersion !== '1.0') return { pieces: await exportForDownload(ctx, viewer, { requestId }) }
  let length = 0
  const onWhole = (bytes: number): void => {
    length = bytes
  }
  const pieces = await exportForDownload(ctx, viewer, { requestId, onWhole })
  const first = await pieces.next()
  const all = async function* (): AsyncGenerator<Buffer> {
    if (!first.done) yield first.value
    yield* pieces
  }
  return { pieces: all(), length }
}

const presentReport = ({ isDryRun, created, updated, unchanged, skipped, events, isTruncated }: Report) => ({
  dry_run: isDryRun,
  created,
  updated,
  unchanged,
  skipped,
  truncated: isTruncated,
  events: events.map(({ uid, id, title, result, reason, line, continues }) => ({
    uid,
    ...(id === undefined ? {} : { id }),
    title,
    result,
    line,
    ...(reason ? { reason, message: skipReasons[reason] } : {}),
    ...(continues ? { continues } : {}),
  })),
})

const docs = {
  import: {
    id: 'importCalendar',
    summary: 'Import a calendar file',
    description:
      'Events are matched by UID: known ones are changed, others added, none deleted. Each is taken in whole or not at all, and the answer says what came of it. Without `CLASS` a new event has the default visibility and a known one keeps its own; any other `CLASS` than `PUBLIC` is private. No mail is sent.',
    success: { status: 200, description: 'What came of each entry.', data: ImportReport },
    errors: [],
  },
  export: {
    id: 'exportCalendar',
    summary: 'Export everything as one calendar file',
    description: 'Every event with every property, private ones too. Importing it elsewhere gives the same calendar.',
    success: { status: 200, headers: ['Content-Disposition'], description: 'The file.', contentType: 'text/calendar' },
    errors: ['service_unavailable'],
  },
} satisfies Record<string, RouteDocs>
