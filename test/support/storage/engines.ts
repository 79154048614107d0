// Defines tests for both engines: SQLite in a temporary folder, and a separate PostgreSQL database.
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { migrate } from '../../../src/storage/engine/migrate.ts'
import { openSqlite } from '../../../src/storage/engine/sqlite.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { connect, databaseOn, makeTemplate, onDatabase, type PgClient } from './template.ts'
import { makePristine, type Pristine, readPristine } from './used-databases.ts'

export type Engine = 'sqlite' | 'postgres'
export const ENGINES: readonly Engine[] = ['sqlite', 'postgres']

/** The settings that open an empty database of this engine, and its removal. */
export interface EmptyDatabase {
  settings: Record<string, string>
  folder: string
  remove(): Promise<void>
}

export async function makePlace(engine: Engine): Promise<EmptyDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-test-'))
  const settings = { DAYBOOK_DATA_DIR: join(folder, 'data') }
  if (engine === 'sqlite')
    return { settings, folder, remove: async () => rmSync(folder, { recursive: true, force: true }) }
  const name = `daybook_${randomBytes(6).toString('hex')}`
  await runOnServer(`create database ${name} template ${await templateDatabase()}`)
  return {
    settings: { ...settings, DAYBOOK_DATABASE_URL: await urlOf(name) },
    folder,
    async remove() {
      // Dropping waits for the disk, and the next test need not.
      drops.push(runOnServer(`drop database if exists ${name} with (force)`))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL without the tables of the template. */
export async function makeEmptyPlace(engine: Engine): Promise<EmptyDatabase> {
  const place = await makePlace(engine)
  const url = place.settings.DAYBOOK_DATABASE_URL
  if (url) await onDatabase(url, (client) => client.query('drop schema public cascade; create schema public'))
  return place
}

/** The same with everything that the first start of a service creates, and so much quicker to start on. */
export async function makeReadyPlace(engine: Engine): Promise<EmptyDatabase> {
  if (engine === 'postgres') return makeUsedPlace()
  const place = await makePlace(engine)
  const data = place.settings.DAYBOOK_DATA_DIR!
  mkdirSync(data, { mode: 0o700 })
  copyFileSync(await templateFile(), join(data, 'daybook.db'))
  return place
}

interface UsedDatabase {
  place: EmptyDatabase
  /** Kept for the next reset: on a new connection, reading the catalogue costs four times as much as the reset. */
  resetClient?: PgClient
}

const unused: UsedDatabase[] = []

/** One that another test of this file no longer uses, where there is one. */
async function makeUsedPlace(): Promise<EmptyDatabase> {
  const used = unused.pop() ?? { place: await makePlace('postgres') }
  const { settings } = used.place
  const url = settings.DAYBOOK_DATABASE_URL!
  pristine ??= onDatabase(url, readPristine)
  const asNew = await pristine
  const folder = mkdtempSync(join(tmpdir(), 'daybook-test-'))
  return {
    settings: { ...settings, DAYBOOK_DATA_DIR: join(folder, 'data') },
    folder,
    async remove() {
      rmSync(folder, { recursive: true, force: true })
      if (await resetDatabase(used, url, asNew).catch(() => false)) unused.push(used)
      else await removeDatabase(used)
    },
  }
}

async function resetDatabase(used: UsedDatabase, url: string, asNew: Pristine): Promise<boolean> {
  const client = used.resetClient ?? (await connect(url, () => delete used.resetClient))
  used.resetClient = client
  client.ref()
  const isAsNew = await makePristine(client, asNew)
  // The last hooks of a file run when nothing keeps the process alive any more.
  client.unref()
  return isAsNew
}

async function removeDatabase({ place, resetClient }: UsedDatabase): Promise<void> {
  resetClient?.ref()
  await resetClient?.end().catch(() => {})
  await place.remove()
}

let pristine: Promise<Pristine> | undefined

/** Defines the test once for each engine; the function gets the engine's name, and the context of the test to skip it. */
export function forEachEngine(name: string, story: (engine: Engine, context: TestContext) => Promise<void>): void {
  for (const engine of ENGINES) test(`${name} (${engine})`, (context) => story(engine, context))
}

/** `npm test` sets the address of a server; a single file starts its own. */
let ownServer: PostgresServer | undefined
let server: Promise<string> | undefined
const serverUrl = (): Promise<string> => {
  server ??= process.env.TEST_DATABASE_URL ? Promise.resolve(process.env.TEST_DATABASE_URL) : startOwnServer()
  return server
}

async function startOwnServer(): Promise<string> {
  ownServer = await startPostgres()
  return ownServer.url
}

const drops: Promise<void>[] = []

after(async () => {
  for (const used of unused) await removeDatabase(used)
  await Promise.all(drops)
  if (file) rmSync(dirname(await file), { recursive: true, force: true })
  if (ownTemplate) await runOnServer(`drop database ${await ownTemplate}`)
  await ownServer?.stop()
})

export const urlOf = async (database: string): Promise<string> => databaseOn(await serverUrl(), database)

async function runOnServer(statement: string): Promise<void> {
  await onDatabase(await serverUrl(), (client) => client.query(statement))
}

/** `npm test` has created one for all files. */
let ownTemplate: Promise<string> | undefined
const templateDatabase = async (): Promise<string> => {
  ownTemplate ??= process.env.TEST_DATABASE_TEMPLATE ? undefined : serverUrl().then(makeTemplate)
  return ownTemplate ?? process.env.TEST_DATABASE_TEMPLATE!
}

let file: Promise<string> | undefined
const templateFile = (): Promise<string> => {
  file ??= (async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'daybook-test-')), 'daybook.db')
    const storage = openSqlite(path)
    await migrate(storage)
    await storage.close()
    return path
  })()
  return file
}
