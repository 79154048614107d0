// The mail server in the browser: live, with a test mail; its password is never shown and never sent elsewhere.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { refreshSettings } from '../../../src/actions/settings/live-settings.ts'
import { decryptText, encryptText } from '../../../src/secrets.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { insertMail } from '../../../src/storage/operations/outbox.ts'
import type { ApiResponse, Json } from '../../support/http/api-response.ts'
import { type MailServer, mailSettings, startMailServer } from '../../support/http/mail-server.ts'
import { captureLog } from '../../support/measure/captured-log.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, PASSWORD, type World, type WorldOptions, withTwoNodes, withWorld } from '../../support/world.ts'

const SECRET = 'zqsecret word'
const LOGIN = { user: 'post', password: SECRET }

async function change(client: Client, patch: object): Promise<ApiResponse> {
  const { version } = (await client.get('/admin/settings')).body.meta
  return client.patch('/admin/settings', { ...patch, version })
}

const itemOf = ({ body }: ApiResponse, name: string): Json => body.data.find((item: Json) => item.name === name)

const urlOf = ({ port }: MailServer, user = 'post'): string => `smtp://${user}@127.0.0.1:${port}`

const serverOf = (server: MailServer) => ({ smtp_url: urlOf(server), smtp_tls: 'off', smtp_password: SECRET })

const problemsOf = ({ body }: ApiResponse): string[] =>
  body.error.details.fields.map(({ field, code }: Json) => `${field} ${code}`)

async function withServers(count: number, story: (...servers: MailServer[]) => Promise<void>): Promise<void> {
  const servers: MailServer[] = []
  try {
    for (let i = 0; i < count; i++) servers.push(await startMailServer({ login: LOGIN }))
    await story(...servers)
  } finally {
    for (const server of servers) await server.stop()
  }
}

const testMail = (client: Client): Promise<ApiResponse> => client.post('/admin/settings/test-mail', {})

forEachEngine('a mail server is set with its password, and a test mail goes to the own address', (engine) =>
  withServers(1, (server) =>
    withWorld(engine, async ({ admin, app }) => {
      const before = await testMail(admin)
      assert.deepEqual([before.status, before.body.data.sent], [200, true], 'to a file')
      const changed = await change(admin, { ...serverOf(server), mail_from: 'Calendar@Town.example' })
      assert.equal(changed.status, 200, changed.text)
      const shown = itemOf(changed, 'smtp_url')
      assert.deepEqual(
        [shown.value, shown.stored, shown.origin, shown.has_password],
        [`smtp://…@127.0.0.1:${server.port}`, urlOf(server), 'database', true],
      )
      const { body } = await testMail(admin)
      assert.equal(body.data.sent, true, body.data.message)
      assert.equal(body.data.to, 'admin@example.org')
      const [mail] = await server.waitFor(1)
      assert.deepEqual([mail!.from, mail!.to], ['Calendar@town.example', ['admin@example.org']])
      assert.deepEqual(app.ctx.config.smtp?.password, SECRET)
      await server.become('refuse')
      const failed = (await testMail(admin)).body.data
      assert.equal(failed.sent, false)
      assert.match(failed.message, /127\.0\.0\.1/)
      const { data } = (await admin.get('/admin/audit?action=test_mail_sent')).body
      assert.deepEqual(
        data.map(({ detail }: Json) => detail),
        [{ accepted: false }, { accepted: true }, { accepted: true }],
      )
    }),
  ),
)

forEachEngine('the password is in no response, no row, no trail, no trace and no log line', (engine) =>
  withServers(1, (server) =>
    withWorld(
      engine,
      async ({ admin, app }) => {
        const log = captureLog()
        try {
          const answer = await change(admin, serverOf(server))
          assert.equal(answer.status, 200)
          assert.doesNotMatch(answer.text, /zqsecret/)
          const refused = await change(admin, { smtp_password: SECRET, timezone: 'nowhere' })
          assert.doesNotMatch(refused.text, /zqsecret/)
          await testMail(admin)
          await app.flushTraces()
          for (const path of ['/admin/settings', '/admin/audit', '/admin/diagnostics', '/admin/health'])
            assert.doesNotMatch((await admin.get(path)).text, /zqsecret/, path)
        } finally {
          log.stop()
        }
        assert.match(log.text(), /admin\/settings/, 'the log was captured')
        assert.doesNotMatch(log.text(), /zqsecret/)
        for (const table of ['settings', 'audit', 'traces', 'instance', 'outbox'] as const) {
          const { rows } = await sql`select * from ${sql.table(table)}`.execute(app.ctx.storage.reads)
          assert.doesNotMatch(JSON.stringify(rows), /zqsecret/, table)
        }
        const { data } = (await admin.get('/admin/audit?action=setting_changed')).body
        assert.deepEqual(Object.assign({}, ...data.map(({ detail }: Json) => detail)), {
          smtp_url_from: null,
          smtp_url_to: `smtp://…@127.0.0.1:${server.port}`,
          smtp_tls_from: null,
          smtp_tls_to: 'off',
          smtp_password_from: 'not set',
          smtp_password_to: 'set',
        })
      },
      { settings: { DAYBOOK_LOG_LEVEL: 'info' } },
    ),
  ),
)

forEachEngine('a stolen session or token cannot direct mails to another server', (engine) =>
  withWorld(engine, async ({ admin, signIn, with: withHeaders, app }) => {
    const created = await admin.post('/auth/tokens', { name: 'script', scopes: ['admin'] })
    const token = withHeaders({ authorization: `Bearer ${created.body.data.token}` })
    const session = await signIn('admin@example.org')
    for (const patch of [
      { smtp_url: 'smtp://127.0.0.1:9' },
      { smtp_tls: 'off' },
      { smtp_password: 'other' },
      { mail_from: 'a@example.org' },
      { smtp_url: null },
    ]) {
      const refused = await change(token, { ...patch, current_password: PASSWORD })
      assert.deepEqual([refused.status, refused.body.error.code], [403, 'insufficient_capability'])
      assert.deepEqual(problemsOf(await change(session, patch)), ['/current_password required'])
      const wrong = { ...patch, current_password: 'not the password' }
      assert.deepEqual(problemsOf(await change(session, wrong)), ['/current_password not_allowed'])
    }
    assert.deepEqual(app.ctx.config.stored, {})
    assert.equal((await change(token, { site_name: 'Town' })).status, 200, 'other settings need no password')
    const confirmed = await change(session, { mail_from: 'a@example.org', current_password: PASSWORD })
    assert.equal(confirmed.status, 200, confirmed.text)
    assert.equal(app.ctx.config.mailFrom, 'a@example.org')
  }),
)

forEachEngine('another server, login or encryption removes the password unless it is sent again', (engine) =>
  withServers(2, (server, other) =>
    withWorld(engine, async ({ admin, app }) => {
      const passwordAfter = async (patch: object): Promise<string | undefined> => {
        assert.equal((await change(admin, serverOf(server))).status, 200)
        const answer = await change(admin, patch)
        assert.equal(answer.status, 200, answer.text)
        const { config } = app.ctx
        assert.equal(itemOf(answer, 'smtp_url').has_password, Boolean(config.smtp?.password))
        return config.smtp?.password
      }
      assert.equal(await passwordAfter({ smtp_url: urlOf(other) }), '')
      assert.equal((await testMail(admin)).body.data.sent, false, 'no login at the other server')
      assert.equal(await passwordAfter({ smtp_url: urlOf(server, 'other') }), '')
      assert.equal(await passwordAfter({ smtp_url: `smtps://post@127.0.0.1:${server.port}` }), '')
      assert.equal(await passwordAfter({ smtp_tls: null }), '')
      assert.equal(await passwordAfter({ smtp_url: null }), undefined)
      assert.equal(await passwordAfter({ smtp_password: null }), '')
      assert.equal(await passwordAfter({ smtp_url: urlOf(other), smtp_password: SECRET }), SECRET)
      assert.equal(
        await passwordAfter({ smtp_url: urlOf(server), mail_from: 'a@example.org' }),
        SECRET,
        'the same server',
      )
      await change(admin, { smtp_url: null })
      await change(admin, { smtp_url: urlOf(server) })
      assert.equal(app.ctx.config.smtp?.password, '', 'nor does it come back')
      assert.deepEqual(problemsOf(await change(admin, { smtp_url: `smtp://post:zq@127.0.0.1:${server.port}` })), [
        '/smtp_url not_allowed',
      ])
      const bare = { smtp_url: `smtp://127.0.0.1:${server.port}`, smtp_password: SECRET }
      assert.deepEqual(problemsOf(await change(admin, bare)), ['/smtp_password not_allowed'])
    }),
  ),
)

forEachEngine('a server of the operator can be neither replaced nor stripped of its encryption', (engine) =>
  withServers(1, (server) =>
    withWorld(
      engine,
      async ({ admin }) => {
        const refused = await change(admin, { ...serverOf(server), smtp_tls: 'off' })
        assert.deepEqual(
          new Set(problemsOf(refused)),
          new Set(['/smtp_url set_by_operator', '/smtp_tls set_by_operator', '/smtp_password set_by_operator']),
        )
        const shown = await admin.get('/admin/settings')
        const { changeable, reason, stored } = itemOf(shown, 'smtp_tls')
        assert.deepEqual([changeable, stored], [false, null])
        assert.match(reason, /smtp_url/)
        assert.doesNotMatch(shown.text, /zq(?:user|word)/)
      },
      { settings: { DAYBOOK_SMTP_URL: 'smtp://zquser:zqword@127.0.0.1:9' } },
    ),
  ),
)

const queueMail = ({ app }: World, userId: string): Promise<unknown> =>
  inTransaction(app.ctx.storage, (db) =>
    insertMail(db, { id: app.ctx.newId(), kind: 'approved', to: { userId } }, app.ctx.clock()),
  )

forEachEngine('waiting mails go to the new server, on every node', (engine) =>
  withServers(2, (server, other) =>
    withTwoNodes(engine, async (one, two) => {
      const userId = await one.addPerson('new@example.org', 'reader')
      await server.become('refuse')
      await change(one.admin, serverOf(server))
      await refreshSettings(two.app.ctx)
      await queueMail(one, userId)
      assert.equal(await two.app.deliverMail(), 0)
      await change(one.admin, serverOf(other))
      await refreshSettings(two.app.ctx)
      await two.app.deliverMail()
      await one.app.deliverMail()
      const [mail] = await other.waitFor(1)
      assert.deepEqual(mail!.to, ['new@example.org'])
    }),
  ),
)

forEachEngine(
  'a mail server does not lock out the administrator who sets it; others need a verified address',
  (engine) =>
    withServers(1, (server) =>
      withWorld(
        engine,
        async (world) => {
          await world.addPerson('unproven@example.org', 'admin', 'approved', false)
          const unproven = world.as('unproven@example.org')
          assert.equal((await unproven.get('/admin/settings')).status, 200)
          const refused = await change(unproven, serverOf(server))
          assert.equal(refused.body.error.code, 'email_not_verified')
          assert.equal((await change(unproven, { site_name: 'Town' })).status, 200)
          assert.equal((await change(world.admin, serverOf(server))).status, 200)
          const ended = await unproven.get('/admin/settings')
          assert.equal(ended.body.error.code, 'email_not_verified', 'also where the sign-in is remembered')
        },
        { settings: { DAYBOOK_REQUIRE_VERIFIED_EMAIL: '' } },
      ),
    ),
)

const LIMITED: WorldOptions = { settings: { DAYBOOK_RATE_LIMITS: 'on' } }

forEachEngine('five test mails in a quarter of an hour are enough', (engine) =>
  withWorld(
    engine,
    async ({ admin }) => {
      for (let i = 0; i < 5; i++) assert.equal((await testMail(admin)).status, 200)
      const refused = await testMail(admin)
      assert.equal(refused.status, 429)
      assert.match(String(refused.headers['ratelimit-policy']), /"test-mail"/)
    },
    LIMITED,
  ),
)

test('an encrypted text is read only with the same key and for the same context', () => {
  const encrypted = encryptText('key', 'server a', SECRET)
  assert.equal(decryptText('key', 'server a', encrypted), SECRET)
  assert.notEqual(encryptText('key', 'server a', SECRET), encrypted)
  for (const [key, context, text] of [
    ['other', 'server a', encrypted],
    ['key', 'server b', encrypted],
    ['key', 'server a', `${encrypted.startsWith('A') ? 'B' : 'A'}${encrypted.slice(1)}`],
    ['key', 'server a', encrypted.slice(0, 8)],
    ['key', 'server a', ''],
  ] as const)
    assert.equal(decryptText(key, context, text), undefined)
})

test('settings of the environment are used as before', () =>
  withServers(1, (server) =>
    withWorld('sqlite', async ({ admin }) => assert.equal((await testMail(admin)).body.data.sent, false), {
      settings: mailSettings(server),
    }),
  ))
