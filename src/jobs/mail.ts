// Mail rounds: every second, on every node. Claims in the database keep the nodes apart.
import type { MailWorker } from '../mail/deliver.ts'
import type { Jobs } from './run.ts'

const EVERY_MS = 1_000

export function startMailRounds(postman: MailWorker): Jobs {
  let isUnderWay = false
  const timer = setInterval(async () => {
    if (isUnderWay) return
    isUnderWay = true
    // A round that fails unexpectedly is followed by another; unhandled, it would end the process.
    await postman.deliver().catch(() => {})
    isUnderWay = false
  }, EVERY_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await postman.stop()
    },
  }
}
