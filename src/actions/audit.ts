// The audit trail, for administrators to look through.
import type { Context } from '../context.ts'
import { requireAccess, type Viewer } from '../domain/privacy/viewer.ts'
import { type AuditFilters, type AuditRecord, listAudit } from '../storage/audit.ts'
import { inSnapshot } from '../storage/transaction.ts'
import type { Page } from './list-events.ts'

export type { AuditRecord }

export interface AuditPage {
  records: AuditRecord[]
  total: number
}

export function readAudit(
  ctx: Context,
  viewer: Viewer,
  filters: AuditFilters,
  { page, perPage }: Page,
): Promise<AuditPage> {
  requireAccess(viewer, 'administer')
  return inSnapshot(ctx.storage, (db) => listAudit(db, filters, { offset: (page - 1) * perPage, limit: perPage }))
}
