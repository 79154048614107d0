// Checks free space and inodes of the file systems with the data folder and with the backups.
import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import { AS_SERVICE, type Finding, finding, isRefused } from '../finding.ts'

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

export function checkDisk({ dataDir, databaseUrl, backupDir }: Config): Finding[] {
  let databaseBytes = 0
  try {
    if (!databaseUrl) databaseBytes = statSync(join(dataDir, 'daybook.db'), { throwIfNoEntry: false })?.size ?? 0
  } catch (error) {
    if (!isRefused(error)) throw error
    return [
      finding('file_not_accessible', 'this user may not enter the data folder', {
        area: 'disk',
        advice: AS_SERVICE,
        values: { name: 'data_dir' },
        path: dataDir,
      }),
    ]
  }
  const [data, backups] = [findExisting(dataDir), backupDir === '' ? undefined : findExisting(backupDir)]
  const found = judgeSpace({ ...readSpace(data), databaseBytes })
  if (backups === undefined || statSync(backups).dev === statSync(data).dev) return found
  return [...found, ...judgeSpace({ ...readSpace(backups), databaseBytes }, 'backup_dir')]
}

/** Before the first use there is no folder yet; it will be on the disk of the one above it. */
function findExisting(folder: string): string {
  const parent = dirname(folder)
  return existsSync(folder) || parent === folder ? folder : findExisting(parent)
}

function readSpace(folder: string): Omit<DiskSpace, 'databaseBytes'> {
  const { bavail, bsize, files, ffree } = statfsSync(folder)
  return { freeBytes: bavail * bsize, freeInodes: files === 0 ? Number.POSITIVE_INFINITY : ffree }
}

export function judgeSpace({ freeBytes, freeInodes, databaseBytes }: DiskSpace, name = 'the data folder'): Finding[] {
  const place = name === 'backup_dir' ? name : 'data_dir'
  const values = { place, mib: Math.floor(freeBytes / MIB) }
  const free = `${Math.floor(freeBytes / MIB).toLocaleString('en-GB')} MiB`
  if (freeBytes < FULL_BYTES || freeInodes < 10)
    return [
      finding('disk_full', `the disk of ${name} has ${free} left; writing fails`, {
        values,
        advice: 'Delete files or enlarge the disk; the service writes again as soon as there is room.',
      }),
    ]
  if (freeInodes < LOW_INODES)
    return [
      finding('disk_low', `the file system of ${name} has room for ${freeInodes} more files`, {
        values: { place, files: freeInodes },
        advice: 'Delete files that are not needed.',
      }),
    ]
  // A backup, and SQLite while it migrates, need as much room as the database takes.
  if (freeBytes < Math.max(LOW_BYTES, databaseBytes))
    return [
      finding('disk_low', `the disk of ${name} has ${free} left, and a backup there may not fit`, {
        values,
        advice: 'Delete files or enlarge the disk.',
      }),
    ]
  return [finding('disk_ok', `the disk of ${name} has ${free} left`, { values })]
}
