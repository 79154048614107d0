// Writes an audit entry for a change to one's own account, in the same transaction.
import type { Context } from '../../context.ts'
import type { Account } from '../../domain/account/account.ts'
import type { AuditAction } from '../../domain/account/audit.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import type { Db } from '../../storage/tables.ts'

export const recordAudit = (
  ctx: Context,
  db: Db,
  action: AuditAction,
  { id }: Account,
  subjectId: string,
  requestId: string,
): Promise<void> => insertAudit(db, { action, actorId: id, subjectId, requestId, detail: {} }, ctx.clock())
