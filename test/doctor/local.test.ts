// Checks of `daybook doctor` on the machine itself: settings, files, disk, database, index and time.
import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { rebuildTarget } from '../../src/actions/maintenance/reindex.ts'
import { describeFailure } from '../../src/doctor/checks/database.ts'
import { judgeSpace } from '../../src/doctor/checks/disk.ts'
import { checkClock, checkZoneData } from '../../src/doctor/checks/time.ts'
import { runCheck } from '../../src/doctor/run-checks.ts'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import { acceptClock, setTzVersion } from '../../src/storage/operations/instance.ts'
import type { Db } from '../../src/storage/tables.ts'
import { codesOf, examine } from '../support/processes/examine.ts'
import {
  type EmptyDatabase,
  type Engine,
  forEachEngine,
  makePlace,
  makeReadyPlace,
} from '../support/storage/engines.ts'
import { onDatabase } from '../support/storage/template.ts'
import { openWorld, type World, withWorld } from '../support/world.ts'

/** Nothing listens on port 9, so the service counts as stopped. */
const STOPPED = { DAYBOOK_PORT: '9' }

/** A calendar with two events that a service has used; `change` breaks something in it. */
async function withCalendar(
  engine: Engine,
  story: (place: EmptyDatabase) => Promise<void>,
  change: (db: Db, world: World) => Promise<unknown> = async () => {},
): Promise<void> {
  const place = await makeReadyPlace(engine)
  const file = join(place.settings.DAYBOOK_DATA_DIR!, 'daybook.db')
  if (existsSync(file)) chmodSync(file, 0o600)
  const world = await openWorld(engine, place, {})
  try {
    await world.writer.creates({ title: 'Choir', start: '2026-07-14T19:00', end: '2026-07-14T20:00' })
    await world.writer.creates({
      title: 'Yoga',
      start: '2026-07-15T09:00',
      end: '2026-07-15T10:00',
      rrule: 'FREQ=WEEKLY',
    })
    await inTransaction(world.app.ctx.storage, async (db) => {
      await setTzVersion(db, rebuildTarget(world.app.ctx, process.versions.tz!))
      await change(db, world)
    })
  } finally {
    await world.app.close()
  }
  try {
    await story(place)
  } finally {
    await place.remove()
  }
}

const fileIn = (place: EmptyDatabase, name: string): string => join(place.settings.DAYBOOK_DATA_DIR!, name)

forEachEngine('a healthy calendar has no finding but that the service is stopped', (engine) =>
  withCalendar(engine, async (place) => {
    for (const args of [[], ['--full']]) {
      const seen = await examine(place, STOPPED, args)
      assert.deepEqual([codesOf(seen), seen.level, seen.code], [['service_stopped'], 'warning', 3])
      assert.match(seen.find('index_ok')!.message, / 2 events /)
    }
  }),
)

test('the doctor creates, changes and leaves no file, and makes no calendar', async () => {
  await withCalendar('sqlite', async (place) => {
    const state = () =>
      readdirSync(place.settings.DAYBOOK_DATA_DIR!).map((name) => [
        name,
        readFileSync(fileIn(place, name)).toString('hex'),
      ])
    const before = state()
    await examine(place, STOPPED, ['--full'])
    assert.deepEqual(state(), before)
  })
  const place = await makePlace('sqlite')
  const seen = await examine(place, STOPPED)
  assert.deepEqual(codesOf(seen), ['database_not_created', 'service_stopped'])
  assert.deepEqual(readdirSync(place.folder), [])
  await place.remove()
})

test('settings: unknown names, refused values and contradictions are named', async () => {
  const place = await makePlace('sqlite')
  const file = join(place.folder, 'daybook.json')
  writeFileSync(
    file,
    JSON.stringify({ colour: 'red', proxy_header: 'forwarded', rate_limits: 'off', backup_keep: '9d' }),
  )
  const seen = await examine(place, { ...STOPPED, DAYBOOK_SHAPE: 'round', DAYBOOK_PUBLIC_URL: 'https://cal.example' })
  const messages = seen.findings.filter(({ area }) => area === 'configuration').map(({ message }) => message)
  assert.match(messages.join('\n'), /"DAYBOOK_SHAPE".*"colour"/s)
  for (const name of ['proxy_header', 'backup_keep'])
    assert.match(messages.join('\n'), new RegExp(`^${name} is set, but has no effect without`, 'm'))
  for (const code of ['rate_limits_off', 'https_unreachable'] as const) assert.ok(seen.find(code)?.advice, code)
  assert.equal(seen.code, 1)
  writeFileSync(file, '{ "port": ')
  assert.match((await examine(place)).find('config_invalid')!.message, /daybook\.json is not valid JSON/)
  rmSync(file)
  const refused = await examine(place, { DAYBOOK_PORT: 'eighty' })
  assert.match(refused.find('config_invalid')!.message, /^DAYBOOK_PORT: must be a number/)
  assert.equal(refused.code, 1)
  await place.remove()
})

test('files: open permissions and a foreign owner are named, with the file', () =>
  withCalendar('sqlite', async (place) => {
    const [folder, file] = [place.settings.DAYBOOK_DATA_DIR!, fileIn(place, 'daybook.db')]
    chmodSync(folder, 0o755)
    chmodSync(file, 0o644)
    const json = join(place.folder, 'daybook.json')
    writeFileSync(json, JSON.stringify({ smtp_url: 'smtp://me:planted-word@127.0.0.1:9' }), { mode: 0o644 })
    const seen = await examine(place, STOPPED)
    assert.deepEqual([seen.find('folder_open')!.path, seen.find('file_open')!.path], [folder, file])
    assert.match(seen.find('file_open')!.message, /can read daybook\.db \(mode 644\)/)
    assert.ok(seen.findings.some(({ code, path }) => code === 'file_open' && path === json))
    assert.doesNotMatch(seen.text, /planted-word/)
    writeFileSync(json, JSON.stringify({ metrics_token: 'planted-word-of-32-characters-or-more' }))
    const token = await examine(place, STOPPED)
    assert.ok(token.findings.some(({ code, path }) => code === 'file_open' && path === json))
    if (process.getuid?.() !== 0) return
    chownSync(file, 12_345, 12_345)
    const owned = await examine(place, STOPPED)
    assert.match(owned.find('file_owner')!.message, /belongs to another user \(12345\)/)
    assert.equal(owned.code, 1)
  }))

test('disk: little room is a warning, none a problem', () => {
  const judged = (freeMib: number, more = {}): string =>
    judgeSpace({ freeBytes: freeMib * 1_048_576, freeInodes: 1e6, databaseBytes: 0, ...more })[0]!.code
  assert.deepEqual([judged(10_000), judged(500), judged(31)], ['disk_ok', 'disk_low', 'disk_full'])
  assert.equal(judged(2_000, { databaseBytes: 3_000 * 1_048_576 }), 'disk_low')
  assert.match(
    judgeSpace({ freeBytes: 31 * 1_048_576, freeInodes: 1e6, databaseBytes: 0 }, 'backup_dir')[0]!.message,
    /^the disk of backup_dir has 31 MiB left/,
  )
  assert.deepEqual([judged(10_000, { freeInodes: 900 }), judged(10_000, { freeInodes: 1 })], ['disk_low', 'disk_full'])
})

forEachEngine('disk: the disk of backup_dir is checked too, where it is another one', (engine) =>
  withCalendar(engine, async (place) => {
    const messages = async (more: Record<string, string>): Promise<string[]> =>
      (await examine(place, { ...STOPPED, ...more })).findings
        .filter(({ area }) => area === 'disk')
        .map(({ message }) => message.replace(/[\d,]+ MiB/, 'n MiB'))
    const data = 'the disk of the data folder has n MiB left'
    assert.deepEqual(await messages({}), [data])
    assert.deepEqual(await messages({ DAYBOOK_BACKUP_DIR: join(place.folder, 'backups') }), [data], 'on the same disk')
    if (!existsSync('/proc/self')) return
    // A file system of its own on every Linux, without room.
    assert.deepEqual(await messages({ DAYBOOK_BACKUP_DIR: '/proc/backups' }), [
      data,
      'the disk of backup_dir has n MiB left; writing fails',
    ])
  }),
)

test('a damaged database file is found, and so is one that is no database', () =>
  withCalendar('sqlite', async (place) => {
    const file = fileIn(place, 'daybook.db')
    const { size } = statSync(file)
    const overwrite = (at: number, bytes: Buffer): void => {
      const handle = openSync(file, 'r+')
      writeSync(handle, bytes, 0, bytes.length, at)
      closeSync(handle)
    }
    overwrite(4_096, Buffer.alloc(Math.floor((size - 4_096) / 2), 0x5a))
    const seen = await examine(place, STOPPED)
    assert.match(seen.find('database_damaged')!.advice!, /daybook restore FILE/)
    assert.equal(seen.code, 1)
    overwrite(0, Buffer.from('This is not a database at all.'))
    assert.ok((await examine(place, STOPPED)).find('database_damaged'))
    rmSync(file)
    const missing = await examine(place, STOPPED)
    assert.match(missing.find('database_missing')!.message, /a calendar was stored there/)
    assert.deepEqual(readdirSync(place.settings.DAYBOOK_DATA_DIR!), ['.daybook-instance'])
  }))

test('rows that refer to missing rows are found', () =>
  withCalendar('sqlite', async (place) => {
    const { DatabaseSync } = await import('node:sqlite')
    const db = new DatabaseSync(fileIn(place, 'daybook.db'))
    db.exec('pragma foreign_keys = off; update occurrences set event_key = 77')
    db.close()
    assert.match((await examine(place, STOPPED)).find('references_broken')!.message, /in: occurrences/)
  }))

for (const isFirst of [true, false])
  test(`a full check of PostgreSQL finds rows without parents and wrong indexes in the ${isFirst ? 'first schema' : 'second schema'} of the search path`, () =>
    withCalendar(
      'postgres',
      async (place) => {
        const full = () => examine(place, STOPPED, ['--full'])
        assert.match(
          (await full()).find('database_ok')!.message,
          /reads every row, indexes match, references are whole/,
        )
        const url = place.settings.DAYBOOK_DATABASE_URL!
        const run = (text: string) => onDatabase(url, (client) => client.query(text))
        // The index was built by the function of before, as after a change of collations by a new C library.
        await run(
          `create or replace function folded (text) returns text language sql immutable as 'select $1 || ''x'''`,
        )
        await run('set session_replication_role = replica; update occurrences set event_key = 77')
        const seen = await full()
        assert.match(seen.find('database_index_invalid')!.message, /not those of their tables: events_folded$/)
        assert.match(seen.find('references_broken')!.message, /in: occurrences$/)
        await run('drop extension amcheck; drop function folded cascade')
        assert.equal((await full()).find('database_index_invalid'), undefined)
        const quick = await examine(place, STOPPED)
        assert.equal(quick.find('references_broken'), undefined, 'not without --full')
        assert.equal(
          quick.find('database_ok')!.message,
          'PostgreSQL answers, and the schema is that of this version (without --full, rows and references are not read)',
        )
        await run(`alter table events add foreign key (id) references users (id) not valid;
          update pg_index set indisvalid = false where indexrelid = 'occurrences_pkey'::regclass`)
        const broken = await examine(place, STOPPED)
        assert.match(broken.find('references_broken')!.message, /in: events$/)
        assert.match(broken.find('database_index_invalid')!.message, /not used by PostgreSQL: occurrences_pkey$/)
      },
      async (db) => {
        // The search path begins with the schema of the user's name.
        if (!isFirst) await sql`create schema authorization current_user`.execute(db)
        await sql`create extension amcheck`.execute(db)
        await sql`create function folded (text) returns text language sql immutable as 'select $1'`.execute(db)
        await sql`create index events_folded on events (folded(title))`.execute(db)
      },
    ))

test('a PostgreSQL server that does not answer, or refuses the password, is named without the password', async () => {
  const place = await makePlace('postgres')
  const url = new URL(place.settings.DAYBOOK_DATABASE_URL!)
  const unreachable = await examine(place, {
    ...STOPPED,
    DAYBOOK_DATABASE_URL: 'postgres://me:planted-word@127.0.0.1:9/x',
  })
  assert.match(unreachable.find('database_unreachable')!.message, /cannot be reached \(ECONNREFUSED\)/)
  url.username = 'nobody_of_this_name'
  url.password = 'planted-word'
  const refused = await examine(place, { ...STOPPED, DAYBOOK_DATABASE_URL: url.href })
  assert.ok(refused.find('database_unreachable')?.advice)
  for (const seen of [unreachable, refused]) assert.doesNotMatch(seen.text, /planted-word/)
  assert.deepEqual([unreachable.code, refused.code], [1, 1])
  await place.remove()
})

forEachEngine('an older schema is a warning, a newer one a problem, and neither is changed', async (engine) => {
  for (const [change, code, exit] of [
    [(db: Db) => db.deleteFrom('migrations').where('name', 'like', '015%').execute(), 'schema_outdated', 3],
    [(db: Db) => db.insertInto('migrations').values({ name: '999-later', applied_at: 0 }).execute(), 'schema_newer', 1],
  ] as const)
    await withCalendar(
      engine,
      async (place) => {
        const seen = await examine(place, STOPPED)
        assert.ok(seen.find(code)?.advice, code)
        assert.equal(seen.code, exit)
        assert.ok((await examine(place, STOPPED)).find(code), 'as before')
      },
      change,
    )
})

forEachEngine('a missing index row is found and named, and not repaired by looking', (engine) =>
  withCalendar(
    engine,
    async (place) => {
      const seen = await examine(place, STOPPED)
      assert.match(seen.find('index_wrong')!.message, /^1 event is derived wrongly: [0-9a-v]{26}$/)
      assert.match(seen.find('index_wrong')!.advice!, /daybook reindex/)
      assert.equal(seen.code, 1)
      assert.ok((await examine(place, STOPPED)).find('index_wrong'), 'as before')
    },
    (db) => db.deleteFrom('occurrences').where('local_at', '>', Date.parse('2027-01-01')).execute(),
  ),
)

forEachEngine('an event whose text cannot be read is found and named', (engine) =>
  withCalendar(
    engine,
    async (place) => {
      const seen = await examine(place, STOPPED)
      assert.match(seen.find('events_unreadable')!.message, /^1 event is not readable: /)
      assert.equal(seen.code, 1)
    },
    (db) => db.updateTable('events').set({ ical: 'BEGIN:NOTHING' }).where('is_recurring', '=', 1).execute(),
  ),
)

forEachEngine('rows of other time zone data are left to the next start', (engine) =>
  withCalendar(
    engine,
    async (place) => assert.ok((await examine(place, STOPPED)).find('index_outdated')),
    async (db) => {
      await setTzVersion(db, '2001a Europe/London 1')
      await db.deleteFrom('occurrences').execute()
    },
  ),
)

forEachEngine('a clock far from the last use of the calendar is a problem', async (engine) => {
  for (const [days, word] of [
    [-10, 'ahead of'],
    [10, 'behind'],
  ] as const)
    await withCalendar(
      engine,
      async (place) => {
        const seen = await examine(place, STOPPED)
        assert.match(seen.find('clock_in_doubt')!.message, new RegExp(`10 days ${word} the last time`))
        assert.equal(seen.code, 1)
      },
      (db) => acceptClock(db, Date.now() + days * 86_400_000),
    )
})

test('a clock that differs from that of PostgreSQL is a warning', () =>
  withWorld('postgres', async ({ app }) => {
    const inspection = { engine: 'postgres', db: app.ctx.storage.reads, close: async () => {} } as const
    const [late] = await checkClock(inspection, { local: () => Date.now() - 10_000 })
    assert.equal(late!.code, 'clock_drift')
    assert.match(late!.message, /1?[09]\.\d s behind that of PostgreSQL/)
    assert.equal((await checkClock(inspection, { local: Date.now }))[0]!.code, 'clock_ok')
  }))

test('a check that fails unexpectedly is named by its kind only, and the others go on', async () => {
  const failure = Object.assign(new TypeError('password planted-word'), { code: 'ERR_X' })
  const [seen] = await runCheck('mail', () => Promise.reject(failure))
  assert.deepEqual([seen!.code, seen!.area, seen!.level], ['check_failed', 'mail', 'problem'])
  assert.equal(seen!.message, 'this could not be checked (TypeError ERR_X)')
  assert.equal(describeFailure(failure).area, 'database')
})

test('old time zone data is a warning', () =>
  withWorld('sqlite', async ({ app }) => {
    const at = Date.parse('2026-11-18')
    const judged = (tz: string) => checkZoneData(app.ctx.config, at, { tz })[0]!.code
    assert.deepEqual(
      [judged('2026a'), judged('2025c'), judged('2024b')],
      ['zone_data_ok', 'zone_data_ok', 'zone_data_old'],
    )
  }))
