// Credentials in memory: none stays in plain form in caches, limits, traces or closures, nor after its time.
import assert from 'node:assert/strict'
import { createReadStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hashPassword } from '../../src/secrets.ts'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import { sendRaw } from '../support/http/socket.ts'
import { startHeapProcess } from '../support/processes/heap-process.ts'
import { makeReadyPlace } from '../support/storage/engines.ts'
import { mintToken } from '../support/tokens.ts'
import { basicOf, openWorld } from '../support/world.ts'

const EMAIL = 'keeper-of-secrets@example.org'
const WORDS = {
  password: 'Quilted-Marmalade-7413',
  login: 'Quilted-Marmalade-7413',
  wrong: 'Untied-Parachute-9920',
  nameless: 'Hollow-Compass-6671',
  reset: 'Brisk-Lanterns-5512',
  registered: 'Velvet-Thunder-3308',
}
const CLOCK = Date.parse('2026-07-10T12:00:00Z')

test('no credential stays in memory after it was checked, and no proof after its time', async () => {
  const place = await makeReadyPlace('sqlite')
  try {
    const secrets = await prepare()
    const served = await startHeapProcess(place.folder, settingsOf(), CLOCK)
    try {
      await sendAll(served.port, secrets)
      assert.deepEqual(await findInHeap(served, secrets.sent), [])
      // After every cache has expired; then another request comes.
      await served.advance(16 * 60_000)
      await send(served.port, 'GET', '/events', { authorization: basicOf('nobody@example.org', 'whatever it is') })
      assert.deepEqual(await findInHeap(served, { ...secrets.sent, passwordHash: secrets.passwordHash }), [])
    } finally {
      await served.stop()
    }
  } finally {
    await place.remove()
  }

  function settingsOf(): Record<string, string> {
    return { ...place.settings, DAYBOOK_LOG_LEVEL: 'silent', DAYBOOK_REQUIRE_VERIFIED_EMAIL: 'on' }
  }

  async function prepare() {
    const world = await openWorld('sqlite', place, { settings: settingsOf(), realPasswordCost: true })
    try {
      const id = await world.addPerson(EMAIL, 'writer')
      const passwordHash = await hashPassword(WORDS.password)
      await inTransaction(world.app.ctx.storage, (db) =>
        db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', id).execute(),
      )
      const person = world.as(EMAIL, WORDS.password)
      const { cookie, csrf } = await world.signIn(EMAIL, WORDS.password)
      const scopes = ['events:read', 'events:write']
      const { token } = (await person.post('/auth/tokens', { name: 'script', scopes })).body.data
      const { password: device } = (await person.post('/auth/app-passwords', { name: 'phone' })).body.data
      const { url } = (await person.post('/auth/feeds', { name: 'reader' })).body.data
      const other = await world.addPerson('forgetful@example.org', 'writer')
      const resetToken = await mintToken(world, 'reset', other)
      const feed = new URL(url).pathname
      const sent = {
        ...WORDS,
        basic: basicOf(EMAIL, WORDS.password).slice('Basic '.length),
        session: cookie.slice(cookie.indexOf('=') + 1),
        csrf,
        token,
        device,
        feed: /feeds\/([\w-]+)/.exec(feed)![1]!,
        resetToken,
      }
      return { sent, cookie, feed, passwordHash }
    } finally {
      await world.app.close()
    }
  }
})

type SentSecrets = { sent: Record<string, string>; cookie: string; feed: string }

/** Each on its own connection, closed after it, so that no open socket keeps a buffer. */
async function send(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<number> {
  const payload = body ? JSON.stringify(body) : ''
  const lines = Object.entries({
    host: 'localhost',
    connection: 'close',
    origin: 'http://localhost:8080',
    ...headers,
    ...(body ? { 'content-type': 'application/json', 'content-length': `${payload.length}` } : {}),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const target = path.startsWith('/api-root') ? path : `/api-root/calendar/v1${path}`
  const { status } = await sendRaw(port, `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${payload}`)
  return status
}

async function sendAll(port: number, { sent, cookie, feed }: SentSecrets): Promise<void> {
  const event = { title: 'Fair', start: '2026-07-14T09:00:00+01:00', end: '2026-07-14T10:00:00+01:00' }
  for (const authorization of [basicOf(EMAIL, WORDS.password), basicOf(EMAIL, sent.device!), `Bearer ${sent.token}`]) {
    for (let i = 0; i < 2; i++) assert.equal(await send(port, 'GET', '/events', { authorization }), 200)
    assert.equal(await send(port, 'POST', '/events', { authorization }, event), 201)
  }
  for (let i = 0; i < 2; i++) assert.equal(await send(port, 'GET', '/events', { cookie }), 200)
  assert.equal(await send(port, 'POST', '/events', { cookie, 'x-csrf-token': sent.csrf! }, event), 201)
  assert.equal(await send(port, 'GET', '/events', { authorization: basicOf(EMAIL, WORDS.wrong) }), 401)
  const nameless = basicOf('a name that is no address at all', WORDS.nameless)
  assert.equal(await send(port, 'GET', '/events', { authorization: nameless }), 401)
  assert.equal(await send(port, 'POST', '/auth/login', {}, { email: EMAIL, password: WORDS.login }), 200)
  const reset = { token: sent.resetToken, password: WORDS.reset }
  assert.equal(await send(port, 'POST', '/users/reset-password', {}, reset), 200)
  const account = { email: 'newcomer@example.org', password: WORDS.registered, display_name: 'New' }
  assert.equal(await send(port, 'POST', '/users/register', {}, account), 202)
  for (let i = 0; i < 2; i++) assert.equal(await send(port, 'GET', feed, {}), 200)
}

/** The names of the texts that are in the heap of the process. */
async function findInHeap(
  { writeHeap }: Awaited<ReturnType<typeof startHeapProcess>>,
  texts: Record<string, string>,
): Promise<string[]> {
  const path = join(process.env.TMPDIR ?? '/tmp', `daybook-${process.pid}.heapsnapshot`)
  await writeHeap(path)
  try {
    const found = new Set<string>()
    let before = ''
    for await (const chunk of createReadStream(path, { encoding: 'latin1', highWaterMark: 4 * 1_048_576 })) {
      const text = before + chunk
      for (const [name, secret] of Object.entries(texts)) if (text.includes(secret)) found.add(name)
      before = text.slice(-1_000)
    }
    return [...found].sort()
  } finally {
    rmSync(path, { force: true })
  }
}
