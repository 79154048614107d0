// `daybook backup` and `daybook restore` in real processes, beside a service under load.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { linkSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { waitFor } from '../support/measure/wait-for.ts'
import { runLoadedCommand } from '../support/processes/loaded-command.ts'
import { MAIN, makeEnvironment, runCommand, runCommandBeside, startService } from '../support/processes/process.ts'
import { fillLongTable } from '../support/storage/backups.ts'
import { type EmptyDatabase, type Engine, forEachEngine, makePlace } from '../support/storage/engines.ts'
import { databaseOn, onDatabase } from '../support/storage/template.ts'

const EMAIL = 'admin@example.org'
const PASSWORD = 'correct horse battery'
const headers = {
  authorization: `Basic ${Buffer.from(`${EMAIL}:${PASSWORD}`).toString('base64')}`,
  'content-type': 'application/json',
}

const makeAdmin = (place: EmptyDatabase): Promise<unknown> =>
  runCommandBeside(['admin', 'create', '--email', EMAIL, '--password-stdin'], place.folder, place.settings, PASSWORD)

/** Creates events one after the other until it is stopped; the ids are those that were acknowledged. */
function startWriting(base: string): { ids: string[]; untilMore(count: number): Promise<void>; stop(): Promise<void> } {
  const ids: string[] = []
  let isOver = false
  let failure: Error | undefined
  const done = (async () => {
    for (let i = 0; !isOver; i++) {
      const response = await fetch(`${base}/events`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ title: `event ${i}`, start: '2026-07-14T09:00', end: '2026-07-14T10:00' }),
      })
      assert.equal(response.status, 201)
      ids.push(((await response.json()) as { data: { id: string } }).data.id)
      await delay(20)
    }
  })()
  done.catch((error) => (failure = error))
  return {
    ids,
    async untilMore(count) {
      const enough = ids.length + count
      await waitFor(`${count} more events`, () => {
        if (failure) throw failure
        return ids.length >= enough
      })
    },
    stop() {
      isOver = true
      return done
    },
  }
}

/** Its bytes but for the version and the ETag, which are new after a restore. */
async function readEvent(base: string, id: string): Promise<string> {
  const response = await fetch(`${base}/events/${id}`, { headers })
  assert.equal(response.status, 200)
  return (await response.text()).replaceAll(/"(?:version|etag)":(?:\d+|"\\"[^"]+"")/g, '')
}

/** Runs `daybook backup`, and holds its process in the middle of the copy until `work` is done. */
async function backUpAround({ folder, settings }: EmptyDatabase, name: string, work: () => Promise<void>) {
  for (;;) {
    const child = spawn(process.execPath, [MAIN, 'backup', name], { cwd: folder, env: makeEnvironment(settings) })
    const output = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const) child[stream].on('data', (chunk) => (output[stream] += chunk))
    const ended = once(child, 'close')
    const isInMiddle = (): boolean => readUnfinishedBytes(folder, name) > COPYING_BYTES
    try {
      await waitFor('the backup is written', () => isInMiddle() || child.exitCode !== null, { everyMs: 1 })
      child.kill('SIGSTOP')
      const isHeld = isInMiddle()
      if (isHeld) await work()
      child.kill('SIGCONT')
      const [code] = await ended
      // On a busy machine it may be done before it is seen.
      if (isHeld || code !== 0) return { code, ...output }
    } finally {
      child.kill('SIGKILL')
    }
  }
}

/** More than the empty schema takes, and less than the long table. */
const COPYING_BYTES = 2 * 1_048_576

/** With the journals of the file. */
function readUnfinishedBytes(folder: string, name: string): number {
  const files = readdirSync(folder).filter((file) => file.startsWith(`${name}.`))
  return files.reduce((sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0), 0)
}

const otherThan = (engine: Engine): Engine => (engine === 'sqlite' ? 'postgres' : 'sqlite')

forEachEngine(
  'F34: writes go on while a backup is made, and it holds those acknowledged before it began',
  async (engine) => {
    const place = await makePlace(engine)
    const target = await makePlace(otherThan(engine))
    await fillLongTable(place, 50_000)
    const service = await startService(place.folder, { ...place.settings, DAYBOOK_RATE_LIMITS: 'off' })
    try {
      await makeAdmin(place)
      const writing = startWriting(service.base)
      await writing.untilMore(20)
      const before = [...writing.ids]
      const result = await backUpAround(place, 'all.backup', () => writing.untilMore(20))
      await writing.stop()
      assert.deepEqual([result.code, result.stderr], [0, ''])
      const [, stored] = /^(\d+) events and 1 account are in all\.backup\.\n$/.exec(result.stdout)!
      assert.ok(Number(stored) >= before.length && Number(stored) <= writing.ids.length, `${stored} events`)
      assert.equal(statSync(join(place.folder, 'all.backup')).mode & 0o777, 0o600)
      assert.deepEqual(
        readdirSync(place.folder).filter((name) => name.startsWith('all')),
        ['all.backup'],
      )
      const file = join(place.folder, 'all.backup')
      const restored = await runCommandBeside(['restore', file], target.folder, target.settings)
      assert.equal(restored.code, 0, restored.stderr)
      assert.match(restored.stdout, /^\d+ events and 1 account are restored into .*\.\nEveryone has to sign in again/)
      const second = await startService(target.folder, target.settings)
      try {
        for (const id of before) assert.equal(await readEvent(second.base, id), await readEvent(service.base, id))
      } finally {
        await second.kill()
      }
    } finally {
      await service.kill()
      await target.remove()
      await place.remove()
    }
  },
)

test('restore says what is wrong, and --dry-run changes nothing', async () => {
  const place = await makePlace('sqlite')
  const other = await makePlace('sqlite')
  try {
    await makeAdmin(place)
    const run = (...args: string[]) => runLoadedCommand(args, place.folder, place.settings)
    assert.match((await run('backup')).stdout, /^0 events and 1 account are in daybook-\d{4}-\d\d-\d\d\.backup\.\n$/)
    assert.equal((await run('backup', 'b')).code, 0)
    const cases: [args: string[], code: number, reason: RegExp][] = [
      [[], 2, /name the backup file/],
      [['none'], 1, /there is no file none/],
      [['b', '--into', 'mysql://x'], 2, /--into takes a postgres:\/\/ URL/],
      [['b', '--into', 'postgres://[x'], 2, /--into takes a postgres:\/\/ URL/],
      [['b', '--into', 'postgres://127.0.0.1:1/x'], 1, /cannot reach the database at 127\.0\.0\.1:1/],
      [['b'], 1, / is not empty: /],
    ]
    for (const [args, code, reason] of cases) {
      const result = await run('restore', ...args)
      assert.equal(result.code, code, result.stderr)
      assert.match(result.stderr, reason)
    }
    const dry = await runLoadedCommand(['restore', join(place.folder, 'b'), '--dry-run'], other.folder, other.settings)
    assert.equal(dry.code, 0, dry.stderr)
    assert.match(dry.stdout, /a backup of \d{4}-.*by Daybook \d.* from SQLite\.\n/)
    assert.match(dry.stdout, / 1 {2}users\n/)
    assert.deepEqual(readdirSync(other.folder), [])
    const open = await run('backup', 'open', '--without-secrets')
    assert.equal(open.stdout, '0 events and 1 account are in open, without secrets.\n')
    const file = join(place.folder, 'open')
    const said = await runLoadedCommand(['restore', file, '--dry-run'], other.folder, other.settings)
    assert.match(said.stdout, /\nIt was made without passwords, credentials and other secrets\.\n/)
    const restored = await runLoadedCommand(['restore', file], other.folder, other.settings)
    assert.match(restored.stdout, /everyone needs a new password.*\nThe first administrator.* admin grant --email/)
    const full = await run('backup', '/dev/full/x')
    assert.match(full.stderr, /cannot be written: a part of the path is not a folder \(ENOTDIR\)/)
    writeFileSync(join(place.folder, 'taken'), 'kept')
    assert.equal((await run('backup', 'taken')).code, 0, 'an existing file is replaced')
    assert.equal(runCommand(['backup', '-'], place.folder, place.settings).stdout.startsWith('SQLite format 3'), true)
  } finally {
    await other.remove()
    await place.remove()
  }
})

test('backup and export refuse to replace the database, under any name', async () => {
  const place = await makePlace('sqlite')
  try {
    const service = await startService(place.folder, place.settings)
    try {
      await makeAdmin(place)
      const database = join(place.folder, 'data', 'daybook.db')
      symlinkSync(database, join(place.folder, 'link'))
      linkSync(database, join(place.folder, 'hard'))
      symlinkSync(join(place.folder, 'data'), join(place.folder, 'folder'))
      const names = [
        'data/daybook.db',
        'data/daybook.db-wal',
        'data/daybook.db-shm',
        'link',
        'hard',
        'folder/daybook.db',
      ]
      for (const command of ['backup', 'export'])
        for (const name of names) {
          const { code, stderr } = await runLoadedCommand([command, name], place.folder, place.settings)
          assert.deepEqual(
            [code, stderr],
            [1, `daybook ${command}: ${name} is the calendar's own database. Name another file.\n`],
          )
        }
      assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
    } finally {
      await service.kill()
    }
    const { code } = await runLoadedCommand(['backup', 'data/daybook.db-wal'], place.folder, place.settings)
    assert.equal(code, 1, 'a journal that is not there')
  } finally {
    await place.remove()
  }
})

test('commands that read fail where there is no calendar, and create none', async () => {
  const place = await makePlace('sqlite')
  const server = await makePlace('postgres')
  try {
    const name = `daybook_${randomBytes(6).toString('hex')}`
    const { DAYBOOK_DATABASE_URL: url } = server.settings
    await onDatabase(url!, (client) => client.query(`create database ${name}`))
    writeFileSync(join(place.folder, 'good'), 'kept')
    writeFileSync(join(place.folder, 'a.ics'), 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n')
    const commands = [['backup', 'good'], ['backup', '-'], ['export', 'good'], ['export'], ['reindex']]
    const others = [
      ['admin', 'grant', '--email', EMAIL],
      ['import', '--dry-run', 'a.ics'],
    ]
    for (const args of [...commands, ...others]) {
      const { code, stderr, stdout } = await runLoadedCommand(args, place.folder, place.settings)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
      assert.match(stderr, /: there is no calendar in \S+data: run the command where the service runs/)
    }
    assert.deepEqual(readdirSync(place.folder).sort(), ['a.ics', 'good'])
    assert.equal(readFileSync(join(place.folder, 'good'), 'utf8'), 'kept')
    const empty = databaseOn(url!, name)
    const backup = await runLoadedCommand(['backup', 'good'], place.folder, { DAYBOOK_DATABASE_URL: empty })
    assert.deepEqual([backup.code, backup.stderr], [1, 'daybook backup: there is no calendar in this database\n'])
    const { rows } = await onDatabase(empty, (client) =>
      client.query(`select 1 from pg_tables where schemaname = 'public'`),
    )
    assert.equal(rows.length, 0)
    await onDatabase(url!, (client) => client.query(`drop database ${name} with (force)`))
  } finally {
    await server.remove()
    await place.remove()
  }
})
