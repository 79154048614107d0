// Runs the mail worker every second on every node; claims in the outbox keep the nodes apart.
import type { MailWorker } from '../mail/deliver.ts'
import type { Jobs } from './run.ts'

const EVERY_MS = 1_000

export function startMailRounds(worker: MailWorker): Jobs {
  let isUnderWay = false
  const timer = setInterval(async () => {
    if (isUnderWay) return
    isUnderWay = true
    // A round that fails unexpectedly is followed by another; an unhandled rejection would end the process.
    await worker.deliver().catch(() => {})
    isUnderWay = false
  }, EVERY_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await worker.stop()
    },
  }
}
