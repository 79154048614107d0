// A migrated PostgreSQL template database to copy others from: much quicker than migrating each.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../../../src/storage/engine/migrate.ts'
import { openPostgres } from '../../../src/storage/engine/postgres.ts'

/** Returns its name. */
export async function makeTemplate(server: string): Promise<string> {
  const name = `daybook_template_${randomBytes(6).toString('hex')}`
  await onDatabase(server, (client) => client.query(`create database ${name}`))
  const storage = openPostgres({ url: databaseOn(server, name), poolSize: 1, onLost: () => {} })
  await migrate(storage)
  await storage.close()
  return name
}

export function databaseOn(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

export async function onDatabase<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(url)
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

/** The type declarations of pg leave these two out. */
export type PgClient = pg.Client & { ref(): void; unref(): void }

/** `onLost` runs when the server ends the connection while it is idle. */
export async function connect(url: string, onLost?: () => void): Promise<PgClient> {
  const client = new pg.Client({ connectionString: url }) as PgClient
  if (onLost) client.on('error', onLost)
  await client.connect()
  return client
}
