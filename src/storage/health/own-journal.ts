// Detects a journal of an earlier database file: SQLite would replay it into this one, or drop it.
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const MARKER = 'A Daybook calendar lives in this folder.\n'

/** Beside the database: shows that a calendar was stored there, and which two files were open together. */
export const markerOf = (path: string): string => join(dirname(path), '.daybook-instance')

/** Call while the database is open. The files are known by their numbers, which a copy of the folder does not keep. */
export function noteOpenFiles(path: string): void {
  const ids = idsOf(path)
  writeMarker(path, ids ? `daybook.db ${ids.main}\ndaybook.db-wal ${ids.wal}\n` : '')
}

/** Call when the database was closed: without a -wal there is nothing to confuse. */
export function noteClosedFiles(path: string): void {
  if (existsSync(markerOf(path)) && !existsSync(`${realOf(path)}-wal`)) writeMarker(path, '')
}

/** Throws if the -wal is the one that was open with another file of this name; nothing was changed then. */
export function requireOwnJournal(path: string): void {
  const marker = markerOf(path)
  if (!existsSync(path) || !existsSync(marker)) return
  const [, main, wal] = /^daybook\.db (\S+)\ndaybook\.db-wal (\S+)$/m.exec(readFileSync(marker, 'utf8')) ?? []
  const ids = idsOf(path)
  if (!ids || ids.wal !== wal || ids.main === main) return
  throw new Error(
    `${path} was replaced by another file, but ${path}-wal belongs to the file before it and would damage this one. To use this file, remove ${path}-wal and ${path}-shm; to go back, move the earlier file to its place. Nothing was changed.`,
  )
}

/**
 * Throws if a journal was left where its database was moved away: it may hold the only copy of what was committed last.
 * A -journal beside an empty file is of a database whose creation was interrupted.
 */
export function requireNoOrphanedJournal(path: string): void {
  const real = realOf(path)
  for (const suffix of ['-wal', '-journal']) {
    const journal = `${real}${suffix}`
    if (sizeOf(journal) === 0) continue
    // Read after the journal: a process that makes the database makes this file first.
    if (suffix === '-wal' ? sizeOf(real) > 0 : existsSync(real)) continue
    throw new Error(
      `${path} is missing or empty, but ${journal} may hold the last changes of the database that was there. Move it to the folder where that database is now, or to any other if there is none. Nothing was changed.`,
    )
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Undefined where there is no -wal, or the file system has no numbers for files. */
function idsOf(path: string): { main: string; wal: string } | undefined {
  const real = realOf(path)
  const main = statSync(real, { bigint: true, throwIfNoEntry: false })
  const wal = statSync(`${real}-wal`, { bigint: true, throwIfNoEntry: false })
  if (!main?.ino || !wal?.ino) return undefined
  return { main: `${main.dev}:${main.ino}`, wal: `${wal.dev}:${wal.ino}` }
}

/** The journals of a symbolic link are beside its target. */
const realOf = (path: string): string => (existsSync(path) ? realpathSync(path) : path)

function writeMarker(path: string, files: string): void {
  const marker = markerOf(path)
  try {
    writeFileSync(marker, `${MARKER}${files}`, { mode: 0o600 })
  } catch (error) {
    // On a full disk an existing marker still says that there is a calendar.
    if (!existsSync(marker)) throw error
  }
}
