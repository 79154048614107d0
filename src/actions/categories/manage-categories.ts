// Administrators list, create, change, order and delete categories; readers list them for forms.
import type { Context } from '../../context.ts'
import { foldCategory, MAX_CATEGORIES, type StoredCategory } from '../../domain/categories/category.ts'
import { suggestColor } from '../../domain/categories/category-colors.ts'
import { meetsPrecondition, type Precondition } from '../../domain/precondition.ts'
import { type Actor, actorIdOf, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { AppError, fail } from '../../errors.ts'
import { keyedHash } from '../../secrets.ts'
import { type CategoryUse, listCategoryUses } from '../../storage/categories/category-uses.ts'
import {
  type CategoryValues,
  deleteManagedCategory,
  findManagedCategory,
  insertManagedCategory,
  listManagedCategories,
  lockCategories,
  setCategoryPosition,
  updateManagedCategory,
} from '../../storage/categories/managed-categories.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { raiseWithSpan } from '../../storage/events/calendar.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import { unmarkOutdated } from '../../storage/operations/instance.ts'
import type { Db } from '../../storage/tables.ts'
import { requireActor } from '../access/actor-guard.ts'
import { settleRequest } from '../access/idempotency.ts'
import { runCostlyRead } from '../access/reader-guard.ts'
import type { Caller } from '../costly-work/semaphore.ts'
import { type CategoryPatch, readCategoryPatch } from './category-patch.ts'
import { followVisibility, storeInternalNames } from './follow-up.ts'
import { type RenameRun, renameInEvents, takeRename } from './rename-events.ts'

export interface CategoryRequest {
  /** Null for a command of the operator. */
  requestId: string | null
  /** The same, where it holds an idempotency key. */
  keyHolder?: string | undefined
  signal?: AbortSignal
}

export interface CategoryWithCount extends StoredCategory {
  /** Events that have it, private ones included, however they spell it. */
  count: number
}

/** For forms and legends of readers who may see all events. */
export function listAllCategories(ctx: Context, viewer: Viewer): Promise<StoredCategory[]> {
  requireAccess(viewer, 'read_full')
  return listManagedCategories(ctx.storage.reads)
}

export interface ListedCategories {
  managed: CategoryWithCount[]
  /** Free text of events, which an administrator may adopt; those with most events first. */
  free: CategoryUse[]
  /** Whether there are more than are listed. */
  isTruncated: boolean
}

/** Every edited occurrence may have its own category. */
const MAX_FREE = 500

/** Counts the events of each category, of all that events have. */
export async function listCategoryOverview(ctx: Context, viewer: Viewer, caller: Caller): Promise<ListedCategories> {
  requireAccess(viewer, 'administer', 'read_full')
  const read = async (db: Db) => ({ managed: await listManagedCategories(db), uses: await listCategoryUses(db) })
  const { managed, uses } = await runCostlyRead(ctx, viewer, caller, read)
  const known = new Map(managed.map(({ name }) => [foldCategory(name), 0]))
  const free: CategoryUse[] = []
  for (const use of uses) {
    const folded = foldCategory(use.name)
    const counted = known.get(folded)
    if (counted === undefined) free.push(use)
    // An event may have two spellings in two of its occurrences; it is then counted twice.
    else known.set(folded, counted + use.count)
  }
  free.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
  return {
    managed: managed.map((category) => ({ ...category, count: known.get(foldCategory(category.name))! })),
    free: free.slice(0, MAX_FREE),
    isTruncated: free.length > MAX_FREE,
  }
}

/** A name that events have already is adopted by this. It comes last unless its position is given. */
export async function createCategory(
  ctx: Context,
  viewer: Viewer,
  sent: CategoryPatch & { name: string },
  { requestId, keyHolder }: CategoryRequest,
): Promise<StoredCategory> {
  requireAccess(viewer, 'administer', 'read_full')
  const patch = readCategoryPatch(sent)
  const id = ctx.newId()
  const { made, marks } = await inTransaction(ctx.storage, async (db) => {
    await requireActor(ctx, db, viewer, 'administer')
    await settleRequest(db, viewer, keyHolder)
    await lockCategories(db)
    const all = await listManagedCategories(db)
    if (all.length >= MAX_CATEGORIES) fail('too_many_categories')
    const values: CategoryValues = {
      name: patch.name!,
      folded: requireFreeName(all, patch.name!),
      formerFolded: null,
      renamedBy: null,
      color: patch.color ?? suggestColor(all),
      description: patch.description ?? null,
      visibility: patch.visibility ?? 'public',
      position: await makeRoom(db, all, patch.position ?? all.length),
    }
    await insertManagedCategory(db, id, values, ctx.clock())
    const { name, color, visibility } = values
    await record(ctx, db, viewer, 'category_created', id, requestId, { name, color, visibility })
    await raiseWithSpan(db, visibility === 'public')
    return { made: (await findManagedCategory(db, id))!, marks: await storeInternalNames(db) }
  })
  if (marks) await followVisibility(ctx, new Set([foldCategory(made.name)]), marks)
  return made
}

export async function changeCategory(
  ctx: Context,
  viewer: Viewer,
  id: string,
  sent: CategoryPatch,
  expected: Precondition,
  { requestId, signal }: CategoryRequest,
): Promise<StoredCategory> {
  requireAccess(viewer, 'administer', 'read_full', 'write')
  const patch = readCategoryPatch(sent)
  const run: RenameRun = { holder: ctx.newId(), author: viewer, walk: { signal: renameSignal(signal) } }
  if (patch.name !== undefined) await endEarlierRename(ctx, id, expected, run)
  const { changed, changes, marks } = await inTransaction(ctx.storage, async (db) => {
    await requireActor(ctx, db, viewer, 'administer')
    await lockCategories(db)
    const all = await listManagedCategories(db)
    const before = requireCurrent(ctx, all, id, expected)
    const after = { ...before, ...withoutAbsent(patch) }
    const folded = requireFreeName(all, after.name, id)
    const isRenamed = after.name !== before.name
    if (isRenamed && before.formerFolded !== null) fail('service_unavailable')
    const values: CategoryValues = {
      name: after.name,
      folded,
      formerFolded: isRenamed ? foldCategory(before.name) : before.formerFolded,
      renamedBy: isRenamed ? actorIdOf(viewer) : before.renamedBy,
      color: after.color,
      description: after.description,
      visibility: after.visibility,
      position: await makeRoom(
        db,
        all.filter((one) => one.id !== id),
        after.position,
      ),
    }
    const changes = CHANGEABLE.filter((field) => before[field] !== { ...after, ...values }[field])
    if (changes.length === 0) return { changed: before, changes, marks: undefined }
    if (isRenamed) await takeRename(ctx, db, id, run.holder)
    if (!(await updateManagedCategory(db, before, values, ctx.clock()))) fail('version_mismatch')
    const detail = Object.fromEntries(
      changes.flatMap((field) => [
        [`${field}_from`, before[field]],
        [`${field}_to`, { ...after, ...values }[field]],
      ]),
    )
    const action = isRenamed ? 'category_renamed' : 'category_changed'
    await record(ctx, db, viewer, action, id, requestId, detail)
    await raiseWithSpan(db, before.visibility === 'public' || after.visibility === 'public')
    return { changed: (await findManagedCategory(db, id))!, changes, marks: await storeInternalNames(db) }
  })
  // The transaction is over: events follow in others, however many they are. What is to be hidden is hidden first.
  if (marks) await followVisibility(ctx, foldedNamesOf(changed), marks)
  if (changed.formerFolded !== null && changes.includes('name')) await renameInEvents(ctx, changed, run)
  return (await findManagedCategory(ctx.storage.reads, id)) ?? fail('category_not_found')
}

const CHANGEABLE = ['name', 'color', 'description', 'visibility', 'position'] as const

/** Events keep their text, which is shown neutrally from then on. */
export async function removeCategory(
  ctx: Context,
  viewer: Viewer,
  id: string,
  expected: Precondition,
  { requestId }: CategoryRequest,
): Promise<void> {
  requireAccess(viewer, 'administer', 'read_full')
  await inTransaction(ctx.storage, async (db) => {
    await requireActor(ctx, db, viewer, 'administer')
    await lockCategories(db)
    const all = await listManagedCategories(db)
    const before = requireCurrent(ctx, all, id, expected)
    if (before.visibility === 'internal' && (await isUsed(db, before))) fail('category_in_use')
    await deleteManagedCategory(db, before)
    const others = all.filter((one) => one.id !== id)
    await makeRoom(db, others, others.length)
    await record(ctx, db, viewer, 'category_deleted', id, requestId, { name: before.name })
    await raiseWithSpan(db, before.visibility === 'public')
    // Rows do not depend on it: an internal one that events have is not deleted.
    const marks = await storeInternalNames(db)
    if (marks) await unmarkOutdated(db, marks.version)
  })
}

/** Puts the others in order without gaps, with a free place; returns that place, the last one for any beyond. */
async function makeRoom(db: Db, others: readonly StoredCategory[], wanted: number): Promise<number> {
  const free = Math.min(wanted, others.length)
  for (const [i, other] of others.entries()) {
    const position = i < free ? i : i + 1
    if (other.position !== position) await setCategoryPosition(db, other.id, position)
  }
  return free
}

/** The folded name, if no other category has it or is being renamed from it. */
function requireFreeName(all: readonly StoredCategory[], name: string, ownId?: string): string {
  const folded = foldCategory(name)
  const isTaken = all.some(
    (other) =>
      other.id !== ownId &&
      (foldCategory(other.name) === folded ||
        (other.formerFolded !== null && foldCategory(other.formerFolded) === folded)),
  )
  return isTaken ? fail('category_exists') : folded
}

function requireCurrent(
  ctx: Context,
  all: readonly StoredCategory[],
  id: string,
  expected: Precondition,
): StoredCategory {
  const found = all.find((one) => one.id === id) ?? fail('category_not_found')
  const etag = categoryEtagOf(found, ctx.secret)
  if (!meetsPrecondition(expected, { version: found.version, etag: () => etag }))
    throw new AppError('version_mismatch', { details: { current_version: found.version, current_etag: etag } })
  return found
}

export const categoryEtagOf = ({ id, version }: StoredCategory, secret: string): string =>
  `"c-${version}-${keyedHash(secret, `category ${id} ${version}`).slice(0, 8)}"`

async function isUsed(db: Db, { name, formerFolded }: StoredCategory): Promise<boolean> {
  const folded = [foldCategory(name), foldCategory(formerFolded ?? name)]
  return (await listCategoryUses(db)).some((use) => folded.includes(foldCategory(use.name)))
}

const withoutAbsent = (patch: CategoryPatch): Partial<StoredCategory> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))

const foldedNamesOf = ({ name, formerFolded }: StoredCategory): ReadonlySet<string> =>
  new Set([foldCategory(name), ...(formerFolded === null ? [] : [foldCategory(formerFolded)])])

/** A proxy closes a connection that is silent for a minute: what is left by then follows in the background. */
const MAX_RENAME_MS = 20_000

const renameSignal = (signal: AbortSignal | undefined): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(MAX_RENAME_MS), ...(signal ? [signal] : [])])

/** A rename that was interrupted ends before the next: of the names before it only one is stored. */
async function endEarlierRename(ctx: Context, id: string, expected: Precondition, run: RenameRun): Promise<void> {
  const known = await findManagedCategory(ctx.storage.reads, id)
  if (!known || known.formerFolded === null) return
  requireCurrent(ctx, [known], id, expected)
  if (await inTransaction(ctx.storage, (db) => takeRename(ctx, db, id, run.holder)))
    await renameInEvents(ctx, known, run)
}

async function record(
  ctx: Context,
  db: Db,
  viewer: Actor,
  action: 'category_created' | 'category_changed' | 'category_renamed' | 'category_deleted',
  subjectId: string,
  requestId: string | null,
  detail: Record<string, string | number | null>,
): Promise<void> {
  await insertAudit(db, { action, actorId: actorIdOf(viewer), subjectId, requestId, detail }, ctx.clock())
}
