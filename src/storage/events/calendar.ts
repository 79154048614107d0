// The calendar's one row: revision counters for caches and sync, and what rows are derived for.
import type { Range } from '../../domain/time/window.ts'
import { lockForUpdate, rawQuery, rawQueryNow } from '../dialect.ts'
import { noteRaised } from '../engine/commits.ts'
import type { Db } from '../tables.ts'

export interface CalendarState {
  /** Raised in every transaction that changes an event. */
  revision: number
  /** Raised in transactions that change the rights of an account or end a session, app password or token. */
  accountsRevision: number
}

export interface StoredState extends CalendarState {
  /** Raised in every transaction that changes what the public sees of an event. */
  publicRevision: number
}

const STATE_COLUMNS = 'revision, accounts_revision as "accountsRevision", public_revision as "publicRevision"'

/** Synchronous on SQLite. */
export function readCalendarState(db: Db): StoredState | Promise<StoredState> {
  const rows = rawQueryNow<StoredState>(db, `select ${STATE_COLUMNS} from calendar where id = 1`, [])
  return rows instanceof Promise ? rows.then(([row]) => row!) : rows[0]!
}

/** The counters, and when the PostgreSQL server started that has them: a standby that takes over has another time. */
export async function readServerState(db: Db): Promise<StoredState & { serverStartedAt: string }> {
  const [row] = await rawQueryNow<StoredState & { serverStartedAt: string }>(
    db,
    `select ${STATE_COLUMNS}, pg_postmaster_start_time()::text as "serverStartedAt" from calendar where id = 1`,
    [],
  )
  return row!
}

/** What is derived from a text depends on both: times in the span are index rows, and internal categories are hidden. */
export interface IndexSpan extends Range {
  /** As stored: a JSON list of folded names. */
  internalCategories: string
}

/** A raised revision, and the span of the index in the same transaction. */
export interface RaisedRevision {
  revision: number
  publicRevision: number
  span: IndexSpan
}

/** Raw SQL without parameters; `raisedOf` reads the row that it returns. `isPublic` where the public sees the change. */
export const raiseText = (isPublic: boolean): string => (isPublic ? RAISE_BOTH : RAISE_REVISION)

const RAISED = 'where id = 1 returning revision, public_revision, index_from, index_to, internal_categories'
const RAISE_REVISION = `update calendar set revision = revision + 1 ${RAISED}`
const RAISE_BOTH = `update calendar set revision = revision + 1, public_revision = public_revision + 1 ${RAISED}`

export interface RaisedRow {
  revision: number
  public_revision: number
  index_from: number
  index_to: number
  internal_categories: string
}

export const raisedOf = ({ revision, public_revision, ...row }: RaisedRow): RaisedRevision => ({
  revision,
  publicRevision: public_revision,
  span: { from: row.index_from, to: row.index_to, internalCategories: row.internal_categories },
})

/** For changes that the public does not see. */
export const raiseRevision = async (db: Db): Promise<number> => (await raiseWithSpan(db, false)).revision

export async function raiseWithSpan(db: Db, isPublic: boolean): Promise<RaisedRevision> {
  noteRaised(db)
  const [row] = await rawQuery<RaisedRow>(db, raiseText(isPublic), [])
  return raisedOf(row!)
}

export async function raiseAccountsRevision(db: Db): Promise<void> {
  noteRaised(db)
  await rawQuery(db, 'update calendar set accounts_revision = accounts_revision + 1 where id = ?1', [1])
}

export async function readIndexSpan(db: Db): Promise<IndexSpan> {
  const text =
    'select index_from as "from", index_to as "to", internal_categories as "internalCategories" from calendar'
  const [row] = await rawQuery<IndexSpan>(db, text, [])
  return row!
}

/** Until the transaction ends, no other raises a counter or changes what rows are derived for. */
export async function lockCounters(db: Db): Promise<void> {
  await rawQuery(db, `select id from calendar where id = ?1${lockForUpdate(db)}`, [1])
}

/** Extends the span unless another node has; false when it already reaches at least as far. */
export async function moveIndexSpan(db: Db, span: Range): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calendar')
    .set({ index_from: span.from, index_to: span.to })
    .where('index_to', '<', span.to)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Moves the span, also backwards; false when it is already there. */
export async function setIndexSpan(db: Db, span: Range): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calendar')
    .set({ index_from: span.from, index_to: span.to })
    .where((is) => is.or([is('index_from', '<>', span.from), is('index_to', '<>', span.to)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Writers that derived rows for other internal categories notice it in their transactions. */
export const setInternalCategories = async (db: Db, folded: readonly string[]): Promise<void> => {
  await db
    .updateTable('calendar')
    .set({ internal_categories: JSON.stringify(folded.toSorted()) })
    .execute()
}
