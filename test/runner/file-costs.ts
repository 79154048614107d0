// Costs of each test file: wall time, and CPU time of its process and of children that have ended.
import { appendFileSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Prefix of the names of the marking tests, which are not tests of the project. */
export const MARK = '── '

export interface FileCost {
  file: string
  wallMs: number
  cpuMs: number
}

interface CostReading {
  wallMs: number
  cpuMs: number
}

let current: { file: string; from: CostReading } | undefined

export function noteFileStart(file: string): void {
  if (current) writeCost()
  else process.once('exit', writeCost)
  current = { file, from: current ? readUsage() : { wallMs: 0, cpuMs: 0 } }
}

function writeCost(): void {
  const folder = process.env.TEST_RUN_FOLDER
  if (!current || !folder) return
  const { file, from } = current
  const now = readUsage()
  const cost: FileCost = { file, wallMs: now.wallMs - from.wallMs, cpuMs: now.cpuMs - from.cpuMs }
  appendFileSync(join(folder, `costs-${process.pid}.jsonl`), `${JSON.stringify(cost)}\n`)
}

function readUsage(): CostReading {
  const { user, system } = process.cpuUsage()
  return { wallMs: performance.now(), cpuMs: (user + system) / 1_000 + childrenCpuMs() }
}

/** Only Linux reports the use of ended children: fields 16 and 17 of proc(5) stat, in hundredths of a second. */
export function childrenCpuMs(pid: number | 'self' = 'self'): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return 0
  }
}

export function readCosts(folder: string): FileCost[] {
  return globSync('costs-*.jsonl', { cwd: folder }).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as FileCost),
  )
}
