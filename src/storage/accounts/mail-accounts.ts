// Finds the recipient of a mail with the state of the account at the time it is sent.
import type { Account } from '../../domain/account/account.ts'
import type { Language } from '../../domain/languages.ts'
import { forUpdate } from '../dialect.ts'
import type { Db, OutboxRow } from '../tables.ts'
import { languageOf } from './accounts.ts'

/** What decides whether a mail to an account is sent, and what it says. */
export interface MailAccount extends Pick<Account, 'id' | 'email' | 'role' | 'approvalState' | 'emailVerified'> {
  emailKey: string
  hasPassword: boolean
  language: Language | undefined
}

/** Locked until the transaction ends, so no other node decides about a mail to the same account meanwhile. */
export async function findAccountForMail(
  db: Db,
  { user_id, email_key }: Pick<OutboxRow, 'user_id' | 'email_key'>,
): Promise<MailAccount | undefined> {
  const columns = [
    'id',
    'email',
    'email_key',
    'role',
    'approval_state',
    'email_verified_at',
    'password_hash',
    'language',
  ] as const
  const users = db.selectFrom('users').select(columns)
  const found = user_id === null ? users.where('email_key', '=', email_key) : users.where('id', '=', user_id)
  const row = await forUpdate(db, found).executeTakeFirst()
  return (
    row && {
      id: row.id,
      email: row.email,
      emailKey: row.email_key,
      role: row.role,
      approvalState: row.approval_state,
      emailVerified: row.email_verified_at !== null,
      hasPassword: row.password_hash !== '',
      language: languageOf(row),
    }
  )
}

/** Accounts that wait for an administrator's decision. */
export async function countPendingAccounts(db: Db, needsVerifiedEmail: boolean): Promise<number> {
  let query = db.selectFrom('users').where('approval_state', '=', 'pending_approval')
  if (needsVerifiedEmail) query = query.where('email_verified_at', 'is not', null)
  const { count } = await query.select((is) => is.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}
