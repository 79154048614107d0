// Backup files that someone made or changed: nothing of their schema is run or restored.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sql } from 'kysely'
import { checkBackup } from '../../../src/storage/backup/backup-file.ts'
import { runCommandBeside } from '../../support/processes/process.ts'
import { AT, makeBackup, withRestored } from '../../support/storage/backups.ts'
import { ENGINES, makePlace } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

/** A copy of the backup after these statements, with digests that are right. */
function forge(backup: string, statements: string, changed: string[] = []): string {
  const path = `${backup}.${Math.random()}`
  copyFileSync(backup, path)
  const db = new DatabaseSync(path, { defensive: false })
  db.exec(statements)
  for (const table of changed) {
    const statement = db.prepare(`select * from ${table}`)
    statement.setReturnArrays(true)
    const rows = statement.all() as unknown as unknown[][]
    const hash = createHash('sha256')
    for (const row of rows) hash.update(`${JSON.stringify(row)}\n`)
    db.prepare('update backup_tables set row_count = ?, sha256 = ? where name = ?').run(
      rows.length,
      hash.digest('hex'),
      table,
    )
  }
  db.close()
  return path
}

const ENDLESS = 'with recursive c (x) as (select 1 union all select x + 1 from c) select x from c'
const AS_SQL = '/*/**/ 1 --*/ dav_name) select 1, 1, (select current_user) || $q$\n'

type ForgedBackup = [name: string, statements: string, changed: string[], reason: RegExp]

const CASES: ForgedBackup[] = [
  ['trigger', `create trigger t after update on users begin delete from events; end`, [], /a trigger .* "t"/],
  ['view', `create view v as ${ENDLESS}`, [], /a view .* "v"/],
  ['view for a table', `drop table index_work; create view index_work as ${ENDLESS}`, [], /a view .* "index_work"/],
  ['view for the list', `drop table backup_tables; create view backup_tables as ${ENDLESS}`, [], /a view/],
  ['view for the migrations', `drop table migrations; create view migrations as ${ENDLESS}`, [], /is missing/],
  ['table', 'create table t (a)', [], /a table .* "t"/],
  ['virtual table', 'drop table traces; create virtual table traces using fts5(a)', [], /a table .* "traces/],
  [
    'column as SQL',
    `drop table gone_names; create table gone_names (revision, gone_at, "${AS_SQL}"); insert into gone_names values (1, 1, 'x')`,
    ['gone_names'],
    /a column .* gone_names/,
  ],
  ['generated column', 'alter table gone_names add column z as (1)', [], /a column .* gone_names/],
  [
    'unknown column',
    'alter table gone_names add column z text',
    ['gone_names'],
    /a column .* z in the table gone_names/,
  ],
  ['missing table', `drop table outbox; delete from backup_tables where name = 'outbox'`, [], /outbox is missing/],
  ['described table', `insert into backup_tables values ('x; --', 0, '')`, [], /unknown table/],
  ...['revision', 'accounts_revision', 'sync_floor'].map(
    (column): ForgedBackup => [
      `far ${column}`,
      `update calendar set ${column} = 9007199254740990`,
      ['calendar'],
      new RegExp(`${column} in the table calendar is 9007199254740990, higher than any of Daybook`),
    ],
  ),
  ['far version', 'update users set version = 9007199254740990', ['users'], /version in the table users is 9007/],
  ['negative revision', 'update calendar set revision = -1', ['calendar'], /revision in the table calendar is -1/],
  [
    'revision as text',
    `update calendar set revision = 'x'`,
    ['calendar'],
    /revision in the table calendar is no number/,
  ],
  ['far time', 'update backup set made_at = 9007199254740990', [], /made_at in the table backup is 9007/],
  ['other migrations', `delete from migrations where name like '003%'`, ['migrations'], /its migrations/],
]

test('F57: a backup with a schema that is not ours is refused, and an index of it is not used', () =>
  withWorld('sqlite', async (world) => {
    const backup = await makeBackup(world)
    for (const [name, statements, changed, reason] of CASES) {
      const path = forge(backup, statements, changed)
      for (const engine of ENGINES)
        await assert.rejects(
          withRestored(path, engine, { ...AT, keepsCredentials: true }, async () => {}),
          reason,
          `${name}, ${engine}`,
        )
    }
    const slow = forge(backup, 'create index i on events (length(hex(title || id)))')
    assert.ok(checkBackup(slow))
    await withRestored(slow, 'sqlite', { ...AT, keepsCredentials: true }, async (restored) =>
      assert.equal((await listForeign(restored)).length, 0),
    )
  }))

const listForeign = async ({ app }: World): Promise<unknown[]> =>
  (await sql`select name from sqlite_schema where name in ('i', 't', 'v', 'own')`.execute(app.ctx.storage.reads)).rows

test("an operator's own tables, views and triggers do not end up in a backup", () =>
  withWorld('sqlite', async (world) => {
    const { writes } = world.app.ctx.storage
    await sql`create table own (a text)`.execute(writes)
    await sql`create view v as select a from own`.execute(writes)
    await sql`create trigger t after insert on own begin delete from own; end`.execute(writes)
    const backup = await makeBackup(world)
    const { tables } = new DatabaseSync(backup, { readOnly: true })
      .prepare(`select count(*) as tables from sqlite_schema where type in ('view', 'trigger') or name = 'own'`)
      .get() as { tables: number }
    assert.equal(tables, 0)
    await withRestored(backup, 'sqlite', { ...AT, keepsCredentials: true }, async (restored) =>
      assert.equal((await listForeign(restored)).length, 0),
    )
  }))

test('F57: a pipe, a folder and a device are not read as a backup', async () => {
  const place = await makePlace('sqlite')
  const pipe = join(place.folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const path of [pipe, place.folder, '/dev/zero']) {
    const { code, stderr } = await runCommandBeside(['restore', path, '--dry-run'], place.folder, place.settings)
    assert.deepEqual([code, stderr], [1, `daybook restore: ${path} is not a regular file\n`])
  }
  assert.equal(existsSync(join(place.folder, 'data')), false)
  await place.remove()
})
