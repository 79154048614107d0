// Follows a change of a category in events: new names as ordinary changes, names hidden or shown.
import type { Context } from '../../context.ts'
import type { Details, Series } from '../../domain/calendar/event.ts'
import { foldCategory, type StoredCategory } from '../../domain/categories/category.ts'
import type { Actor } from '../../domain/privacy/viewer.ts'
import { MINUTE_MS } from '../../domain/time/instant.ts'
import { describeKind } from '../../errors.ts'
import {
  listCategoryUses,
  listEventSizesOfCategories,
  renameFeedLinkCategories,
} from '../../storage/categories/category-uses.ts'
import {
  endCategoryRename,
  findManagedCategory,
  listInterruptedRenames,
  listManagedCategories,
  lockCategories,
} from '../../storage/categories/managed-categories.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { lockCounters, readIndexSpan, setInternalCategories } from '../../storage/events/calendar.ts'
import { markOutdated, unmarkOutdated } from '../../storage/operations/instance.ts'
import type { Db, EventRow } from '../../storage/tables.ts'
import { requireActor } from '../access/actor-guard.ts'
import { runYielding } from '../costly-work/costly-writes.ts'
import { updateSeries } from '../events/change-event.ts'
import { openText, withStoredVisibility } from '../events/event-texts.ts'
import { type ChangeSource, serviceSource, sourceOf } from '../history/change-source.ts'
import { type EventWalk, type WalkOptions, walkEvents } from '../maintenance/event-walk.ts'
import { reindexCategories } from '../maintenance/reindex.ts'

/** The names that the public must not see, folded: of a rename both, until no event has the former one. */
const internalNamesOf = (categories: readonly StoredCategory[]): string[] =>
  categories
    .filter(({ visibility }) => visibility === 'internal')
    .flatMap(({ name, formerFolded }) => [foldCategory(name), ...(formerFolded === null ? [] : [formerFolded])])

export interface OutdatedMarks {
  /** What was stored of derived rows before they were marked as outdated. */
  version: string
  internalCategories: string
}

/**
 * In the transaction that changes categories: writers notice the new list, and rows that were derived for another one
 * are marked as outdated, so that housekeeping derives them again if the service stops. Undefined where it is the same.
 */
export async function storeInternalNames(db: Db): Promise<OutdatedMarks | undefined> {
  const { internalCategories: before } = await readIndexSpan(db)
  await setInternalCategories(db, internalNamesOf(await listManagedCategories(db)))
  const { internalCategories } = await readIndexSpan(db)
  return before === internalCategories ? undefined : { version: await markOutdated(db), internalCategories }
}

/** How the names that fold to one of these are written in events. */
async function listSpellings(db: Db, folded: ReadonlySet<string>): Promise<string[]> {
  const uses = await listCategoryUses(db)
  return uses.flatMap(({ name }) => (folded.has(foldCategory(name)) ? [name] : []))
}

/** Derives the events of these names again: the public sees them from then on, or no longer. */
export async function followVisibility(ctx: Context, folded: ReadonlySet<string>, marks: OutdatedMarks): Promise<void> {
  const names = await listSpellings(ctx.storage.reads, folded)
  if (!(await reindexCategories(ctx, names, {}))) return
  await inTransaction(ctx.storage, async (db) => {
    await lockCategories(db)
    // Another change may have marked other rows since.
    const { internalCategories } = await readIndexSpan(db)
    if (internalCategories === marks.internalCategories) await unmarkOutdated(db, marks.version)
  })
}

/**
 * Gives every event of the former name the present one, each as a new version by this author, many in a transaction.
 * False when it was stopped before the end; it may be called again.
 */
export async function followRename(
  ctx: Context,
  author: Actor | undefined,
  { id, name, formerFolded }: StoredCategory,
  options: WalkOptions = {},
): Promise<boolean> {
  if (formerFolded === null) return true
  const folded = new Set([formerFolded, foldCategory(name)])
  const spellings = (await listSpellings(ctx.storage.reads, folded)).filter((spelling) => spelling !== name)
  const source = author ? sourceOf(ctx, author) : serviceSource(ctx)
  const walk: EventWalk = {
    async list(db, after, limit) {
      if (author) await requireActor(ctx, db, author, 'administer')
      return listEventSizesOfCategories(db, spellings, after?.key ?? -1, limit)
    },
    async open(db) {
      // What rows are derived for stays the same until they are written.
      await lockCounters(db)
      return (row) => renameInEvent(ctx, db, row, (text) => (folded.has(foldCategory(text)) ? name : text), source)
    },
  }
  const isWhole = await walkEvents(ctx, walk, { checked: 0, changed: 0, unreadable: [] }, options)
  if (isWhole) await endRename(ctx, id, formerFolded, spellings)
  return isWhole
}

/** `same` also where it was changed: each write has raised the counters itself. */
async function renameInEvent(
  ctx: Context,
  db: Db,
  row: EventRow,
  rename: (category: string) => string,
  source: ChangeSource,
): Promise<'same' | 'unreadable'> {
  const open = await openSafely(ctx, row)
  if (!open) return 'unreadable'
  const renamed = renameCategory(open.series, rename)
  if (renamed !== open.series) await updateSeries(ctx, db, row, open, renamed, source)
  return 'same'
}

async function openSafely(ctx: Context, row: EventRow) {
  try {
    return withStoredVisibility(await runYielding(openText(row.ical, ctx.config.timezone)), row)
  } catch (error) {
    ctx.log.error('the category of an event could not be renamed', { event_id: row.id, ...describeKind(error) })
    return undefined
  }
}

/** The same series where no category changes. */
function renameCategory(series: Series, rename: (category: string) => string): Series {
  let isChanged = false
  const changed = <T extends { details: Details }>(one: T): T => {
    const { category } = one.details
    const renamed = category === null ? null : rename(category)
    if (renamed === category) return one
    isChanged = true
    return { ...one, details: { ...one.details, category: renamed } }
  }
  const result = { ...changed(series), overrides: series.overrides.map(changed) }
  return isChanged ? result : series
}

/** A rename whose request may still be running is left to it. */
const INTERRUPTED_MS = 10 * MINUTE_MS

/** Ends renames that a stopped service or a client that left has interrupted. */
export async function finishRenames(ctx: Context, options: WalkOptions): Promise<void> {
  const before = ctx.clock() - INTERRUPTED_MS
  for (const category of await listInterruptedRenames(ctx.storage.reads, before))
    await followRename(ctx, undefined, category, options)
}

async function endRename(ctx: Context, id: string, formerFolded: string, spellings: readonly string[]): Promise<void> {
  const marks = await inTransaction(ctx.storage, async (db) => {
    await lockCategories(db)
    const category = await findManagedCategory(db, id)
    if (category?.formerFolded !== formerFolded) return undefined
    await renameFeedLinkCategories(db, spellings, category.name)
    await endCategoryRename(db, id, formerFolded)
    return storeInternalNames(db)
  })
  if (marks) await followVisibility(ctx, new Set([formerFolded]), marks)
}
