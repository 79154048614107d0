// Runs the outbox worker every second on every node; claims in the outbox keep the nodes apart.
import type { MailWorker } from '../mail/deliver.ts'
import { startInterval } from '../scheduling/interval.ts'
import type { Jobs } from './housekeeping.ts'

const EVERY_MS = 1_000

export function startMailJob(worker: MailWorker): Jobs {
  const rounds = startInterval(EVERY_MS, worker.deliver)
  return {
    async stop() {
      // A round that is under way ends when the worker stops.
      await Promise.all([rounds.stop(), worker.stop()])
    },
  }
}
