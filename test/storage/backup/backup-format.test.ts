// Compares docs/backup-format.md with a backup: its tables, their columns, and what is left out.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hasTable, listColumns } from '../../../src/storage/backup/backup-file.ts'
import { COPIED_TABLES, LEFT_OUT_TABLES } from '../../../src/storage/backup/tables.ts'
import { makeBackup } from '../../support/storage/backups.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { withWorld } from '../../support/world.ts'

const [described, leftOut] = readFileSync(
  join(import.meta.dirname, '..', '..', '..', 'docs', 'backup-format.md'),
  'utf8',
).split(/^## Left out$/m) as [string, string]

const namesIn = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!)

const sections = described
  .split(/^### `/m)
  .slice(1)
  .map((section) => ({
    table: /^\w+/.exec(section)![0],
    columns: [...section.matchAll(/^\| (`.*?`) \| /gm)].flatMap(([, cell]) => namesIn(cell!)),
  }))

forEachEngine(
  'docs/backup-format.md has every table and column of a backup, and the tables that are left out',
  (engine) =>
    withWorld(engine, async (world) => {
      const backup = new DatabaseSync(await makeBackup(world), { readOnly: true })
      try {
        assert.deepEqual(
          sections.map(({ table }) => table).sort(),
          ['backup', 'backup_tables', ...COPIED_TABLES].sort(),
        )
        for (const { table, columns } of sections) {
          const found = listColumns(backup, table).map(({ name }) => name)
          assert.deepEqual(columns.sort(), found.sort(), table)
        }
        assert.deepEqual(namesIn(leftOut.trim().split('\n')[0]!).sort(), [...LEFT_OUT_TABLES].sort())
        for (const table of LEFT_OUT_TABLES) {
          assert.ok(hasTable(backup, table), table)
          assert.equal(backup.prepare(`select count(*) as count from ${table}`).get()!.count, 0, table)
        }
        const views = backup.prepare(`select name from sqlite_schema where type in ('view', 'trigger')`).all()
        assert.deepEqual(views, [])
      } finally {
        backup.close()
      }
    }),
)
