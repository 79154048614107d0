// F33: told to stop, the postman does not wait for a slow mail server, loses no mail and sends none twice.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { makeTransport } from '../../src/mail/transport.ts'
import { forEachEngine } from '../support/engines.ts'
import { mailSettings, startMailServer } from '../support/mail-server.ts'
import { startService } from '../support/process.ts'
import { withOffice } from './office.ts'

/** Until something is so, for a while. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 500 && !(await isSo()); i++) await delay(20)
  assert.ok(await isSo())
}

const secondsOf = async (work: Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work
  return (performance.now() - startedAt) / 1_000
}

forEachEngine(
  'conversations that have not come to the message are broken off, and the mails are free at once',
  (engine) =>
    withOffice(engine, async (office) => {
      const { server } = office
      await server.become('silent')
      await office.addPerson('ann@example.org')
      const id = await office.put('reset', { emailKey: 'ann@example.org' })
      const { postman } = await office.secondNode(makeTransport)
      const round = postman.deliver()
      await until(() => server.connections > 0)
      assert.ok((await secondsOf(postman.stop())) < 4, 'not the ten seconds a server may be silent')
      assert.equal(await round, 0)
      const { status, claimed_by, next_at, attempts, problem } = await office.row(id)
      assert.deepEqual(
        { status, claimed_by, next_at, attempts, problem },
        { status: 'waiting', claimed_by: null, next_at: office.clock.at, attempts: 0, problem: null },
      )
      assert.deepEqual(await office.ctx.storage.reads.selectFrom('tokens').selectAll().execute(), [])
      await server.become('accept')
      assert.equal(await office.postman.deliver(), 1, 'another node need not wait')
    }),
)

forEachEngine('a message that is handed over is waited for a few seconds', async (engine) => {
  let thinkMs = 1_000
  const server = await startMailServer({ beforeAnswer: () => delay(thinkMs) })
  try {
    await withOffice(
      engine,
      async (office) => {
        const person = await office.addPerson('ann@example.org')
        const id = await office.put('password_changed', { userId: person })
        const { postman } = await office.secondNode(makeTransport)
        const round = postman.deliver()
        await until(() => server.mails.length === 1)
        await postman.stop()
        assert.equal(await round, 1, 'it was answered in time')
        assert.equal((await office.row(id)).status, 'sent')

        thinkMs = 30_000
        const slow = await office.put('password_changed', { userId: person })
        const { postman: third } = await office.secondNode(makeTransport)
        const unfinished = third.deliver()
        await until(() => server.mails.length === 2)
        assert.ok((await secondsOf(third.stop())) < 9)
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

forEachEngine('SIGTERM ends the service with 0 while its mail server dawdles', async (engine) => {
  const server = await startMailServer({ mode: 'silent' })
  try {
    await withOffice(engine, async (office) => {
      office.clock.at = Date.now()
      await office.put('password_changed', { userId: await office.addPerson('ann@example.org') })
      const settings = { ...office.place.settings, ...mailSettings(server), DAYBOOK_LOG_LEVEL: 'silent' }
      const service = await startService(office.place.folder, settings)
      await until(() => server.connections > 0)
      const startedAt = performance.now()
      assert.equal(await service.kill('SIGTERM'), 0)
      assert.ok(performance.now() - startedAt < 8_000)
      assert.ok((await office.rows()).every(({ status, claimed_by }) => status === 'waiting' && claimed_by === null))
    })
  } finally {
    await server.stop()
  }
})
