// A backup of PostgreSQL reads few long rows at a time.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { type KyselyPlugin, sql } from 'kysely'
import { writeBackup } from '../../../src/storage/backup/write-backup.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { withWorld } from '../../support/world.ts'

const HEADER = { madeAt: Date.parse('2026-07-10T12:00:00Z'), program: '0.1.0' }
const EVENTS = 40
const CHARACTERS = 1_000_000

test('a backup of PostgreSQL with very long events takes little memory', () =>
  withWorld('postgres', async ({ app: { ctx }, place, writer }) => {
    for (let i = 0; i < EVENTS; i++)
      await writer.creates({ title: `Event ${i}`, start: '2026-07-01T19:00', end: '2026-07-01T20:00' })
    await inTransaction(ctx.storage, (db) =>
      sql`update events set description = repeat('x', ${sql.lit(CHARACTERS)})`.execute(db),
    )
    let longest = 0
    const measure: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const lengths = result.rows.flatMap((row) => Object.values(row).map((value) => String(value).length))
        longest = Math.max(
          longest,
          lengths.reduce((sum, length) => sum + length, 0),
        )
        return result
      },
    }
    const openMaintenance = () => {
      const { db, ...rest } = ctx.storage.openMaintenance()
      return { ...rest, db: db.withPlugin(measure) }
    }
    const path = join(place.folder, 'long.backup')
    const { rows } = await writeBackup({ ...ctx.storage, openMaintenance }, '', path, HEADER)
    assert.equal(rows.get('events'), EVENTS)
    assert.ok(longest > CHARACTERS && longest < 20 * CHARACTERS, `${longest} characters at a time`)
  }))
