// A file that is written under another name until it is complete; none is left afterwards.
import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const SUFFIXES = ['', '-wal', '-shm', '-journal']

export const unfinishedNameOf = (target: string): string => `${target}.${process.pid}.new`

/** With the journals that SQLite may have beside it. */
export function removeUnfinished(path: string): void {
  for (const suffix of SUFFIXES) tryRemove(`${path}${suffix}`)
}

/** What made the writing fail is reported, and not that its file cannot be removed either. */
function tryRemove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // It is not a file, or the folder is gone.
  }
}

const UNFINISHED = /^(.+)\.(\d{1,10})\.new(?:-wal|-shm|-journal)?$/

/** Files of this name, and of other backups in the folder, whose process was killed. */
export function removeLeftovers(target: string): void {
  const folder = dirname(target)
  for (const name of listNames(folder)) {
    const [, base = '', pid] = UNFINISHED.exec(name) ?? []
    if (base !== basename(target) && !base.endsWith('.backup')) continue
    if (!isRunning(Number(pid))) tryRemove(join(folder, name))
  }
}

/** A folder that is missing or cannot be read is reported by the writing. */
function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** This process has begun none before it looks for leftovers: in a container its number may be that of an earlier one. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code !== 'ESRCH'
  }
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Calls `remove` at the end of the work, also when it fails or a signal ends the process. */
export async function withCleanup<T>(remove: () => void, work: () => Promise<T>): Promise<T> {
  const end = (signal: NodeJS.Signals): void => {
    remove()
    stopListening()
    process.kill(process.pid, signal)
  }
  const stopListening = (): void => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
  for (const signal of SIGNALS) process.on(signal, end)
  try {
    return await work()
  } finally {
    stopListening()
    remove()
  }
}

/** Gives `work` the name to write to, after the leftovers of killed processes are removed. */
export async function withUnfinished<T>(target: string, work: (path: string) => Promise<T>): Promise<T> {
  removeLeftovers(target)
  const path = unfinishedNameOf(target)
  return withCleanup(
    () => removeUnfinished(path),
    () => work(path),
  )
}
