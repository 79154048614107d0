// `npm run bench:scaling`: one to three nodes on one PostgreSQL behind nginx, then nginx as a cache of public reads.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startPostgres } from '../../test/support/storage/postgres-server.ts'
import { changeOne, createMany } from '../fresh-events.ts'
import { loadData } from '../load-data.ts'
import { describeMachine } from '../machine.ts'
import { type Month, measuredMonth } from '../make-events.ts'
import { type LoadClient, startClient } from '../measure.ts'
import { type BenchRequest, monthQuery } from '../requests.ts'
import { EVENTS_PATH, makeAdmin, PUBLIC_PATH, type Running, startService } from '../service.ts'
import { type RunningProxy, startNginx } from './nginx.ts'

const SIZE = 10_000
const MOST_NODES = 3
const CONNECTIONS = 16
const LOAD_MS = 5_000
const CACHE_SECONDS = 1
/** Writes a second while the cache is measured. */
const CHANGES_PER_SECOND = 5

let slice = 0
const client = startClient()
const month = measuredMonth(Date.now())
const folder = mkdtempSync(join(tmpdir(), 'daybook-scaling-'))
const postgres = await startPostgres()
const settings = { DAYBOOK_DATA_DIR: folder, DAYBOOK_DATABASE_URL: postgres.url }
try {
  const { cpu, cores, memory_gib, system, node } = describeMachine(Date.now())
  const engine = await loadData(settings, SIZE, month)
  print(`${cpu}, ${cores} cores, ${memory_gib} GiB, ${system}; Node ${node}; ${engine}; ${SIZE} events.\n`)
  makeAdmin(settings)
  print('| Nodes | Request | requests/s | median ms | CPU ms a request: nodes | nginx | PostgreSQL |')
  print('| ---: | --- | ---: | ---: | ---: | ---: | ---: |')
  for (let count = 1; count <= MOST_NODES; count++)
    await withNodes(count, 0, (nodes, proxy) => measureAll(nodes, proxy))
  await withNodes(2, CACHE_SECONDS, measureCache)
} finally {
  client.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function withNodes(
  count: number,
  cacheSeconds: number,
  use: (nodes: readonly Running[], proxy: RunningProxy) => Promise<void>,
): Promise<void> {
  const nodes: Running[] = []
  try {
    while (nodes.length < count) nodes.push(await startService(settings, monthQuery(month), 'bundle'))
    const ports = nodes.map(({ port }) => port)
    const proxy = await startNginx({ folder: join(folder, `nginx-${count}-${cacheSeconds}`), ports, cacheSeconds })
    try {
      await use(nodes, proxy)
    } finally {
      await proxy.stop()
    }
  } finally {
    for (const node of nodes) await node.stop()
  }
}

async function measureAll(nodes: readonly Running[], proxy: RunningProxy): Promise<void> {
  const publicMonth = `${PUBLIC_PATH}/events?${monthQuery(month)}`
  const requests: Record<string, BenchRequest> = {
    'public month, warm': { kind: 'same', path: publicMonth, isAnonymous: true },
    'public month, uncached': { kind: 'month-uncached', path: publicMonth, isAnonymous: true },
    'month of an account, warm': { kind: 'same', path: `${EVENTS_PATH}?${monthQuery(month)}` },
    'month of an account, uncached': { kind: 'month-uncached', path: `${EVENTS_PATH}?${monthQuery(month)}` },
    'POST event': { kind: 'create' },
  }
  for (const [name, asked] of Object.entries(requests)) await measureRow(nodes, proxy, name, asked)
}

async function measureRow(
  nodes: readonly Running[],
  proxy: RunningProxy,
  name: string,
  asked: BenchRequest,
): Promise<void> {
  await load(client, proxy, month, { ...asked, slice: slice++ }, 500)
  const before = readCosts(nodes, proxy)
  const { perSecond, medianMs } = await load(client, proxy, month, { ...asked, slice: slice++ }, LOAD_MS)
  const after = readCosts(nodes, proxy)
  const requests = perSecond * (LOAD_MS / 1_000)
  const each = (what: keyof typeof after): string => ((after[what] - before[what]) / requests).toFixed(2)
  const cells = [nodes.length, name, perSecond.toFixed(0), medianMs.toFixed(2)]
  print(`| ${[...cells, each('nodes'), each('nginx'), each('postgres')].join(' | ')} |`)
}

function load(by: LoadClient, { port, pid }: Running, of: Month, asked: BenchRequest, measureMs: number) {
  return by.run({
    port,
    serverPid: pid,
    connections: CONNECTIONS,
    warmUpMs: 0,
    measureMs,
    asked: { ...asked, month: of },
  })
}

function readCosts(nodes: readonly Running[], { pid }: Running) {
  return {
    nodes: nodes.reduce((sum, node) => sum + cpuMsOfTree(node.pid), 0),
    nginx: cpuMsOfTree(pid),
    postgres: cpuMsOfTree(postgres.pid),
  }
}

/** A process and its children, with those that have ended: fields 14 to 17 of proc(5) stat, in hundredths. */
function cpuMsOfTree(root: number): number {
  let sum = 0
  for (const name of readdirSync('/proc')) {
    const fields = /^\d+$/.test(name) ? readStat(name) : undefined
    if (!fields || (Number(name) !== root && Number(fields[1]) !== root)) continue
    const ended = Number(name) === root ? Number(fields[13]) + Number(fields[14]) : 0
    sum += (Number(fields[11]) + Number(fields[12]) + ended) * 10
  }
  return sum
}

function readStat(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** Hits while another client writes, then how long the old response is still sent after an acknowledged change. */
async function measureCache(nodes: readonly Running[], proxy: RunningProxy): Promise<void> {
  const asked: BenchRequest = { kind: 'same', path: `${PUBLIC_PATH}/events?${monthQuery(month)}`, isAnonymous: true }
  print(`\nWith nginx as a cache for ${CACHE_SECONDS} s, two nodes:\n`)
  print('| Nodes | Request | requests/s | median ms | CPU ms a request: nodes | nginx | PostgreSQL |')
  print('| ---: | --- | ---: | ---: | ---: | ---: | ---: |')
  await measureRow(nodes, proxy, 'public month', asked)
  const [id] = await createMany(nodes[0]!, 1, { visibility: 'public' })
  let version = 1
  let isOver = false
  const writing = (async () => {
    for (; !isOver; version++) {
      await changeOne(nodes[0]!, id!, version)
      await delay(1_000 / CHANGES_PER_SECOND)
    }
  })()
  await measureRow(nodes, proxy, `public month, ${CHANGES_PER_SECOND} changes a second`, asked)
  isOver = true
  await writing
  await delay(2 * CACHE_SECONDS * 1_000)
  print(`\nResponses by state of the cache: ${JSON.stringify(proxy.countCacheStates())}`)
  const staleMs: number[] = []
  for (let i = 0; i < 10; i++) staleMs.push(await timeUntilShown(proxy, nodes, id!, version++))
  print(`Milliseconds from an acknowledged change to its first sight: ${staleMs.sort((a, b) => a - b).join(', ')}`)
}

async function timeUntilShown(proxy: Running, nodes: readonly Running[], id: string, version: number): Promise<number> {
  const path = `${PUBLIC_PATH}/events/${id}`
  const read = async (): Promise<string> => (await fetch(`http://127.0.0.1:${proxy.port}${path}`)).text()
  const before = await read()
  await changeOne(nodes[0]!, id, version)
  const changedAt = performance.now()
  while ((await read()) === before) await delay(5)
  return Math.round(performance.now() - changedAt)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
