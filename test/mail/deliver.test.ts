// The mail worker: the recipient and content of each mail, and which mails are not sent.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { hashSecret, newId } from '../../src/secrets.ts'
import { redeemToken } from '../../src/storage/accounts/tokens.ts'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import { insertAccessRequests } from '../../src/storage/operations/outbox.ts'
import { headersOf, linkIn, mailsTo, tokenIn } from '../support/http/mail-server.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { DAY, HOUR, MINUTE, type Office, withMailServer } from './office.ts'

const tokensOf = ({ ctx }: Office) => ctx.storage.reads.selectFrom('tokens').selectAll().execute()
const redeem = ({ ctx, clock }: Office, token: string, purpose: 'verify' | 'reset') =>
  inTransaction(ctx.storage, (db) => redeemToken(db, hashSecret(token), purpose, clock.at))

forEachEngine('a new account gets a link that verifies its address, for a day', (engine) =>
  withMailServer(engine, async (office) => {
    const { server, mailWorker, clock } = office
    const id = await office.addPerson('Ann@example.org', {
      email_verified_at: null,
      approval_state: 'pending_approval',
    })
    const mail = await office.put('verification', { userId: id })
    assert.equal(await mailWorker.deliver(), 1)
    assert.deepEqual(server.mails[0]!.to, ['Ann@example.org'])
    assert.match(linkIn(server.mails[0]!), /^https:\/\/calendar\.example\.org\/verify#t=[\w-]{43}$/)
    const { status, done_at, claimed_by, attempts } = await office.row(mail)
    assert.deepEqual(
      { status, done_at, claimed_by, attempts },
      { status: 'sent', done_at: clock.at, claimed_by: null, attempts: 1 },
    )
    const token = tokenIn(server.mails[0]!)
    assert.equal(await redeem(office, token, 'reset'), undefined)
    clock.at += DAY - 1
    assert.equal(await redeem(office, token, 'verify'), id)
    assert.equal(await redeem(office, token, 'verify'), undefined)
    assert.equal(await mailWorker.deliver(), 0)
  }),
)

forEachEngine('a verification link expires after a day', (engine) =>
  withMailServer(engine, async (office) => {
    const id = await office.addPerson('ann@example.org', { email_verified_at: null })
    await office.put('verification', { userId: id })
    await office.mailWorker.deliver()
    office.clock.at += DAY
    assert.equal(await redeem(office, tokenIn(office.server.mails[0]!), 'verify'), undefined)
  }),
)

forEachEngine('a link is valid only while the address is still the account’s', (engine) =>
  withMailServer(engine, async (office) => {
    const id = await office.addPerson('ann@example.org')
    await office.put('reset', { emailKey: 'ann@example.org' })
    await office.mailWorker.deliver()
    await inTransaction(office.ctx.storage, async (db) => {
      await db.updateTable('users').set({ email_key: 'new@example.org' }).where('id', '=', id).execute()
    })
    assert.equal(await redeem(office, tokenIn(office.server.mails[0]!), 'reset'), undefined)
  }),
)

forEachEngine(
  'every account is mailed a reset link, whatever its state; links of unverified ones are valid for a day',
  (engine) =>
    withMailServer(engine, async (office) => {
      const { server, clock } = office
      for (const state of ['approved', 'rejected', 'suspended', 'pending_approval'] as const) {
        await office.addPerson(`${state}@example.org`, { approval_state: state })
        await office.put('reset', { emailKey: `${state}@example.org` })
      }
      await office.addPerson('unproven@example.org', { email_verified_at: null })
      const unproven = await office.put('reset', { emailKey: 'unproven@example.org' })
      assert.equal(await office.mailWorker.deliver(), 5)
      for (const { text } of server.mails) assert.match(linkIn({ text }), /\/reset-password#t=/)
      assert.equal((await office.row(unproven)).status, 'sent')
      clock.at += HOUR
      assert.equal(await redeem(office, tokenIn(mailsTo(server, 'approved@example.org')[0]!), 'reset'), undefined)
      assert.ok(await redeem(office, tokenIn(mailsTo(server, 'unproven@example.org')[0]!), 'reset'))
    }),
)

forEachEngine('mail to an address without an account is dropped silently, and deleted', (engine) =>
  withMailServer(engine, async (office) => {
    const ids = [
      await office.put('reset', { emailKey: 'nobody@example.org' }),
      await office.put('already_registered', { emailKey: 'nobody@example.org' }),
    ]
    assert.equal(await office.mailWorker.deliver(), 0)
    for (const id of ids) {
      const { status, email_key, user_id } = await office.row(id)
      assert.deepEqual({ status, email_key, user_id }, { status: 'dropped', email_key: null, user_id: null })
    }
    assert.equal(office.server.connections, 0)
    assert.doesNotMatch(office.log(), /nobody/)
  }),
)

forEachEngine('registering an address that has an account mails its owner once a day', (engine) =>
  withMailServer(engine, async (office) => {
    const { server, mailWorker, clock } = office
    await office.addPerson('ann@example.org')
    await office.addPerson('bob@example.org', { email_verified_at: null })
    for (let i = 0; i < 10; i++)
      for (const name of ['ann', 'bob']) await office.put('already_registered', { emailKey: `${name}@example.org` })
    assert.equal(await mailWorker.deliver(), 2)
    assert.match(mailsTo(server, 'ann@example.org')[0]!.text, /https:\/\/calendar\.example\.org\/forgot-password/)
    assert.doesNotMatch(mailsTo(server, 'ann@example.org')[0]!.text, /#t=/)
    assert.match(linkIn(mailsTo(server, 'bob@example.org')[0]!), /\/verify#t=/)
    assert.equal((await tokensOf(office)).length, 1)
    clock.at += DAY - 1
    await office.put('already_registered', { emailKey: 'ann@example.org' })
    assert.equal(await mailWorker.deliver(), 0)
    clock.at += 1
    await office.put('already_registered', { emailKey: 'ann@example.org' })
    assert.equal(await mailWorker.deliver(), 1)
    assert.ok((await office.rows()).every((row) => row.email_key === null))
  }),
)

forEachEngine('a decision is mailed only while it is current', (engine) =>
  withMailServer(engine, async (office) => {
    const approved = await office.addPerson('yes@example.org')
    const unproven = await office.addPerson('almost@example.org', { email_verified_at: null })
    const rejected = await office.addPerson('no@example.org', { approval_state: 'rejected' })
    const suspended = await office.addPerson('late@example.org', { approval_state: 'suspended' })
    await office.put('approved', { userId: approved })
    await office.put('approved', { userId: unproven })
    await office.put('rejected', { userId: rejected })
    await office.put('suspended', { userId: suspended })
    const late = await office.put('approved', { userId: suspended })
    const stale = await office.put('rejected', { userId: approved })
    const reinstated = await office.put('suspended', { userId: approved })
    assert.equal(await office.mailWorker.deliver(), 4)
    assert.match(mailsTo(office.server, 'yes@example.org')[0]!.text, /You can sign in now/)
    assert.match(mailsTo(office.server, 'almost@example.org')[0]!.text, /never confirmed/)
    assert.match(mailsTo(office.server, 'no@example.org')[0]!.text, /not approved/)
    assert.match(mailsTo(office.server, 'late@example.org')[0]!.text, /has been suspended/)
    for (const id of [late, stale, reinstated]) assert.equal((await office.row(id)).status, 'dropped')
  }),
)

forEachEngine('a verified account gets no verification mail, and a deleted one no mail', (engine) =>
  withMailServer(engine, async (office) => {
    const ann = await office.addPerson('ann@example.org')
    const bob = await office.addPerson('bob@example.org')
    const mail = await office.put('verification', { userId: ann })
    await office.put('password_changed', { userId: bob })
    await inTransaction(office.ctx.storage, async (db) => {
      await db.deleteFrom('users').where('id', '=', bob).execute()
    })
    assert.equal(await office.mailWorker.deliver(), 0)
    assert.deepEqual(
      (await office.rows()).map(({ id, status }) => [id, status]),
      [[mail, 'dropped']],
    )
  }),
)

forEachEngine('the mail about a changed password has the time of the change', (engine) =>
  withMailServer(engine, async (office) => {
    const id = await office.addPerson('ann@example.org')
    await office.put('password_changed', { userId: id })
    office.clock.at += 5 * HOUR
    await office.mailWorker.deliver()
    assert.match(office.server.mails[0]!.text, /changed on Friday 10 July 2026, 13:00 \(Europe\/London\)/)
  }),
)

forEachEngine(
  'administrators are notified of requests at once, then every ten minutes at most, in one mail',
  (engine) =>
    withMailServer(engine, async (office) => {
      const { server, mailWorker, clock, ctx } = office
      const ask = () => inTransaction(ctx.storage, (db) => insertAccessRequests(db, newId, clock.at))
      for (const name of ['one', 'two']) await office.addPerson(`${name}@example.org`, { role: 'admin' })
      await office.addPerson('former@example.org', { role: 'admin', approval_state: 'suspended' })
      await office.addPerson('writer@example.org')
      await ask()
      assert.equal(await mailWorker.deliver(), 0, 'no request waits')
      for (let i = 0; i < 3; i++) {
        await office.addPerson(`p${i}@example.org`, { approval_state: 'pending_approval' })
        await ask()
      }
      await office.addPerson('unproven@example.org', { approval_state: 'pending_approval', email_verified_at: null })
      assert.equal(await mailWorker.deliver(), 2)
      assert.deepEqual(server.mails.flatMap(({ to }) => to).sort(), ['one@example.org', 'two@example.org'])
      for (const { text } of server.mails) assert.match(text, /^3 people are waiting/m)
      clock.at += MINUTE
      await office.addPerson('p4@example.org', { approval_state: 'pending_approval' })
      await Promise.all([ask(), ask(), ask()])
      assert.equal(await mailWorker.deliver(), 0)
      clock.at += 9 * MINUTE
      assert.equal(await mailWorker.deliver(), 2)
      assert.match(server.mails.at(-1)!.text, /^4 people are waiting/m)
    }),
)

forEachEngine('three links may be valid at once; a fourth request sends no mail and ends none of them', (engine) =>
  withMailServer(engine, async (office) => {
    const id = await office.addPerson('ann@example.org')
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      ids.push(await office.put('reset', { emailKey: 'ann@example.org' }))
      await office.mailWorker.deliver()
      office.clock.at += MINUTE
    }
    const statuses = await Promise.all(ids.map(async (mail) => (await office.row(mail)).status))
    assert.deepEqual(statuses, ['sent', 'sent', 'sent', 'dropped', 'dropped'])
    const tokens = office.server.mails.map(tokenIn)
    const live = new Set((await tokensOf(office)).map(({ hash }) => hash))
    assert.deepEqual(
      tokens.map((token) => live.has(hashSecret(token))),
      [true, true, true],
    )
    assert.equal(await redeem(office, tokens[0]!, 'reset'), id, 'the first is as good as the last')
    office.clock.at += HOUR
    await office.put('reset', { emailKey: 'ann@example.org' })
    assert.equal(await office.mailWorker.deliver(), 1, 'those that are over take no place')
  }),
)

forEachEngine('forgot-password for an unverified address sends one mail a day', (engine) =>
  withMailServer(engine, async (office) => {
    const { server, mailWorker, clock } = office
    await office.addPerson('ann@example.org', { email_verified_at: null })
    const ask = () => office.put('reset', { emailKey: 'ann@example.org' })
    for (let i = 0; i < 10; i++) await ask()
    assert.equal(await mailWorker.deliver(), 1)
    assert.match(linkIn(server.mails[0]!), /\/reset-password#t=/)
    clock.at += DAY - 1
    await ask()
    assert.equal(await mailWorker.deliver(), 0)
    clock.at += 1
    await ask()
    assert.equal(await mailWorker.deliver(), 1)
    assert.ok(await redeem(office, tokenIn(server.mails[1]!), 'reset'))
    await inTransaction(office.ctx.storage, async (db) => {
      await db.updateTable('users').set({ email_verified_at: clock.at }).execute()
    })
    await ask()
    assert.equal(await mailWorker.deliver(), 1, 'a proven address waits for nothing')
    assert.match(linkIn(server.mails[2]!), /\/reset-password#t=/)
  }),
)

forEachEngine('without a mail server the mail is a file, and the log has its path', (engine) =>
  withMailServer(
    engine,
    async (office) => {
      const id = await office.addPerson('ann@example.org', { email_verified_at: null })
      await office.put('verification', { userId: id })
      assert.equal(await office.mailWorker.deliver(), 1)
      const folder = join(office.ctx.config.dataDir, 'mail')
      const [file] = readdirSync(folder)
      assert.ok(
        office
          .log()
          .includes(
            JSON.stringify({ message: 'mail was written to a file', kind: 'verification', file: join(folder, file!) }),
          ),
      )
      assert.doesNotMatch(office.log(), /ann|#t=/)
    },
    { hasServer: false },
  ),
)

const HOSTILE = ['\r\nBcc: all@example.org', '\nBcc: x@example.org', '%0aBcc: x', '\u0085Bcc: x', '\u2028Bcc: x', '<b>']

forEachEngine('F27: no text that a client sent is in any mail', (engine) =>
  withMailServer(engine, async (office) => {
    for (const [i, text] of HOSTILE.entries()) {
      const typed = { display_name: `canary${text}`, request_message: `canary${text}` }
      const ann = await office.addPerson(`a${i}@example.org`, typed)
      const boss = await office.addPerson(`b${i}@example.org`, { ...typed, role: 'admin' })
      const new1 = await office.addPerson(`c${i}@example.org`, { ...typed, email_verified_at: null })
      const no = await office.addPerson(`d${i}@example.org`, { ...typed, approval_state: 'rejected' })
      await office.addPerson(`e${i}@example.org`, { ...typed, approval_state: 'pending_approval' })
      for (const kind of ['password_changed', 'approved', 'reset', 'already_registered'] as const)
        await office.put(kind, { userId: ann })
      await office.put('access_requested', { userId: boss })
      await office.put('verification', { userId: new1 })
      await office.put('rejected', { userId: no })
      const bad = await office.addPerson(`canary${text}@example.org`, typed)
      await office.put('password_changed', { userId: bad })
    }
    assert.equal(await office.mailWorker.deliver(), 7 * HOSTILE.length)
    const failed = (await office.rows()).filter(({ status }) => status !== 'sent')
    assert.deepEqual(
      failed.map(({ status, problem }) => [status, problem]),
      HOSTILE.map(() => ['failed', 'refused_address']),
    )
    for (const { raw, to, from } of office.server.mails) {
      assert.equal(to.length, 1)
      assert.equal(from, 'daybook@calendar.example.org')
      assert.doesNotMatch(raw, /canary|Bcc:/)
      const names = headersOf(raw).map(([name]) => name)
      assert.deepEqual(names, [
        'Auto-Submitted',
        'From',
        'To',
        'Subject',
        'Message-ID',
        'Date',
        'MIME-Version',
        'Content-Type',
      ])
    }
    assert.doesNotMatch(office.log(), /canary/)
  }),
)

forEachEngine('a mail is in the language of the account, or in that of the calendar', (engine) =>
  withMailServer(
    engine,
    async (office) => {
      await office.addPerson('ann@example.org', { language: 'en-US' })
      await office.addPerson('bob@example.org')
      await office.addPerson('eve@example.org', { language: 'of a later version' })
      for (const name of ['ann', 'bob', 'eve']) await office.put('reset', { emailKey: `${name}@example.org` })
      assert.equal(await office.mailWorker.deliver(), 3)
      const textTo = (name: string): string => {
        const mail = office.server.mails.find(({ to }) => to.includes(`${name}@example.org`))!
        return headersOf(mail.raw).find(([name]) => name.toLowerCase() === 'subject')![1]
      }
      assert.match(textTo('ann'), /reset your password/)
      assert.match(textTo('bob'), /=\?UTF-8\?|Passwort/)
      assert.equal(textTo('eve'), textTo('bob'))
    },
    { settings: { DAYBOOK_LANGUAGE: 'de' } },
  ),
)
