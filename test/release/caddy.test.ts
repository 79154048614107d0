// The Caddyfiles of the compose files, run by a real Caddy on loopback with its internal CA; skipped without Caddy.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { listen } from '../support/http/socket.ts'
import { waitFor } from '../support/measure/wait-for.ts'
import { runCommandBeside } from '../support/processes/process.ts'
import { type Engine, makeReadyPlace } from '../support/storage/engines.ts'
import { basicOf, openWorld, type World } from '../support/world.ts'

const PACKAGING = join(import.meta.dirname, '..', '..', 'packaging')
const EMAIL = 'writer@example.org'
const isMissing = spawnSync('caddy', ['version']).error !== undefined

interface ProxiedAnswer {
  status: number
  headers: Record<string, unknown>
  text: string
}

interface Caddy {
  folder: string
  authority: string
  send(
    path: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<ProxiedAnswer>
  stop(): Promise<void>
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The file as it is shipped, but for the addresses of the nodes and ports that need no rights. */
async function startCaddy(folder: string, file: string, port: number, nodes: Record<string, number>): Promise<Caddy> {
  let text = readFileSync(join(PACKAGING, file), 'utf8')
  for (const [name, nodePort] of Object.entries(nodes)) {
    assert.ok(text.includes(`${name}:8080`), name)
    text = text.replace(`${name}:8080`, `127.0.0.1:${nodePort}`)
  }
  const storage = join(folder, 'caddy')
  mkdirSync(storage)
  const ports = `http_port ${await findFreePort()}\n  https_port ${port}`
  const options = `admin off\n  local_certs\n  skip_install_trust\n  default_bind 127.0.0.1\n  storage file_system ${storage}`
  writeFileSync(join(folder, 'Caddyfile'), `{\n  ${ports}\n  ${options}\n}\n${text}`)
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
    env: { PATH: process.env.PATH, HOME: folder, CALENDAR_HOST: 'localhost' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk) => (log += chunk))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const authority = join(storage, 'pki', 'authorities', 'local', 'root.crt')
  const send: Caddy['send'] = async (path, options) => sendTo(port, readFileSync(authority), path, options)
  const stop = async (): Promise<void> => {
    child.kill()
    await ended
  }
  try {
    await waitFor('Caddy passes requests on', async () => {
      assert.equal(child.exitCode, null, log)
      return (await send('/healthz').catch(() => undefined))?.status === 200
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { folder, authority, send, stop }
}

function sendTo(
  port: number,
  ca: Buffer,
  path: string,
  options: Parameters<Caddy['send']>[1] = {},
): Promise<ProxiedAnswer> {
  return new Promise((resolve, reject) => {
    const { body, ...others } = options
    const sent = request({ port, host: '127.0.0.1', servername: 'localhost', path, ca, agent: false, ...others })
    sent.setHeader('host', `localhost:${port}`)
    sent.once('error', reject)
    sent.once('response', async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      resolve({ status: response.statusCode!, headers: response.headers, text })
    })
    sent.end(body)
  })
}

/** Nodes on one database behind Caddy, as the compose file starts them. */
async function withCaddy(
  engine: Engine,
  { file, names }: { file: string; names: readonly string[] },
  story: (caddy: Caddy, worlds: World[], settings: Record<string, string>) => Promise<void>,
): Promise<void> {
  const place = await makeReadyPlace(engine)
  const port = await findFreePort()
  const settings = { DAYBOOK_PUBLIC_URL: `https://localhost:${port}`, DAYBOOK_TRUST_PROXY: '127.0.0.0/8' }
  const worlds: World[] = []
  try {
    for (const _ of names)
      worlds.push(
        await openWorld(engine, place, {
          place,
          // The doctor, another process, proves the instance by the time.
          now: new Date().toISOString(),
          settings: { ...settings, DAYBOOK_ALLOW_LOOPBACK_HTTP: 'off' },
        }),
      )
    await worlds[0]!.addPerson(EMAIL, 'writer')
    const nodes: Record<string, number> = {}
    for (const [i, name] of names.entries()) nodes[name] = await listen(worlds[i]!.app)
    const caddy = await startCaddy(place.folder, file, port, nodes)
    try {
      await story(caddy, worlds, { ...place.settings, ...settings })
    } finally {
      await caddy.stop()
    }
  } finally {
    for (const { app } of worlds) await app.close()
    await place.remove()
  }
}

async function createEvent(caddy: Caddy, { app }: World): Promise<ProxiedAnswer> {
  const headers = { authorization: basicOf(EMAIL), 'content-type': 'application/json' }
  const body = JSON.stringify({ title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00', visibility: 'public' })
  return caddy.send(`${app.site.base}/events`, { method: 'POST', headers, body })
}

const skipWithout = (t: TestContext): boolean => {
  if (isMissing) t.skip('needs caddy: apt-get install caddy')
  return isMissing
}

test('packaging/Caddyfile serves HTTPS, and the service believes its headers and no others', async (t) => {
  if (skipWithout(t)) return
  await withCaddy('sqlite', { file: 'Caddyfile', names: ['daybook'] }, async (caddy, [world], settings) => {
    assert.equal((await createEvent(caddy, world!)).status, 201)
    const forged = { 'x-forwarded-proto': 'http', 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' }
    assert.equal((await caddy.send(`${world!.app.site.base}/events`, { headers: forged })).status, 200)
    const feed = `${world!.app.site.base}/public/calendar.ics`
    const { headers } = await caddy.send(feed, { headers: { 'accept-encoding': 'br' } })
    assert.match(String(headers['content-security-policy']), /default-src/)
    const known = { 'if-none-match': String(headers.etag), 'accept-encoding': 'br' }
    assert.equal((await caddy.send(feed, { headers: known })).status, 304)
    const root = await caddy.send('/.well-known/caldav', { method: 'PROPFIND' })
    assert.equal(root.status, 301)
    const { port } = new URL(settings.DAYBOOK_PUBLIC_URL!)
    assert.equal(new URL(String(root.headers.location), settings.DAYBOOK_PUBLIC_URL).port, port)
    const listening = String((world!.app.server.addresses()[0] as AddressInfo).port)
    const environment = { ...settings, DAYBOOK_PORT: listening, NODE_EXTRA_CA_CERTS: caddy.authority }
    const examined = await runCommandBeside(['doctor', '--json'], caddy.folder, environment)
    const codes: string[] = JSON.parse(examined.stdout).findings.map(({ code }: { code: string }) => code)
    assert.ok(codes.includes('proxy_ok') && codes.includes('public_url_ok'), examined.stdout)
    assert.deepEqual(
      codes.filter((code) => /^(?:proxy|public_url|certificate)/.test(code) && !code.endsWith('_ok')),
      ['certificate_expiring'],
      'certificates of the internal CA last twelve hours',
    )
  })
})

test('packaging/Caddyfile.postgres leaves out a node that is not ready', async (t) => {
  if (skipWithout(t)) return
  const names = ['daybook-1', 'daybook-2']
  await withCaddy('postgres', { file: 'Caddyfile.postgres', names }, async (caddy, [one, two]) => {
    const { id } = JSON.parse((await createEvent(caddy, one!)).text).data
    const read = () => caddy.send(`${one!.app.site.base}/events/${id}`)
    for (let i = 0; i < 4; i++) assert.equal((await read()).status, 200)
    one!.app.drain()
    await waitFor('Caddy sees that the node is not ready', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => caddy.send('/readyz')))
      return answers.every(({ status }) => status === 200)
    })
    await one!.app.close()
    assert.equal((await read()).status, 200)
    assert.equal((await createEvent(caddy, two!)).status, 201)
  })
})
