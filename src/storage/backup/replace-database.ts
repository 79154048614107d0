// Puts a restored file in the place of an empty SQLite database that no process has open.
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from '../dialect.ts'
import { requireNoOrphanedJournal, requireOwnJournal } from '../health/own-journal.ts'
import { requireEmptyDatabase } from './empty-database.ts'

/** `path` may not exist yet. Nothing that was committed to it can be lost. */
export function replaceDatabase(staged: string, path: string): void {
  requireNoOrphanedJournal(path)
  if (existsSync(path)) withSoleAccess(path, (db) => placeOverEmpty(db, staged, path))
  else placeNew(staged, path)
}

function placeOverEmpty(db: DatabaseSync, staged: string, path: string): void {
  requireEmptyDatabase(db, path)
  removeJournals(path)
  // A file that is open cannot be replaced on Windows; there a process that opens it now makes the renaming fail.
  if (process.platform === 'win32') db.close()
  renameSync(staged, path)
}

/** A service that is starting makes its own database at the same time: a link never replaces it. */
function placeNew(staged: string, path: string): void {
  removeJournals(path)
  try {
    linkSync(staged, path)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'EEXIST' && existsSync(path)) throw openElsewhere(path)
    // The file system has no hard links, or there is a symbolic link to nothing.
    renameSync(staged, path)
  }
}

/** Of a former database, and empty or written back: they would damage the restored one. While the -wal is there alone, no service starts. */
function removeJournals(path: string): void {
  for (const suffix of ['-shm', '-journal', '-wal']) rmSync(`${path}${suffix}`, { force: true })
}

/**
 * Calls `work` while no other process has the database open, and none can read or write it. Leaving WAL mode shows the
 * first, since it needs every other connection closed; it also removes the journals.
 */
export function withSoleAccess(path: string, work: (db: DatabaseSync) => void): void {
  requireOwnJournal(path)
  const db = new DatabaseSync(path)
  try {
    lock(db, path)
    work(db)
  } finally {
    if (db.isOpen) db.close()
  }
}

function lock(db: DatabaseSync, path: string): void {
  try {
    const found = db.prepare('pragma journal_mode = delete').get() as { journal_mode: string }
    if (found.journal_mode !== 'delete') throw openElsewhere(path)
    // A process that starts between the two statements has opened this file, and is found here.
    db.exec('begin exclusive')
    const { journal_mode } = db.prepare('pragma journal_mode').get() as { journal_mode: string }
    if (journal_mode !== 'delete') throw openElsewhere(path)
  } catch (error) {
    throw isBusy(error) ? openElsewhere(path) : error
  }
}

const openElsewhere = (path: string): Error =>
  new Error(`another process has ${path} open. Stop the service first, then restore again. Nothing was changed.`)
