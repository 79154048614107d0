// Queries for accounts, passwords and account requests; lookup is by a normalised email key.

import { type ExpressionBuilder, sql } from 'kysely'
import type { Account, PasswordState } from '../../domain/account/account.ts'
import { LANGUAGES, type Language } from '../../domain/languages.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { AppError } from '../../errors.ts'
import { forUpdate, isDuplicateOf, lockAccountsExclusive, lockingAccount, rawQuery } from '../dialect.ts'
import { raiseAccountsRevision } from '../events/calendar.ts'
import { deleteBatch } from '../operations/purge.ts'
import type { Db, Tables, UserRow } from '../tables.ts'

export interface AccountWithHash {
  account: Account
  passwordHash: string
  passwordState: PasswordState
}

export async function findAccountByEmailKey(db: Db, emailKey: string): Promise<AccountWithHash | undefined> {
  const row = await db.selectFrom('users').selectAll().where('email_key', '=', emailKey).executeTakeFirst()
  return row && credentialOf(row)
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

/** The current account, without a lock. */
export async function findAccountById(db: Db, id: string): Promise<AccountWithHash | undefined> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  return row && credentialOf(row)
}

/** The current account, locked until the transaction ends; undefined when it is gone. */
export async function lockAccountWithHash(db: Db, id: string): Promise<AccountWithHash | undefined> {
  await lockAccountsExclusive(db, [id])
  const row = await forUpdate(db, db.selectFrom('users').selectAll().where('id', '=', id)).executeTakeFirst()
  return row && credentialOf(row)
}

/** The same with a shared lock: a transaction that would change or remove the account waits. */
export async function lockAccountForShare(db: Db, id: string): Promise<AccountWithHash | undefined> {
  const [row] = await rawQuery<UserRow>(db, lockingAccount(db, 'select u.* from users u where u.id = ?1'), [id])
  return row && credentialOf(row)
}

/** Until this transaction ends, no other one changes the account or what belongs to it. */
export async function lockAccount(db: Db, id: string): Promise<void> {
  await lockAccountsExclusive(db, [id])
  await forUpdate(db, db.selectFrom('users').select('id').where('id', '=', id)).execute()
}

export async function setLastLogin(db: Db, id: string, now: Instant): Promise<void> {
  await db.updateTable('users').set({ last_login_at: now }).where('id', '=', id).execute()
}

/** Cached credentials have the account with its language. */
export async function setLanguage(db: Db, id: string, language: Language | null): Promise<void> {
  await db.updateTable('users').set({ language }).where('id', '=', id).execute()
  await raiseAccountsRevision(db)
}

/** Updates only while the password is still `before`; false when it is not. */
export async function setPasswordHash(db: Db, id: string, hash: string, before: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', id)
    .where('password_hash', '=', before)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await raiseAccountsRevision(db)
  return numUpdatedRows > 0n
}

/**
 * Locks the account whose request would be counted, if there is one: without email verification its owner may be
 * writing. Other accounts are not locked, so that a registration takes no longer while their owner writes.
 */
export async function lockRequestedAccount(db: Db, { id, email_key }: UserRow): Promise<void> {
  const counted = db.selectFrom('users').select('id').where('email_key', '=', email_key).where(countsRequests)
  await lockAccountsExclusive(db, [(await counted.executeTakeFirst())?.id ?? id])
}

const countsRequests = (is: ExpressionBuilder<Tables, 'users'>) =>
  is.or([is('email_verified_at', 'is', null), is('approval_state', 'in', ['pending_approval', 'rejected'])])

/**
 * False when the address already has an account. That account only counts the request, and not even that once it is
 * approved and its address verified: its version, name, password and message stay.
 */
export async function insertRegistration(db: Db, row: UserRow): Promise<boolean> {
  await db
    .updateTable('users')
    .set((is) => ({
      was_asked_again: 1,
      request_count: is('request_count', '+', 1),
      last_requested_at: row.last_requested_at,
    }))
    .where('email_key', '=', row.email_key)
    .where(countsRequests)
    .execute()
  const inserted = await db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Waiting account requests with an unverified address. */
export async function countUnverifiedRequests(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('approval_state', '=', 'pending_approval')
    .where('email_verified_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes requests that are older and still unverified, unless an administrator has reopened them since. */
export async function purgeUnverifiedRequests(db: Db, before: Instant): Promise<number> {
  const deleted = await deleteBatch(
    db,
    'users',
    sql`approval_state = 'pending_approval' and email_verified_at is null and created_at < ${before}
      and (decided_at is null or decided_at < ${before})`,
  )
  if (deleted > 0) await raiseAccountsRevision(db)
  return deleted
}

/** An address that was verified before keeps its date. */
export async function setEmailVerified(db: Db, id: string, now: Instant): Promise<Account> {
  const row = await db
    .updateTable('users')
    .set((is) => ({
      email_verified_at: is.fn.coalesce('email_verified_at', is.val(now)),
      version: is('version', '+', 1),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await raiseAccountsRevision(db)
  return accountOf(row)
}

/** Invalidates a disputed password and all other credentials; false when the password is not disputed. */
export async function invalidateDisputedPassword(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: '', was_asked_again: 0 })
    .where('id', '=', id)
    .where('was_asked_again', '=', 1)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await deleteCredentialsOf(db, id)
  return true
}

/** Sets a new password, whatever the old one was, and deletes all other credentials. */
export async function resetCredentials(db: Db, id: string, passwordHash: string): Promise<Account> {
  const row = await db
    .updateTable('users')
    .set((is) => ({ password_hash: passwordHash, was_asked_again: 0, version: is('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await deleteCredentialsOf(db, id)
  return accountOf(row)
}

async function deleteCredentialsOf(db: Db, id: string): Promise<void> {
  for (const table of ['sessions', 'app_passwords', 'api_tokens', 'feed_links', 'served_revisions'] as const)
    await db.deleteFrom(table).where('user_id', '=', id).execute()
  await raiseAccountsRevision(db)
}

const credentialOf = (row: UserRow): AccountWithHash => ({
  account: accountOf(row),
  passwordHash: row.password_hash,
  passwordState: passwordStateOf(row),
})

export function passwordStateOf(row: Pick<UserRow, 'password_hash' | 'was_asked_again'>): PasswordState {
  if (row.password_hash === '') return 'none'
  return row.was_asked_again === 1 ? 'disputed' : 'set'
}

export const accountOf = (row: UserRow): Account => ({
  id: row.id,
  email: row.email,
  displayName: row.display_name,
  role: row.role,
  approvalState: row.approval_state,
  emailVerified: row.email_verified_at !== null,
  language: languageOf(row),
})

/** Undefined also for one that this version does not have. */
export const languageOf = ({ language }: Pick<UserRow, 'language'>): Language | undefined =>
  LANGUAGES.find((known) => known === language)
