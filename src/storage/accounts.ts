// People as rows. An account is looked up by a folded key of its address; the address itself stays as it was given.

import type { Account } from '../domain/account/account.ts'
import { AppError } from '../errors.ts'
import { raiseAccountsRevision } from './calendar.ts'
import { isDuplicateOf } from './dialect.ts'
import type { Db, UserRow } from './tables.ts'

export interface Credential {
  account: Account
  passwordHash: string
}

export async function findCredentialByEmailKey(db: Db, emailKey: string): Promise<Credential | undefined> {
  const row = await db.selectFrom('users').selectAll().where('email_key', '=', emailKey).executeTakeFirst()
  return row && { account: accountOf(row), passwordHash: row.password_hash }
}

export async function hasAdmin(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('approval_state', '=', 'approved')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertAccount(db: Db, row: UserRow): Promise<void> {
  try {
    await db.insertInto('users').values(row).execute()
  } catch (error) {
    throw isDuplicateOf(error, 'users', 'email_key') ? new AppError('email_taken') : error
  }
  await raiseAccountsRevision(db)
}

export const accountOf = (row: UserRow): Account => ({
  id: row.id,
  email: row.email,
  displayName: row.display_name,
  role: row.role,
  approvalState: row.approval_state,
  emailVerified: row.email_verified_at !== null,
})
