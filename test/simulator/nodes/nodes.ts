// The simulated services: starts, restarts and crashes nodes on one database, with a clock that is set.
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { type App, buildApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { currentClient } from '../../../src/scheduling/current-client.ts'
import type { Db } from '../../../src/storage/tables.ts'
import { type EmptyDatabase, type Engine, makeReadyPlace } from '../../support/storage/engines.ts'
import { connect } from '../../support/storage/template.ts'
import { basicOf, openWorld } from '../../support/world.ts'
import type { SeededRandom } from '../random.ts'
import type { Scheduler } from './scheduler.ts'
import { withoutIntervals } from './still-time.ts'

export const BEGIN_AT = Date.parse('2026-07-10T12:00:00Z')

export interface NodeGroup {
  engine: Engine
  clock: { at: number }
  nodes: readonly App[]
  /** Which run of each node it is: how often it was started. */
  runs: readonly number[]
  /** Of the accounts, by role. */
  accounts: { writer: string; admin: string }
  /** App passwords of the writer. */
  credentials: readonly DeviceCredential[]
  /** The text without identifiers that are not seeded. */
  withFixedIds(text: string): string
  /** Ends the process without warning, and starts another on what the database has. */
  crash(node: number): Promise<void>
  /** Stops the service as an operator does, and starts it. */
  restart(node: number): Promise<void>
  close(): Promise<void>
}

export interface DeviceCredential {
  id: string
  authorization: Record<string, string>
}

const DEVICES = 3

interface StartedNode {
  app: App
  kill(): void
}

export async function startNodes(
  engine: Engine,
  count: number,
  scheduler: Scheduler,
  random: SeededRandom,
): Promise<NodeGroup> {
  const place = await makeReadyPlace(engine)
  const known = await createAccounts(engine, place)
  const clock = { at: BEGIN_AT }
  const newId = createIds(scheduler, random)
  let folder = place.settings.DAYBOOK_DATA_DIR!
  let copies = 0
  const admin = engine === 'postgres' ? await connect(place.settings.DAYBOOK_DATABASE_URL!, () => {}) : undefined
  const open = (node: number): Promise<StartedNode> =>
    startNode(settingsOf(place, folder, node), place.folder, clock, newId, scheduler)
  const started = [] as StartedNode[]
  for (let node = 0; node < count; node++) started.push(await open(node))
  const nodes = started.map(({ app }) => app)
  const runs = started.map(() => 1)
  const replace = async (node: number): Promise<void> => {
    started[node] = await open(node)
    nodes[node] = started[node].app
    runs[node]! += 1
  }
  return {
    engine,
    clock,
    nodes,
    runs,
    ...known,
    async crash(node) {
      const { app, kill } = started[node]!
      const left = folder
      if (admin) await cutConnections(admin, node)
      else folder = copyFiles(folder, join(place.folder, `copy-${++copies}`))
      kill()
      await scheduler.cutOff(node)
      await app.close().catch(() => {})
      if (!admin) rmSync(left, { recursive: true })
      await replace(node)
    },
    async restart(node) {
      await nodes[node]!.close()
      await replace(node)
    },
    async close() {
      for (const app of nodes) await app.close()
      await admin?.end()
      await place.remove()
    },
  }
}

/** Accounts, the app passwords of devices, and a key for ETags that is the same each time. */
async function createAccounts(engine: Engine, place: EmptyDatabase) {
  const { app, signIn } = await openWorld(engine, place)
  const browser = await signIn(WRITER)
  const credentials: DeviceCredential[] = []
  for (let number = 0; number < DEVICES; number++) {
    const { id, password } = (await browser.post('/auth/app-passwords', { name: `Device ${number}` })).body.data
    credentials.push({ id, authorization: { authorization: basicOf(WRITER, password) } })
  }
  const users = await app.ctx.storage.reads.selectFrom('users').select(['id', 'email']).execute()
  const idOf = (email: string): string => users.find((user) => user.email === email)!.id
  const accounts = { writer: idOf(WRITER), admin: idOf('admin@example.org') }
  await app.ctx.storage.writes.updateTable('instance').set({ secret: 'simulation' }).execute()
  await app.close()
  const names = [
    ...Object.entries(accounts).map(([name, id]) => [id, name] as const),
    ...credentials.map(({ id }, number) => [id, `device-${number}`] as const),
  ]
  const withFixedIds = (text: string): string => {
    let fixed = text
    for (const [id, name] of names) fixed = fixed.replaceAll(id, name)
    return fixed
  }
  return { accounts, credentials, withFixedIds }
}

const WRITER = 'writer@example.org'

function settingsOf(place: EmptyDatabase, folder: string, node: number): Record<string, string> {
  const url = place.settings.DAYBOOK_DATABASE_URL
  return {
    DAYBOOK_LOG_LEVEL: 'silent',
    DAYBOOK_RATE_LIMITS: 'off',
    DAYBOOK_BULK_CHANGE_LIMIT: '0',
    DAYBOOK_TIMEZONE: 'UTC',
    DAYBOOK_ALLOW_LOOPBACK_HTTP: 'on',
    ...place.settings,
    DAYBOOK_DATA_DIR: folder,
    ...(url && { DAYBOOK_DATABASE_URL: `${url}?application_name=${applicationOf(node)}` }),
  }
}

const applicationOf = (node: number): string => `simulated-${node}`

async function startNode(
  settings: Record<string, string>,
  folder: string,
  clock: { at: number },
  newId: () => string,
  scheduler: Scheduler,
): Promise<StartedNode> {
  const app = await withoutIntervals(() => buildApp(loadConfig(settings, folder), { clock: () => clock.at }))
  app.ctx.newId = newId
  const state = { isDead: false }
  stopInTransactions(app, scheduler, state)
  await app.server.ready()
  return {
    app,
    kill() {
      state.isDead = true
    },
  }
}

/** Tasks stop around their write transactions; a crashed node writes nothing more. */
function stopInTransactions({ ctx: { storage } }: App, scheduler: Scheduler, state: { isDead: boolean }): void {
  const { writes, health } = storage
  const { check } = health
  // After an error, each write probes the database, and does not wait for that.
  health.check = (tryWrite) => scheduler.runOutside(() => check(tryWrite))
  const transaction = () => ({
    async execute<T>(work: (db: Db) => Promise<T>): Promise<T> {
      // What the service does by itself meanwhile, as noting the use of an app password, is no part of the request.
      const isOfRequest = currentClient() !== undefined
      if (isOfRequest) await scheduler.stopAt('begin')
      if (state.isDead) throw new Error('the node has crashed')
      if (!isOfRequest) return writes.transaction().execute(work)
      const task = scheduler.current()
      if (task) task.isWriting = true
      const transaction = writes.transaction().execute(async (db) => {
        const made = await work(db)
        await scheduler.stopAt('commit')
        return made
      })
      const result = await transaction.finally(() => {
        if (task) task.isWriting = false
      })
      await scheduler.stopAt('response')
      return result
    },
  })
  storage.writes = new Proxy(writes, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name, target)),
  })
}

const DIGITS = [...'0123456789abcdefghijklmnopqrstuv']

function createIds(scheduler: Scheduler, random: SeededRandom): () => string {
  return () => {
    const id = Array.from({ length: 26 }, () => random.pick(DIGITS)).join('')
    scheduler.current()?.ids.push(id)
    return id
  }
}

/** What a process that is killed leaves: its files as they are, without what it had still in memory. */
function copyFiles(from: string, to: string): string {
  mkdirSync(to, { mode: 0o700 })
  for (const name of ['daybook.db', 'daybook.db-wal', '.daybook-instance'])
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name))
  return to
}

async function cutConnections(admin: pg.Client, node: number): Promise<void> {
  await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = $1', [
    applicationOf(node),
  ])
}
