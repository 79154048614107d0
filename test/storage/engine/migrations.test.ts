// Schema migrations: landed files keep their hash, old databases reach the current schema, slow steps complete.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openContext } from '../../../src/boot.ts'
import { loadConfig } from '../../../src/config.ts'
import { isPostgres } from '../../../src/storage/dialect.ts'
import { isMigrated, migrate, migrations } from '../../../src/storage/engine/migrate.ts'
import { openStorage } from '../../../src/storage/engine/open.ts'
import { openPostgres } from '../../../src/storage/engine/postgres.ts'
import { openSqlite } from '../../../src/storage/engine/sqlite.ts'
import type { Storage } from '../../../src/storage/engine/storage.ts'
import { inTransaction, openSnapshot } from '../../../src/storage/engine/transaction.ts'
import { raiseRevision } from '../../../src/storage/events/calendar.ts'
import type { Migration } from '../../../src/storage/migrate.ts'
import type { Db } from '../../../src/storage/tables.ts'
import {
  type EmptyDatabase,
  type Engine,
  forEachEngine,
  makeEmptyPlace,
  makePlace,
} from '../../support/storage/engines.ts'
import { openWorld } from '../../support/world.ts'
import { OLD_CORE_INDEX, OLD_FORMS, type OldForm } from './old-schemas.ts'

const FOLDER = join(import.meta.dirname, '../../../src/storage/migrations')

/** SHA-256 of every landed migration. A landed file never changes; a new migration adds a line here. */
const HASHES: Record<string, string> = {
  '001-core.ts': '62bb8bf829fa62206c7f1de1489961429580e2e736d670dbdb2d104393918921',
  '002-accounts.ts': '78eba5ebf5fa15c34d7d16c4a6720b0424be55df74d8bbe5ee2c2b993de3610e',
  '003-public.ts': 'c1accbf2653a0a99cd11a111fd4392d4ce42486a8e2ae58278190f019678d86d',
  '004-caldav.ts': '357f93bec970b24160515258060638058967eb90eb2f674427d26f5da5fc877a',
  '005-occurrence-transparency.ts': '76f239f62ac5f8a1d88197283279e0c86fb58312b03f56f0eecebcd46853762c',
  '006-property-languages.ts': '2ad20c2bf1fb06070cc59b94d32ac1c8cc623db850c68828d5c0e22f815a0bad',
  '007-choices.ts': 'aa8d6a970111df878fc3a72ec9d00f56d027a5f0e78bbd35ca0f9aa92b9022df',
  '008-request-counts.ts': '6d4dea9d878789d33f73b9e9d60fb94ed118874a596cd81f60899cd4a115157c',
  '009-repair-edited-steps.ts': 'c59097470fbbc1ca5ea20c861712963844449c9128391231b5ef4525f7fb1ddc',
  '010-index-work.ts': '7369b18018db78886f5f79a311a8878d2e892aa04ff2843fefdb3fc01f990137',
  '011-public-exceptions.ts': 'a54f771f578611e242a1296408f4275ec7b4a7aabb4bfb81d405f7bec231943e',
  '012-covering-indexes.ts': 'b111c939416d3b02ec8765761b713978606578f13728b8ebae0b21f99ea8f70b',
  '013-object-heads.ts': 'e6f58dfa999c3b62d2c6c08392e7b9856226fb1905f38a11f34474052177ec48',
  '014-served-versions.ts': '23aba8bc27c867294c567135e922aad65b147cb18bda066fdd6a28b7d5da72c6',
  '015-listed-events.ts': '6bea91fd2b278dc7f268797f631f1c8d2af34cec909d5e4edebaf162c7fb532c',
  '016-backup-state.ts': 'f1c71271464a24d485ecce76ac75a285d92d682006abd599caf1afe8dbc50bca',
  '017-settings.ts': '9072b1afbe251bf4eec592169fae6e8974f7e128bdd2de3eaea4c06d533d2f5f',
  '018-trash.ts': '03ea75c46e26cbc04ef1a6194a961f22f677eef9a56037a1b530c8956ab31517',
  '019-event-versions.ts': '637d3a60f8d329e9daa1c608033c7beef1ccd815f0c348b0fb26eaaf1980a03c',
  '020-bulk-changes.ts': '7825f3b8aabc830d7c0a1aa9176ab21531e70a89a3a2bbad8878d300dcea60d0',
  '021-change-feed.ts': 'e8d512a07976aaf063b782c937eda894bb35ce0767d893721f5975170ecfe39d',
  '022-idempotent-answers.ts': 'd1ec1598748fc8f432e3dd1aec1690af43b70502f30af731b78661d92c48c604',
  '023-public-updates.ts': '71ca51f2a5deaeab48863fdfe03afb8c8d8f60e790a8d5436586674bfc0ec7e0',
  '024-categories.ts': '2debcb34000c2f990be04efe1f6741a091623f625ab13034dd21bb1b11f1f2d6',
  '025-account-language.ts': 'aaa84e4a7f74c6b7a4ec652c5c8b57ac57a5ff9d24e45f0e2abe475e2d1c1371',
  '027-category-renames.ts': 'dff833ce308c57a38ac6349ce0e6c54406d5162338200c0f92b31d33c93c081f',
}

test('a landed migration file never changes', () => {
  const hashes = Object.fromEntries(
    globSync('**/*.ts', { cwd: FOLDER })
      .sort((a, b) => (basename(a) < basename(b) ? -1 : 1))
      .map((path) => [
        basename(path),
        createHash('sha256')
          .update(readFileSync(join(FOLDER, path), 'utf8').replaceAll('\r\n', '\n'))
          .digest('hex'),
      ]),
  )
  assert.deepEqual(hashes, HASHES)
  assert.deepEqual(
    migrations.map(({ name }) => `${name}.ts`),
    Object.keys(HASHES),
    'each file is in the list of steps, in order',
  )
})

const openRaw = (place: EmptyDatabase): Storage =>
  place.settings.DAYBOOK_DATABASE_URL
    ? openPostgres({ url: place.settings.DAYBOOK_DATABASE_URL, poolSize: 2, onLost: () => {} })
    : openSqlite(join(place.folder, 'old.db'))

/** A database as an earlier commit made it: the migrations of that time, with the statements they had then. */
async function buildOldDatabase(storage: Storage, form: OldForm): Promise<void> {
  const db = storage.writes
  await sql`create table migrations (name text primary key, applied_at bigint not null)`.execute(db)
  for (const name of form.steps) {
    const step = migrations.find((migration) => migration.name === name)!
    await step.up(db)
    if (name === '001-core' && form.hasOldIndex) {
      await sql`drop index events_indexed_from`.execute(db)
      await sql.raw(OLD_CORE_INDEX).execute(db)
    }
    if (name === '002-accounts' && form.lacksAskedAgain)
      await sql`alter table users drop column was_asked_again`.execute(db)
    await db.insertInto('migrations').values({ name, applied_at: 0 }).execute()
  }
}

/** Tables with columns by name, indexes and views by definition; the order of columns does not matter. */
async function readSchema(db: Db): Promise<unknown> {
  if (isPostgres(db)) {
    const columns = await sql`select table_name, column_name, data_type, is_nullable, column_default, collation_name
      from information_schema.columns where table_schema = 'public' order by 1, 2`.execute(db)
    const indexes =
      await sql`select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`.execute(db)
    const views = await sql`select viewname, definition from pg_views where schemaname = 'public' order by 1`.execute(
      db,
    )
    return [columns.rows, indexes.rows, views.rows]
  }
  const columns = await sql`select m.name as "table", c.name, c.type, c."notnull", c.dflt_value, c.pk
    from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' order by 1, 2`.execute(db)
  const others = await sql`select name, sql from sqlite_master where type <> 'table' order by name`.execute(db)
  return [columns.rows, others.rows]
}

forEachEngine('a database of any earlier schema migrates to the schema of a new one', async (engine) => {
  const expected = await withEmptyDatabase(engine, async (storage) => {
    await migrate(storage)
    return readSchema(storage.reads)
  })
  for (const form of OLD_FORMS)
    await withEmptyDatabase(engine, async (old) => {
      await buildOldDatabase(old, form)
      await migrate(old)
      assert.deepEqual(await readSchema(old.reads), expected, form.name)
      const repair = migrations.find(({ name }) => name.startsWith('009-'))!
      await old.writes.transaction().execute((db) => repair.up(db))
      assert.deepEqual(await readSchema(old.reads), expected, `${form.name}, repaired twice`)
    })
})

async function withEmptyDatabase<T>(engine: Engine, act: (storage: Storage) => Promise<T>): Promise<T> {
  const place = await makeEmptyPlace(engine)
  const storage = openRaw(place)
  try {
    return await act(storage)
  } finally {
    await storage.close()
    await place.remove()
  }
}

forEachEngine('a database created before migrations were edited works after startup', async (engine) => {
  const place = await makeEmptyPlace(engine)
  try {
    const config = loadConfig(place.settings, place.folder)
    if (engine === 'sqlite') await (await openContext(config)).storage.close()
    const old = engine === 'sqlite' ? openSqlite(join(config.dataDir, 'daybook.db')) : openRaw(place)
    if (engine === 'sqlite') await dropEverything(old.writes)
    await buildOldDatabase(old, OLD_FORMS.at(-1)!)
    await old.close()
    const world = await openWorld(engine, place)
    try {
      const registered = await world.anonymous.post('/users/register', {
        email: 'new@example.org',
        password: 'a long enough password',
        display_name: 'New',
      })
      assert.equal(registered.status, 202)
      await world.writer.creates({ title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
      assert.equal((await world.anonymous.get('/public/calendar.ics')).status, 200)
    } finally {
      await world.app.close()
    }
  } finally {
    await place.remove()
  }
})

async function dropEverything(db: Db): Promise<void> {
  await sql`pragma foreign_keys = off`.execute(db)
  const { rows } = await sql<{ type: string; name: string }>`select type, name from sqlite_master
    where type in ('table', 'view') and name not like 'sqlite_%' order by type desc`.execute(db)
  for (const { type, name } of rows) await sql.raw(`drop ${type} ${name}`).execute(db)
  await sql`pragma foreign_keys = on`.execute(db)
}

const LIMIT_MS = 100
const slowStep: Migration = {
  name: '998-slow',
  up: async (db) => void (await sql`select pg_sleep(${(3 * LIMIT_MS) / 1000})`.execute(db)),
}

forEachEngine('what was chosen at set-up stays in force after an upgrade', async (engine) => {
  const place = await makeEmptyPlace(engine)
  try {
    const config = loadConfig({ ...place.settings, DAYBOOK_LOG_LEVEL: 'silent' }, place.folder)
    mkdirSync(config.dataDir, { recursive: true })
    const storage = config.databaseUrl ? openRaw(place) : openSqlite(join(config.dataDir, 'daybook.db'))
    await migrate(storage, { steps: migrations.filter(({ name }) => name < '017-settings') })
    await sql`update instance set site_name = 'Käsedorf', week_start = 6`.execute(storage.writes)
    await storage.close()
    const ctx = await openContext(config)
    const { siteName, timezone, weekStart, stored } = ctx.config
    assert.deepEqual([siteName, timezone, weekStart], ['Käsedorf', 'Europe/London', 6])
    assert.deepEqual(stored, { site_name: 'Käsedorf', week_start: 'sunday' })
    await ctx.storage.close()
  } finally {
    await place.remove()
  }
})

test('F36: a migration may take longer than a request may, and a node that waits for it starts', async () => {
  const place = await makePlace('postgres')
  const url = place.settings.DAYBOOK_DATABASE_URL!
  const open = (): Storage => openPostgres({ url, poolSize: 2, onLost: () => {}, limits: { statementMs: LIMIT_MS } })
  const [one, two] = [open(), open()]
  try {
    await assert.rejects(slowStep.up(one.reads), 'the limit of requests is in force')
    const steps = [...migrations, slowStep]
    const isWaiting = Promise.withResolvers<void>()
    const first = migrate(one, {
      steps: [
        ...migrations,
        {
          name: slowStep.name,
          async up(db) {
            const second = migrate(two, { steps, onWait: isWaiting.resolve })
            waiting.push(second)
            await isWaiting.promise
            await slowStep.up(db)
          },
        },
      ],
    })
    const waiting: Promise<void>[] = []
    await first
    await Promise.all(waiting)
    assert.equal(waiting.length, 1)
    const applied = await two.reads.selectFrom('migrations').select('name').where('name', '=', slowStep.name).execute()
    assert.equal(applied.length, 1)
  } finally {
    await one.close()
    await two.close()
    await place.remove()
  }
})

test('F36: a migration that waits for a long reader does not stop the writers of running nodes', async () => {
  const place = await makePlace('postgres')
  const url = place.settings.DAYBOOK_DATABASE_URL!
  const open = (): Storage => openPostgres({ url, poolSize: 2, onLost: () => {} })
  const [running, starting] = [open(), open()]
  const step: Migration = {
    name: '999-later',
    up: async (db) => void (await sql`alter table calendar add column added_later integer`.execute(db)),
  }
  const reader = await openSnapshot(running)
  try {
    await reader.db.selectFrom('calendar').select('revision').execute()
    const isWaiting = Promise.withResolvers<void>()
    const migration = migrate(starting, { steps: [...migrations, step], onWait: isWaiting.resolve })
    await isWaiting.promise
    await inTransaction(running, raiseRevision)
    await reader.close()
    await migration
    assert.ok(await isMigrated(starting.reads, [...migrations, step]))
  } finally {
    await running.close()
    await starting.close()
    await place.remove()
  }
})

test('a process that opens a SQLite file while another migrates it waits', async () => {
  const place = await makePlace('sqlite')
  const path = join(place.folder, 'busy.db')
  const [one, two] = [openSqlite(path, { maxWaitMs: 20 }), openSqlite(path, { maxWaitMs: 20 })]
  try {
    const isWaiting = Promise.withResolvers<void>()
    let second: Promise<void> | undefined
    const hold: Migration = {
      name: migrations[0]!.name,
      async up(db) {
        second = migrate(two, { onWait: isWaiting.resolve })
        await isWaiting.promise
        await migrations[0]!.up(db)
      },
    }
    await migrate(one, { steps: [hold, ...migrations.slice(1)] })
    await second
    assert.equal((await two.reads.selectFrom('migrations').select('name').execute()).length, migrations.length)
  } finally {
    await one.close()
    await two.close()
    await place.remove()
  }
})

test('a fully migrated database can be opened while another process writes to it', async () => {
  const place = await makePlace('sqlite')
  const config = loadConfig(place.settings, place.folder)
  const one = await openStorage(config)
  try {
    await one.writes.transaction().execute(async () => {
      const two = await openStorage(config)
      await two.close()
    })
  } finally {
    await one.close()
    await place.remove()
  }
})
