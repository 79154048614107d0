// Backups, restores and copies of a pipe that cannot be written: the reason in one line, and nothing half done.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { loadConfig } from '../../src/config.ts'
import { openStorage } from '../../src/storage/engine/open.ts'
import { runLoadedCommand } from '../support/processes/loaded-command.ts'
import { MAIN, makeEnvironment } from '../support/processes/process.ts'
import { makeBackup } from '../support/storage/backups.ts'
import { forEachEngine, makePlace, makeReadyPlace } from '../support/storage/engines.ts'
import { openWorld } from '../support/world.ts'

/** A namespace of its own may mount file systems, also without the rights of root where the machine allows it. */
const NAMESPACE = process.getuid?.() === 0 ? ['-m'] : ['-rm']
const MOUNT = 'mount -t tmpfs -o size=100k tmpfs small && mount -t tmpfs -o ro tmpfs fixed'
const RUN = `"${process.execPath}" "${MAIN}"`
const MAY_MOUNT = spawnSync('unshare', [...NAMESPACE, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
const NEEDS_MOUNT = 'needs unshare and the right to mount'

/** Runs the commands of the script in a namespace of its own; returns what they print. */
function runInNamespace(script: string, folder: string, settings: Record<string, string>): string {
  const { stdout, status } = spawnSync('unshare', [...NAMESPACE, 'sh', '-c', `exec 2>&1; ${script}`], {
    cwd: folder,
    env: makeEnvironment(settings),
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout)
  return stdout.replaceAll(folder, '…')
}

test('a full disk and a folder that cannot be written are named, and leave no file', async (t) => {
  if (!MAY_MOUNT) return t.skip(NEEDS_MOUNT)
  const place = await makeReadyPlace('sqlite')
  try {
    assert.equal((await runLoadedCommand(['backup', 'whole'], place.folder, place.settings)).code, 0)
    for (const name of ['small', 'fixed']) mkdirSync(join(place.folder, name))
    const commands = [
      `${RUN} backup small/a`,
      `TMPDIR=$PWD/small ${RUN} backup -`,
      `DAYBOOK_DATA_DIR=$PWD/small/data ${RUN} restore whole`,
      `${RUN} backup fixed/a`,
      `head -c 300000 /dev/zero | TMPDIR=$PWD/small ${RUN} import -`,
      `mkfifo pipe; head -c 300000 /dev/zero >pipe & TMPDIR=$PWD/small ${RUN} import pipe`,
      `echo | TMPDIR=$PWD/fixed ${RUN} import -`,
      `echo | TMPDIR=$PWD/missing ${RUN} import -`,
      `${RUN} import - 0>unreadable`,
      'find small fixed -type f',
    ]
    const printed = runInNamespace(`${MOUNT} || exit 9; ${commands.join('; ')}`, place.folder, place.settings)
    assert.deepEqual(printed.split('\n'), [
      'daybook backup: small/a cannot be written: the disk is full (ENOSPC)',
      'daybook backup: …/small cannot be written: the disk is full (ENOSPC)',
      'daybook restore: …/small/data cannot be written: the disk is full (ENOSPC). Nothing is half restored: run the command again.',
      'daybook backup: fixed/a cannot be written: the file system is read-only (EROFS)',
      'daybook import: …/small cannot be written: the disk is full (ENOSPC)',
      'daybook import: …/small cannot be written: the disk is full (ENOSPC)',
      'daybook import: …/fixed cannot be written: the file system is read-only (EROFS)',
      'daybook import: …/missing cannot be written: the folder does not exist (ENOENT)',
      'daybook import: standard input cannot be read: EBADF',
      '',
    ])
  } finally {
    await place.remove()
  }
})

forEachEngine(
  'a disk that fills up while a backup is restored is named, and the backup is not blamed',
  async (engine, context) => {
    if (!MAY_MOUNT) return context.skip(NEEDS_MOUNT)
    const source = await openWorld('sqlite', await makePlace('sqlite'))
    const place = await makePlace(engine)
    try {
      const description = 'A long description of what happens there. '.repeat(40)
      for (let i = 0; i < 300; i++)
        await source.writer.creates({ title: `${i}`, start: '2026-07-14T09:00', end: '2026-07-14T10:00', description })
      const backup = await makeBackup(source)
      mkdirSync(join(place.folder, 'small'))
      // The empty schema fits, and the events do not.
      const mount = 'mount -t tmpfs -o size=1m tmpfs small || exit 9'
      const target = `DAYBOOK_DATA_DIR=$PWD/small TMPDIR=$PWD/small`
      const printed = runInNamespace(
        `${mount}; ${target} ${RUN} restore ${backup}; ls small`,
        place.folder,
        place.settings,
      )
      assert.equal(
        printed,
        'daybook restore: …/small cannot be written: the disk is full (ENOSPC). Nothing is half restored: run the command again.\n',
      )
    } finally {
      await source.app.close()
      await source.place.remove()
      await place.remove()
    }
  },
)

test('a restore that PostgreSQL breaks off says so, and restores nothing', async () => {
  const source = await makeReadyPlace('sqlite')
  const place = await makePlace('postgres')
  const storage = await openStorage(loadConfig({ ...place.settings, DAYBOOK_LOG_LEVEL: 'silent' }, place.folder))
  try {
    const backup = join(source.folder, 'whole')
    assert.equal((await runLoadedCommand(['backup', backup], source.folder, source.settings)).code, 0)
    await sql`create function refuse() returns trigger language plpgsql as
      'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'`.execute(storage.writes)
    await sql`create trigger refuse before insert on migrations execute function refuse()`.execute(storage.writes)
    const before = await storage.reads.selectFrom('instance').selectAll().execute()
    const { code, stderr } = await runLoadedCommand(['restore', backup], place.folder, place.settings)
    assert.deepEqual(
      [code, stderr],
      [
        1,
        'daybook restore: the connection to the database was lost. Nothing is half restored: run the command again.\n',
      ],
    )
    assert.deepEqual(await storage.reads.selectFrom('instance').selectAll().execute(), before)
  } finally {
    await storage.close()
    await place.remove()
    await source.remove()
  }
})
