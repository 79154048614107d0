// Test mail of an administrator to the address of the own account, with the mail server in force.
import type { Context } from '../context.ts'
import type { FindingValues } from '../contract/health.ts'
import { requireAccess, type Viewer } from '../domain/privacy/viewer.ts'
import { fail } from '../errors.ts'
import { inTransaction } from '../storage/engine/transaction.ts'
import { insertAudit } from '../storage/operations/audit.ts'
import { checkSending } from './checks/mail.ts'

export interface TestMailOptions {
  requestId: string
  /** Counts one mail of this account; refuses where there were too many. */
  count(accountId: string): Promise<void>
}

export interface TestMailResult {
  sent: boolean
  to: string
  message: string
  values?: FindingValues
}

export async function sendTestMailTo(
  ctx: Context,
  viewer: Viewer,
  { requestId, count }: TestMailOptions,
): Promise<TestMailResult> {
  requireAccess(viewer, 'administer')
  if (viewer.kind !== 'account') fail('admin_required')
  const { id, email } = viewer.account
  await count(id)
  const [found] = await checkSending(ctx.config, email)
  const { code, message, values } = found!
  const sent = code === 'mail_sent'
  await inTransaction(ctx.storage, (db) =>
    insertAudit(
      db,
      { action: 'test_mail_sent', actorId: id, subjectId: id, requestId, detail: { accepted: sent } },
      ctx.clock(),
    ),
  )
  return { sent, to: email, message, ...(values && { values }) }
}
