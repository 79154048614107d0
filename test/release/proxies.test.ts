// The proxy configurations of the manual, run by real nginx, Apache and HAProxy on loopback; skipped without them.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { STREAM_LIMITS } from '../../src/api/streams/open-streams.ts'
import { makeCertificate } from '../support/http/certificate.ts'
import { listen } from '../support/http/socket.ts'
import { byRunLength } from '../support/measure/run-length.ts'
import { waitFor } from '../support/measure/wait-for.ts'
import { makeReadyPlace } from '../support/storage/engines.ts'
import { basicOf, openWorld, type World } from '../support/world.ts'

const MANUAL = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operations.md'), 'utf8')

interface ProxySetup {
  folder: string
  port: number
  /** PEM files: of the certificate, of its key, and of both. */
  certificate: string
  key: string
  both: string
}

interface ProxyProgram {
  name: string
  program: string
  version: string
  /** The whole configuration around the block of the manual. */
  configure(block: string, setup: ProxySetup): string
  run(file: string): string[]
}

const MODULES = '/usr/lib/apache2/modules'
const APACHE_MODULES = ['mpm_event', 'authz_core', 'ssl', 'socache_shmcb', 'headers', 'proxy', 'proxy_http', 'http2']

const PROXIES: ProxyProgram[] = [
  {
    name: 'nginx',
    program: 'nginx',
    version: '-v',
    configure: (block, { folder, port, certificate, key }) => `daemon off;
user root;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  gzip on;
  server {
    listen 127.0.0.1:${port} ssl http2;
    ssl_certificate ${certificate};
    ssl_certificate_key ${key};
    ${block}
  }
}
`,
    run: (file) => ['-c', file, '-e', 'stderr'],
  },
  {
    name: 'apache',
    program: 'apache2',
    version: '-v',
    configure: (block, { folder, port, certificate, key }) => `
${APACHE_MODULES.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join('\n')}
ServerRoot ${folder}
DefaultRuntimeDir ${folder}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/error.log
ServerName localhost
Listen 127.0.0.1:${port}
<VirtualHost 127.0.0.1:${port}>
  SSLEngine on
  SSLCertificateFile ${certificate}
  SSLCertificateKeyFile ${key}
  ${block}
</VirtualHost>
`,
    run: (file) => ['-f', file, '-D', 'FOREGROUND'],
  },
  {
    name: 'haproxy',
    program: 'haproxy',
    version: '-v',
    configure: (block, { port, both }) => {
      assert.ok(block.includes(':443 ssl crt /etc/haproxy/calendar.pem'))
      return block.replace(':443 ssl crt /etc/haproxy/calendar.pem', `127.0.0.1:${port} ssl crt ${both}`)
    },
    run: (file) => ['-db', '-f', file],
  },
]

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

interface ProxyRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** Resolves when the head of the response has arrived. */
function open(port: number, path: string, { body, ...options }: ProxyRequest = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, agent: false, rejectUnauthorized: false, ...options })
    sent.setHeader('host', `localhost:${port}`)
    sent.once('error', reject)
    sent.once('response', resolve)
    sent.end(body)
  })
}

async function send(port: number, path: string, options?: ProxyRequest): Promise<{ status: number; text: string }> {
  const response = await open(port, path, options)
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return { status: response.statusCode!, text }
}

/** In the long run the real one, so that read timeouts of proxies are met; 100 s pass then. */
const HEARTBEAT_MS = byRunLength(200, STREAM_LIMITS.heartbeatMs)

async function withProxy(proxy: ProxyProgram, story: (world: World, port: number) => Promise<void>): Promise<void> {
  const place = await makeReadyPlace('sqlite')
  const port = await findFreePort()
  const world = await openWorld('sqlite', place, {
    settings: {
      DAYBOOK_PUBLIC_URL: `https://localhost:${port}`,
      DAYBOOK_TRUST_PROXY: '127.0.0.0/8',
      DAYBOOK_ALLOW_LOOPBACK_HTTP: 'off',
    },
    streams: { ...STREAM_LIMITS, heartbeatMs: HEARTBEAT_MS },
  })
  try {
    const node = await listen(world.app)
    const folder = join(place.folder, 'proxy')
    mkdirSync(folder)
    const { key, certificate } = makeCertificate('localhost')
    const files = { certificate: join(folder, 'one.crt'), key: join(folder, 'one.key'), both: join(folder, 'one.pem') }
    writeFileSync(files.certificate, certificate)
    writeFileSync(files.key, key)
    writeFileSync(files.both, certificate + key)
    const block = MANUAL.split(`\`\`\`${proxy.name}\n`)[1]?.split('```')[0] ?? ''
    assert.ok(block.includes('127.0.0.1:8080'), proxy.name)
    const text = proxy.configure(block.replace('127.0.0.1:8080', `127.0.0.1:${node}`), { folder, port, ...files })
    writeFileSync(join(folder, 'proxy.conf'), text)
    const child = spawn(proxy.program, proxy.run(join(folder, 'proxy.conf')), { stdio: ['ignore', 'ignore', 'pipe'] })
    let log = ''
    child.stderr.on('data', (chunk) => (log += chunk))
    const ended = new Promise((resolve) => child.once('exit', resolve))
    try {
      await waitFor(`${proxy.name} passes requests on`, async () => {
        assert.equal(child.exitCode, null, log)
        return (await send(port, '/healthz').catch(() => undefined))?.status === 200
      })
      await story(world, port)
    } finally {
      child.kill()
      await ended
    }
  } finally {
    await world.app.close()
    await place.remove()
  }
}

const choir = { title: 'Choir', start: '2026-07-14T19:00', end: '2026-07-14T21:00', visibility: 'public' }

for (const proxy of PROXIES) {
  const isMissing = spawnSync(proxy.program, [proxy.version]).error !== undefined
  const skip = isMissing && `needs ${proxy.program}: apt-get install ${proxy.program}`
  test(`${proxy.name} as the manual configures it passes streams on at once and closes them`, { skip }, () =>
    withProxy(proxy, async ({ app, writer }, port) => {
      const { base } = app.site
      const versions = new Set<string>()
      app.server.server.on('request', ({ httpVersion }) => versions.add(httpVersion))
      const asWriter = { authorization: basicOf('writer@example.org'), 'content-type': 'application/json' }
      const body = JSON.stringify(choir)
      const made = await send(port, `${base}/events`, { method: 'POST', headers: asWriter, body })
      assert.equal(made.status, 201, made.text)

      const stream = await open(port, `${base}/public/stream`, { headers: { 'accept-encoding': 'gzip, br' } })
      assert.equal(stream.statusCode, 200)
      assert.equal(stream.headers['content-encoding'], undefined)
      let text = ''
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      stream.on('error', () => {})
      await waitFor('the first block', () => /^retry: \d+\nid: \S+\n\n/.test(text))
      await waitFor('heartbeats, one after the other', () => text.split(':\n\n').length > 4)
      assert.doesNotMatch(text, /changed/)
      await writer.creates({ ...choir, title: 'Fair' })
      await waitFor('the change', () => text.includes('event: changed'))
      assert.deepEqual([...versions], ['1.1'])
      const countOpen = () => app.ctx.metrics.streams().find(([sight]) => sight === 'public')![1]
      assert.equal(countOpen(), 1)
      stream.destroy()
      await waitFor('the end of the stream at the service', () => countOpen() === 0)
    }),
  )

  test(`${proxy.name} as the manual configures it passes on a file of 9 MiB`, { skip }, () =>
    withProxy(proxy, async ({ app }, port) => {
      const entry = `BEGIN:VEVENT\r\nUID:a@example.org\r\nDTSTAMP:20260701T000000Z\r\nDTSTART:20260714T090000Z\r\nSUMMARY:A\r\nEND:VEVENT\r\n`
      const padding = `X-PADDING:${'x'.repeat(1_000)}\r\n`.repeat(9_400)
      const body = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${padding}${entry}END:VCALENDAR\r\n`
      assert.ok(body.length > 9 * 1_024 * 1_024)
      const headers = { authorization: basicOf('admin@example.org'), 'content-type': 'text/calendar' }
      const { status, text } = await send(port, `${app.site.base}/admin/import`, { method: 'POST', headers, body })
      assert.equal(status, 200, text.slice(0, 300))
    }),
  )
}
