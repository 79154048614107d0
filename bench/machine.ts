// Describes the machine and reads the memory of a process. No host names, no paths.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'

export interface Machine {
  cpu: string
  cores: number
  memory_gib: number
  system: string
  node: string
  date: string
}

export const describeMachine = (now: number): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memory_gib: Math.round(totalmem() / 2 ** 30),
  system: `${process.platform} ${process.arch}`,
  node: process.version,
  date: new Date(now).toISOString().slice(0, 10),
})

/** Ticks since the start of the machine, of all its cores. */
export interface CpuTicks {
  total: number
  /** Taken away by the host for other virtual machines. */
  stolen: number
}

/** Null where the system does not say; only Linux does. */
export function cpuTicks(): CpuTicks | null {
  try {
    const [, ...fields] = readFileSync('/proc/stat', 'latin1').split('\n', 1)[0]!.split(/ +/)
    // user, nice, system, idle, iowait, irq, softirq, steal; guest time is contained in user.
    const ticks = fields.slice(0, 8).map(Number)
    return { total: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7]! }
  } catch {
    return null
  }
}

/** Share of all processor time since `before`. */
export function stolenSince(before: CpuTicks | null): number {
  const now = cpuTicks()
  return before && now && now.total > before.total ? (now.stolen - before.stolen) / (now.total - before.total) : 0
}

export interface Memory {
  rss_mib: number
  /** Proportional set size: shared pages are divided among processes; only Linux reports it. */
  pss_mib: number | null
}

export function memoryOf(pid: number): Memory {
  const read = (file: string, name: string): number | null => {
    try {
      const kib = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'latin1'))?.[1]
      return kib === undefined ? null : Math.round(Number(kib) / 1_024)
    } catch {
      return null
    }
  }
  return { rss_mib: read('status', 'VmRSS') ?? rssByPs(pid), pss_mib: read('smaps_rollup', 'Pss') }
}

const rssByPs = (pid: number): number =>
  Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' })) / 1_024)
