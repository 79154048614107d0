// Renames a category in events as ordinary changes, in short transactions; goes on if interrupted.
import type { Context } from '../../context.ts'
import { foldCategory, type StoredCategory } from '../../domain/categories/category.ts'
import type { Actor } from '../../domain/privacy/viewer.ts'
import { SECOND_MS } from '../../domain/time/instant.ts'
import { describeKind } from '../../errors.ts'
import { decodeInSteps, isDecodeProblem } from '../../ical/decode.ts'
import type { OpenObject } from '../../ical/encode.ts'
import { renameCategories } from '../../ical/rename-category.ts'
import { listEventSizesOfCategories, renameFeedLinkCategories } from '../../storage/categories/category-uses.ts'
import {
  endCategoryRename,
  findManagedCategory,
  listUnfinishedRenames,
  lockCategories,
} from '../../storage/categories/managed-categories.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { lockCounters } from '../../storage/events/calendar.ts'
import { type EventSize, listEventRowsForChange } from '../../storage/events/index-work.ts'
import { acquireLease, releaseLease } from '../../storage/operations/leases.ts'
import type { Db, EventRow } from '../../storage/tables.ts'
import { requireActor } from '../access/actor-guard.ts'
import { runYielding } from '../costly-work/costly-writes.ts'
import { updateSeries } from '../events/change-event.ts'
import { openText, withStoredVisibility } from '../events/event-texts.ts'
import { type ChangeSource, serviceSource, sourceOf } from '../history/change-source.ts'
import { type EventWalk, type WalkOptions, walkEvents } from '../maintenance/event-walk.ts'
import { followVisibility, listSpellings, storeInternalNames } from './follow-up.ts'

/** After this time without progress another node takes the rename over. */
const LEASE_MS = 10 * SECOND_MS

/** Of events that got the former name while the last ones were renamed; all writers wait for them. */
const MOST_AT_END = 10
const MOST_BYTES_AT_END = 131_072

/** Events may get the former name while others are renamed; after so many rounds the rest keeps it. */
const MAX_ROUNDS = 10

/** One at a time gives events the new name of a category: the holder of its lease. */
export const takeRename = (ctx: Context, db: Db, id: string, holder: string): Promise<boolean> =>
  acquireLease(db, leaseOf(id), holder, ctx.clock(), ctx.clock() + LEASE_MS)

const leaseOf = (id: string): string => `rename ${id}`

export interface RenameRun {
  /** Who holds the lease. */
  holder: string
  /** The administrator whose request this is; without one the service continues it. */
  author?: Actor | undefined
  walk?: WalkOptions
}

/**
 * Gives every event of the former name the present one, each as a new version. False when it was stopped before the
 * end: another run continues it.
 */
export async function renameInEvents(ctx: Context, category: StoredCategory, run: RenameRun): Promise<boolean> {
  try {
    return await runRounds(ctx, category, run)
  } finally {
    const { holder } = run
    await inTransaction(ctx.storage, (db) => releaseLease(db, leaseOf(category.id), holder)).catch(() => {})
  }
}

async function runRounds(ctx: Context, category: StoredCategory, run: RenameRun): Promise<boolean> {
  const { id, name, formerFolded } = category
  if (formerFolded === null) return true
  const folded = new Set([foldCategory(formerFolded), foldCategory(name)])
  const isFormer = (text: string): boolean => text !== name && folded.has(foldCategory(text))
  const lost = new AbortController()
  const signal = AbortSignal.any([lost.signal, ...(run.walk?.signal ? [run.walk.signal] : [])])
  for (let round = 1; ; round++) {
    const spellings = (await listSpellings(ctx.storage.reads, folded)).filter(isFormer)
    let renamed = 0
    const walk: EventWalk = {
      async list(db, after, limit) {
        if (run.author) await requireActor(ctx, db, run.author, 'administer')
        return listEventSizesOfCategories(db, spellings, after?.key ?? -1, limit)
      },
      async open(db) {
        // What rows are derived for stays the same until they are written.
        await lockCounters(db)
        const source = await sourceFor(ctx, db, id, run.author)
        return async (row) => {
          const outcome = await renameInEvent(ctx, db, row, isFormer, name, source)
          if (outcome === 'renamed') renamed += 1
          return outcome === 'unreadable' ? outcome : 'same'
        }
      },
      async save(db) {
        if (!(await takeRename(ctx, db, id, run.holder))) lost.abort()
      },
    }
    const report = { checked: 0, changed: 0, unreadable: [] }
    const isWhole = spellings.length === 0 || (await walkEvents(ctx, walk, report, { ...run.walk, signal }))
    if (!isWhole || signal.aborted) return false
    // What could not be renamed, or is written without a pause, keeps the name.
    const mayEndEarly = (spellings.length > 0 && renamed === 0) || round === MAX_ROUNDS
    if (await endRename(ctx, category, isFormer, run.author, mayEndEarly)) return true
  }
}

/** The account of an administrator may be deleted meanwhile. */
const sourceFor = async (ctx: Context, db: Db, id: string, author: Actor | undefined): Promise<ChangeSource> =>
  author ? sourceOf(ctx, author) : { ...serviceSource(ctx), by: (await findManagedCategory(db, id))?.renamedBy ?? null }

async function renameInEvent(
  ctx: Context,
  db: Db,
  row: EventRow,
  isFormer: (category: string) => boolean,
  name: string,
  source: ChangeSource,
): Promise<'same' | 'renamed' | 'unreadable'> {
  const open = await openRenamed(ctx, row, isFormer, name)
  if (typeof open === 'string') return open
  await updateSeries(ctx, db, row, open, open.series, source)
  return 'renamed'
}

async function openRenamed(
  ctx: Context,
  row: EventRow,
  isFormer: (category: string) => boolean,
  name: string,
): Promise<OpenObject | 'same' | 'unreadable'> {
  const { timezone } = ctx.config
  try {
    const { tree: before } = await runYielding(openText(row.ical, timezone))
    const tree = renameCategories(before, isFormer, name, Math.max(ctx.clock(), row.updated_at))
    if (tree === before) return 'same'
    const series = await runYielding(decodeInSteps(tree, timezone))
    return isDecodeProblem(series) ? 'unreadable' : withStoredVisibility({ tree, series }, row)
  } catch (error) {
    ctx.log.error('the category of an event could not be renamed', { event_id: row.id, ...describeKind(error) })
    return 'unreadable'
  }
}

/**
 * False where many events have got the former name since; a few are renamed here. No write comes between the look at the
 * events and the end.
 */
async function endRename(
  ctx: Context,
  { id, formerFolded }: StoredCategory,
  isFormer: (category: string) => boolean,
  author: Actor | undefined,
  mayEndEarly: boolean,
): Promise<boolean> {
  const ended = await inTransaction(ctx.storage, async (db) => {
    await lockCategories(db)
    const category = await findManagedCategory(db, id)
    if (!category || category.formerFolded !== formerFolded) return {}
    await lockCounters(db)
    const left = (await listSpellings(db, new Set([foldCategory(formerFolded!), foldCategory(category.name)]))).filter(
      isFormer,
    )
    if (left.length > 0 && mayEndEarly) ctx.log.warn('events keep the former name of a category', { category_id: id })
    else if (left.length > 0) {
      const events = await listEventSizesOfCategories(db, left, -1, MOST_AT_END + 1)
      if (events.length > MOST_AT_END || sumOf(events) > MOST_BYTES_AT_END) return undefined
      const source = await sourceFor(ctx, db, id, author)
      const keys = events.map(({ key }) => key)
      for (const row of await listEventRowsForChange(db, keys))
        await renameInEvent(ctx, db, row, isFormer, category.name, source)
    }
    await renameFeedLinkCategories(db, isFormer, category.name)
    await endCategoryRename(db, id, formerFolded!)
    return { marks: await storeInternalNames(db) }
  })
  if (ended?.marks) await followVisibility(ctx, new Set([foldCategory(formerFolded!)]), ended.marks)
  return ended !== undefined
}

const sumOf = (events: readonly EventSize[]): number => events.reduce((sum, { size }) => sum + size, 0)

export const hasUnfinishedRenames = async (ctx: Context): Promise<boolean> =>
  (await listUnfinishedRenames(ctx.storage.reads)).length > 0

/** Continues renames that nothing else works on: a service stopped, a client left, or they took too long. */
export async function finishRenames(ctx: Context, walk: WalkOptions): Promise<void> {
  for (const category of await listUnfinishedRenames(ctx.storage.reads)) {
    const holder = ctx.newId()
    if (await inTransaction(ctx.storage, (db) => takeRename(ctx, db, category.id, holder)))
      await renameInEvents(ctx, category, { holder, walk })
  }
}
