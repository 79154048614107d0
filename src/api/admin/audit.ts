// Route that lists the audit trail for administrators.
import type { FastifyInstance } from 'fastify'
import { type AuditRecord, readAudit } from '../../actions/accounts/audit.ts'
import type { Context } from '../../context.ts'
import { AuditItem, AuditQuery, type AuditValues } from '../../contract/audit.ts'
import { Type } from '../../contract/json-schema.ts'
import { cleanText } from '../../domain/plain-text.ts'
import { formatUtc } from '../../domain/time/text.ts'
import { fail } from '../../errors.ts'
import type { Site } from '../../http/site.ts'
import type { RouteDocs } from '../docs/route.ts'
import { pageLinks } from '../json-response.ts'

const DEFAULT_PER_PAGE = 50

export function addAuditRoutes(app: FastifyInstance, ctx: Context, site: Site): void {
  const path = `${site.base}/admin/audit`
  app.get<{ Querystring: AuditValues }>(
    path,
    { schema: { querystring: AuditQuery }, config: { access: 'administer', docs } },
    async (request, reply) => {
      const { action, user_id, page = 1, per_page: perPage = DEFAULT_PER_PAGE } = request.query
      // One of the databases cannot search for a control character.
      const userId =
        user_id === undefined ? undefined : (cleanText(user_id) ?? fail('invalid_parameter', { parameter: 'user_id' }))
      const { viewer, caller } = request
      const { records, total } = await readAudit(ctx, viewer, { action, userId }, { page, perPage }, caller)
      const totalPages = Math.ceil(total / perPage)
      const meta = { pagination: { page, per_page: perPage, total, total_pages: totalPages } }
      const asked = new URLSearchParams({ ...(action ? { action } : {}), ...(user_id ? { user_id } : {}) })
      reply.header('link', pageLinks(path, asked, page, perPage, totalPages))
      return { data: records.map(presentRecord), meta }
    },
  )
}

const presentRecord = (record: AuditRecord) => ({
  id: record.id,
  at: formatUtc(record.at),
  action: record.action,
  actor_id: record.actorId,
  actor_name: record.actorName,
  subject_id: record.subjectId,
  subject_name: record.subjectName,
  request_id: record.requestId,
  detail: record.detail,
})

const docs: RouteDocs = {
  id: 'listAudit',
  summary: 'Read the audit trail',
  description:
    'Every act of an administrator and every event that matters to security, newest first. Sign-ins stay for 90 days, everything else for good.',
  success: { status: 200, headers: ['Link'], description: 'The entries.', data: Type.Array(AuditItem) },
  errors: ['service_unavailable'],
}
