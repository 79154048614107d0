// Checks free space and inodes of the file system with the data folder.
import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import { type Finding, finding } from '../finding.ts'

const MIB = 1_048_576
const FULL_BYTES = 32 * MIB
const LOW_BYTES = 512 * MIB
const LOW_INODES = 1_000

export interface DiskSpace {
  freeBytes: number
  /** Infinite where the file system has no fixed number. */
  freeInodes: number
  databaseBytes: number
}

export function checkDisk({ dataDir, databaseUrl }: Config): Finding[] {
  // Before the first start there is no folder yet; it will be on the disk of the one above it.
  let folder = dataDir
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  const { bavail, bsize, files, ffree } = statfsSync(folder)
  const database = join(dataDir, 'daybook.db')
  return judgeSpace({
    freeBytes: bavail * bsize,
    freeInodes: files === 0 ? Number.POSITIVE_INFINITY : ffree,
    databaseBytes: databaseUrl ? 0 : (statSync(database, { throwIfNoEntry: false })?.size ?? 0),
  })
}

export function judgeSpace({ freeBytes, freeInodes, databaseBytes }: DiskSpace): Finding[] {
  const free = `${Math.floor(freeBytes / MIB).toLocaleString('en-GB')} MiB`
  if (freeBytes < FULL_BYTES || freeInodes < 10)
    return [
      finding('disk_full', `the disk of the data folder has ${free} left; writing fails`, {
        advice: 'Delete files or enlarge the disk; the service writes again as soon as there is room.',
      }),
    ]
  if (freeInodes < LOW_INODES)
    return [
      finding('disk_low', `the file system of the data folder has room for ${freeInodes} more files`, {
        advice: 'Delete files that are not needed.',
      }),
    ]
  // A backup, and SQLite while it migrates, need as much room as the database takes.
  if (freeBytes < Math.max(LOW_BYTES, databaseBytes))
    return [
      finding('disk_low', `the disk of the data folder has ${free} left, and a backup beside it may not fit`, {
        advice: 'Delete files or enlarge the disk.',
      }),
    ]
  return [finding('disk_ok', `the disk of the data folder has ${free} left`)]
}
