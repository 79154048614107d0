// Scheduled backups: made when due, kept as set, and administrators learn when they fail.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { backUpIfDue, readBackupHealth } from '../../../src/actions/maintenance/scheduled-backup.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/time/instant.ts'
import { checkBackup } from '../../../src/storage/backup/backup-file.ts'
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
        const run = async (): Promise<void> => {
          tries += 1
          if (isFull) throw new Error('/backups cannot be written: ENOSPC')
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
        assert.ok((await admin.get('/admin/diagnostics')).body.meta.warnings.includes('backup_failing'))
        await app.deliverMail()
        clock.at += DAY_MS
        await round()
        assert.equal(await mailsOf(world), 2)
        isFull = false
        clock.at += 15 * MINUTE_MS
        await round()
        assert.deepEqual((await readyz()).checks.backup, { status: 'ok' })
        assert.equal((await readyz()).status, 'ready')
      },
      { settings: { DAYBOOK_BACKUP_DIR: folder, DAYBOOK_LOG_LEVEL: 'silent' } },
    ),
  ),
)

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
