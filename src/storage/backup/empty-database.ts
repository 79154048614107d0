// Refuses to restore into a database with events or accounts, of any version, without changing it.
import type { DatabaseSync } from 'node:sqlite'
import { rawQuery } from '../dialect.ts'
import { openUnchanged } from '../engine/inspect.ts'
import { requireOwnJournal } from '../health/own-journal.ts'
import type { Db } from '../tables.ts'
import { hasTable } from './backup-file.ts'

/** They are in every schema; other tables hold nothing without them. */
const TABLES = ['events', 'users'] as const

/**
 * Returns the highest revision of the database, which a client may know if the calendar was emptied. The file is only
 * read: a database of an older version is not migrated.
 */
export function readEmptyFile(path: string): number {
  requireOwnJournal(path)
  const db = openUnchanged(path)
  try {
    requireEmptyDatabase(db, path)
    const counters = hasTable(db, 'calendar') ? db.prepare('select * from calendar').get() : undefined
    return Math.max(Number(counters?.revision ?? 0), Number(counters?.accounts_revision ?? 0))
  } finally {
    db.close()
  }
}

export function requireEmptyDatabase(db: DatabaseSync, path: string): void {
  for (const table of TABLES)
    if (hasTable(db, table) && db.prepare(`select 1 from ${table} limit 1`).get())
      throw notEmpty(path, adviseMoving(path))
}

/** All its files: the -wal of a process that was killed holds what was committed last. */
export const adviseMoving = (path: string): string =>
  `Stop the service, move ${path}* to another folder, then restore again. Nothing was changed.`

/** On PostgreSQL, where a table may be missing too. */
export async function requireEmptyServer(db: Db): Promise<void> {
  for (const table of TABLES) {
    const [found] = await rawQuery<{ name: string | null }>(db, `select to_regclass('${table}')::text as name`, [])
    if (found!.name === null) continue
    const rows = await rawQuery<{ name: string }>(db, `select current_database() as name from ${table} limit 1`, [])
    if (rows[0]) throw notEmpty(`the database ${rows[0].name}`, 'Restore into another, or empty this one.')
  }
}

const notEmpty = (name: string, advice: string): Error =>
  new Error(`${name} is not empty: it has events or accounts. ${advice}`)
