// SMTP transport: TLS unless configured otherwise, kinds of server failures, files without a server. F15, F27.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import tls from 'node:tls'
import { type Config, loadConfig } from '../../src/config.ts'
import type { AddressedMessage } from '../../src/mail/compose.ts'
import { writeMessage } from '../../src/mail/messages.ts'
import { MAX_ATTEMPT_MS } from '../../src/mail/smtp.ts'
import { createTransport, mailSiteOf, sendTestMail, verifyTransport } from '../../src/mail/transport.ts'
import { LONGEST_CLAIM_MS } from '../../src/storage/operations/outbox.ts'
import { makeCertificate } from '../support/http/certificate.ts'
import {
  headersOf,
  linkIn,
  type MailServer,
  type MailServerOptions,
  type Mode,
  partOf,
  startMailServer,
} from '../support/http/mail-server.ts'
import { startWork } from '../support/measure/effort.ts'
import { DEADLINE_MS } from '../support/measure/wait-for.ts'
import { SILENCE_MS } from './office.ts'

const NOW = Date.parse('2026-07-10T12:00:00Z')

const letterTo = (config: Config, to = 'ann@example.org'): AddressedMessage => ({
  id: 'abc123',
  to,
  senderName: config.siteName,
  writtenAt: NOW,
  message: writeMessage(
    mailSiteOf(config),
    { kind: 'reset', isVerified: true, key: { token: 'T'.repeat(43), goodUntil: NOW } },
    'en-GB',
  ),
})

const configFor = (server: MailServer, settings: Record<string, string> = {}): Config =>
  loadConfig(
    { DAYBOOK_SMTP_URL: server.url, DAYBOOK_SMTP_TLS: 'off', DAYBOOK_MAIL_FROM: 'calendar@example.org', ...settings },
    '/nowhere',
  )

async function withServer(options: MailServerOptions, story: (server: MailServer) => Promise<void>): Promise<void> {
  const server = await startMailServer(options)
  try {
    await story(server)
  } finally {
    await server.stop()
  }
}

const send = (config: Config, to?: string, silenceMs: number = DEADLINE_MS) =>
  createTransport(config, { silenceMs }).send(letterTo(config, to))

const HEADERS = ['Auto-Submitted', 'From', 'To', 'Subject', 'Message-ID', 'Date', 'MIME-Version', 'Content-Type']

test('a mail arrives with a fixed set of headers, the stored address and the configured sender', async () => {
  await withServer({}, async (server) => {
    const config = configFor(server)
    assert.deepEqual(await send(config), { result: 'sent' })
    const [mail] = server.mails
    assert.deepEqual([mail!.from, mail!.to], ['calendar@example.org', ['ann@example.org']])
    const headers = headersOf(mail!.raw)
    assert.deepEqual(
      headers.map(([name]) => name),
      HEADERS,
    )
    const value = Object.fromEntries(headers)
    assert.equal(value.From, 'Daybook <calendar@example.org>')
    assert.equal(value.To, 'ann@example.org')
    assert.equal(value['Message-ID'], '<abc123@example.org>')
    assert.equal(value['Auto-Submitted'], 'auto-generated')
    assert.equal(value.Date, 'Fri, 10 Jul 2026 12:00:00 +0000')
    assert.equal(mail!.text, letterTo(config).message.text)
    assert.equal(mail!.html, letterTo(config).message.html)
    assert.match(linkIn(mail!), /#t=T{43}$/)
  })
})

test('F27: an invalid address never reaches a header or an envelope', async () => {
  const hostile = [
    'ann@example.org\r\nBcc: all@example.org',
    'ann@example.org\nBcc: all@example.org',
    'ann\u0085Bcc: all@example.org',
    'ann\u2028Bcc: all@example.org',
    'ann@example.org, bob@example.org',
    'ann@example.org; bob@example.org',
    'Group: ann@example.org;',
    'Ann <ann@example.org>',
    '"ann@evil.example"@example.org',
    'ann@example.org> SIZE=1\r\nRCPT TO:<bob@example.org',
    '',
  ]
  await withServer({}, async (server) => {
    for (const address of hostile) {
      assert.deepEqual(
        await send(configFor(server), address),
        { result: 'refused', problem: 'refused_address', cause: 'address' },
        JSON.stringify(address),
      )
    }
    assert.equal(server.connections, 0)
  })
})

test('F27: addresses with unusual but valid characters are one recipient each', async () => {
  const odd = ["o'brien@example.org", 'a%20b@example.org', '=?utf-8?q?x?=@example.org', '!#$&*/=?^`{|}~@example.org']
  await withServer({}, async (server) => {
    for (const address of odd) assert.deepEqual(await send(configFor(server), address), { result: 'sent' }, address)
    assert.deepEqual(
      server.mails.map(({ to }) => to),
      odd.map((address) => [address]),
    )
    for (const { raw } of server.mails)
      assert.deepEqual(
        headersOf(raw).map(([name]) => name),
        HEADERS,
      )
  })
})

test('an address beyond ASCII is sent to a server with SMTPUTF8', async () => {
  await withServer({}, async (server) => {
    assert.deepEqual(await send(configFor(server), 'josé@example.org'), { result: 'sent' })
    assert.deepEqual(server.mails[0]!.to, ['josé@example.org'])
  })
})

test('F27: a calendar name with line breaks stays one header', async () => {
  await withServer({}, async (server) => {
    const name = 'Town\r\nBcc: all@example.org\u0085\u2028, "Ü"'
    const config = { ...configFor(server), siteName: name }
    assert.deepEqual(await send(config), { result: 'sent' }, 'should the settings ever let it in')
    assert.deepEqual(
      headersOf(server.mails[0]!.raw).map(([name]) => name),
      HEADERS,
    )
    assert.deepEqual(server.mails[0]!.to, ['ann@example.org'])
  })
})

test('F15: failures of a server are classified', async () => {
  const expected: Record<Mode, unknown> = {
    accept: { result: 'sent' },
    refuse: { result: 'unreachable', problem: 'unreachable', cause: 'ESOCKET' },
    silent: { result: 'unreachable', problem: 'unreachable', cause: 'ETIMEDOUT' },
    hang_up: { result: 'unreachable', problem: 'unreachable', cause: 'ECONNECTION' },
    closed_for_us: { result: 'unreachable', problem: 'unreachable', cause: 'EPROTOCOL 554' },
    greylist: { result: 'deferred', problem: 'deferred_451', cause: 'EENVELOPE 451' },
    reject: { result: 'refused', problem: 'refused_550', cause: 'EENVELOPE 550' },
    reject_content: { result: 'refused', problem: 'refused_554', cause: 'EMESSAGE 554' },
    reject_sender: { result: 'deferred', problem: 'deferred_550', cause: 'EENVELOPE 550' },
    slow: { result: 'deferred', problem: 'interrupted', cause: 'ETIMEDOUT' },
    drop: { result: 'deferred', problem: 'interrupted', cause: 'ECONNECTION', mayHaveArrived: true },
  }
  await withServer({}, async (server) => {
    for (const [mode, outcome] of Object.entries(expected)) {
      await server.become(mode as Mode)
      const silenceMs = mode === 'slow' ? 2_000 : mode === 'silent' ? SILENCE_MS : undefined
      assert.deepEqual(await send(configFor(server), undefined, silenceMs), outcome, mode)
    }
  })
})

test('F15: a server may take much longer for the message itself than for anything before', async () => {
  const silenceMs = 1_000
  const thinkMs = { now: 2 * silenceMs }
  await withServer({ beforeAnswer: () => delay(thinkMs.now) }, async (server) => {
    assert.deepEqual(await send(configFor(server), undefined, silenceMs), { result: 'sent' })
    thinkMs.now = 20 * silenceMs
    assert.deepEqual(await send(configFor(server), undefined, silenceMs), {
      result: 'deferred',
      problem: 'interrupted',
      cause: 'ETIMEDOUT',
      mayHaveArrived: true,
    })
  })
})

test('a mail is leased for longer than any attempt takes', () => {
  assert.ok(MAX_ATTEMPT_MS < LONGEST_CLAIM_MS)
})

test('F15: by default a server may be silent for ten seconds, and no longer', async () => {
  await withServer({ mode: 'silent' }, async (server) => {
    const started = performance.now()
    const { result } = await verifyTransport(configFor(server))
    assert.equal(result, 'unreachable')
    const took = performance.now() - started
    // The next limit, for all responses together, would be a minute.
    assert.ok(took > 9_000 && took < 60_000, `${Math.round(took)} ms`)
  })
})

test('a server that requires a login gets the configured one, and a wrong one is an error of the settings', async () => {
  await withServer({ login: { user: 'post', password: 'p@ss:word' } }, async (server) => {
    const address = (login: string) => ({ DAYBOOK_SMTP_URL: server.url.replace('//', `//${login}@`) })
    assert.deepEqual(await send(configFor(server, address('post:p%40ss%3Aword'))), { result: 'sent' })
    for (const login of ['post:wrong', 'post'])
      assert.equal((await send(configFor(server, address(login)))).result, 'unreachable', login)
    assert.deepEqual(await send(configFor(server)), {
      result: 'deferred',
      problem: 'deferred_530',
      cause: 'EENVELOPE 530',
    })
    assert.equal(server.mails.length, 1)
  })
})

test('a server without STARTTLS gets nothing while encryption is on', async () => {
  await withServer({}, async (server) => {
    const config = configFor(server, { DAYBOOK_SMTP_TLS: 'on' })
    const outcome = await send(config)
    assert.equal(outcome.result, 'unreachable')
    assert.match((outcome as { cause: string }).cause, /^ETLS/)
    assert.equal(server.mails.length, 0)
  })
})

test('a certificate of an unknown authority is not trusted, with STARTTLS or without', async () => {
  for (const isImplicitTls of [false, true])
    await withServer({ tls: makeCertificate('localhost'), isImplicitTls }, async (server) => {
      const outcome = await send(configFor(server, { DAYBOOK_SMTP_TLS: 'on' }))
      assert.equal(outcome.result, 'unreachable')
      assert.equal(server.mails.length, 0)
    })
})

test('with a trusted certificate the mail is encrypted; one for another name is refused', async () => {
  const certificate = makeCertificate('localhost')
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...before, certificate.certificate])
  try {
    for (const isImplicitTls of [false, true])
      await withServer({ tls: certificate, isImplicitTls }, async (server) => {
        const url = (host: string) => ({
          DAYBOOK_SMTP_TLS: 'on',
          DAYBOOK_SMTP_URL: server.url.replace('127.0.0.1', host),
        })
        assert.deepEqual(await send(configFor(server, url('localhost'))), { result: 'sent' })
        assert.equal(server.mails[0]!.isSecure, true)
        assert.equal((await send(configFor(server, url('127.0.0.1')))).result, 'unreachable')
        assert.equal(server.mails.length, 1)
      })
  } finally {
    tls.setDefaultCACertificates(before)
  }
})

test('without a server a mail is a readable file that only its owner can open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-mail-'))
  try {
    const config = loadConfig({ DAYBOOK_SITE_NAME: 'Käsedorf' }, folder)
    const outcome = await send(config)
    const file = join(folder, 'data', 'mail', '20260710T120000Z-abc123.eml')
    assert.deepEqual(outcome, { result: 'sent', file })
    assert.deepEqual(readdirSync(join(folder, 'data', 'mail')), ['20260710T120000Z-abc123.eml'])
    assert.equal(statSync(join(folder, 'data', 'mail')).mode & 0o777, 0o700)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const raw = readFileSync(file, 'utf8')
    assert.ok(raw.includes(`\r\n\r\nhttp://localhost:8080/reset-password#t=${'T'.repeat(43)}\r\n\r\n`))
    assert.equal(partOf(raw, 'text/plain'), letterTo(config).message.text)
    assert.deepEqual(
      headersOf(raw).map(([name]) => name),
      HEADERS,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('mails stay queued while the mail folder is not writable', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-mail-'))
  try {
    writeFileSync(join(folder, 'data'), 'not a folder')
    const config = loadConfig({}, folder)
    assert.equal((await send(config)).result, 'unreachable')
    assert.equal((await verifyTransport(config)).result, 'unreachable')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a test mail can be sent during setup', async () => {
  await withServer({}, async (server) => {
    assert.deepEqual(await verifyTransport(configFor(server)), { result: 'sent' })
    assert.equal(server.mails.length, 0)
    assert.deepEqual(await sendTestMail(configFor(server), 'ann@example.org'), { result: 'sent' })
    assert.match(server.mails[0]!.text, /This is a test/)
    assert.equal((await sendTestMail(configFor(server), 'no address')).result, 'refused')
  })
})

for (const [name, reply, bytes] of [
  ['empty lines', '\n', 4_000_000],
  ['short replies', '220 x\r\n', 400_000],
  ['lines of one reply', '220-x\r\n', 400_000],
] as const)
  test(`a server that sends ${name} without end is abandoned, and its later data costs nothing`, async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(reply.repeat(bytes / reply.length))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as AddressInfo
      const config = loadConfig({ DAYBOOK_SMTP_URL: `smtp://127.0.0.1:${port}`, DAYBOOK_SMTP_TLS: 'off' }, '/nowhere')
      assert.equal((await send(config)).result, 'unreachable')
      const workedMs = startWork()
      for (let turn = 0; turn < 100; turn++) await nextTurn()
      assert.ok(workedMs() < 100, `${workedMs()} ms of work in 100 turns`)
    } finally {
      server.close()
    }
  })
