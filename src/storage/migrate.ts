// Brings the schema up to date: an explicit list, each step once, one node at a time.
import { sql } from 'kysely'
import { isPostgres } from './dialect.ts'
import { core } from './migrations/001-core.ts'
import { accounts } from './migrations/002-accounts.ts'
import { publicReads } from './migrations/003-public.ts'
import { calDav } from './migrations/004-caldav.ts'
import { occurrenceTransparency } from './migrations/005-occurrence-transparency.ts'
import { propertyLanguages } from './migrations/006-property-languages.ts'
import { choices } from './migrations/007-choices.ts'
import type { Storage } from './open.ts'
import type { Db } from './tables.ts'

export interface Migration {
  name: string
  up: (db: Db) => Promise<void>
}

/** In order. A step that has shipped is never edited; a new one is added. */
const migrations: readonly Migration[] = [
  core,
  accounts,
  publicReads,
  calDav,
  occurrenceTransparency,
  propertyLanguages,
  choices,
]

/** Any fixed number: nodes that start together queue on it. */
const LOCK = 7_430_001

export async function migrate(storage: Storage): Promise<void> {
  await storage.writes.transaction().execute(async (db) => {
    if (isPostgres(db)) await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(db)
    await sql`create table if not exists migrations (name text primary key, applied_at bigint not null)`.execute(db)
    const applied = new Set((await db.selectFrom('migrations').select('name').execute()).map(({ name }) => name))
    const known = new Set(migrations.map(({ name }) => name))
    const newer = [...applied].find((name) => !known.has(name))
    if (newer) throw new Error(`The database was made by a newer Daybook (it has step ${newer}). Start that version.`)
    for (const migration of migrations) {
      if (applied.has(migration.name)) continue
      await migration.up(db)
      await db.insertInto('migrations').values({ name: migration.name, applied_at: Date.now() }).execute()
    }
  })
}

export async function isMigrated(db: Db): Promise<boolean> {
  const rows = await db.selectFrom('migrations').select('name').execute()
  return rows.length === migrations.length
}
