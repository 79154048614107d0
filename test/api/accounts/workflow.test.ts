// The life of an account over real HTTP and a real mail server: from registration to suspension.
import assert from 'node:assert/strict'
import type { Json } from '../../support/http/api-response.ts'
import { linkIn, mailSettings, mailsTo, startMailServer, tokenIn } from '../../support/http/mail-server.ts'
import { listen } from '../../support/http/socket.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { basicOf, withWorld } from '../../support/world.ts'

const event = { title: 'Choir', start: '2026-07-14T19:00', end: '2026-07-14T21:00', visibility: 'private' }
const password = 'seven quiet herons'
const email = 'choir@example.org'

interface Reply {
  status: number
  body: Json
  cookie: string
}

type SendRequest = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Reply>

const over =
  (port: number): SendRequest =>
  async (method, path, body, headers = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api-root/calendar/v1${path}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { status: answer.status, body: text ? JSON.parse(text) : undefined, cookie }
  }

forEachEngine('an account is registered, approved, suspended, and gets back in with a new password', async (engine) => {
  const mail = await startMailServer()
  const settings = { ...mailSettings(mail), DAYBOOK_RATE_LIMITS: 'on' }
  try {
    await withWorld(
      engine,
      async ({ app }) => {
        const ask = over(await listen(app))
        const admin = { authorization: basicOf('admin@example.org') }

        const registered = await ask('POST', '/users/register', {
          email,
          password,
          display_name: 'Choir',
          message: 'Hello',
        })
        assert.equal(registered.status, 202)
        const pending = { approval_state: 'pending_approval', email_verification: 'sent' }
        assert.deepEqual(registered.body.data, pending)

        await app.deliverMail()
        const [verification] = mailsTo(mail, email)
        assert.match(linkIn(verification!), /^http:\/\/localhost:8080\/verify#t=[\w-]{43}$/)
        const verified = await ask('POST', '/users/verify', { token: tokenIn(verification!) })
        assert.deepEqual([verified.status, verified.body.data.approval_state], [200, 'pending_approval'])
        const again = await ask('POST', '/users/verify', { token: tokenIn(verification!) })
        assert.equal(again.body.error.code, 'token_invalid_or_expired')
        await app.deliverMail()
        assert.equal(mailsTo(mail, 'admin@example.org').length, 1, 'administrators are notified of the request')

        const early = await ask('POST', '/auth/login', { email, password })
        assert.deepEqual([early.status, early.body.error.code], [403, 'account_pending'])

        const waiting = await ask('GET', '/admin/users?approval_state=pending_approval', undefined, admin)
        const [{ id, request_message, email_verified }] = waiting.body.data
        assert.deepEqual([request_message, email_verified], ['Hello', true])
        const approve = { approval_state: 'approved', notify: true }
        assert.equal((await ask('PATCH', `/admin/users/${id}`, approve, admin)).status, 200)
        await app.deliverMail()
        assert.equal(mailsTo(mail, email).length, 2, 'they hear that they are in')

        const login = await ask('POST', '/auth/login', { email, password })
        assert.equal(login.status, 200)
        const session = { cookie: login.cookie, 'x-csrf-token': login.body.data.csrf_token }
        const made = await ask('POST', '/events', event, session)
        assert.equal(made.status, 201)
        assert.equal(made.body.data.created_by, id)

        assert.equal((await ask('PATCH', `/admin/users/${id}`, { approval_state: 'suspended' }, admin)).status, 200)
        const refused = await ask('GET', `/events/${made.body.data.id}`, undefined, session)
        assert.deepEqual([refused.status, refused.body.error.code], [401, 'session_expired'])
        const basic = { authorization: basicOf(email, password) }
        assert.equal((await ask('POST', '/events', event, basic)).body.error.code, 'account_suspended')
        assert.equal((await ask('PATCH', `/admin/users/${id}`, { approval_state: 'approved' }, admin)).status, 200)
        const back = await ask('POST', '/auth/login', { email, password })
        const renewed = { cookie: back.cookie, 'x-csrf-token': back.body.data.csrf_token }
        const { token } = (await ask('POST', '/auth/tokens', { name: 'x', scopes: ['events:read'] }, renewed)).body.data

        assert.equal((await ask('POST', '/users/forgot-password', { email })).status, 202)
        await app.deliverMail()
        const reset = mailsTo(mail, email).at(-1)!
        assert.match(linkIn(reset), /\/reset-password#t=/)
        const fresh = 'eleven loud geese'
        const changed = await ask('POST', '/users/reset-password', { token: tokenIn(reset), password: fresh })
        assert.deepEqual([changed.status, changed.body.data.status], [200, 'password_changed'])
        assert.equal(changed.cookie, '', 'it gives no session')
        assert.equal((await ask('GET', '/auth/session', undefined, renewed)).status, 401, 'old sessions are dead')
        const bearer = { authorization: `Bearer ${token}` }
        assert.equal((await ask('GET', '/events', undefined, bearer)).status, 401, 'and old tokens')
        assert.equal((await ask('POST', '/auth/login', { email, password })).status, 401)
        assert.equal((await ask('POST', '/auth/login', { email, password: fresh })).status, 200)
        await app.deliverMail()
        assert.equal(mailsTo(mail, email).length, 4, 'they hear that their password was changed')

        assert.equal((await ask('DELETE', `/admin/users/${id}`, undefined, admin)).status, 204)
        const kept = await ask('GET', `/events/${made.body.data.id}`, undefined, admin)
        assert.deepEqual([kept.body.data.title, kept.body.data.created_by], ['Choir', null])
        const trail = await ask('GET', '/admin/audit?per_page=200', undefined, admin)
        const actions = new Set(trail.body.data.map(({ action }: { action: string }) => action))
        for (const action of ['user_registered', 'email_verified', 'user_changed', 'password_reset', 'user_deleted'])
          assert.ok(actions.has(action), action)
      },
      { settings },
    )
  } finally {
    await mail.stop()
  }
})
