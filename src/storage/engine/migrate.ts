// Applies schema migrations from an explicit list, each once, one node at a time.
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { isBusy, isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'
import { core } from '../migrations/001-core.ts'
import { accounts } from '../migrations/002-accounts.ts'
import { publicReads } from '../migrations/003-public.ts'
import { calDav } from '../migrations/004-caldav.ts'
import { occurrenceTransparency } from '../migrations/005-occurrence-transparency.ts'
import { propertyLanguages } from '../migrations/006-property-languages.ts'
import { choices } from '../migrations/007-choices.ts'
import { requestCounts } from '../migrations/008-request-counts.ts'
import { repairEditedSteps } from '../migrations/009-repair-edited-steps.ts'
import { indexWork } from '../migrations/010-index-work.ts'
import { publicExceptionMarks } from '../migrations/011-public-exceptions.ts'
import { coveringIndexes } from '../migrations/012-covering-indexes.ts'
import { objectHeads } from '../migrations/013-object-heads.ts'
import { servedVersions } from '../migrations/014-served-versions.ts'
import { listedEvents } from '../migrations/015-listed-events.ts'
import { backupState } from '../migrations/016-backup-state.ts'
import { changedSettings } from '../migrations/017-settings.ts'
import { trash } from '../migrations/018-trash.ts'
import { eventVersions } from '../migrations/019-event-versions.ts'
import { bulkChanges } from '../migrations/020-bulk-changes.ts'
import { changeFeed } from '../migrations/021-040/021-change-feed.ts'
import { idempotentAnswers } from '../migrations/021-040/022-idempotent-answers.ts'
import { publicUpdates } from '../migrations/021-040/023-public-updates.ts'
import { managedCategories } from '../migrations/021-040/024-categories.ts'
import { accountLanguage } from '../migrations/021-040/025-account-language.ts'
import { categoryRenames } from '../migrations/021-040/027-category-renames.ts'
import type { Db } from '../tables.ts'
import type { Storage } from './storage.ts'

/** In order. A released migration is never edited; a new one is added. */
export const migrations: readonly Migration[] = [
  core,
  accounts,
  publicReads,
  calDav,
  occurrenceTransparency,
  propertyLanguages,
  choices,
  requestCounts,
  repairEditedSteps,
  indexWork,
  publicExceptionMarks,
  coveringIndexes,
  objectHeads,
  servedVersions,
  listedEvents,
  backupState,
  changedSettings,
  trash,
  eventVersions,
  bulkChanges,
  changeFeed,
  idempotentAnswers,
  publicUpdates,
  managedCategories,
  accountLanguage,
  categoryRenames,
]

/** Any fixed number: the advisory lock that nodes which start together wait for. */
const LOCK = 7_430_001

export interface MigrateOptions {
  /** Other migrations than the released ones, for tests. */
  steps?: readonly Migration[]
  /** Called each time the wait for another node's migration begins or has lasted another minute. */
  onWait?: () => void
}

/** Applies what is missing in one transaction, without the timeouts of requests, after any other node that migrates. */
export async function migrate(storage: Storage, options: MigrateOptions = {}): Promise<void> {
  const { steps = migrations, onWait = () => {} } = options
  // A database that is up to date is not locked, so a command need not wait for a writer.
  if (await isMigrated(storage.reads, steps).catch(() => false)) return
  const { db, close } = storage.openMaintenance()
  try {
    await whenFree(onWait, () =>
      db.transaction().execute(async (transaction) => {
        if (isPostgres(db)) await lockSchema(transaction, onWait)
        await applySteps(transaction, steps)
      }),
    )
  } finally {
    await close()
  }
}

async function applySteps(db: Db, steps: readonly Migration[]): Promise<void> {
  await sql`create table if not exists migrations (name text primary key, applied_at bigint not null)`.execute(db)
  const applied = await requireKnownSchema(db, steps)
  for (const migration of steps) {
    if (applied.has(migration.name)) continue
    await migration.up(db)
    await db.insertInto('migrations').values({ name: migration.name, applied_at: Date.now() }).execute()
  }
}

/** The names of the migrations that the database has. */
export async function requireKnownSchema(db: Db, steps: readonly Migration[] = migrations): Promise<Set<string>> {
  const applied = new Set((await db.selectFrom('migrations').select('name').execute()).map(({ name }) => name))
  const known = new Set(steps.map(({ name }) => name))
  const newer = [...applied].find((name) => !known.has(name))
  if (newer)
    throw new Error(`The database was created by a newer version of Daybook (migration ${newer}). Run that version.`)
  return applied
}

const RETRY_MS = 200
/** All requests queue behind a step that waits for the lock of a table, so it gives up soon and tries again later. */
const LOCK_TIMEOUT_MS = 2_000
const RETRY_LOCK_MS = 5_000
const REPORT_MS = 60_000

/** Lifts timeouts of role and server in this transaction; migrating every row of a large calendar takes minutes. */
async function lockSchema(db: Db, onWait: () => void): Promise<void> {
  for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
    await sql.raw(`set local ${limit} = 0`).execute(db)
  const reportWaiting = throttled(onWait)
  for (;;) {
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(${sql.lit(LOCK)}) as "isOurs"`.execute(db)
    if (rows[0]!.isOurs) {
      await sql.raw(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`).execute(db)
      return
    }
    reportWaiting()
    await delay(RETRY_MS)
  }
}

const isLockTimeout = (error: unknown): boolean =>
  ((error as Error).cause as { code?: string } | undefined)?.code === '55P03'

/**
 * SQLite refuses to begin while another process writes; a migration there may take longer than a request waits. On
 * PostgreSQL a long reader, such as a dump, may hold the table that a step changes.
 */
async function whenFree(onWait: () => void, act: () => Promise<void>): Promise<void> {
  const reportWaiting = throttled(onWait)
  for (;;) {
    try {
      return await act()
    } catch (error) {
      const isLocked = isLockTimeout(error)
      if (!isBusy(error) && !isLocked) throw error
      reportWaiting()
      if (isLocked) await delay(RETRY_LOCK_MS)
    }
  }
}

function throttled(report: () => void): () => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - reportedAt < REPORT_MS) return
    reportedAt = performance.now()
    report()
  }
}

/** Whether a calendar was ever created there, by any version. */
export async function hasSchema(db: Db): Promise<boolean> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'migrations')) return false
  return (await db.selectFrom('migrations').select('name').limit(1).execute()).length > 0
}

/** Whether a database of an earlier version is there; false for a new one, and one of a newer version. */
export async function isOutdated(db: Db): Promise<boolean> {
  const rows = await db
    .selectFrom('migrations')
    .select('name')
    .execute()
    .catch(() => [])
  const known = new Set(migrations.map(({ name }) => name))
  return rows.length > 0 && rows.length < known.size && rows.every(({ name }) => known.has(name))
}

export async function isMigrated(db: Db, steps: readonly Migration[] = migrations): Promise<boolean> {
  const rows = await db.selectFrom('migrations').select('name').execute()
  const applied = new Set(rows.map(({ name }) => name))
  return applied.size === steps.length && steps.every(({ name }) => applied.has(name))
}
