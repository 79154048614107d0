// Mail job: a failed run is followed by the next, and never ends the process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMailJob } from '../../src/jobs/mail.ts'

test('a failed run of the mail job is followed by another', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  let rounds = 0
  const mailWorker = {
    async deliver(): Promise<number> {
      rounds += 1
      if (rounds === 1) throw new Error('a round that fails')
      return 0
    },
    stop: async (): Promise<void> => {},
  }
  const jobs = startMailJob(mailWorker)
  for (let second = 0; second < 3; second++) {
    context.mock.timers.tick(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal(rounds, 3)
  await jobs.stop()
})
