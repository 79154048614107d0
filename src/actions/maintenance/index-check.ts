// Checks the index without writing: derives events again, a sample or all, and compares them.
import { createSliceTimer } from '../../scheduling/event-loop.ts'
import { type Inspection, inReadOnly } from '../../storage/engine/inspect.ts'
import {
  type EventSize,
  listEventRows,
  listEventSizesAfter,
  listUnfinishedIndexWork,
} from '../../storage/events/index-work.ts'
import { readInstance } from '../../storage/operations/instance.ts'
import type { Db } from '../../storage/tables.ts'
import { type DerivationContext, openComparison } from './compare-derived.ts'
import { rebuildTarget } from './reindex.ts'

export interface IndexCheck {
  /** Why rows may differ: events are being derived again, or will be at the next start. */
  pending: 'rebuilding' | 'outdated' | undefined
  checked: number
  /** Ids of events whose rows are not those that their text gives. */
  different: string[]
  unreadable: string[]
}

export interface IndexCheckOptions {
  /** The number of events to compare; all where it is absent. */
  sample?: number | undefined
  /** Chooses the sample: a number in [0, 1). */
  random?: () => number
  /** The version of the runtime's time zone data. */
  zoneData: string
}

/** Keys are the first 50 random bits of ids, so those after a random key are a random sample. */
const KEYS = 2 ** 50
const AT_ONCE = 50

export async function checkIndex(
  ctx: DerivationContext,
  inspection: Inspection,
  { sample = Number.POSITIVE_INFINITY, random = Math.random, zoneData }: IndexCheckOptions,
): Promise<IndexCheck> {
  const check: IndexCheck = { pending: undefined, checked: 0, different: [], unreadable: [] }
  const start = Number.isFinite(sample) ? Math.floor(random() * KEYS) : -1
  for (const [first, to] of start === -1
    ? [[-1, KEYS] as const]
    : ([
        [start, KEYS],
        [-1, start],
      ] as const)) {
    let after: number | undefined = first
    while (after !== undefined && check.checked < sample) {
      const range: KeyRange = { after, to, limit: Math.min(AT_ONCE, sample - check.checked) }
      // One snapshot for each part: a long one would keep SQLite from shortening its journal.
      after = await inReadOnly(inspection, (db) => compareRange(ctx, db, range, check))
    }
  }
  check.pending = await inReadOnly(inspection, (db) => findPending(ctx, db, zoneData))
  return check
}

interface KeyRange {
  after: number
  to: number
  limit: number
}

/** Returns the last key that was compared; undefined where there was none. */
async function compareRange(
  ctx: DerivationContext,
  db: Db,
  { after, to, limit }: KeyRange,
  check: IndexCheck,
): Promise<number | undefined> {
  const timer = createSliceTimer()
  const listed = await listEventSizesAfter(db, after, limit)
  const keys = withinBytes(listed)
    .map(({ key }) => key)
    .filter((key) => key <= to)
  if (keys.length === 0) return undefined
  const rows = await listEventRows(db, keys)
  const compare = await openComparison(ctx, db, rows, timer)
  for (const row of rows) {
    await timer.pause()
    const compared = await compare(row)
    check.checked += 1
    if (!compared) check.unreadable.push(row.id)
    else if (!compared.isAsStored) check.different.push(row.id)
  }
  return keys.at(-1)
}

/** Texts are read few at a time; the first one whatever its size. */
const MAX_BYTES = 1_048_576

function withinBytes(sizes: readonly EventSize[]): EventSize[] {
  let bytes = 0
  return sizes.filter(({ size }, i) => {
    bytes += size
    return i === 0 || bytes <= MAX_BYTES
  })
}

async function findPending(ctx: DerivationContext, db: Db, zoneData: string): Promise<IndexCheck['pending']> {
  if ((await listUnfinishedIndexWork(db)).length > 0) return 'rebuilding'
  const { tzVersion } = await readInstance(db)
  return tzVersion === rebuildTarget(ctx, zoneData) ? undefined : 'outdated'
}
