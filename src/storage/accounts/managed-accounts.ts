// Queries for account administration: list, count, change; never returns password hashes.
import { sql } from 'kysely'
import { APPROVAL_STATES, type ApprovalState, type Role } from '../../domain/account/account.ts'
import type { AccountOrder, ManagedAccount } from '../../domain/account/managed-account.ts'
import { foldText } from '../../domain/plain-text.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { byBytes, forUpdate, inList, lockAccountsExclusive, lockByNumber } from '../dialect.ts'
import type { Db, UserRow } from '../tables.ts'
import { passwordStateOf } from './accounts.ts'

export interface AccountFilters {
  approvalState?: ApprovalState | undefined
  role?: Role | undefined
  emailVerified?: boolean | undefined
  /** Prefix of the address or the folded name, both normalised as they are stored. */
  begins?: { emailKey: string; nameKey: string } | undefined
}

export interface AccountListPage {
  order: AccountOrder
  offset: number
  limit: number
}

export async function listManagedAccounts(
  db: Db,
  filters: AccountFilters,
  { order, offset, limit }: AccountListPage,
): Promise<{ users: ManagedAccount[]; total: number }> {
  const matching = matchingUsers(db, filters)
  const { total } = await matching.select((is) => is.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  if (offset >= total) return { users: [], total }
  const ordered =
    order === 'email'
      ? matching.orderBy(byBytes(db, 'email_key'))
      : matching.orderBy('created_at', order === 'created_at' ? 'asc' : 'desc')
  const rows = await ordered.orderBy('id').select(USER_COLUMNS).limit(limit).offset(offset).execute()
  return { users: rows.map(userOf), total }
}

function matchingUsers(db: Db, { approvalState, role, emailVerified, begins }: AccountFilters) {
  let query = db.selectFrom('users')
  if (approvalState) query = query.where('approval_state', '=', approvalState)
  if (role) query = query.where('role', '=', role)
  if (emailVerified !== undefined) query = query.where('email_verified_at', emailVerified ? 'is not' : 'is', null)
  if (begins)
    query = query.where((is) =>
      is.or([startsWith('email_key', begins.emailKey), startsWith('name_key', begins.nameKey)]),
    )
  return query
}

/** Escapes the wildcards of LIKE. */
const startsWith = (column: 'email_key' | 'name_key', text: string) =>
  sql<boolean>`${sql.ref(column)} like ${`${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`} escape '\\'`

/** Every state, including those without users. */
export async function countAccountsByState(db: Db): Promise<Record<ApprovalState, number>> {
  const rows = await db
    .selectFrom('users')
    .select((is) => ['approval_state', is.fn.countAll<number>().as('count')])
    .groupBy('approval_state')
    .execute()
  const counts = new Map(rows.map((row) => [row.approval_state, row.count]))
  return Object.fromEntries(APPROVAL_STATES.map((state) => [state, counts.get(state) ?? 0])) as Record<
    ApprovalState,
    number
  >
}

export async function findManagedAccount(db: Db, id: string): Promise<ManagedAccount | undefined> {
  const row = await db.selectFrom('users').select(USER_COLUMNS).where('id', '=', id).executeTakeFirst()
  return row && userOf(row)
}

/** The row, locked until the transaction ends. */
export async function findAccountForChange(
  db: Db,
  by: { id: string } | { emailKey: string },
): Promise<ManagedAccount | undefined> {
  const id = 'id' in by ? by.id : await findIdByEmailKey(db, by.emailKey)
  if (id === undefined) return undefined
  await lockAccountsExclusive(db, [id])
  const found = db.selectFrom('users').select(USER_COLUMNS).where('id', '=', id)
  const row = await forUpdate(db, found).executeTakeFirst()
  return row && userOf(row)
}

async function findIdByEmailKey(db: Db, emailKey: string): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('id').where('email_key', '=', emailKey).executeTakeFirst()
  return row?.id
}

/** Updates the row at exactly the version and state that were read; false when another change came first. */
export async function updateAccount(db: Db, before: ManagedAccount, after: ManagedAccount): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({
      display_name: after.displayName,
      name_key: foldText(after.displayName),
      role: after.role,
      approval_state: after.approvalState,
      email_verified_at: after.emailVerifiedAt,
      decided_at: after.decidedAt,
      decided_by: after.decidedBy,
      version: after.version,
    })
    .where('id', '=', before.id)
    .where('version', '=', before.version)
    .where('approval_state', '=', before.approvalState)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns the ids that were waiting and are now rejected. */
export async function rejectPending(
  db: Db,
  ids: readonly string[],
  decision: { by: string | null; at: Instant },
): Promise<string[]> {
  await lockAccountsExclusive(db, ids)
  const rows = await db
    .updateTable('users')
    .set((is) => ({
      approval_state: 'rejected',
      decided_at: decision.at,
      decided_by: decision.by,
      version: is('version', '+', 1),
    }))
    .where(inList(db, 'id', ids, 'text'))
    .where('approval_state', '=', 'pending_approval')
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function listApprovalStates(db: Db, ids: readonly string[]): Promise<Map<string, ApprovalState>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'approval_state'])
    .where(inList(db, 'id', ids, 'text'))
    .execute()
  return new Map(rows.map((row) => [row.id, row.approval_state]))
}

/** Any fixed number other than that of the migrations. */
const ADMINS = 7_430_002

/** Removals of an administrator run one at a time on all nodes, so that the last one can be counted. */
export const lockAdmins = (db: Db): Promise<void> => lockByNumber(db, ADMINS)

export async function hasOtherActiveAdmin(db: Db, exceptId: string, needsVerifiedEmail: boolean): Promise<boolean> {
  let query = db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('approval_state', '=', 'approved')
    .where('id', '<>', exceptId)
  if (needsVerifiedEmail) query = query.where('email_verified_at', 'is not', null)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

const USER_COLUMNS = [
  'id',
  'email',
  'display_name',
  'role',
  'approval_state',
  'email_verified_at',
  'password_hash',
  'was_asked_again',
  'request_message',
  'request_count',
  'last_requested_at',
  'created_at',
  'decided_at',
  'decided_by',
  'last_login_at',
  'version',
] as const satisfies (keyof UserRow)[]

const userOf = (row: Pick<UserRow, (typeof USER_COLUMNS)[number]>): ManagedAccount => ({
  id: row.id,
  email: row.email,
  displayName: row.display_name,
  role: row.role,
  approvalState: row.approval_state,
  emailVerifiedAt: row.email_verified_at,
  passwordState: passwordStateOf(row),
  requestMessage: row.request_message,
  requestCount: row.request_count,
  lastRequestedAt: row.last_requested_at,
  createdAt: row.created_at,
  decidedAt: row.decided_at,
  decidedBy: row.decided_by,
  lastLoginAt: row.last_login_at,
  version: row.version,
})
