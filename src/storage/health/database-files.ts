// Detects when the files of an open SQLite database are deleted, moved, replaced or truncated.
import { execFileSync } from 'node:child_process'
import { lstatSync, realpathSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

export interface FileLoss {
  path: string
  change: 'missing' | 'replaced' | 'truncated'
}

export interface DatabaseFiles {
  /** The first file that is not the one this process has open; undefined while all are. */
  findLoss(): FileLoss | undefined
  /** Whether only a journal was unlinked, and no other process can have begun a new one. */
  canCheckpoint(): boolean
  /** Call it when a transaction has just begun. */
  begin(): void
}

interface FileIdentity {
  path: string
  /** Undefined where the file system has no stable inode; then only presence is checked. */
  id: string | undefined
}

/**
 * SQLite keeps writing to unlinked files, and a process that opens new journals beside ours does not see our locks. The
 * files are checked with stat only: closing a descriptor of our own would release SQLite's locks.
 */
export function watchDatabaseFiles(path: string, writer: DatabaseSync): DatabaseFiles {
  // A read makes SQLite open the journals, which then stay until the last connection is closed.
  writer.prepare('select count(*) from sqlite_schema').get()
  const base = lstatSync(path).isSymbolicLink() ? realpathSync(path) : path
  const wal = `${base}-wal`
  const watched = [path, wal, `${base}-shm`].flatMap((file) => identify(file) ?? [])
  const walLength = watchWalLength(wal, writer)
  const mainLength = watchMainLength(base, writer)
  // A truncated file stays lost.
  let cut: FileLoss | undefined
  const checkMain = (): void => {
    if (mainLength.isTruncated()) cut ??= { path, change: 'truncated' }
  }
  return {
    findLoss() {
      const lost = watched.map(compare).find((loss) => loss !== undefined)
      if (lost) return lost
      if (!writer.isTransaction) checkMain()
      if (!cut && walLength.isTruncated()) cut = { path: wal, change: 'truncated' }
      return cut
    },
    canCheckpoint: () =>
      !cut && watched.map(compare).every((loss) => !loss || (loss.path !== path && loss.change === 'missing')),
    begin() {
      checkMain()
      walLength.begin()
    },
  }
}

function identify(path: string): FileIdentity | undefined {
  const [first, second] = [statId(path), statId(path)]
  if (first === undefined) return undefined
  return { path, id: first === second && !first.endsWith(':0') ? first : undefined }
}

function statId(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}

function compare({ path, id }: FileIdentity): FileLoss | undefined {
  let found: string | undefined
  try {
    found = statId(path)
  } catch {
    // The folder may not be accessible, or a file is in its place.
  }
  if (found === undefined) return { path, change: 'missing' }
  return id === undefined || found === id ? undefined : { path, change: 'replaced' }
}

const WAL_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

/** Detects a -wal that is shorter than the frames committed to it; a checkpoint may rightfully empty it. */
function watchWalLength(path: string, writer: DatabaseSync): { isTruncated(): boolean; begin(): void } {
  const pageBytes = readPageBytes(writer)
  const countFrames = writer.prepare('pragma wal_checkpoint(noop)')
  const sizeOf = (): number => readSize(path)
  const isTooShort = (): boolean => {
    const { log } = countFrames.get() as { log: number }
    return log > 0 && sizeOf() < WAL_HEADER_BYTES + log * (FRAME_HEADER_BYTES + pageBytes)
  }
  let known = sizeOf()
  return {
    isTruncated() {
      const size = sizeOf()
      if (size < known) {
        // While our transaction holds the lock, no checkpoint of another process can shorten it.
        if (writer.isTransaction) return true
        // The second reading rules out a checkpoint of another process between count and size.
        if (isTooShort() && isTooShort()) return true
      }
      known = size
      return false
    },
    begin() {
      known = sizeOf()
    },
  }
}

/**
 * Detects a database file that became shorter than it says itself. VACUUM shortens it too, and then the number of pages
 * in its header is lower. While new pages are in the -wal only, the file has fewer pages than the database.
 */
function watchMainLength(path: string, writer: DatabaseSync): { isTruncated(): boolean } {
  const pageBytes = readPageBytes(writer)
  let known = readSize(path)
  const isTooShort = (): boolean => readSize(path) < (readHeaderPages(path) ?? 0) * pageBytes
  return {
    isTruncated() {
      const size = readSize(path)
      // A checkpoint writes the header before the pages; the second reading comes after it.
      if (size < known && (size < HEADER_BYTES || (isTooShort() && isTooShort()))) return true
      known = size
      return false
    },
  }
}

const HEADER_BYTES = 100

/**
 * The length in pages that the file had when its first page was last written. Another process reads it, since closing a
 * descriptor of our own would release SQLite's locks; that takes some 50 ms, after a VACUUM only.
 */
function readHeaderPages(path: string): number | undefined {
  try {
    const text = execFileSync(process.execPath, ['-p', HEADER_SCRIPT, path], { encoding: 'utf8', timeout: 5_000 })
    return Number(text)
  } catch {
    return undefined
  }
}

const HEADER_SCRIPT = `const { openSync, readSync } = require('node:fs'), bytes = Buffer.alloc(${HEADER_BYTES});
  readSync(openSync(process.argv[1]), bytes); bytes.readUInt32BE(28)`

const readSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const readPageBytes = (writer: DatabaseSync): number =>
  (writer.prepare('pragma page_size').get() as { page_size: number }).page_size
