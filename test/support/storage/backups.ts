// Backups of a test world, restored into new databases of either engine.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { loadConfig } from '../../../src/config.ts'
import { restoreIntoPostgres, restoreIntoSqlite } from '../../../src/storage/backup/restore-backup.ts'
import type { RestoreOptions } from '../../../src/storage/backup/stage-backup.ts'
import { writeBackup } from '../../../src/storage/backup/write-backup.ts'
import { openStorage } from '../../../src/storage/engine/open.ts'
import type { Storage } from '../../../src/storage/engine/storage.ts'
import { openWorld, type World } from '../world.ts'
import { type EmptyDatabase, type Engine, makePlace } from './engines.ts'

/** The clock of a restore is ahead of all revisions. */
export const AT = { restoredAt: Date.parse('2026-07-10T13:00:00Z') }
export const HEADER = { madeAt: Date.parse('2026-07-10T12:00:00Z'), program: '0.1.0' }

export async function makeBackup({ app, place }: World): Promise<string> {
  const path = join(place.folder, `${Math.random()}.backup`)
  await writeBackup(app.ctx.storage, join(place.settings.DAYBOOK_DATA_DIR!, 'daybook.db'), path, HEADER)
  return path
}

/** `prepare` is done to the empty database that is replaced. */
export async function restore(
  backup: string,
  engine: Engine,
  options: RestoreOptions,
  prepare: (storage: Storage) => Promise<unknown> = async () => {},
): Promise<EmptyDatabase> {
  const place = await makePlace(engine)
  const config = loadConfig({ ...place.settings, DAYBOOK_LOG_LEVEL: 'silent' }, place.folder)
  if (engine === 'sqlite') {
    writeFileSync(join(place.folder, 'note'), '')
    const storage = await openStorage(config)
    await prepare(storage).finally(() => storage.close())
    await restoreIntoSqlite(backup, join(config.dataDir, 'daybook.db'), options)
    return place
  }
  const storage = await openStorage(config)
  try {
    await prepare(storage)
    await restoreIntoPostgres(backup, storage, join(place.folder, 'staged.db'), options)
  } finally {
    await storage.close()
  }
  return place
}

/** Puts so many rows into a table that its copy takes a while; they are young, so that no service purges them. */
export async function fillLongTable({ settings, folder }: EmptyDatabase, count: number): Promise<void> {
  const storage = await openStorage(loadConfig({ ...settings, DAYBOOK_LOG_LEVEL: 'silent' }, folder))
  try {
    await sql`insert into gone_names (dav_name, revision, gone_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})
      select 'a name that is long enough to fill some pages of the file ' || i, i, ${sql.lit(Date.now())} from n`.execute(
      storage.writes,
    )
  } finally {
    await storage.close()
  }
}

export async function withRestored(
  backup: string,
  engine: Engine,
  options: RestoreOptions,
  story: (world: World) => Promise<void>,
  prepare?: (storage: Storage) => Promise<unknown>,
): Promise<void> {
  const place = await restore(backup, engine, options, prepare)
  const world = await openWorld(engine, place, { place })
  try {
    await story(world)
  } finally {
    await world.app.close()
    await place.remove()
  }
}

export const SYNC = (token: string): string =>
  `<sync-collection xmlns="DAV:"><sync-token>${token}</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`

export const tokenIn = (text: string): string => /<(?:\w+:)?sync-token>([^<]+)</.exec(text)![1]!
