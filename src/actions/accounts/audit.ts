// The audit trail, for administrators to look through.
import type { Context } from '../../context.ts'
import { requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { type AuditFilters, type AuditRecord, listAudit } from '../../storage/operations/audit.ts'
import type { Db } from '../../storage/tables.ts'
import { readCostly } from '../access/reader-guard.ts'
import { type Caller, SERVICE_CALLER } from '../costly-work/semaphore.ts'
import type { PageRequest } from '../events/list-events.ts'

export type { AuditRecord }

export interface AuditPage {
  records: AuditRecord[]
  total: number
}

export function readAudit(
  ctx: Context,
  viewer: Viewer,
  filters: AuditFilters,
  { page, perPage }: PageRequest,
  caller: Caller = SERVICE_CALLER,
): Promise<AuditPage> {
  requireAccess(viewer, 'administer')
  const read = (db: Db): Promise<AuditPage> => listAudit(db, filters, { offset: (page - 1) * perPage, limit: perPage })
  // Entries stay for good, and a page far back passes all that are newer.
  return readCostly(ctx, viewer, caller, read)
}
