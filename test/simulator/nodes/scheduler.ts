// Runs requests one at a time: each may stop in its write transaction until the simulation resumes it.
import { AsyncLocalStorage } from 'node:async_hooks'

/** Before a write transaction begins, before its COMMIT, and after that, before the response. */
export type StopPoint = 'begin' | 'commit' | 'response'

export interface SimulatedTask {
  name: string
  /** The number of the node that it runs on. */
  node: number
  /** Where it will stop, once at each. */
  stops: Set<StopPoint>
  /** How many of its transactions do not stop before. */
  skips: number
  /** No other request changes anything until it has ended. */
  isAlone: boolean
  stoppedAt: StopPoint | undefined
  isOver: boolean
  /** Whether its write transaction has begun, and has not been answered. */
  isWriting: boolean
  /** Its node has crashed: no client gets a response. */
  isCutOff: boolean
  /** Identifiers that the service made for it. */
  ids: string[]
  /** How many write transactions it has begun. */
  transactions: number
}

interface StartedTask extends SimulatedTask {
  paused: PromiseWithResolvers<void>
  continued: PromiseWithResolvers<void>
  ended: Promise<void>
}

export interface Scheduler {
  tasks(): readonly SimulatedTask[]
  /** Resolves when the task has stopped or ended; fails if any task has failed. */
  start(
    task: Pick<SimulatedTask, 'name' | 'node' | 'stops' | 'skips' | 'isAlone'>,
    work: () => Promise<void>,
  ): Promise<void>
  /** Several at once share a COMMIT on SQLite. */
  resume(tasks: readonly SimulatedTask[]): Promise<void>
  /** Ends the tasks of a node without responses. */
  cutOff(node: number): Promise<void>
  /** Called by the service, in the context of the task. */
  stopAt(point: StopPoint): Promise<void>
  current(): SimulatedTask | undefined
  /** For work of the service that a request only began. */
  runOutside<T>(work: () => T): T
}

export function createScheduler(): Scheduler {
  const contexts = new AsyncLocalStorage<StartedTask>()
  const running = new Set<StartedTask>()
  const failures: unknown[] = []
  const current = (): StartedTask | undefined => {
    const run = contexts.getStore()
    return run && !run.isOver ? run : undefined
  }
  const settle = async (runs: readonly StartedTask[]): Promise<void> => {
    await Promise.all(runs.map(({ paused, ended }) => Promise.race([paused.promise, ended])))
    if (failures.length > 0) throw failures[0]
  }
  return {
    tasks: () => [...running],
    async start(task, work) {
      const run: StartedTask = {
        ...task,
        stoppedAt: undefined,
        isOver: false,
        isWriting: false,
        isCutOff: false,
        ids: [],
        transactions: 0,
        paused: Promise.withResolvers(),
        continued: Promise.withResolvers(),
        ended: Promise.resolve(),
      }
      running.add(run)
      run.ended = contexts
        .run(run, work)
        .catch((error) => void failures.push(error))
        .finally(() => {
          run.isOver = true
          running.delete(run)
        })
      await settle([run])
    },
    async resume(tasks) {
      const runs = [...running].filter((run) => tasks.includes(run))
      for (const run of runs) {
        // One that stops before COMMIT would hold the others, which wait for the same COMMIT.
        if (runs.length > 1) run.stops.delete('commit')
        run.paused = Promise.withResolvers()
        run.stoppedAt = undefined
        run.continued.resolve()
      }
      await settle(runs)
    },
    async cutOff(node) {
      const runs = [...running].filter((run) => run.node === node)
      for (const run of runs) {
        run.isCutOff = true
        run.stops.clear()
        run.continued.reject(new Error('the node has crashed'))
      }
      await Promise.all(runs.map(({ ended }) => ended))
      if (failures.length > 0) throw failures[0]
    },
    async stopAt(point) {
      const run = current()
      if (!run) return
      if (point === 'begin') run.transactions += 1
      if (run.transactions <= run.skips || !run.stops.delete(point)) return
      run.stoppedAt = point
      run.continued = Promise.withResolvers()
      run.paused.resolve()
      await run.continued.promise
    },
    current,
    runOutside: (work) => contexts.exit(work),
  }
}
