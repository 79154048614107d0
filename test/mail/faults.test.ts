// F15 and F40: a mail server that is down, silent or refuses, a node killed while sending, and several nodes at once.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createMailWorker } from '../../src/mail/deliver.ts'
import type { Transport } from '../../src/mail/send-outcome.ts'
import { createTransport } from '../../src/mail/transport.ts'
import { hashSecret, newId } from '../../src/secrets.ts'
import type { Storage } from '../../src/storage/engine/storage.ts'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import { insertMail } from '../../src/storage/operations/outbox.ts'
import { headersOf, mailSettings, startMailServer, tokenIn } from '../support/http/mail-server.ts'
import { byRunLength } from '../support/measure/run-length.ts'
import { startService } from '../support/processes/process.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { DAY, HOUR, MINUTE, type Office, SECOND, withMailServer } from './office.ts'

const tokenCount = async ({ ctx }: Office): Promise<number> =>
  (await ctx.storage.reads.selectFrom('tokens').select('hash').execute()).length

const messageId = (raw: string): string => headersOf(raw).find(([name]) => name === 'Message-ID')![1]

for (const mode of ['refuse', 'silent', 'hang_up', 'closed_for_us'] as const)
  forEachEngine(
    `F15: while the server is down (${mode}) mail waits; when it is back, all leaves within a minute and a half`,
    (engine) =>
      withMailServer(engine, async (office) => {
        const { server, mailWorker, clock } = office
        await server.become(mode)
        const ids: string[] = []
        for (let i = 0; i < 2; i++) {
          const person = await office.addPerson(`p${i}@example.org`)
          ids.push(await office.put('reset', { emailKey: `p${i}@example.org` }))
          ids.push(await office.put('password_changed', { userId: person }))
        }
        for (const waitMs of [0, MINUTE, 20 * MINUTE, HOUR]) {
          clock.at += waitMs
          await mailWorker.deliver()
          clock.at += SECOND
          await mailWorker.deliver()
        }
        const rows = await office.rows()
        assert.ok(rows.every(({ status, problem }) => status === 'waiting' && problem === 'unreachable'))
        assert.ok(rows.every(({ claimed_by }) => claimed_by === null))
        assert.equal(await tokenCount(office), 0, 'links that never left are not kept')
        assert.equal(office.log().split('mail cannot be sent').length, 2, 'said once')
        await server.become('accept')
        const backAt = clock.at
        for (; server.mails.length < ids.length && clock.at < backAt + 90 * SECOND; clock.at += SECOND)
          await mailWorker.deliver()
        assert.equal(server.mails.length, ids.length)
        assert.ok((await office.rows()).every(({ status }) => status === 'sent'))
        assert.match(office.log(), /mail can be sent again/)
      }),
  )

forEachEngine('F15: a node that was started while the server was down retries too', (engine) =>
  withMailServer(engine, async (office) => {
    await office.server.become('refuse')
    const person = await office.addPerson('ann@example.org')
    await office.put('password_changed', { userId: person })
    for (let i = 0; i < 8; i++) {
      await office.mailWorker.deliver()
      office.clock.at += 61 * MINUTE
    }
    await office.mailWorker.deliver()
    await office.server.become('accept')
    const { mailWorker } = await office.secondNode()
    office.clock.at += SECOND
    assert.equal(await mailWorker.deliver(), 1)
  }),
)

forEachEngine('F15: after a temporary refusal the server is retried after 1, 2, 4 … 60 minutes, for a day', (engine) =>
  withMailServer(engine, async (office) => {
    const { server, mailWorker, clock } = office
    await server.become('greylist')
    await office.addPerson('ann@example.org')
    const id = await office.put('reset', { emailKey: 'ann@example.org' })
    const startAt = clock.at
    const waits: number[] = []
    for (;;) {
      await mailWorker.deliver()
      const { status, next_at, problem } = await office.row(id)
      assert.equal(problem, 'deferred_451')
      if (status !== 'waiting') break
      clock.at = next_at - 1
      const before = server.connections
      await mailWorker.deliver()
      assert.equal(server.connections, before, 'not before its time')
      waits.push(next_at - (startAt + waits.reduce((sum, wait) => sum + wait, 0)))
      clock.at = next_at
    }
    assert.deepEqual(
      waits.slice(0, 8).map((wait) => wait / MINUTE),
      [1, 2, 4, 8, 16, 32, 60, 60],
    )
    assert.equal(clock.at, startAt + DAY)
    const { status, email_key } = await office.row(id)
    assert.deepEqual({ status, email_key }, { status: 'failed', email_key: null })
    assert.equal(server.mails.length, 0)
    assert.equal(await tokenCount(office), 0)
  }),
)

forEachEngine('F15: a mail that a greylisting server accepts on the second try is sent once', (engine) =>
  withMailServer(engine, async (office) => {
    await office.server.become('greylist')
    await office.addPerson('ann@example.org')
    await office.put('reset', { emailKey: 'ann@example.org' })
    await office.mailWorker.deliver()
    await office.server.become('accept')
    office.clock.at += MINUTE
    assert.equal(await office.mailWorker.deliver(), 1)
    assert.equal(office.server.mails.length, 1)
    assert.equal(await tokenCount(office), 1)
  }),
)

forEachEngine('F15: a permanent refusal is final, and delays no other mail', (engine) =>
  withMailServer(engine, async (office) => {
    for (const mode of ['reject', 'reject_content'] as const) {
      await office.server.become(mode)
      const person = await office.addPerson(`${mode}@example.org`)
      const id = await office.put('password_changed', { userId: person })
      const before = office.server.connections
      assert.equal(await office.mailWorker.deliver(), 0)
      assert.match((await office.row(id)).problem!, /^refused_55[04]$/)
      assert.equal((await office.row(id)).status, 'failed')
      office.clock.at += 2 * DAY
      await office.mailWorker.deliver()
      assert.equal(office.server.connections, before + 1)
    }
    assert.doesNotMatch(office.log(), /example\.org/)
  }),
)

forEachEngine('F15: a mail that cannot be sent does not delay the others', (engine) =>
  withMailServer(engine, async (office) => {
    const bad = await office.addPerson('not an address')
    const good = await office.addPerson('ann@example.org')
    for (let i = 0; i < 8; i++) await office.put('password_changed', { userId: bad })
    for (let i = 0; i < 8; i++) await office.put('password_changed', { userId: good })
    assert.equal(await office.mailWorker.deliver(), 8)
    assert.equal(office.server.mails.length, 8)
  }),
)

forEachEngine(
  'F15: a connection lost after the message may cause a second copy, with the same id and a valid link',
  (engine) =>
    withMailServer(engine, async (office) => {
      const { server, mailWorker, clock } = office
      await server.become('drop')
      await office.addPerson('ann@example.org')
      await office.put('reset', { emailKey: 'ann@example.org' })
      assert.equal(await mailWorker.deliver(), 0)
      await server.become('accept')
      clock.at += MINUTE
      assert.equal(await mailWorker.deliver(), 1)
      assert.equal(server.mails.length, 2)
      assert.equal(messageId(server.mails[0]!.raw), messageId(server.mails[1]!.raw))
      const live = new Set(
        (await office.ctx.storage.reads.selectFrom('tokens').select('hash').execute()).map(({ hash }) => hash),
      )
      for (const mail of server.mails) assert.ok(live.has(hashSecret(tokenIn(mail))))
    }),
)

forEachEngine('F15: a mail that may have arrived is tried twice more, and then counts as sent', (engine) =>
  withMailServer(engine, async (office) => {
    const { server, mailWorker, clock } = office
    await server.become('drop')
    await office.addPerson('ann@example.org')
    const id = await office.put('reset', { emailKey: 'ann@example.org' })
    const problems: (string | null)[] = []
    for (let i = 0; i < 6; i++) {
      await mailWorker.deliver()
      problems.push((await office.row(id)).problem)
      // An unreachable server in between does not reset the count of copies that may have arrived.
      await server.become('refuse')
      clock.at += HOUR
      await mailWorker.deliver()
      await server.become('drop')
      clock.at += HOUR
    }
    assert.deepEqual(problems.slice(0, 3), ['interrupted_1', 'interrupted_2', 'unconfirmed'])
    assert.equal(server.mails.length, 3)
    const { status, done_at } = await office.row(id)
    assert.equal(status, 'sent')
    assert.ok(done_at)
    assert.match(office.log(), /mail was handed over, but never confirmed/)
  }),
)

forEachEngine(
  'F15: a node killed between the server’s acceptance and its own record sends one more, and no third',
  (engine) =>
    withMailServer(engine, async (office) => {
      let pid = 0
      // Stopped before it is answered, so that it can record nothing; then killed.
      const server = await startMailServer({
        beforeAnswer: () => {
          if (pid) process.kill(pid, 'SIGSTOP')
        },
      })
      const settings = { ...office.place.settings, ...mailSettings(server), DAYBOOK_LOG_LEVEL: 'silent' }
      office.clock.at = Date.now()
      await office.addPerson('ann@example.org')
      await office.put('reset', { emailKey: 'ann@example.org' })
      const service = await startService(office.place.folder, settings)
      pid = service.pid
      await server.waitFor(1)
      await service.kill('SIGKILL')
      pid = 0
      assert.equal((await office.rows())[0]!.status, 'waiting')
      await office.mailWorker.deliver()
      assert.equal(office.server.mails.length, 0, 'it is still claimed')
      office.clock.at = Date.now() + 3 * MINUTE
      assert.equal(await office.mailWorker.deliver(), 1)
      office.clock.at += DAY
      assert.equal(await office.mailWorker.deliver(), 0)
      const copies = [...server.mails, ...office.server.mails].map(({ raw }) => messageId(raw).split('@')[0])
      assert.equal(copies.length, 2)
      assert.equal(copies[0], copies[1])
      await server.stop()
    }),
)

forEachEngine('F15: a mail whose sending is stopped is released at once', (engine) =>
  withMailServer(engine, async (office) => {
    const person = await office.addPerson('ann@example.org')
    for (let i = 0; i < 20; i++) await office.put('password_changed', { userId: person })
    const { mailWorker } = await office.secondNode()
    const round = mailWorker.deliver()
    await office.server.waitFor(1)
    await mailWorker.stop()
    const sent = await round
    assert.equal(await mailWorker.deliver(), 0, 'it has gone home')
    assert.ok((await office.rows()).every(({ claimed_by }) => claimed_by === null))
    assert.equal(sent + (await office.mailWorker.deliver()), 20)
    assert.equal(office.server.mails.length, 20)
  }),
)

forEachEngine(
  'F15: an unexpected failure of transport or database keeps the mail waiting and logs no address',
  (engine) =>
    withMailServer(engine, async (office) => {
      const person = await office.addPerson('ann@example.org')
      const id = await office.put('password_changed', { userId: person })
      const broken: Transport = {
        send: () => Promise.reject(new TypeError('ann@example.org')),
        verify: async () => ({ result: 'sent' }),
      }
      const { mailWorker } = await office.secondNode(() => broken)
      assert.equal(await mailWorker.deliver(), 0)
      const { status, problem, next_at } = await office.row(id)
      assert.deepEqual(
        { status, problem, next_at },
        { status: 'waiting', problem: 'internal', next_at: office.clock.at + MINUTE },
      )
      assert.match(office.log(), /processing a mail failed.*TypeError/)
      assert.doesNotMatch(office.log(), /ann@/)
      const { ctx } = await office.secondNode()
      const cut = { ...ctx, storage: { ...ctx.storage, reads: {} as never, writes: {} as never } }
      assert.equal(await createMailWorker(cut, createTransport(ctx.config)).deliver(), 0)
    }),
)

forEachEngine('F15: a mail whose sending cannot be recorded counts as a copy that may have arrived', (engine) =>
  withMailServer(engine, async (office) => {
    const person = await office.addPerson('ann@example.org')
    const id = await office.put('password_changed', { userId: person })
    let copies = 0
    const { ctx, mailWorker } = await office.secondNode(() => ({
      async send() {
        copies += 1
        failNextWrite(ctx.storage)
        return { result: 'sent' }
      },
      verify: async () => ({ result: 'sent' }),
    }))
    const problems: (string | null)[] = []
    for (let i = 0; i < 4; i++) {
      await mailWorker.deliver()
      problems.push((await office.row(id)).problem)
      office.clock.at += HOUR
    }
    assert.deepEqual(problems, ['interrupted_1', 'interrupted_2', 'unconfirmed', 'unconfirmed'])
    assert.equal(copies, 3)
    assert.equal((await office.row(id)).status, 'sent')
  }),
)

function failNextWrite({ writes }: Storage): void {
  const own = writes.transaction
  writes.transaction = () => {
    writes.transaction = own
    throw new Error('the connection was lost')
  }
}

forEachEngine('F15: no token is in the database or on the disk, whatever happened to the mail', (engine) =>
  withMailServer(engine, async (office) => {
    const modes = ['accept', 'drop', 'greylist', 'reject', 'accept'] as const
    for (const [i, mode] of modes.entries()) {
      await office.server.become(mode)
      await office.addPerson(`v${i}@example.org`, { email_verified_at: null })
      await office.put('verification', { emailKey: `v${i}@example.org` })
      await office.addPerson(`r${i}@example.org`)
      await office.put('reset', { emailKey: `r${i}@example.org` })
      await office.mailWorker.deliver()
    }
    const tokens = office.server.mails.map(tokenIn)
    assert.ok(tokens.length >= 6)
    const dump = await dumpAll(office)
    assert.ok(dump.includes(hashSecret(tokens[0]!)), 'the dump itself is broken')
    for (const token of tokens) assert.ok(!dump.includes(token))
    assert.deepEqual(
      readdirSync(office.place.folder, { recursive: true }).filter((name) => String(name).endsWith('.eml')),
      [],
    )
  }),
)

async function dumpAll({ ctx }: Office): Promise<string> {
  const db = ctx.storage.reads
  const tables = await db.introspection.getTables()
  const contents = await Promise.all(
    tables.map(({ name }) =>
      sql`select * from ${sql.table(name)}`.execute(db).then(({ rows }) => JSON.stringify(rows)),
    ),
  )
  return contents.join('\n')
}

const MANY = byRunLength(120, 1_000)

test(`F40: ${MANY} mails and two nodes: each is sent once`, () =>
  withMailServer('postgres', async (office) => {
    const person = await office.addPerson('ann@example.org')
    await inTransaction(office.ctx.storage, async (db) => {
      for (let i = 0; i < MANY; i++)
        await insertMail(db, { id: newId(), kind: 'password_changed', to: { userId: person } }, office.clock.at)
    })
    const nodes = [office, await office.secondNode()]
    const counts = await Promise.all(nodes.map(({ mailWorker }) => mailWorker.deliver()))
    assert.equal(counts[0]! + counts[1]!, MANY, office.log())
    assert.ok(
      counts.every((count) => count > 0),
      `${counts}`,
    )
    const ids = office.server.mails.map(({ raw }) => messageId(raw))
    assert.equal(ids.length, MANY)
    assert.equal(new Set(ids).size, MANY)
    assert.ok((await office.rows()).every(({ status, attempts }) => status === 'sent' && attempts === 1))
  }))
