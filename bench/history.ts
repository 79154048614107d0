// Measures what keeping earlier versions costs: writes with and without, by turns, and bytes in the database.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { packVersions } from '../src/actions/history/pack-versions.ts'
import { openContext } from '../src/boot.ts'
import { loadConfig } from '../src/config.ts'
import { rawQuery } from '../src/storage/dialect.ts'
import { startPostgres } from '../test/support/storage/postgres-server.ts'
import { ADMIN, AUTHORISATION, EVENTS_PATH } from './service.ts'

const usage = `Usage: node_modules/.bin/node bench/history.ts [--base DIR] [--rounds 15] [--writes 240]

DIR is a checkout of a commit without history; without it, only history_days=0 is compared.
`

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    rounds: { type: 'string', default: '15' },
    writes: { type: 'string', default: '240' },
    engines: { type: 'string', default: 'sqlite,postgres' },
    help: { type: 'boolean' },
  },
})

const CONNECTIONS = 8
const EVENTS = 200
const HERE = join(import.meta.dirname, '..')
const KINDS = ['POST', 'PATCH', 'PUT event', 'PUT object'] as const
type Kind = (typeof KINDS)[number]

interface Variant {
  name: string
  settings: Record<string, string>
  checkout: string
  port: number
  child: ChildProcess
  ids: string[]
  versions: number[]
  agent: Agent
}

interface WriteSlice {
  cpuMs: number
  wallMs: number
}

async function measureEngine(engine: string): Promise<void> {
  const postgres = engine === 'postgres' ? await startPostgres() : undefined
  const folder = mkdtempSync(join(tmpdir(), 'daybook-history-'))
  const kinds: [name: string, checkout: string, settings: Record<string, string>][] = [
    values.base ? ['before', values.base, {}] : ['history_days=0', HERE, { DAYBOOK_HISTORY_DAYS: '0' }],
    ['history_days=365', HERE, {}],
  ]
  const variants: Variant[] = []
  try {
    for (const [i, [name, checkout, more]] of kinds.entries()) {
      const data = mkdtempSync(join(folder, 'data-'))
      const place: Record<string, string> = { DAYBOOK_DATA_DIR: data }
      if (postgres) place.DAYBOOK_DATABASE_URL = await createDatabase(postgres.url, `bench_${i}`)
      const settings = { ...place, ...more, DAYBOOK_CALDAV_BLIND_WRITES: 'on' }
      makeAdministrator(checkout, settings)
      variants.push(await startVariant(name, checkout, settings, 18_400 + i))
    }
    for (const variant of variants) await fill(variant)
    const results = new Map<string, WriteSlice[]>()
    for (let round = 0; round < Number(values.rounds); round++)
      for (const kind of KINDS) {
        const order = round % 2 === 0 ? variants : [...variants].reverse()
        for (const variant of order) {
          const slice = await measureSlice(variant, kind, postgres?.pid)
          const key = `${kind} ${variant.name}`
          results.set(key, [...(results.get(key) ?? []), slice])
        }
      }
    report(engine, variants, results)
    await Promise.all(variants.map(stop))
    await measureGrowth(engine, variants.at(-1)!)
  } finally {
    await Promise.all(variants.map(stop))
    rmSync(folder, { recursive: true, force: true })
    await postgres?.stop()
  }
}

function report(engine: string, variants: readonly Variant[], results: ReadonlyMap<string, WriteSlice[]>): void {
  const first = variants[0]!.name
  for (const kind of KINDS)
    for (const { name } of variants) {
      const [own, base] = [results.get(`${kind} ${name}`)!, results.get(`${kind} ${first}`)!]
      const ratios = (of: (slice: WriteSlice) => number) => median(own.map((slice, i) => of(slice) / of(base[i]!)))
      const cpu = median(own.map(({ cpuMs }) => cpuMs)).toFixed(3)
      const wall = median(own.map(({ wallMs }) => wallMs)).toFixed(3)
      const ratio = `${ratios(({ cpuMs }) => cpuMs).toFixed(2)} × CPU, ${ratios(({ wallMs }) => wallMs).toFixed(2)} × time`
      process.stdout.write(`${engine}  ${kind.padEnd(10)}  ${name.padEnd(17)}  ${cpu} ms CPU  ${wall} ms  ${ratio}\n`)
    }
}

/** By the program of the checkout, so that an earlier one finds its own schema. */
function makeAdministrator(checkout: string, settings: Record<string, string>): void {
  const flags = ['admin', 'create', '--email', ADMIN.email, '--password-stdin']
  execFileSync(process.execPath, [join(checkout, 'src', 'main.ts'), ...flags], {
    env: { NODE_NO_WARNINGS: '1', ...settings },
    cwd: settings.DAYBOOK_DATA_DIR,
    input: ADMIN.password,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
}

async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return url.replace(/\/postgres$/, `/${name}`)
}

async function startVariant(
  name: string,
  checkout: string,
  settings: Record<string, string>,
  port: number,
): Promise<Variant> {
  const child = spawn(process.execPath, [join(checkout, 'src', 'main.ts'), 'start'], {
    env: {
      NODE_NO_WARNINGS: '1',
      DAYBOOK_HOST: '127.0.0.1',
      DAYBOOK_PORT: `${port}`,
      DAYBOOK_RATE_LIMITS: 'off',
      DAYBOOK_LOG_LEVEL: 'silent',
      ...settings,
    },
    cwd: settings.DAYBOOK_DATA_DIR!,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const variant = { name, settings, checkout, port, child, ids: [], versions: [], agent }
  for (let tries = 0; ; tries++) {
    const status = await send(variant, 'GET', `${EVENTS_PATH}?view=month`).catch(() => undefined)
    if (status?.status === 200) return variant
    if (tries > 300) throw new Error(`${name} did not start`)
    await delay(100)
  }
}

async function stop({ child, agent }: Variant): Promise<void> {
  agent.destroy()
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

const times = { start: '2026-12-07T19:00', end: '2026-12-07T21:00' }
const describe = (i: number) => `Bring the red book, number ${i}. The hall is open from half past six; tea afterwards.`
const bodyOf = (i: number) => ({ title: `Choir ${i}`, description: describe(i), location: 'Town hall', ...times })

async function fill(variant: Variant): Promise<void> {
  for (let i = 0; i < EVENTS; i++) {
    const { body } = await send(variant, 'POST', EVENTS_PATH, JSON.stringify(bodyOf(i)))
    variant.ids.push((JSON.parse(body) as { data: { id: string } }).data.id)
    variant.versions.push(1)
    await send(variant, 'PUT', objectPath(i), objectText(i, 0), 'text/calendar')
  }
}

const objectPath = (i: number) => `/caldav/calendars/main/bench-${i}.ics`

const objectText = (i: number, round: number) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Example Corp.//Client//EN',
    'BEGIN:VEVENT',
    `UID:bench-${i}@example.org`,
  ]
    .concat(['DTSTAMP:20261119T120000Z', 'DTSTART;TZID=Europe/London:20261207T190000', 'DURATION:PT2H'])
    .concat([`SUMMARY:Choir ${i} in round ${round}`, `DESCRIPTION:${describe(round)}`, 'LOCATION:Town hall'])
    .concat(['CATEGORIES:Music', 'X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC', 'END:VEVENT', 'END:VCALENDAR', ''])
    .join('\r\n')

let counter = 0

async function write(variant: Variant, kind: Kind, i: number): Promise<void> {
  counter += 1
  const path = `${EVENTS_PATH}/${variant.ids[i]}`
  const version = variant.versions[i]
  const answer =
    kind === 'POST'
      ? await send(variant, 'POST', EVENTS_PATH, JSON.stringify(bodyOf(counter)))
      : kind === 'PATCH'
        ? await send(variant, 'PATCH', path, JSON.stringify({ title: `Title ${counter}`, version }))
        : kind === 'PUT event'
          ? await send(variant, 'PUT', path, JSON.stringify({ ...bodyOf(counter), version }))
          : await send(variant, 'PUT', objectPath(i), objectText(i, counter), 'text/calendar')
  if (answer.status >= 300) throw new Error(`${variant.name}: ${kind} is ${answer.status}: ${answer.body}`)
  if (kind === 'PATCH' || kind === 'PUT event') variant.versions[i] = version! + 1
}

async function measureSlice(variant: Variant, kind: Kind, postgresPid: number | undefined): Promise<WriteSlice> {
  const count = Number(values.writes)
  const one = async (lane: number): Promise<void> => {
    for (let n = lane; n < count; n += CONNECTIONS) await write(variant, kind, n % EVENTS)
  }
  const before = cpuOf(variant.child.pid!, postgresPid)
  const begun = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, lane) => one(lane)))
  const wallMs = (performance.now() - begun) / count
  return { cpuMs: (cpuOf(variant.child.pid!, postgresPid) - before) / count, wallMs }
}

/** Of the service, and of the PostgreSQL server that all variants use by turns. */
function cpuOf(pid: number, postgresPid: number | undefined): number {
  const pids = postgresPid === undefined ? [pid] : [pid, ...childrenOf(postgresPid)]
  return pids.reduce((sum, one) => sum + (readProcess(one)?.cpuMs ?? 0), 0)
}

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readProcess(pid)?.parent === parent)

const MS_PER_TICK = 10

function readProcess(pid: number): { parent: number; cpuMs: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
    return { parent: Number(fields[1]), cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK }
  } catch {
    return undefined
  }
}

interface Answer {
  status: number
  body: string
}

function send({ port, agent }: Variant, method: string, path: string, body = '', type = 'application/json') {
  return new Promise<Answer>((resolve, reject) => {
    const headers = { authorization: AUTHORISATION, ...(body ? { 'content-type': type } : {}) }
    const sent = request({ port, host: '127.0.0.1', method, path, agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode!, body: Buffer.concat(chunks).toString() }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function measureGrowth(engine: string, { settings }: Variant): Promise<void> {
  const ctx = await openContext(loadConfig({ ...settings, DAYBOOK_LOG_LEVEL: 'silent' }, settings.DAYBOOK_DATA_DIR!))
  try {
    const { writes: db } = ctx.storage
    const texts = await rawQuery<{ rows: number; octets: number }>(
      db,
      'select count(*) as rows, cast(sum(octets) as bigint) as octets from event_versions',
      [],
    )
    const { rows, octets } = texts[0]!
    const size = async (): Promise<number> => {
      const text =
        engine === 'sqlite'
          ? "select sum(pgsize) as size from dbstat where name in (select name from sqlite_schema where tbl_name = 'event_versions')"
          : `select pg_total_relation_size('event_versions') as size`
      const [found] = await rawQuery<{ size: number }>(db, text, [])
      return Number(found!.size)
    }
    const raw = await size()
    await packVersions(ctx)
    if (engine === 'postgres') await rawQuery(db, 'vacuum full event_versions', [])
    const packed = await size()
    const per = (bytes: number) => `${(bytes / octets).toFixed(2)} ×`
    process.stdout.write(
      `${engine}  ${rows} versions of ${Math.round(octets / rows)} bytes: ${per(raw)} as written, ${per(packed)} packed\n`,
    )
  } finally {
    await ctx.storage.close()
  }
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

if (values.help) process.stdout.write(usage)
else for (const engine of values.engines.split(',')) await measureEngine(engine)
