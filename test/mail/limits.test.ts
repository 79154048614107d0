// Hourly mail limits, mails exempt from them, and a clock that is set back.
import assert from 'node:assert/strict'
import { newId } from '../../src/secrets.ts'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import { insertAccessRequests } from '../../src/storage/operations/outbox.ts'
import { mailsTo } from '../support/http/mail-server.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { DAY, HOUR, MINUTE, type Office, SECOND, withMailServer } from './office.ts'

const withLimits = (engine: Parameters<typeof withMailServer>[0], story: (office: Office) => Promise<void>) =>
  withMailServer(engine, story, { settings: { DAYBOOK_RATE_LIMITS: 'on' } })

/** Mails that were sent already. */
async function haveSent({ ctx }: Office, ids: string[], at: number): Promise<void> {
  await inTransaction(ctx.storage, async (db) => {
    await db.updateTable('outbox').set({ status: 'sent', done_at: at }).where('id', 'in', ids).execute()
  })
}

const putMany = async (office: Office, count: number, kind: 'approved' | 'rejected', userId: string) => {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push(await office.put(kind, { userId }))
  return ids
}

forEachEngine('two hundred mails are sent in an hour, and the rest after it, from any number of nodes', (engine) =>
  withLimits(engine, async (office) => {
    const { clock, mailWorker } = office
    const yes = await office.addPerson('yes@example.org')
    const no = await office.addPerson('no@example.org', { approval_state: 'rejected' })
    const second = await office.secondNode()
    // Most have been sent already, half an hour apart.
    await haveSent(office, await putMany(office, 95, 'approved', yes), clock.at - 40 * MINUTE)
    await haveSent(office, await putMany(office, 95, 'rejected', no), clock.at - 10 * MINUTE)
    await putMany(office, 5, 'approved', yes)
    await putMany(office, 20, 'rejected', no)
    const counts = await Promise.all([mailWorker.deliver(), second.mailWorker.deliver()])
    assert.equal(counts[0]! + counts[1]!, 10)
    const waiting = (await office.rows()).filter(({ status }) => status === 'waiting')
    assert.equal(waiting.length, 15)
    assert.ok(waiting.every(({ attempts }) => attempts === 0))
    clock.at += 20 * MINUTE - 1
    assert.equal(await mailWorker.deliver(), 0)
    clock.at += 1 + 30 * MINUTE
    assert.equal(await mailWorker.deliver(), 15)
  }),
)

forEachEngine('no kind of mail takes more than half of the hourly limit', (engine) =>
  withLimits(engine, async (office) => {
    const { clock, mailWorker, server } = office
    const no = await office.addPerson('no@example.org', { approval_state: 'rejected' })
    await office.addPerson('yes@example.org')
    await haveSent(office, await putMany(office, 98, 'rejected', no), clock.at - 40 * MINUTE)
    await putMany(office, 10, 'rejected', no)
    clock.at += SECOND
    await office.put('reset', { emailKey: 'yes@example.org' })
    assert.equal(await mailWorker.deliver(), 3)
    assert.equal(mailsTo(server, 'yes@example.org').length, 1, 'those who came later and are of another kind go')
  }),
)

forEachEngine('a changed password is mailed at once, however many mails were sent', (engine) =>
  withLimits(engine, async (office) => {
    const { clock, mailWorker, server } = office
    const yes = await office.addPerson('yes@example.org')
    const no = await office.addPerson('no@example.org', { approval_state: 'rejected' })
    await haveSent(office, await putMany(office, 100, 'approved', yes), clock.at - MINUTE)
    await haveSent(office, await putMany(office, 100, 'rejected', no), clock.at - MINUTE)
    await putMany(office, 3, 'approved', yes)
    for (let i = 0; i < 5; i++) await office.put('password_changed', { userId: yes })
    assert.equal(await mailWorker.deliver(), 5)
    assert.ok(server.mails.every(({ text }) => text.includes('was changed on')))
  }),
)

forEachEngine('delayed mails are sent in the order they came', (engine) =>
  withLimits(engine, async (office) => {
    const { clock, mailWorker, server } = office
    const no = await office.addPerson('no@example.org', { approval_state: 'rejected' })
    // From the twentieth second on there is room for one each second.
    for (const [i, id] of (await putMany(office, 100, 'rejected', no)).entries())
      await haveSent(office, [id], clock.at - HOUR + (20 + i) * SECOND)
    const names = Array.from({ length: 12 }, (_, i) => `p${i}@example.org`)
    for (const name of names) {
      await office.put('rejected', { userId: await office.addPerson(name, { approval_state: 'rejected' }) })
      await mailWorker.deliver()
      clock.at += SECOND
    }
    assert.equal(server.mails.length, 0)
    for (let i = 0; i < 30; i++) {
      await mailWorker.deliver()
      clock.at += SECOND
    }
    assert.deepEqual(
      server.mails.map(({ to }) => to[0]),
      names,
    )
  }),
)

forEachEngine('the delay of a mail does not reveal whether the addresses before it have accounts', (engine) =>
  withLimits(engine, async (office) => {
    const { clock, mailWorker, server } = office
    await office.addPerson('ann@example.org')
    const names = Array.from({ length: 110 }, (_, i) => `p${i}@example.org`)
    const waits: number[] = []
    for (const haveAccounts of [true, false]) {
      if (haveAccounts) for (const name of names) await office.addPerson(name)
      for (const name of names) await office.put('reset', { emailKey: haveAccounts ? name : `no-${name}` })
      clock.at += SECOND
      await office.put('reset', { emailKey: 'ann@example.org' })
      const [before, asked] = [mailsTo(server, 'ann@example.org').length, clock.at]
      await mailWorker.deliver()
      assert.equal(mailsTo(server, 'ann@example.org').length, before, 'a hundred of one kind in an hour')
      for (; mailsTo(server, 'ann@example.org').length === before; clock.at += 10 * MINUTE) await mailWorker.deliver()
      waits.push(clock.at - asked)
      clock.at += 2 * HOUR
    }
    assert.equal(waits[0], waits[1])
    assert.ok((await office.rows()).every(({ status, email_key }) => status !== 'waiting' && email_key === null))
  }),
)

forEachEngine('F16: a clock that is set back by a day delays no mail', (engine) =>
  withLimits(engine, async (office) => {
    const { clock, mailWorker, server, ctx } = office
    const yes = await office.addPerson('yes@example.org')
    const no = await office.addPerson('no@example.org', { approval_state: 'rejected' })
    await haveSent(office, await putMany(office, 100, 'approved', yes), clock.at)
    await haveSent(office, await putMany(office, 100, 'rejected', no), clock.at)
    const [held] = await putMany(office, 1, 'approved', yes)
    await mailWorker.deliver()
    await server.become('refuse')
    const failed = await office.put('password_changed', { userId: yes })
    await mailWorker.deliver()
    const claimed = await office.put('password_changed', { userId: yes })
    await inTransaction(ctx.storage, async (db) => {
      await db
        .updateTable('outbox')
        .set({ claimed_by: 'somebody', claimed_until: clock.at + 2 * MINUTE })
        .where('id', '=', claimed)
        .execute()
    })
    await server.become('accept')
    clock.at -= DAY
    await mailWorker.deliver()
    for (const id of [held!, failed, claimed]) assert.equal((await office.row(id)).status, 'sent')
  }),
)

forEachEngine('F16: a lease of a node whose clock is a little ahead is respected', (engine) =>
  withMailServer(engine, async (office) => {
    const { clock, mailWorker } = office
    const id = await office.put('password_changed', { userId: await office.addPerson('ann@example.org') })
    const { mailWorker: other } = await office.secondNode(() => ({
      verify: async () => ({ result: 'sent' }),
      async send() {
        clock.at -= 5 * SECOND
        assert.equal(await mailWorker.deliver(), 0)
        return { result: 'sent' }
      },
    }))
    assert.equal(await other.deliver(), 1)
    assert.equal((await office.row(id)).attempts, 1)
  }),
)

for (const [kind, days] of [
  ['reset', 7305],
  ['already_registered', 7305],
  ['reset', 2],
] as const)
  forEachEngine(`F16: the mail ${kind} sent while the clock was ${days} days ahead holds no later one back`, (engine) =>
    withMailServer(engine, async (office) => {
      const { clock, mailWorker } = office
      await office.addPerson('ann@example.org', { email_verified_at: null })
      const ask = async (): Promise<number> => {
        await office.put(kind, { emailKey: 'ann@example.org' })
        return mailWorker.deliver()
      }
      clock.at += days * DAY
      assert.equal(await ask(), 1)
      clock.at -= days * DAY
      assert.equal(await ask(), 1)
      assert.equal(await ask(), 0, 'one a day')
      clock.at += DAY
      assert.equal(await ask(), 1)
    }),
  )

forEachEngine('F16: requests are mailed every ten minutes at most after the clock was ahead', (engine) =>
  withMailServer(engine, async (office) => {
    const { ctx, clock, mailWorker } = office
    await office.addPerson('boss@example.org', { role: 'admin' })
    await office.addPerson('new@example.org', { approval_state: 'pending_approval' })
    const ask = async (): Promise<number> => {
      await inTransaction(ctx.storage, (db) => insertAccessRequests(db, newId, clock.at))
      return mailWorker.deliver()
    }
    clock.at += 7305 * DAY
    assert.equal(await ask(), 1)
    clock.at -= 7305 * DAY
    assert.equal(await ask(), 1)
    clock.at += MINUTE
    assert.equal(await ask(), 0)
    clock.at += 9 * MINUTE
    assert.equal(await ask(), 1)
  }),
)

forEachEngine('F16: a mail that was asked for while the clock was ahead is given up after a day', (engine) =>
  withMailServer(engine, async (office) => {
    const { clock, mailWorker, server } = office
    const userId = await office.addPerson('ann@example.org')
    clock.at += 7305 * DAY
    const id = await office.put('password_changed', { userId })
    clock.at -= 7305 * DAY
    await server.become('greylist')
    for (let hour = 0; hour < 36; hour++) {
      await mailWorker.deliver()
      clock.at += HOUR
    }
    assert.equal((await office.row(id)).status, 'failed')
  }),
)
