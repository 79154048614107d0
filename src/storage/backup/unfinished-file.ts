// A file that is written under another name until it is complete; none is left afterwards.
import { createHash } from 'node:crypto'
import { readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DAY_MS, type Instant } from '../../domain/time/instant.ts'

const SUFFIXES = ['', '-wal', '-shm', '-journal']

/** The process that writes an unfinished file. */
export interface Maker {
  /** Where `pid` has a meaning: a hash of the host's name and, on Linux, the PID namespace. */
  place: string
  pid: number
}

/** Containers that share a folder have equal PIDs, but not equal names. */
export function readMaker(): Maker {
  const place = createHash('sha256').update(`${hostname()} ${readPidNamespace()}`).digest('hex').slice(0, 8)
  return { place, pid: process.pid }
}

function readPidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    // Only Linux has them.
    return ''
  }
}

export const unfinishedNameOf = (target: string, { place, pid }: Maker = readMaker()): string =>
  `${target}.${place}-${pid}.new`

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

/** Earlier versions wrote the PID alone. */
const UNFINISHED = /^((.+)\.(?:([0-9a-f]{8})-)?(\d{1,10})\.new)(?:-wal|-shm|-journal)?$/

/** Files of this name, and of other backups in the folder, whose process was killed. */
export function removeLeftovers(target: string, own: Maker = readMaker(), now: Instant = Date.now()): void {
  const folder = dirname(target)
  const abandoned = listNames(folder).flatMap((name) => {
    const [, unfinished = '', base = '', place, pid] = UNFINISHED.exec(name) ?? []
    if (base !== basename(target) && !base.endsWith('.backup')) return []
    const path = join(folder, unfinished)
    const isLeft = place === own.place ? !isRunning(Number(pid), own.pid) : isSilent(path, now)
    return isLeft ? [path] : []
  })
  for (const path of new Set(abandoned)) removeUnfinished(path)
}

/** Whether a process of another place lives cannot be known, but one that lives writes. */
const isSilent = (path: string, now: Instant): boolean => now - readWrittenAt(path) > DAY_MS

/** When the file or a journal of it was last written to. */
function readWrittenAt(path: string): Instant {
  try {
    return Math.max(...SUFFIXES.map((suffix) => statSync(`${path}${suffix}`, { throwIfNoEntry: false })?.mtimeMs ?? 0))
  } catch {
    // The folder cannot be searched, and nothing in it removed.
    return Number.POSITIVE_INFINITY
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
function isRunning(pid: number, own: number): boolean {
  if (pid === own) return false
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
