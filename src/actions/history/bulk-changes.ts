// Reports a credential that changes very many events: audit record and mail, once for an incident.
import type { Context } from '../../context.ts'
import type { AccountViewer } from '../../domain/privacy/viewer.ts'
import { HOUR_MS, MINUTE_MS } from '../../domain/time/instant.ts'
import { LruMap } from '../../lru-map.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { insertBulkChanges } from '../../storage/history/bulk-changes.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import { notifyAdministrators } from '../../storage/operations/outbox.ts'

/** An incident is over when the credential has kept to the limit for this time. */
const QUIET_MS = HOUR_MS

/** A node reports an incident that goes on at most this often. */
const REPEAT_MS = MINUTE_MS
const MAX_KNOWN = 1_000

/** The key that changes of a credential are counted under; accounts have one password. */
export const changeKeyOf = ({ proof, credentialId, account }: AccountViewer): string =>
  credentialId ?? `${proof} ${account.id}`

export type BulkChangeReporter = (viewer: AccountViewer) => Promise<void>

export function createBulkChangeReporter(ctx: Context): BulkChangeReporter {
  const reportedAt = new LruMap<string, number>(MAX_KNOWN)
  return async (viewer) => {
    const credential = changeKeyOf(viewer)
    const now = ctx.clock()
    const known = reportedAt.get(credential)
    if (known !== undefined && now >= known && now < known + REPEAT_MS) return
    reportedAt.set(credential, now)
    try {
      await inTransaction(ctx.storage, async (db) => {
        const { account, proof, credentialId: credential_id = null } = viewer
        const row = { credential, user_id: account.id, changed_with: proof, credential_id, began_at: now }
        if (!(await insertBulkChanges(db, row, now - QUIET_MS))) return
        const detail = {
          changed_with: proof,
          limit: ctx.config.bulkChangeLimit,
          ...(credential_id && { credential_id }),
        }
        const entry = { action: 'bulk_changes_slowed', actorId: account.id, subjectId: account.id } as const
        await insertAudit(db, { ...entry, requestId: null, detail }, now)
        await notifyAdministrators(db, 'bulk_changes', ctx.newId, now)
      })
    } catch (error) {
      // The change itself goes on; the next one reports again.
      reportedAt.delete(credential)
      ctx.log.error('a credential changes very many events, and this could not be stored', {
        error: (error as Error).name,
      })
    }
  }
}
