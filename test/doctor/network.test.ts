// Checks of `daybook doctor` over the network: mail server, public_url, certificate, proxy headers.
import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { answerChallenge, createChallenge, isOwnChallenge } from '../../src/actions/access/instance-proof.ts'
import { makeCertificate } from '../support/http/certificate.ts'
import { startMailServer } from '../support/http/mail-server.ts'
import { listen } from '../support/http/socket.ts'
import { codesOf, type Examination, examine } from '../support/processes/examine.ts'
import { type Engine, forEachEngine, makePlace } from '../support/storage/engines.ts'
import { type World, withWorld } from '../support/world.ts'

const NOW = { now: new Date().toISOString() }

interface TestProxy {
  port: number
  close(): void
}

interface TestProxyOptions {
  target: () => number
  headers?: Record<string, string>
  tls?: { key: string; certificate: string }
}

/** Passes every request on with these headers added, and with none of the client's own forwarding headers. */
async function startProxy({ target, headers = {}, tls }: TestProxyOptions): Promise<TestProxy> {
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const options = { port: target(), host: '127.0.0.1', path: incoming.url, method: incoming.method }
    const passed = request({ ...options, headers: { ...incoming.headers, ...headers } }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  }
  const server = tls ? createTlsServer({ key: tls.key, cert: tls.certificate }, pass) : createServer(pass)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

/** A service behind a proxy, and what the doctor finds there. */
async function examineBehind(
  engine: Engine,
  proxied: Omit<TestProxyOptions, 'target'>,
  settings: Record<string, string> = {},
): Promise<Examination> {
  let target = 0
  const proxy = await startProxy({ ...proxied, target: () => target })
  const url = `${proxied.tls ? 'https' : 'http'}://localhost:${proxy.port}`
  let seen: Examination | undefined
  try {
    await withWorld(
      engine,
      async ({ app, place }) => {
        target = await listen(app)
        seen = await examine(place, {
          DAYBOOK_PUBLIC_URL: url,
          DAYBOOK_HOST: '127.0.0.1',
          DAYBOOK_PORT: String(target),
          ...settings,
        })
      },
      { ...NOW, settings: { DAYBOOK_PUBLIC_URL: url, ...settings } },
    )
  } finally {
    proxy.close()
  }
  return seen!
}

const FORWARDED = { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' }
const TRUSTED = { DAYBOOK_TRUST_PROXY: '127.0.0.1' }
const GOOD = makeCertificate('localhost', 90)

forEachEngine('public_url behind a proxy that sets its headers is served by this calendar', async (engine) => {
  const seen = await examineBehind(engine, { headers: FORWARDED, tls: GOOD }, TRUSTED)
  for (const code of ['public_url_ok', 'certificate_ok', 'proxy_ok', 'service_ok'] as const)
    assert.ok(seen.find(code), code)
  // Its own authority is not one of this machine's.
  assert.ok(seen.find('certificate_untrusted')?.advice)
})

forEachEngine('a bare proxy_pass is noticed', async (engine) => {
  const seen = await examineBehind(engine, { tls: GOOD }, TRUSTED)
  assert.match(seen.find('proxy_bare')!.advice!, /X-Forwarded-Proto .*trust_proxy: 127\.0\.0\.1/)
  assert.equal(seen.code, 1)
  assert.ok((await examineBehind(engine, {})).find('proxy_bare'), 'also for plain http')
})

test('a proxy that is not trusted, or that leaves out scheme or address, is noticed', async () => {
  const untrusted = await examineBehind('sqlite', { headers: FORWARDED, tls: GOOD })
  assert.match(untrusted.find('proxy_untrusted')!.advice!, /Add 127\.0\.0\.1 to trust_proxy/)
  const noScheme = await examineBehind('sqlite', { headers: { 'x-forwarded-for': '192.0.2.7' }, tls: GOOD }, TRUSTED)
  assert.ok(noScheme.find('proxy_without_scheme'))
  const noAddress = await examineBehind('sqlite', { headers: { 'x-forwarded-proto': 'https' }, tls: GOOD }, TRUSTED)
  assert.ok(noAddress.find('proxy_without_address'))
  const family = { ...TRUSTED, DAYBOOK_PROXY_HEADER: 'forwarded' }
  const other = await examineBehind('sqlite', { headers: FORWARDED, tls: GOOD }, family)
  assert.ok(other.find('proxy_without_scheme'), 'headers of the other family do not count')
})

test('a certificate that has expired, ends soon or is for another name is found', async () => {
  const behind = (name: string, days: number): Promise<Examination> =>
    examineBehind('sqlite', { headers: FORWARDED, tls: makeCertificate(name, days) }, TRUSTED)
  const expired = await behind('localhost', -2)
  assert.match(expired.find('certificate_expired')!.message, /^the certificate of public_url ended on \d{4}-/)
  assert.equal(expired.code, 1)
  assert.match((await behind('localhost', 20.5)).find('certificate_expiring')!.message, /in 20 days$/)
  assert.equal((await behind('localhost', 22)).find('certificate_expiring'), undefined)
  assert.match((await behind('calendar.example', 90)).find('certificate_wrong_name')!.message, /is not for localhost$/)
})

test('the file of tls_certificate is checked while the service is stopped', async () => {
  const place = await makePlace('sqlite')
  const { key, certificate } = makeCertificate('localhost', -3)
  const [certificatePath, keyPath] = [join(place.folder, 'cert.pem'), join(place.folder, 'key.pem')]
  writeFileSync(certificatePath, certificate)
  writeFileSync(keyPath, key)
  chmodSync(keyPath, 0o644)
  const settings = { DAYBOOK_TLS_CERTIFICATE: certificatePath, DAYBOOK_TLS_KEY: keyPath }
  const seen = await examine(place, { ...settings, DAYBOOK_PORT: '9', DAYBOOK_PUBLIC_URL: 'https://localhost:9' })
  assert.match(seen.find('certificate_expired')!.message, /^tls_certificate ended on/)
  assert.equal(seen.find('file_open')!.path, keyPath)
  await place.remove()
})

/** A service that listens, and the settings that lead the doctor to it. */
const withListening = (
  engine: Engine,
  story: (world: World, local: Record<string, string>) => Promise<void>,
): Promise<void> =>
  withWorld(
    engine,
    async (world) => {
      const port = String(await listen(world.app))
      await story(world, { DAYBOOK_HOST: '127.0.0.1', DAYBOOK_PORT: port })
    },
    NOW,
  )

forEachEngine('a public_url that cannot be reached, or that another service answers, is a problem', (engine) =>
  withListening(engine, async ({ place }, local) => {
    const gone = await examine(place, { ...local, DAYBOOK_PUBLIC_URL: 'http://localhost:9' })
    assert.match(
      gone.find('public_url_unreachable')!.message,
      /^http:\/\/localhost:9 cannot be reached: nothing answers/,
    )
    assert.equal(gone.code, 1)
    const other = createServer((_, response) => response.end('{"data":{"answer":"yes"}}'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const foreign = await examine(place, { ...local, DAYBOOK_PUBLIC_URL: `http://localhost:${port}` })
    other.close()
    assert.match(foreign.find('public_url_elsewhere')!.message, /answers with 200, but not as this calendar/)
  }),
)

test('another calendar at public_url is reported as another one', async () => {
  const elsewhere = await makePlace('sqlite')
  await withWorld(
    'sqlite',
    async ({ app }) => {
      const other = await listen(app)
      await withListening('sqlite', async ({ place }, local) => {
        const seen = await examine(place, { ...local, DAYBOOK_PUBLIC_URL: `http://localhost:${other}` })
        assert.match(seen.find('public_url_elsewhere')!.message, /answers with 404/)
      })
    },
    { ...NOW, place: elsewhere },
  )
  await elsewhere.remove()
})

forEachEngine('strangers get no answer from the self-check, and no other than one without a route', (engine) =>
  withWorld(engine, async ({ app, anonymous, clock }) => {
    const { secret } = app.ctx
    const own = createChallenge(secret, clock.at, 'nonce')
    const answer = await anonymous.get(`/self-check?challenge=${own}`)
    assert.deepEqual([answer.status, answer.body.data.answer], [200, answerChallenge(secret, own)])
    const unknown = await anonymous.get('/no-such-route')
    const old = createChallenge(secret, clock.at - 6 * 60_000, 'nonce')
    for (const challenge of ['', 'x', own.replace('nonce', 'other'), createChallenge('guess', clock.at, 'n'), old]) {
      const refused = await anonymous.get(`/self-check?challenge=${challenge}`)
      assert.deepEqual([refused.status, refused.body.error.code], [404, unknown.body.error.code])
    }
    assert.ok(!isOwnChallenge(secret, `${own}x`, clock.at))
  }),
)

test('a mail server that refuses, hangs up or wants another password is named, and its password is not', async () => {
  const place = await makePlace('sqlite')
  const login = { user: 'me', password: 'planted-word' }
  const server = await startMailServer({ login })
  const settings = (password: string) => ({
    DAYBOOK_PORT: '9',
    DAYBOOK_SMTP_TLS: 'off',
    DAYBOOK_SMTP_URL: `smtp://me:${password}@127.0.0.1:${server.port}`,
  })
  const texts: string[] = []
  const look = async (password: string, args: string[] = []): Promise<Examination> => {
    const seen = await examine(place, settings(password), args)
    texts.push(seen.text)
    return seen
  }
  const good = await look('planted-word')
  assert.match(good.find('mail_ok')!.message, /answers without encryption and accepts the login$/)
  assert.equal(server.mails.length, 0, 'nothing is sent unless it is asked for')
  assert.ok((await look('planted-word', ['--send', 'you@example.org'])).find('mail_sent'))
  assert.deepEqual(server.mails[0]!.to, ['you@example.org'])
  const wrong = await look('planted-other')
  assert.match(wrong.find('mail_failing')!.message, /refused the user name or the password$/)
  assert.equal(wrong.code, 1)
  await server.become('closed_for_us')
  assert.ok((await look('planted-word')).find('mail_failing'))
  await server.become('refuse')
  assert.match((await look('planted-word')).find('mail_failing')!.message, /nothing answers there$/)
  assert.ok((await look('planted-word', ['--send', 'you@example.org'])).find('mail_not_sent'))
  for (const text of texts) assert.doesNotMatch(text, /planted/)
  assert.ok(!codesOf(good).includes('mail_password_in_clear'), 'it is on this machine')
  await server.stop()
  await place.remove()
})
