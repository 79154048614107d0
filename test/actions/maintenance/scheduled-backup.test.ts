// Scheduled backups: made when due, kept as set, and administrators learn when they fail.
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { deleteExpiredBackups } from '../../../src/actions/maintenance/expired-backups.ts'
import { backUpIfDue, readBackupHealth } from '../../../src/actions/maintenance/scheduled-backup.ts'
import { backupNameAt } from '../../../src/domain/backup-schedule.ts'
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../src/domain/time/instant.ts'
import { formatUtc } from '../../../src/domain/time/text.ts'
import { createLog } from '../../../src/ops/log.ts'
import { checkBackup } from '../../../src/storage/backup/backup-file.ts'
import { acceptClock } from '../../../src/storage/operations/instance.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { startService } from '../../support/processes/process.ts'
import { forEachEngine, makePlace } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

async function withFolder(story: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-backups-'))
  try {
    await story(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const never = new AbortController().signal

const writeEmpty = async (path: string): Promise<void> => writeFileSync(path, '')

/** Empty backups of so many days, the last one begun at that time. */
function writeDaily(folder: string, lastAt: Instant, count: number): string[] {
  const names = Array.from({ length: count }, (_, day) => backupNameAt(lastAt - day * DAY_MS))
  for (const name of names) writeFileSync(join(folder, name), '')
  return names
}

const mailsOf = async ({ app }: World): Promise<number> =>
  (await app.ctx.storage.reads.selectFrom('outbox').select('id').where('kind', '=', 'backup_failed').execute()).length

forEachEngine('a backup is made when one is due, and old ones are deleted', (engine) =>
  withFolder((folder) =>
    withWorld(
      engine,
      async ({ app, clock }) => {
        const made: string[] = []
        const run = async (path: string): Promise<void> => {
          made.push(path)
          writeFileSync(path, '')
        }
        writeFileSync(join(folder, 'notes.txt'), '')
        const round = () => backUpIfDue(app.ctx, run, never)
        await round()
        await round()
        assert.equal(made.length, 1)
        clock.at += 6 * HOUR_MS
        await round()
        assert.equal(made.length, 2)
        for (let day = 0; day < 5; day++) {
          clock.at += DAY_MS
          await round()
        }
        assert.equal(made.length, 7)
        assert.equal(readdirSync(folder).length, 4, 'three days and a file of its own')
        assert.deepEqual((await readBackupHealth(app.ctx)).status, 'ok')
        clock.at -= 3 * DAY_MS
        await round()
        assert.equal(made.length, 8, 'a clock that was set back stops no backup')
      },
      { settings: { DAYBOOK_BACKUP_DIR: folder, DAYBOOK_BACKUP_EVERY: '6h', DAYBOOK_BACKUP_KEEP: '3d' } },
    ),
  ),
)

forEachEngine('a failed backup is tried again, shown, and mailed to administrators once a day', (engine) =>
  withFolder((folder) =>
    withWorld(
      engine,
      async (world) => {
        const { app, clock, admin, anonymous } = world
        let isFull = true
        let tries = 0
        const run = async (path: string): Promise<void> => {
          tries += 1
          if (isFull) throw new Error('/backups cannot be written: ENOSPC')
          await writeEmpty(path)
        }
        const round = () => backUpIfDue(app.ctx, run, never)
        const readyz = async () => (await anonymous.send({ method: 'GET', url: '/readyz' })).body.data
        await round()
        await round()
        assert.equal(tries, 1)
        assert.equal(await mailsOf(world), 1)
        await backUpIfDue(app.ctx, run, never, true)
        assert.equal(tries, 2, 'a start tries again at once')
        assert.equal(await mailsOf(world), 1)
        for (let i = 0; i < 8; i++) {
          clock.at += 15 * MINUTE_MS
          await round()
        }
        assert.equal(tries, 10)
        assert.equal(await mailsOf(world), 1)
        assert.deepEqual((await readyz()).checks.backup, { status: 'degraded', backup: 'failing' })
        const { warnings, backup } = (await admin.get('/admin/diagnostics')).body.meta
        assert.ok(warnings.includes('backup_failing'))
        assert.deepEqual(backup, { status: 'failing', succeeded_at: null })
        await app.deliverMail()
        clock.at += DAY_MS
        await round()
        assert.equal(await mailsOf(world), 2)
        isFull = false
        clock.at += 15 * MINUTE_MS
        await round()
        assert.deepEqual((await readyz()).checks.backup, { status: 'ok' })
        const { backup: last } = (await admin.get('/admin/diagnostics')).body.meta
        assert.deepEqual(last, { status: 'ok', succeeded_at: formatUtc(clock.at) })
        assert.equal((await readyz()).status, 'ready')
      },
      { settings: { DAYBOOK_BACKUP_DIR: folder, DAYBOOK_LOG_LEVEL: 'silent' } },
    ),
  ),
)

for (const keep of ['1d', '7d', '7d 4w 12m'])
  forEachEngine(`backups of a clock that was ahead take the place of no other with ${keep}`, (engine) =>
    withFolder((folder) =>
      withWorld(
        engine,
        async ({ app, clock }) => {
          const ahead = writeDaily(folder, Date.parse('2046-11-07T03:00:00Z'), 7)
          const usual = writeDaily(folder, clock.at - DAY_MS, 2)
          for (let day = 0; day < 3; day++) {
            await backUpIfDue(app.ctx, writeEmpty, never)
            assert.ok(existsSync(join(folder, backupNameAt(clock.at))), 'the backup just made is there')
            clock.at += DAY_MS
          }
          const left = readdirSync(folder)
          assert.deepEqual(
            ahead.filter((name) => !left.includes(name)),
            [],
          )
          assert.equal(left.includes(usual[0]!), keep !== '1d')
          assert.equal((await readBackupHealth(app.ctx)).status, 'ok')
        },
        { settings: { DAYBOOK_BACKUP_DIR: folder, DAYBOOK_BACKUP_KEEP: keep } },
      ),
    ),
  )

forEachEngine('no backup is deleted while the clock is in doubt', (engine) =>
  withFolder((folder) =>
    withWorld(
      engine,
      async ({ app, clock }) => {
        const { ctx } = app
        const right = clock.at
        const known = writeDaily(folder, right - DAY_MS, 400)
        await acceptClock(ctx.storage.writes, right)
        for (const years of [-2, 2]) {
          clock.at = right + years * 365 * DAY_MS
          await backUpIfDue(ctx, writeEmpty, never)
          known.push(backupNameAt(clock.at))
          assert.deepEqual(readdirSync(folder).sort(), known.toSorted(), `${years} years`)
          assert.equal((await readBackupHealth(ctx)).status, 'ok')
        }
        clock.at = right
        await backUpIfDue(ctx, writeEmpty, never)
        const left = readdirSync(folder)
        assert.ok(left.includes(backupNameAt(right + 2 * 365 * DAY_MS)))
        assert.equal(left.length, 4, 'three days, and the one ahead')
      },
      { settings: { DAYBOOK_BACKUP_DIR: folder, DAYBOOK_BACKUP_KEEP: '3d' } },
    ),
  ),
)

forEachEngine('a clock that is behind deletes no new backup where no time was recorded', (engine) =>
  withFolder((folder) =>
    withWorld(
      engine,
      async ({ app, clock }) => {
        const known = writeDaily(folder, clock.at - DAY_MS, 400)
        await acceptClock(app.ctx.storage.writes, 0)
        clock.at -= 2 * 365 * DAY_MS
        await backUpIfDue(app.ctx, writeEmpty, never)
        assert.deepEqual(readdirSync(folder).sort(), [...known, backupNameAt(clock.at)].sort())
      },
      { settings: { DAYBOOK_BACKUP_DIR: folder } },
    ),
  ),
)

forEachEngine('a backup whose file is not there has failed', (engine) =>
  withFolder((folder) =>
    withWorld(
      engine,
      async (world) => {
        const { ctx } = world.app
        await backUpIfDue(ctx, async () => {}, never)
        const { status, problem, succeededAt } = await readBackupHealth(ctx)
        assert.deepEqual([status, succeededAt], ['failing', undefined])
        assert.match(problem!, /is not there/)
        assert.equal(await mailsOf(world), 1)
      },
      { settings: { DAYBOOK_BACKUP_DIR: folder } },
    ),
  ),
)

forEachEngine('a failure is mailed although one was mailed while the clock was ahead', (engine) =>
  withFolder((folder) =>
    withWorld(
      engine,
      async (world) => {
        const { app, clock } = world
        const fail = () => Promise.reject(new Error('ENOSPC'))
        clock.at += 7305 * DAY_MS
        await backUpIfDue(app.ctx, fail, never)
        clock.at -= 7305 * DAY_MS
        await backUpIfDue(app.ctx, fail, never)
        assert.equal(await mailsOf(world), 2)
        clock.at += 15 * MINUTE_MS
        await backUpIfDue(app.ctx, fail, never)
        assert.equal(await mailsOf(world), 2, 'one a day')
      },
      { settings: { DAYBOOK_BACKUP_DIR: folder } },
    ),
  ),
)

forEachEngine('a failure before there is an administrator is mailed to the first one', (engine) =>
  withFolder((folder) =>
    withWorld(
      engine,
      async (world) => {
        const { app, clock, addPerson } = world
        const fail = () => Promise.reject(new Error('ENOSPC'))
        await app.ctx.storage.writes.updateTable('users').set({ role: 'writer' }).execute()
        await backUpIfDue(app.ctx, fail, never)
        assert.equal(await mailsOf(world), 0)
        await addPerson('first@example.org', 'admin')
        for (let i = 0; i < 2; i++) {
          clock.at += 15 * MINUTE_MS
          await backUpIfDue(app.ctx, fail, never)
          assert.equal(await mailsOf(world), 1)
        }
      },
      { settings: { DAYBOOK_BACKUP_DIR: folder } },
    ),
  ),
)

forEachEngine('a folder with the name of a backup is logged and left, and the backup has succeeded', (engine) =>
  withFolder((folder) =>
    withWorld(
      engine,
      async ({ app, clock }) => {
        const lines: string[] = []
        app.ctx.log = createLog('warn', (line) => lines.push(line))
        const other = backupNameAt(clock.at - 8 * DAY_MS)
        mkdirSync(join(folder, other))
        await backUpIfDue(app.ctx, writeEmpty, never)
        assert.deepEqual(readdirSync(folder).sort(), [other, backupNameAt(clock.at)].sort())
        assert.equal((await readBackupHealth(app.ctx)).status, 'ok')
        assert.match(lines.join(''), new RegExp(`is no file.*${other}`))
      },
      { settings: { DAYBOOK_BACKUP_DIR: folder, DAYBOOK_BACKUP_KEEP: '1d' } },
    ),
  ),
)

test('a backup that cannot be deleted is logged, and the others are deleted', () =>
  withFolder(async (folder) => {
    const lines: string[] = []
    const log = createLog('warn', (line) => lines.push(line))
    const now = Date.parse('2026-11-18T12:00:00Z')
    const [written, old] = writeDaily(folder, now, 2)
    const pruning = { folder, keep: { days: 1, weeks: 0, months: 0 }, written: written!, now }
    const isRoot = process.getuid?.() === 0
    chmodSync(folder, 0o555)
    if (isRoot) process.seteuid!(65_534)
    try {
      deleteExpiredBackups(pruning, log)
    } finally {
      if (isRoot) process.seteuid!(0)
      chmodSync(folder, 0o755)
    }
    assert.equal(lines.length, 1)
    assert.match(lines[0]!, new RegExp(`could not be deleted.*${old}.*EACCES`))
    symlinkSync(folder, join(folder, backupNameAt(now - 2 * DAY_MS)))
    deleteExpiredBackups(pruning, log)
    assert.deepEqual([readdirSync(folder), lines.length], [[written], 1])
    deleteExpiredBackups({ ...pruning, folder: join(folder, 'none') }, log)
    assert.match(lines[1]!, /ENOENT/)
  }))

test('a service with a folder for backups makes one when it starts', () =>
  withFolder(async (folder) => {
    const place = await makePlace('sqlite')
    const backups = join(folder, 'new', 'backups')
    const service = await startService(place.folder, { ...place.settings, DAYBOOK_BACKUP_DIR: backups })
    try {
      const name = await waitFor('a backup', () => {
        try {
          return readdirSync(backups).find((one) => one.endsWith('.backup'))
        } catch {
          return undefined
        }
      })
      assert.equal(checkBackup(join(backups, name)).rows.get('calendar'), 1)
    } finally {
      assert.equal(await service.kill('SIGTERM'), 0)
      await place.remove()
    }
  }))
