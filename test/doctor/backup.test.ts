// What `daybook doctor` says about scheduled backups.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkLastBackup } from '../../src/doctor/checks/backup.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import { backupNameAt } from '../../src/domain/backup-schedule.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time/instant.ts'
import { setBackupFailure, setBackupSuccess } from '../../src/storage/operations/backup-state.ts'
import type { Db } from '../../src/storage/tables.ts'
import { type Engine, forEachEngine } from '../support/storage/engines.ts'
import { withWorld } from '../support/world.ts'

interface Place {
  folder: string
  db: Db
  now: number
  /** What the doctor finds at this time. */
  check(now?: number): Promise<Finding[]>
  /** Writes an empty backup. */
  write(at: number): string
}

async function withBackups(engine: Engine, story: (place: Place) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-backups-'))
  try {
    await withWorld(
      engine,
      async ({ app, clock }) => {
        const { config, storage } = app.ctx
        const inspection = { engine, db: storage.reads, close: async () => {} }
        await story({
          folder,
          db: storage.writes,
          now: clock.at,
          check: (now = clock.at) => checkLastBackup(inspection, config, now),
          write: (at) => {
            writeFileSync(join(folder, backupNameAt(at)), '')
            return backupNameAt(at)
          },
        })
      },
      { settings: { DAYBOOK_BACKUP_DIR: folder } },
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const codesOf = (findings: Finding[]): string[] => findings.map(({ code }) => code)

forEachEngine('a backup whose file is there is as scheduled, and overdue two hours after its time', (engine) =>
  withBackups(engine, async ({ db, now, check, write }) => {
    assert.deepEqual(codesOf(await check()), ['backup_overdue'])
    await setBackupSuccess(db, now)
    write(now)
    assert.deepEqual(codesOf(await check(now + DAY_MS)), ['backup_ok'])
    assert.deepEqual(codesOf(await check(now + DAY_MS + 3 * HOUR_MS)), ['backup_overdue'])
    await setBackupFailure(db, now + DAY_MS, 'ENOSPC', DAY_MS)
    assert.deepEqual(codesOf(await check(now + DAY_MS)), ['backup_failing'])
  }),
)

forEachEngine('a last backup whose file is gone is named', (engine) =>
  withBackups(engine, async ({ folder, db, now, check }) => {
    await setBackupSuccess(db, now)
    const [missing] = await check()
    assert.equal(missing!.code, 'backup_missing')
    assert.match(missing!.message, new RegExp(backupNameAt(now)))
    rmSync(folder, { recursive: true })
    assert.deepEqual(codesOf(await check()), ['backup_missing'])
  }),
)

forEachEngine('backups that are named after now are named, and a last one of the future is overdue', (engine) =>
  withBackups(engine, async ({ db, now, check, write }) => {
    await setBackupSuccess(db, now)
    write(now)
    write(now + 5 * MINUTE_MS)
    assert.deepEqual(codesOf(await check()), ['backup_ok'])
    const ahead = [1, 2, 3, 4, 5].map((day) => write(now + day * DAY_MS))
    const [ok, found] = await check()
    assert.deepEqual([ok!.code, found!.code], ['backup_ok', 'backup_ahead'])
    assert.match(found!.message, new RegExp(`${ahead.slice(0, 3).join(', ')} and 2 more`))
    await setBackupSuccess(db, now + 5 * DAY_MS)
    assert.deepEqual(codesOf(await check()), ['backup_overdue', 'backup_ahead'])
  }),
)
