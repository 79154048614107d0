// Checks that the history takes less than 1.5 times the bytes of the texts that it keeps, indexes included.
import { rawQuery } from '../../src/storage/dialect.ts'
import { unpackTexts } from '../../src/storage/history/packed-texts.ts'
import type { Db } from '../../src/storage/tables.ts'
import { MismatchError } from './model/model.ts'
import type { Simulation } from './simulation.ts'

const MOST_TIMES = 1.5

/** Of a few versions, the fixed parts of the table say little. */
const FEWEST_BYTES = 20_000

/** On SQLite, which counts the bytes in use: how full its pages are depends on what was purged before. */
export async function checkGrowth(sim: Simulation): Promise<void> {
  if (sim.nodes.engine !== 'sqlite') return
  const { reads } = sim.node(0).app.ctx.storage
  const kept = await countTextBytes(reads)
  if (kept < FEWEST_BYTES) return
  const [used] = await rawQuery<{ bytes: number }>(
    reads,
    `select sum(payload) as bytes from dbstat
      where name in (select name from sqlite_schema where tbl_name = 'event_versions')`,
    [],
  )
  const { bytes } = used!
  if (bytes >= MOST_TIMES * kept) throw new MismatchError(`the history takes ${bytes} bytes for texts of ${kept}`)
}

interface StoredTexts {
  event_key: number
  version: number
  same_version: number | null
  ical: string | null
  sent_ical: string | null
  packed: string | null
}

/** What the texts would take as they are, each once for every version. */
async function countTextBytes(db: Db): Promise<number> {
  const rows = await rawQuery<StoredTexts>(
    db,
    'select event_key, version, same_version, ical, sent_ical, packed from event_versions',
    [],
  )
  const sizes = new Map(rows.map((row) => [`${row.event_key} ${row.version}`, textBytes(row)]))
  const sizeOf = ({ event_key, version, same_version }: StoredTexts): number =>
    sizes.get(`${event_key} ${same_version ?? version}`) ?? 0
  return rows.reduce((sum, row) => sum + sizeOf(row), 0)
}

function textBytes({ ical, sent_ical, packed }: StoredTexts): number {
  const texts = packed === null ? { ical: ical ?? '', sent_ical } : unpackTexts(packed)
  return Buffer.byteLength(texts.ical + (texts.sent_ical ?? ''))
}
