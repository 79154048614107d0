// The calendar's one row: revision counters for caches and sync, and the span of the index.
import type { Range } from '../../domain/time/window.ts'
import { rawQuery, rawQueryNow } from '../dialect.ts'
import type { Db } from '../tables.ts'

export interface CalendarState {
  /** Raised in every transaction that changes an event. */
  revision: number
  /** Raised in transactions that change the rights of an account or end a session, app password or token. */
  accountsRevision: number
}

const STATE_COLUMNS = 'revision, accounts_revision as "accountsRevision"'

/** Synchronous on SQLite. */
export function readCalendarState(db: Db): CalendarState | Promise<CalendarState> {
  const rows = rawQueryNow<CalendarState>(db, `select ${STATE_COLUMNS} from calendar where id = 1`, [])
  return rows instanceof Promise ? rows.then(([row]) => row!) : rows[0]!
}

/** The counters, and when the PostgreSQL server started that has them: a standby that takes over has another time. */
export async function readServerState(db: Db): Promise<CalendarState & { serverStartedAt: string }> {
  const [row] = await rawQueryNow<CalendarState & { serverStartedAt: string }>(
    db,
    `select ${STATE_COLUMNS}, pg_postmaster_start_time()::text as "serverStartedAt" from calendar where id = 1`,
    [],
  )
  return row!
}

/** A raised revision, and the span of the index in the same transaction. */
export interface RaisedRevision {
  revision: number
  span: Range
}

/** Raw SQL without parameters; `raisedOf` reads the row that it returns. */
export const RAISE_REVISION =
  'update calendar set revision = revision + 1 where id = 1 returning revision, index_from, index_to'

export interface RaisedRow {
  revision: number
  index_from: number
  index_to: number
}

export const raisedOf = ({ revision, index_from, index_to }: RaisedRow): RaisedRevision => ({
  revision,
  span: { from: index_from, to: index_to },
})

export const raiseRevision = async (db: Db): Promise<number> => (await raiseWithSpan(db)).revision

export async function raiseWithSpan(db: Db): Promise<RaisedRevision> {
  const [row] = await rawQuery<RaisedRow>(db, RAISE_REVISION, [])
  return raisedOf(row!)
}

export async function raiseAccountsRevision(db: Db): Promise<void> {
  await rawQuery(db, 'update calendar set accounts_revision = accounts_revision + 1 where id = ?1', [1])
}

export async function readIndexSpan(db: Db): Promise<Range> {
  const [row] = await rawQuery<Range>(db, 'select index_from as "from", index_to as "to" from calendar', [])
  return row!
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
