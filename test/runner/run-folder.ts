// The temporary folder of a run: in memory where there is room, since most tests wait for the disk; removed at the end.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY_FOLDER = '/dev/shm'
/** Of linux/magic.h. */
const TMPFS_MAGIC = 0x01021994
/** A run takes some 0.5 GiB: databases, the browser and its profiles. */
const ROOM_BYTES = 3 * 1_024 ** 3

/** Processes started from here, tests and servers alike, create their temporary files in it. */
export function createRunFolder(): string {
  const folder = mkdtempSync(join(chooseParent(), 'daybook-run-'))
  // PostgreSQL runs as a user of its own where the tests run as root.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.env.TMPDIR = folder
  process.env.TEST_RUN_FOLDER = folder
  return folder
}

/** TEST_TMPDIR chooses another, for example a folder on the disk to test. */
const chooseParent = (): string => process.env.TEST_TMPDIR || (hasMemoryFolder() ? MEMORY_FOLDER : tmpdir())

function hasMemoryFolder(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY_FOLDER)
    return type === TMPFS_MAGIC && Math.min(bavail * bsize, process.availableMemory()) >= ROOM_BYTES
  } catch {
    return false
  }
}
