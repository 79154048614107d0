// Makes scheduled backups on one node at a time, each in a process of its own.
import { execFile } from 'node:child_process'
import { type BackupRunner, backUpIfDue } from '../actions/maintenance/scheduled-backup.ts'
import type { Context } from '../context.ts'
import { environmentFor } from '../environment.ts'
import { startInterval } from '../scheduling/interval.ts'
import type { Jobs } from './housekeeping.ts'
import { runWithLease } from './lease.ts'

const EVERY_MS = 60_000
const LEASE = 'backup'

export interface BackupJob extends Jobs {
  /** Called once the service listens. */
  start(): void
}

/** Does nothing where no folder for backups is set. */
export function createBackupJob(ctx: Context, run: BackupRunner = runCommand(ctx)): BackupJob {
  const stopping = new AbortController()
  let running: Promise<unknown> | undefined
  const round = (isStart: boolean): void => {
    const work = (signal: AbortSignal) => backUpIfDue(ctx, run, signal, isStart)
    running ??= runWithLease(ctx, { name: LEASE, signal: stopping.signal }, work)
      .catch(() => ctx.log.warn('the scheduled backup could not be looked at: the database does not answer'))
      .finally(() => {
        running = undefined
      })
  }
  let timer: ReturnType<typeof startInterval> | undefined
  return {
    start() {
      if (ctx.config.backupDir === '' || timer) return
      timer = startInterval(EVERY_MS, () => round(false))
      round(true)
    },
    async stop() {
      stopping.abort()
      await timer?.stop()
      await running
    },
  }
}

/** `daybook backup` on the database that this service has open. */
const runCommand =
  ({ config }: Context): BackupRunner =>
  (path, signal) =>
    new Promise((resolve, reject) => {
      const env = environmentFor(config.dataDir, config.databaseUrl)
      // It blocks while it copies, so that any other signal would be handled late.
      const options = { env, signal, killSignal: 'SIGKILL' } as const
      const child = execFile(process.execPath, [process.argv[1]!, 'backup', path], options, (error, _, stderr) => {
        if (!error) return resolve()
        const line = stderr.replace(/^daybook backup: /, '').split('\n')[0]
        const failure = new Error(line || error.message.split('\n')[0])
        const hasEnded = child.pid === undefined || child.exitCode !== null || child.signalCode !== null
        if (hasEnded) reject(failure)
        else child.once('exit', () => reject(failure))
      })
    })
