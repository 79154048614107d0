// Queries for app passwords and API tokens, stored and found by their hashes.
import type { Account } from '../../domain/account/account.ts'
import type { Scope } from '../../domain/privacy/rights.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { lockForKeyShare, rawQuery } from '../dialect.ts'
import { raiseAccountsRevision } from '../events/calendar.ts'
import type { ApiTokenRow, AppPasswordRow, Db } from '../tables.ts'
import { accountOf } from './accounts.ts'
import { deleteServedVersions } from './served-versions.ts'

/** Limit of each kind for one account. */
export const MAX_CREDENTIALS = 25

export interface StoredAppPassword {
  id: string
  name: string
  createdAt: Instant
  lastUsedAt: Instant | null
}

export interface ApiToken extends StoredAppPassword {
  lastFour: string
  scopes: Scope[]
  expiresAt: Instant
}

type Table = 'app_passwords' | 'api_tokens'

export const insertAppPassword = async (db: Db, row: AppPasswordRow): Promise<void> => {
  await db.insertInto('app_passwords').values(row).execute()
}

export const insertApiToken = async (db: Db, row: ApiTokenRow): Promise<void> => {
  await db.insertInto('api_tokens').values(row).execute()
}

export async function listAppPasswords(db: Db, userId: string): Promise<StoredAppPassword[]> {
  const rows = await db
    .selectFrom('app_passwords')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(appPasswordOf)
}

export async function listApiTokens(db: Db, userId: string): Promise<ApiToken[]> {
  const rows = await db
    .selectFrom('api_tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(apiTokenOf)
}

export interface FoundCredential<Credential> {
  credential: Credential
  account: Account
}

export async function findAppPassword(db: Db, hash: string): Promise<FoundCredential<StoredAppPassword> | undefined> {
  const row = await db.selectFrom('app_passwords').selectAll().where('hash', '=', hash).executeTakeFirst()
  const account = row && (await ownerOf(db, row.user_id))
  return account && { credential: appPasswordOf(row), account }
}

export async function findApiToken(db: Db, hash: string): Promise<FoundCredential<ApiToken> | undefined> {
  const row = await db.selectFrom('api_tokens').selectAll().where('hash', '=', hash).executeTakeFirst()
  const account = row && (await ownerOf(db, row.user_id))
  return account && { credential: apiTokenOf(row), account }
}

/** Whether it exists; in a transaction it cannot be deleted until that ends. */
export async function hasCredential(db: Db, table: Table, userId: string, id: string): Promise<boolean> {
  const text = `select id from ${table} where user_id = ?1 and id = ?2${lockForKeyShare(db)}`
  return (await rawQuery(db, text, [userId, id])).length > 0
}

/** The same without a lock, also for sessions. */
export async function isCredentialStored(
  db: Db,
  table: Table | 'sessions',
  userId: string,
  id: string,
): Promise<boolean> {
  const found = db.selectFrom(table).select('id').where('user_id', '=', userId).where('id', '=', id)
  return (await found.executeTakeFirst()) !== undefined
}

export async function countCredentials(db: Db, table: Table, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export async function touchCredential(db: Db, table: Table, id: string, now: Instant): Promise<void> {
  await db.updateTable(table).set({ last_used_at: now }).where('id', '=', id).execute()
}

export async function deleteCredential(db: Db, table: Table, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await deleteServedVersions(db, id)
  await raiseAccountsRevision(db)
  return true
}

async function ownerOf(db: Db, userId: string): Promise<Account | undefined> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()
  return row && accountOf(row)
}

const appPasswordOf = ({ id, name, created_at, last_used_at }: AppPasswordRow): StoredAppPassword => ({
  id,
  name,
  createdAt: created_at,
  lastUsedAt: last_used_at,
})

const apiTokenOf = (row: ApiTokenRow): ApiToken => ({
  ...appPasswordOf(row),
  lastFour: row.last_four,
  scopes: row.scopes.split(' ').filter(Boolean) as Scope[],
  expiresAt: row.expires_at,
})
