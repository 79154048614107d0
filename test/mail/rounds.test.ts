// Mail in the running service: it is sent without a trigger, and old rows are purged.
import assert from 'node:assert/strict'
import { purgeExpired } from '../../src/actions/maintenance/housekeeping.ts'
import { newId } from '../../src/secrets.ts'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import { insertMail } from '../../src/storage/operations/outbox.ts'
import { mailSettings, startMailServer } from '../support/http/mail-server.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { withWorld } from '../support/world.ts'
import { DAY, withMailServer } from './office.ts'

forEachEngine('mail is sent on a schedule, and at once when requested', async (engine) => {
  const server = await startMailServer()
  try {
    await withWorld(
      engine,
      async ({ app, addPerson }) => {
        const userId = await addPerson('ann@example.org', 'writer')
        const put = () =>
          inTransaction(app.ctx.storage, (db) =>
            insertMail(db, { id: newId(), kind: 'password_changed', to: { userId } }, app.ctx.clock()),
          )
        await put()
        await server.waitFor(1)
        await put()
        await app.deliverMail()
        assert.equal(server.mails.length, 2)
        assert.equal(await app.deliverMail(), 0)
      },
      { settings: mailSettings(server) },
    )
  } finally {
    await server.stop()
  }
})

forEachEngine('after a week, finished mails, used tokens and unverified requests are purged', (engine) =>
  withMailServer(engine, async (office) => {
    const { ctx, clock, mailWorker } = office
    const names = async (): Promise<string[]> =>
      (await ctx.storage.reads.selectFrom('users').select('email').orderBy('email').execute()).map(({ email }) => email)
    const count = async (table: 'outbox' | 'tokens'): Promise<number> =>
      (await ctx.storage.reads.selectFrom(table).selectAll().execute()).length
    const pending = { approval_state: 'pending_approval', email_verified_at: null } as const
    await office.addPerson('unproven@example.org', pending)
    await office.addPerson('reopened@example.org', { ...pending, decided_at: clock.at + 6 * DAY })
    await office.addPerson('rejected@example.org', { ...pending, approval_state: 'rejected' })
    await office.addPerson('approved@example.org', { ...pending, approval_state: 'approved' })
    await office.addPerson('proven@example.org', { ...pending, email_verified_at: clock.at })
    await office.put('verification', { emailKey: 'approved@example.org' })
    await office.put('reset', { emailKey: 'nobody@example.org' })
    await mailWorker.deliver()
    await office.server.become('refuse')
    await office.put('verification', { emailKey: 'rejected@example.org' })
    await mailWorker.deliver()
    const { accounts_revision: before } = await ctx.storage.reads
      .selectFrom('calendar')
      .selectAll()
      .executeTakeFirstOrThrow()
    clock.at += 7 * DAY
    await purgeExpired(ctx)
    assert.equal((await names()).length, 5, 'not before')
    assert.equal(await count('outbox'), 3)
    clock.at += 1
    await purgeExpired(ctx)
    assert.deepEqual(
      await names(),
      ['approved', 'proven', 'rejected', 'reopened'].map((name) => `${name}@example.org`),
    )
    assert.equal(await count('outbox'), 1, 'what waits stays')
    const { accounts_revision: after } = await ctx.storage.reads
      .selectFrom('calendar')
      .selectAll()
      .executeTakeFirstOrThrow()
    assert.equal(after, before + 1)
    assert.equal(await count('tokens'), 1, 'it was good for a day')
    clock.at += DAY
    await purgeExpired(ctx)
    assert.equal(await count('tokens'), 0)
  }),
)
