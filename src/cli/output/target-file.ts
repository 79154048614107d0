// The file that a command writes: never a file of the database itself.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Config } from '../../config.ts'

/** The path that is replaced. If the file is a symbolic link, that is its target, and the link stays. */
export function findTarget(path: string, { dataDir }: Config): string {
  const database = join(dataDir, 'daybook.db')
  const real = realOf(database)
  const own = [database, ...['', '-wal', '-shm'].map((suffix) => `${real}${suffix}`)]
  const target = realOf(path)
  if (own.some((file) => target === realOf(file) || isSameFile(target, file)))
    throw new Error(`${path} is the calendar's own database. Name another file.`)
  return target
}

/** Also for a file that does not exist yet, in a folder that does. */
function realOf(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return existsSync(dirname(path)) ? join(realpathSync(dirname(path)), basename(path)) : path
}

/** Two names of one file: a hard link. */
function isSameFile(a: string, b: string): boolean {
  const [first, second] = [a, b].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
  return first !== undefined && first.ino !== 0n && first.dev === second?.dev && first.ino === second.ino
}
