// Restores a backup into an empty database of either engine.
import { existsSync, writeFileSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { CompiledQuery, sql } from 'kysely'
import type { Storage } from '../engine/storage.ts'
import { classifyFailure } from '../health/failure.ts'
import { requireNoOrphanedJournal } from '../health/own-journal.ts'
import type { Db } from '../tables.ts'
import { listColumns, quoteAll } from './backup-file.ts'
import { adviseMoving, readEmptyFile, requireEmptyServer } from './empty-database.ts'
import { replaceDatabase, withSoleAccess } from './replace-database.ts'
import { type RestoreOptions, stageBackup } from './stage-backup.ts'
import { COPIED_TABLES, type CopiedTable } from './tables.ts'
import { removeUnfinished, withCleanup, withUnfinished } from './unfinished-file.ts'
import { syncFile } from './write-backup.ts'

/**
 * `path` is where the service will look for its database; it must not exist, or hold no events and no accounts, and no
 * process may have it open. Both are checked again when the file is replaced: staging takes a while.
 */
export async function restoreIntoSqlite(backup: string, path: string, options: RestoreOptions): Promise<void> {
  const replaced = withDamageNamed(path, () => {
    requireNoOrphanedJournal(path)
    if (!existsSync(path)) return 0
    const revision = readEmptyFile(path)
    withSoleAccess(path, () => {})
    return revision
  })
  await withUnfinished(path, async (staged) => {
    await stageBackup(backup, staged, options, replaced)
    syncFile(staged)
    withDamageNamed(path, () => replaceDatabase(staged, path))
  })
}

/** Says that the database at `path` is what is damaged: the command fails as long as it is there. */
function withDamageNamed<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (classifyFailure(error)?.reason !== 'corrupt') throw error
    throw new Error(`${path} is damaged: ${(error as Error).message}. ${adviseMoving(path)}`)
  }
}

/** A client may know it if the calendar was emptied. */
async function readHighestRevision(db: Db): Promise<number> {
  const found = await db.selectFrom('calendar').select(['revision', 'accounts_revision']).executeTakeFirst()
  return Math.max(found?.revision ?? 0, found?.accounts_revision ?? 0)
}

/** All rows in one transaction: if anything fails, the database is as it was. `folder` holds a copy meanwhile. */
export async function restoreIntoPostgres(
  backup: string,
  target: Storage,
  staged: string,
  options: RestoreOptions,
): Promise<void> {
  const replaced = await readHighestRevision(target.reads)
  writeFileSync(staged, '', { flag: 'wx', mode: 0o600 })
  await withCleanup(
    () => removeUnfinished(staged),
    async () => {
      await stageBackup(backup, staged, options, replaced)
      await copyInto(staged, target)
    },
  )
}

async function copyInto(staged: string, target: Storage): Promise<void> {
  const from = new DatabaseSync(staged, { readOnly: true })
  const { db, close } = target.openMaintenance()
  try {
    await db.transaction().execute(async (transaction) => {
      await sql`lock table calendar in exclusive mode`.execute(transaction)
      await requireEmptyServer(transaction)
      for (const table of COPIED_TABLES.toReversed()) await run(transaction, `delete from ${table}`)
      for (const table of COPIED_TABLES) await insertTable(from, transaction, table)
      await run(
        transaction,
        `select setval(pg_get_serial_sequence('audit', 'seq'), coalesce(max(seq), 0) + 1, false) from audit`,
      )
    })
    // The restore is done; without this the server makes the statistics later.
    await run(db, 'analyze').catch(() => {})
  } finally {
    await close()
    from.close()
  }
}

const run = (db: Db, text: string, values: readonly unknown[] = []) =>
  db.executeQuery(CompiledQuery.raw(text, [...values]))

const ROWS_AT_ONCE = 1_000
const CHARACTERS_AT_ONCE = 4_000_000

async function insertTable(from: DatabaseSync, db: Db, table: CopiedTable): Promise<void> {
  const list = quoteAll(listColumns(from, table))
  const text = `insert into ${table} (${list}) overriding system value
    select ${list} from json_populate_recordset(null::${table}, $1::json)`
  const rows = from.prepare(`select ${list} from ${table}`).iterate() as unknown as Iterable<
    Record<string, SQLOutputValue>
  >
  let pending: string[] = []
  let length = 0
  const flush = async (): Promise<void> => {
    if (pending.length > 0) await run(db, text, [`[${pending.join()}]`])
    pending = []
    length = 0
  }
  for (const row of rows) {
    const line = JSON.stringify(row)
    pending.push(line)
    length += line.length
    if (pending.length >= ROWS_AT_ONCE || length >= CHARACTERS_AT_ONCE) await flush()
  }
  await flush()
}
