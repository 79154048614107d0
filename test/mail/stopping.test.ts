// F33: at shutdown the mail worker does not wait for a slow mail server, loses no mail and sends none twice.
import assert from 'node:assert/strict'
import type { Config } from '../../src/config.ts'
import { createTransport } from '../../src/mail/transport.ts'
import { mailSettings, startMailServer } from '../support/http/mail-server.ts'
import { DEADLINE_MS, waitFor, withDeadline } from '../support/measure/wait-for.ts'
import { startService } from '../support/processes/process.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { withMailServer } from './office.ts'

/** Far longer than a shutdown may take, and than the deadline of a test: only an abort ends such a silence. */
const ENDLESS_MS = 10 * DEADLINE_MS
const withEndlessPatience = (config: Config) => createTransport(config, { silenceMs: ENDLESS_MS })

forEachEngine('SMTP sessions before the message are aborted, and the mails are released at once', (engine) =>
  withMailServer(engine, async (office) => {
    const { server } = office
    await server.become('silent')
    await office.addPerson('ann@example.org')
    const id = await office.put('reset', { emailKey: 'ann@example.org' })
    const { mailWorker } = await office.secondNode(withEndlessPatience)
    const round = mailWorker.deliver()
    await waitFor('the mail server is asked', () => server.connections > 0)
    await withDeadline('the silence is broken off', mailWorker.stop())
    assert.equal(await round, 0)
    const { status, claimed_by, next_at, attempts, problem } = await office.row(id)
    assert.deepEqual(
      { status, claimed_by, next_at, attempts, problem },
      { status: 'waiting', claimed_by: null, next_at: office.clock.at, attempts: 0, problem: null },
    )
    assert.deepEqual(await office.ctx.storage.reads.selectFrom('tokens').selectAll().execute(), [])
    await server.become('accept')
    assert.equal(await office.mailWorker.deliver(), 1, 'another node need not wait')
  }),
)

forEachEngine('the response to a message already sent is awaited for a few seconds', async (engine) => {
  let thinking = Promise.withResolvers<void>()
  const server = await startMailServer({ beforeAnswer: () => thinking.promise })
  try {
    await withMailServer(
      engine,
      async (office) => {
        const person = await office.addPerson('ann@example.org')
        const id = await office.put('password_changed', { userId: person })
        const { mailWorker } = await office.secondNode(withEndlessPatience)
        const round = mailWorker.deliver()
        await server.waitFor(1)
        const stopping = mailWorker.stop()
        thinking.resolve()
        await stopping
        assert.equal(await round, 1, 'it was answered in time')
        assert.equal((await office.row(id)).status, 'sent')

        thinking = Promise.withResolvers()
        const slow = await office.put('password_changed', { userId: person })
        const { mailWorker: third } = await office.secondNode(withEndlessPatience)
        const unfinished = third.deliver()
        await server.waitFor(2)
        await withDeadline('the last word is given up', third.stop())
        assert.equal(await unfinished, 0)
        const { status, problem, claimed_by } = await office.row(slow)
        assert.deepEqual(
          { status, problem, claimed_by },
          { status: 'waiting', problem: 'interrupted_1', claimed_by: null },
        )
      },
      { settings: mailSettings(server) },
    )
  } finally {
    await server.stop()
  }
})

forEachEngine('SIGTERM ends the service with 0 while its mail server is slow', async (engine) => {
  const server = await startMailServer({ mode: 'silent' })
  try {
    await withMailServer(engine, async (office) => {
      office.clock.at = Date.now()
      await office.put('password_changed', { userId: await office.addPerson('ann@example.org') })
      const settings = { ...office.place.settings, ...mailSettings(server), DAYBOOK_LOG_LEVEL: 'silent' }
      const service = await startService(office.place.folder, settings)
      await waitFor('the mail server is asked', () => server.connections > 0)
      assert.equal(await service.kill('SIGTERM'), 0)
      const rows = await office.rows()
      assert.ok(rows.every(({ status, claimed_by }) => status === 'waiting' && claimed_by === null))
      assert.ok(
        rows.every(({ problem }) => problem === null),
        'the conversation was broken off before the silence was too long',
      )
    })
  } finally {
    await server.stop()
  }
})
