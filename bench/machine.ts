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
