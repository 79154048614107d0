// `daybook restore` as a command: which database it writes to, and what it says when it cannot.
import assert from 'node:assert/strict'
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { checkBackup } from '../../src/storage/backup/backup-file.ts'
import { makeOldPlace } from '../storage/upgrades/old-calendar.ts'
import { runLoadedCommand } from '../support/processes/loaded-command.ts'
import {
  type EmptyDatabase,
  type Engine,
  forEachEngine,
  makePlace,
  makeReadyPlace,
} from '../support/storage/engines.ts'
import { onDatabase } from '../support/storage/template.ts'

/** A backup of a calendar without events, in a folder of its own. */
async function withBackup(story: (backup: string) => Promise<void>): Promise<void> {
  const source = await makeReadyPlace('sqlite')
  try {
    assert.equal((await runLoadedCommand(['backup', 'whole'], source.folder, source.settings)).code, 0)
    await story(join(source.folder, 'whole'))
  } finally {
    await source.remove()
  }
}

const MIGRATIONS = 'select name from migrations order by name'

async function listMigrations(engine: Engine, { settings }: EmptyDatabase): Promise<unknown[]> {
  if (engine === 'postgres')
    return onDatabase(settings.DAYBOOK_DATABASE_URL!, async (client) => (await client.query(MIGRATIONS)).rows)
  const db = new DatabaseSync(join(settings.DAYBOOK_DATA_DIR!, 'daybook.db'), { readOnly: true })
  try {
    return db.prepare(MIGRATIONS).all()
  } finally {
    db.close()
  }
}

/** Every file of the data folder with its content. */
function readData({ settings }: EmptyDatabase): [name: string, content: string][] {
  const data = settings.DAYBOOK_DATA_DIR!
  return readdirSync(data).map((name) => [name, readFileSync(join(data, name)).toString('base64')])
}

for (const schema of [1, 2, 3, 4, 5])
  forEachEngine(`a backup of a calendar of schema ${schema} leaves its schema, and can be restored`, async (engine) => {
    const place = await makeOldPlace(engine, schema)
    const target = await makePlace(engine)
    try {
      const before = await listMigrations(engine, place)
      for (const flags of [['--without-secrets'], []]) {
        const made = await runLoadedCommand(['backup', 'old', ...flags], place.folder, place.settings)
        assert.deepEqual([made.code, made.stderr], [0, ''])
      }
      assert.deepEqual(await listMigrations(engine, place), before)
      const backup = join(place.folder, 'old')
      const { migrations, rows } = checkBackup(backup)
      assert.equal(migrations.length, schema)
      assert.ok(rows.get('events')! > 10)
      const restored = await runLoadedCommand(['restore', backup], target.folder, target.settings)
      assert.deepEqual([restored.code, restored.stderr], [0, ''])
    } finally {
      await target.remove()
      await place.remove()
    }
  })

forEachEngine('a calendar of an older version is unchanged after a restore into it was refused', (engine) =>
  withBackup(async (backup) => {
    const place = await makeOldPlace(engine, 3)
    try {
      const before = [readData(place), await listMigrations(engine, place)]
      const { code, stderr } = await runLoadedCommand(['restore', backup], place.folder, place.settings)
      assert.match(stderr, / is not empty: /)
      assert.equal(code, 1)
      assert.deepEqual([readData(place), await listMigrations(engine, place)], before)
    } finally {
      await place.remove()
    }
  }),
)

forEachEngine('a restore and its rehearsal name the database that is written to, without its password', (engine) =>
  withBackup(async (backup) => {
    const place = await makePlace(engine)
    try {
      const address = place.settings.DAYBOOK_DATABASE_URL
      const url = address ? new URL(address) : undefined
      // The server of the tests asks for none.
      if (url) url.password = 'planted-word'
      const settings = url ? { ...place.settings, DAYBOOK_DATABASE_URL: url.href } : place.settings
      const target = url
        ? `the PostgreSQL database ${url.pathname.slice(1)} on ${url.searchParams.get('host') ?? url.hostname}:${url.port || 5432}`
        : join(place.settings.DAYBOOK_DATA_DIR!, 'daybook.db')
      const run = (...args: string[]) => runLoadedCommand(['restore', backup, ...args], place.folder, settings)
      const dry = await run('--dry-run')
      assert.ok(dry.stdout.endsWith(`Without --dry-run it would be restored into ${target}.\n`), dry.stdout)
      const restored = await run()
      assert.match(restored.stdout, /^0 events and 0 accounts are restored into /)
      assert.ok(restored.stdout.includes(` are restored into ${target}.\n`), restored.stdout)
      for (const { stdout, stderr } of [dry, restored]) assert.doesNotMatch(stdout + stderr, /planted-word/)
      if (url)
        assert.ok(
          (await run('--dry-run', '--into', 'postgres://me:planted-word@db.example/club')).stdout.endsWith(
            'restored into the PostgreSQL database club on db.example:5432.\n',
          ),
        )
    } finally {
      await place.remove()
    }
  }),
)

test('a restore that is refused because the database is not empty names it', () =>
  withBackup(async (backup) => {
    const place = await makeOldPlace('sqlite', 5)
    try {
      const { stderr } = await runLoadedCommand(['restore', backup], place.folder, place.settings)
      assert.ok(stderr.includes(join(place.settings.DAYBOOK_DATA_DIR!, 'daybook.db')), stderr)
    } finally {
      await place.remove()
    }
  }))

/** Leaves the files as a process that is killed does: what was committed last is in the -wal only. */
function leaveCrashed(path: string): void {
  const db = new DatabaseSync(path)
  db.exec(`pragma journal_mode = wal; pragma wal_autocheckpoint = 0; update calendar set revision = 7;
    insert into users (id, email, email_key, display_name, password_hash, role, approval_state, created_at, version)
    values ('late', 'late@example.org', 'late@example.org', 'late', '', 'admin', 'approved', 0, 1)`)
  const files = [path, `${path}-wal`]
  for (const file of files) copyFileSync(file, `${file}.crashed`)
  db.close()
  for (const file of files) renameSync(`${file}.crashed`, file)
}

test('F42: restores after a crash lose nothing, whichever files are moved away after a refusal', () =>
  withBackup(async (backup) => {
    const place = await makeReadyPlace('sqlite')
    const data = place.settings.DAYBOOK_DATA_DIR!
    const [path, moved] = [join(data, 'daybook.db'), join(place.folder, 'before')]
    const listFiles = () => readdirSync(data).filter((name) => /^daybook\.db(?!-shm)/.test(name))
    try {
      leaveCrashed(path)
      mkdirSync(moved)
      const run = () => runLoadedCommand(['restore', backup], place.folder, place.settings)
      const full = await run()
      assert.equal(
        full.stderr,
        `daybook restore: ${path} is not empty: it has events or accounts. Stop the service, move ${path}* to another folder, then restore again. Nothing was changed.\n`,
      )
      renameSync(path, join(moved, 'daybook.db'))
      const wal = readFileSync(`${path}-wal`)
      const orphaned = await run()
      assert.equal(orphaned.code, 1)
      assert.ok(
        orphaned.stderr.startsWith(`daybook restore: ${path} is missing or empty, but ${path}-wal `),
        orphaned.stderr,
      )
      assert.match(orphaned.stderr, /Move it to the folder .* Nothing was changed\.\n$/)
      assert.deepEqual(listFiles(), ['daybook.db-wal'])
      assert.deepEqual(readFileSync(`${path}-wal`), wal)
      renameSync(`${path}-wal`, join(moved, 'daybook.db-wal'))
      assert.deepEqual((await run()).stderr, '')
      assert.deepEqual(listFiles(), ['daybook.db'])
      const before = new DatabaseSync(join(moved, 'daybook.db'))
      assert.deepEqual(before.prepare('select id from users').all(), [{ __proto__: null, id: 'late' }])
      before.close()
    } finally {
      await place.remove()
    }
  }))

/** Overwrites the file from this byte on, up to its middle. */
function damage(path: string, from: number): void {
  const { size } = statSync(path)
  const handle = openSync(path, 'r+')
  writeSync(handle, Buffer.alloc(Math.floor(size / 2), 0x5a), 0, Math.floor(size / 2) - from, from)
  closeSync(handle)
}

for (const [part, from] of [
  ['header', 0],
  ['schema', 100],
  ['tables', 4_096],
] as const)
  test(`commands on a SQLite file with a damaged ${part} name it and say what to do, and doing it helps`, () =>
    withBackup(async (backup) => {
      const place = await makeReadyPlace('sqlite')
      const data = place.settings.DAYBOOK_DATA_DIR!
      const path = join(data, 'daybook.db')
      try {
        damage(path, from)
        const run = (...args: string[]) => runLoadedCommand(args, place.folder, place.settings)
        const before = readFileSync(path)
        const { code, stderr } = await run('restore', backup)
        assert.equal(code, 1)
        assert.match(
          stderr,
          /^daybook restore: (\S+daybook\.db) is damaged: .*\. Stop the service, move \1\* to another folder, then restore again\. Nothing was changed\.\n$/,
        )
        assert.deepEqual(readFileSync(path), before)
        const copied = await run('backup', 'copy')
        assert.match(copied.stderr, /the database is damaged; restore a backup \(SQLite \d+: .*\)\n$/)
        const advice = JSON.parse((await run('doctor', '--json')).stdout).findings.find(
          (finding: { code: string }) => finding.code === 'database_damaged',
        ).advice
        assert.match(
          advice,
          /^Stop the service, move daybook\.db\* to another folder, and restore a backup: .*restore FILE/,
        )
        for (const name of readdirSync(data).filter((name) => name.startsWith('daybook.db')))
          renameSync(join(data, name), join(place.folder, name))
        assert.deepEqual((await run('restore', backup)).stderr, '')
      } finally {
        await place.remove()
      }
    }))
