// Lists the audit log for administrators.
import type { Context } from '../../context.ts'
import { requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { type AuditFilters, type AuditRecord, listAudit } from '../../storage/operations/audit.ts'
import type { Db } from '../../storage/tables.ts'
import { runCostlyRead } from '../access/reader-guard.ts'
import { type Caller, SERVICE_CALLER } from '../costly-work/semaphore.ts'
import type { PageRequest } from '../lists/list-request.ts'

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
  // Most entries are kept for good, and a far page scans all newer ones.
  return runCostlyRead(ctx, viewer, caller, read)
}
