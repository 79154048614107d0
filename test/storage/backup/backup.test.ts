// Backup and restore: the same answers from either engine, and nothing that was revoked comes back.
import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sql } from 'kysely'
import { loadConfig } from '../../../src/config.ts'
import { checkBackup } from '../../../src/storage/backup/backup-file.ts'
import { restoreIntoPostgres, restoreIntoSqlite } from '../../../src/storage/backup/restore-backup.ts'
import { COPIED_TABLES, LEFT_OUT_TABLES } from '../../../src/storage/backup/tables.ts'
import { writeBackup } from '../../../src/storage/backup/write-backup.ts'
import { openStorage } from '../../../src/storage/engine/open.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { davOf } from '../../support/http/dav.ts'
import { AT, HEADER, makeBackup, SYNC, tokenIn, withRestored } from '../../support/storage/backups.ts'
import { ENGINES, forEachEngine, makePlace } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

async function fill({ writer, admin }: World): Promise<void> {
  const weekly = { start: '2026-07-01T19:00', end: '2026-07-01T20:00', rrule: 'FREQ=WEEKLY' }
  const series = await writer.creates({
    title: 'Choir, “practice”',
    visibility: 'public',
    category: 'Music',
    ...weekly,
  })
  await writer.delete(`/events/${series.id}/occurrences/20260708T190000`)
  await writer.patch(`/events/${series.id}/occurrences/20260715T190000`, { title: 'Concert 🎶', version: 2 })
  await writer.creates({ title: 'zqsecret', description: 'zqwords', visibility: 'private', ...weekly })
  const gone = await writer.creates({ title: 'gone', start: '2026-07-02', end: '2026-07-03', all_day: true })
  await writer.delete(`/events/${gone.id}`)
  const sent = eventText('sent', 'X-UNKNOWN;X-P="a;b":kept as it was', 'DESCRIPTION:line\\none\\, two')
  assert.equal((await davOf(writer).put(`${MAIN}sent ö.ics`, sent)).status, 201)
  const mail = { smtp_url: 'smtp://post@mail.example.org:587', smtp_password: 'zqpassword' }
  const changed = await admin.patch('/admin/settings', { site_name: 'Parish', ...mail, version: 1 })
  assert.equal(changed.status, 200)
}

/** Responses that must be the same byte for byte. */
async function askAll({ reader, writer, admin, anonymous, app }: World): Promise<Record<string, string>> {
  const list = await reader.get('/events?from=2026-07-01&to=2026-09-01')
  const ids: string[] = [...new Set<string>(list.body.data.map(({ id }: { id: string }) => id))]
  const texts: Record<string, string> = {
    list: JSON.stringify(list.body.data),
    'public list': JSON.stringify((await anonymous.get('/public/events?from=2026-07-01&to=2026-09-01')).body.data),
    feed: (await anonymous.get('/public/calendar.ics')).text,
    export: (await admin.get('/admin/export.ics')).text,
    accounts: (await admin.get('/admin/users')).text,
    settings: JSON.stringify(app.ctx.config.stored),
    'mail password': app.ctx.config.smtp?.password ?? '',
    object: (await davOf(writer).get(`${MAIN}sent%20%C3%B6.ics`)).text,
  }
  for (const id of ids) {
    texts[id] = (await reader.get(`/events/${id}`)).text
  }
  return texts
}

/** Versions and ETags are new, unless nothing was written since the backup. */
function withoutVersions(texts: Record<string, string>): Record<string, string> {
  const isNew = /"(?:version|etag)":(?:\d+|"\\"[^"]+"")/g
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.replaceAll(isNew, '')]))
}

forEachEngine('a restored calendar gives the same answers, on either engine', (engine) =>
  withWorld(engine, async (world) => {
    await fill(world)
    const before = await askAll(world)
    assert.ok(Object.keys(before).length >= 11)
    assert.equal(before['mail password'], 'zqpassword')
    assert.match(before.feed!, /^NAME:Parish\r$/m)
    const backup = await makeBackup(world)
    assert.equal(statSync(backup).mode & 0o777, 0o600)
    for (const target of ENGINES) {
      await withRestored(backup, target, { ...AT, keepsCredentials: true }, async (moved) => {
        assert.deepEqual(await askAll(moved), before, target)
      })
      await withRestored(backup, target, { ...AT, keepsCredentials: false }, async (restored) => {
        const after = await askAll(restored)
        assert.deepEqual(withoutVersions(after), withoutVersions(before), target)
        assert.notDeepEqual(after, before)
        await restored.writer.creates({ title: 'new', start: '2026-07-20T09:00', end: '2026-07-20T10:00' })
        // A backup of the restored one holds the same rows and the new event.
        const again = checkBackup(await makeBackup(restored))
        const [events, first] = [again.rows.get('events')!, checkBackup(backup).rows.get('events')!]
        assert.equal(events, first + 1)
      })
    }
  }),
)

forEachEngine('every table is copied or left out on purpose', (engine) =>
  withWorld(engine, async ({ app }) => {
    const tables = await app.ctx.storage.reads.introspection.getTables()
    const found = tables.filter(({ isView }) => !isView).map(({ name }) => name)
    assert.deepEqual(found.sort(), [...COPIED_TABLES, ...LEFT_OUT_TABLES].sort())
  }),
)

forEachEngine('rows that migrations insert are there after a restore', async (engine) => {
  const fresh = await makePlace(engine)
  const config = loadConfig({ ...fresh.settings, DAYBOOK_LOG_LEVEL: 'silent' }, fresh.folder)
  const storage = await openStorage(config)
  const filled: string[] = []
  for (const table of [...COPIED_TABLES, ...LEFT_OUT_TABLES])
    if ((await storage.reads.selectFrom(table).selectAll().execute()).length > 0) filled.push(table)
  const backup = join(fresh.folder, 'empty.backup')
  await writeBackup(storage, join(config.dataDir, 'daybook.db'), backup, HEADER)
  await storage.close()
  assert.deepEqual(filled, ['migrations', 'calendar', 'instance', 'backup_state'])
  for (const target of ENGINES)
    await withRestored(backup, target, { ...AT, keepsCredentials: false }, async ({ app }) => {
      for (const table of filled as 'calendar'[])
        assert.ok((await app.ctx.storage.reads.selectFrom(table).selectAll().execute()).length > 0, table)
    })
  await fresh.remove()
})

forEachEngine('F35: credentials of a backup are dead after a restore, and clients sync from the beginning', (engine) =>
  withWorld(engine, async (world) => {
    await fill(world)
    const browser = await world.signIn('writer@example.org')
    const { body: made } = await browser.post('/auth/app-passwords', { name: 'Phone' })
    const phoneOf = ({ as }: World) => davOf(as('writer@example.org', made.data.password))
    const first = await phoneOf(world).report(MAIN, SYNC(''))
    assert.equal(first.status, 207)
    const backup = await makeBackup(world)
    await world.writer.creates({ title: 'since', start: '2026-07-21T09:00', end: '2026-07-21T10:00' })
    const token = tokenIn((await phoneOf(world).report(MAIN, SYNC(tokenIn(first.text)))).text)
    for (const target of ENGINES) {
      await withRestored(backup, target, { ...AT, keepsCredentials: false }, async (restored) => {
        assert.equal((await restored.with({ cookie: browser.cookie }).get('/auth/session')).status, 401)
        assert.equal((await phoneOf(restored).report(MAIN, SYNC(''))).status, 401)
      })
      await withRestored(backup, target, { ...AT, keepsCredentials: true }, async (restored) => {
        for (const old of [token, tokenIn(first.text)]) {
          for (let changes = 0; changes < 3; changes++) {
            const { status, errors } = await phoneOf(restored).report(MAIN, SYNC(old))
            assert.deepEqual([status, errors], [403, ['D:valid-sync-token']])
            await restored.writer.creates({ title: 'more', start: '2026-07-22T09:00', end: '2026-07-22T10:00' })
          }
        }
        assert.equal((await phoneOf(restored).report(MAIN, SYNC(''))).status, 207)
      })
    }
  }),
)

test('no word of a session, a mailed link or a counter stays in the file', () =>
  withWorld('sqlite', async (world) => {
    await world.signIn('writer@example.org')
    const { hash } = await world.app.ctx.storage.reads.selectFrom('sessions').select('hash').executeTakeFirstOrThrow()
    const bytes = readFileSync(await makeBackup(world))
    assert.equal(bytes.includes(hash), false)
  }))

test('a file that is no backup, damaged, changed, cut or newer is refused with the reason', () =>
  withWorld('sqlite', async (world) => {
    await fill(world)
    const backup = await makeBackup(world)
    const copyOf = (change: (path: string) => void): string => {
      const path = `${backup}.${Math.random()}`
      copyFileSync(backup, path)
      change(path)
      return path
    }
    const inside = (text: string) => (path: string) => {
      const db = new DatabaseSync(path)
      db.exec(text)
      db.close()
    }
    const cases: [name: string, path: string, reason: RegExp][] = [
      ['text', copyOf((path) => writeFileSync(path, 'BEGIN:VCALENDAR\r\n')), /is not a backup of Daybook/],
      ['empty', copyOf((path) => truncateSync(path, 0)), /is not a backup of Daybook/],
      ['other database', copyOf(inside('drop table backup')), /is not a backup of Daybook/],
      ['cut', copyOf((path) => truncateSync(path, statSync(path).size / 2)), /is damaged/],
      ['changed row', copyOf(inside(`update events set title = 'x'`)), /is damaged: the table events was changed/],
      ['missing row', copyOf(inside('pragma foreign_keys = off; delete from users')), /is damaged/],
      [
        'newer version',
        copyOf(inside(`insert into migrations values ('999-later', 0)`)),
        /a newer version\. Restore it with/,
      ],
      ['newer format', copyOf(inside(`update backup set format = 99, program = '9.0'`)), /by Daybook 9\.0, in a newer/],
    ]
    for (const [name, path, reason] of cases) assert.throws(() => checkBackup(path), reason, name)
    assert.equal(checkBackup(backup).engine, 'sqlite')
  }))

forEachEngine('a database with events or accounts is not restored into, and stays as it was', (engine) =>
  withWorld(engine, async (world) => {
    await fill(world)
    const backup = await makeBackup(world)
    const before = await askAll(world)
    const { storage } = world.app.ctx
    const path = join(world.place.settings.DAYBOOK_DATA_DIR!, 'daybook.db')
    const options = { ...AT, keepsCredentials: true }
    await assert.rejects(
      engine === 'sqlite'
        ? restoreIntoSqlite(backup, path, options)
        : restoreIntoPostgres(backup, storage, join(world.place.folder, 'staged.db'), options),
      /not empty/,
    )
    assert.deepEqual(await askAll(world), before)
    assert.equal(existsSync(join(world.place.folder, 'staged.db')), false)
  }),
)

test('a restore removes the empty journal of a former database, and leaves no other file', () =>
  withWorld('sqlite', async (world) => {
    await fill(world)
    const backup = await makeBackup(world)
    const place = await makePlace('sqlite')
    const data = place.settings.DAYBOOK_DATA_DIR!
    mkdirSync(data)
    writeFileSync(join(data, 'daybook.db-wal'), '')
    copyFileSync(backup, join(data, 'daybook.db-shm'))
    await restoreIntoSqlite(backup, join(data, 'daybook.db'), { ...AT, keepsCredentials: false })
    assert.deepEqual(readdirSync(data), ['daybook.db'])
    await place.remove()
  }))

test('a backup of PostgreSQL is whole where the tables are not in the first schema of the search path', () =>
  withWorld('postgres', async (world) => {
    const run = (text: string) => sql.raw(text).execute(world.app.ctx.storage.writes)
    await fill(world)
    const before = await askAll(world)
    await run('create schema authorization current_user')
    try {
      await withRestored(await makeBackup(world), 'postgres', { ...AT, keepsCredentials: true }, async (restored) => {
        assert.deepEqual(await askAll(restored), before)
      })
      await run('alter table public.gone_names rename to elsewhere')
      await assert.rejects(makeBackup(world), /^Error: the table gone_names is in no schema of the search path/)
      await run('alter table public.elsewhere rename to gone_names')
    } finally {
      await run(`do $$ begin execute format('drop schema %I', current_user); end $$`)
    }
  }))

test('a restore that PostgreSQL breaks off leaves an empty database', () =>
  withWorld('sqlite', async (world) => {
    await fill(world)
    const backup = await makeBackup(world)
    const place = await makePlace('postgres')
    const config = loadConfig({ ...place.settings, DAYBOOK_LOG_LEVEL: 'silent' }, place.folder)
    const storage = await openStorage(config)
    try {
      await sql`create function refuse() returns trigger language plpgsql as
        'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'`.execute(storage.writes)
      await sql`create trigger refuse before insert on gone_names execute function refuse()`.execute(storage.writes)
      const options = { ...AT, keepsCredentials: false }
      await assert.rejects(restoreIntoPostgres(backup, storage, join(place.folder, 'staged.db'), options))
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from events`.execute(storage.reads)
      assert.deepEqual(rows, [{ n: 0 }])
      await sql`drop trigger refuse on gone_names`.execute(storage.writes)
      await restoreIntoPostgres(backup, storage, join(place.folder, 'staged.db'), options)
    } finally {
      await storage.close()
      await place.remove()
    }
  }))
