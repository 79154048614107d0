// The one way an event is written: text first, everything else derived from it, all in one transaction.
import type { Context } from '../context.ts'
import type { Series } from '../domain/calendar/event.ts'
import type { Change } from '../domain/calendar/update.ts'
import type { ShownEvent } from '../domain/privacy/mask.ts'
import { type Author, requireAccess, sightOf } from '../domain/privacy/viewer.ts'
import type { Range } from '../domain/time/window.ts'
import { AppError, fail } from '../errors.ts'
import { decodeSeries, isDecodeProblem } from '../ical/decode.ts'
import { encodeSeries, type OpenObject } from '../ical/encode.ts'
import { isParseProblem, parseCalendar } from '../ical/parse.ts'
import { printCalendar } from '../ical/print.ts'
import { raiseRevision, readIndexSpan } from '../storage/calendar.ts'
import { type Derived, derive } from '../storage/derive.ts'
import { deleteEvent, findEventRowForChange, insertEvent, updateEvent } from '../storage/events.ts'
import type { Db, EventRow, PublicRecord } from '../storage/tables.ts'
import { inTransaction } from '../storage/transaction.ts'
import { requireAuthor } from './author-guard.ts'
import { epochAfter, type Known, publicTextOf } from './public-text.ts'
import { etagOf } from './read-event.ts'
import { showSeries } from './show-to.ts'

/** What the writer last saw. Everything given must still hold. */
export interface Precondition {
  etags?: readonly string[] | undefined
  version?: number | undefined
}

export interface Written<Shown> {
  shown: Shown
  /** Keys of exceptions that found no place in the changed series. */
  dropped: string[]
}

/** The truth of an event, opened: its tree, and what the tree says. */
export function readText(ical: string, fallbackZone: string): OpenObject {
  const tree = parseCalendar(ical)
  if (isParseProblem(tree)) throw new Error(`stored text cannot be read: ${tree.problem}`)
  const series = decodeSeries(tree, fallbackZone)
  if (isDecodeProblem(series)) throw new Error(`stored text makes no sense: ${series.problem}`)
  return { tree, series }
}

/**
 * What is kept private is private, whatever its text says. Texts of an older version lost the word of an edit that
 * another stood for, and nobody meant the public to gain by that.
 */
export const asKept = ({ tree, series }: OpenObject, { visibility }: Pick<EventRow, 'visibility'>): OpenObject => ({
  tree,
  series: visibility === 'private' ? { ...series, visibility } : series,
})

export async function insertSeries(ctx: Context, db: Db, by: string | null, id: string, series: Series): Promise<void> {
  const now = ctx.clock()
  const { derived, ...texts } = await write(ctx, db, series, { id, updated_at: now, mask_epoch: 0 })
  const record = {
    id,
    created_at: now,
    updated_at: now,
    created_by: by,
    updated_by: by,
    version: 1,
    ...texts,
    ...named(id),
  }
  await insertEvent(db, { ...record, revision: await raiseRevision(db) }, derived)
}

/**
 * Finds, checks the version, changes, keeps. `change` decides what the series becomes; `show` reads what the author gets
 * back, inside the same transaction, so that it is what was written and not what somebody did since.
 */
export function changeSeries<Shown>(
  ctx: Context,
  author: Author,
  id: string,
  expected: Precondition,
  change: (series: Series, row: EventRow) => Change,
  show: (db: Db) => Promise<Shown>,
): Promise<Written<Shown>> {
  return inTransaction(ctx.storage, async (db) => {
    const by = await requireAuthor(ctx, db, author, 'write')
    const row = await requireRow(ctx, db, author, id, expected)
    const before = asKept(readText(row.ical, ctx.config.timezone), row)
    const { series, dropped } = change(before.series, row)
    // To publish a private event is to read it.
    if (row.visibility === 'private' && series.visibility === 'public') requireAccess(author, 'read_full')
    await keepSeries(ctx, db, by, row, before, series)
    // Which occurrences were edited is more than the public sees.
    return { shown: await show(db), dropped: sightOf(author) === 'full' ? dropped : [] }
  })
}

/** What an event became, as its next version. */
export async function keepSeries(
  ctx: Context,
  db: Db,
  by: string | null,
  row: EventRow,
  before: OpenObject,
  series: Series,
): Promise<void> {
  const now = Math.max(ctx.clock(), row.updated_at)
  const known = { id: row.id, updated_at: now, mask_epoch: epochAfter(row, series.visibility) }
  const { derived, ...texts } = await write(ctx, db, series, known, before)
  const revision = await raiseRevision(db)
  const record = {
    updated_at: now,
    updated_by: by,
    version: row.version + 1,
    revision,
    sent_ical: null,
    ...texts,
  }
  if (!(await updateEvent(db, row, record, derived))) fail('version_mismatch')
}

/** What an event that no program has named is called there. */
export const named = (id: string) => ({ dav_name: `${id}.ics`, sent_ical: null })

export function removeSeries(ctx: Context, author: Author, id: string, expected: Precondition): Promise<void> {
  return inTransaction(ctx.storage, async (db) => {
    await requireAuthor(ctx, db, author, 'write')
    const row = await requireRow(ctx, db, author, id, expected)
    await deleteEvent(db, row, await raiseRevision(db), ctx.clock())
  })
}

/** What is kept of an event's text, and what is kept because of it. */
export interface Texts extends PublicRecord {
  ical: string
  derived: Derived
}

/** Columns come from the printed text, read again: what a rebuild would find is what is stored. */
async function write(ctx: Context, db: Db, series: Series, known: Known, before?: OpenObject): Promise<Texts> {
  const ical = printCalendar(encodeSeries(series, known.updated_at, before))
  return textsOf(ctx, ical, readText(ical, ctx.config.timezone), await readIndexSpan(db), known)
}

/** `written` is the text opened: the one source of every column. */
export const textsOf = (ctx: Context, ical: string, written: OpenObject, span: Range, known: Known): Texts => ({
  ical,
  public_ical: publicTextOf(ctx, written, known),
  mask_epoch: known.mask_epoch,
  derived: derive(written.series, span),
})

async function requireRow(ctx: Context, db: Db, author: Author, id: string, expected: Precondition): Promise<EventRow> {
  const row = (await findEventRowForChange(db, id)) ?? fail('event_not_found')
  const current = etagOf(row, ctx.secret)
  const isStale =
    (expected.version !== undefined && expected.version !== row.version) ||
    (expected.etags !== undefined && !expected.etags.includes(current))
  if (!isStale) return row
  if (sightOf(author) !== 'full') fail('version_mismatch')
  throw new AppError('version_mismatch', { details: { current_version: row.version, current_etag: current } })
}

/** The series at its author's sight; undefined where that is the public's, who see nothing of it. */
export async function showWritten(ctx: Context, db: Db, author: Author, id: string): Promise<ShownEvent | undefined> {
  const sight = sightOf(author)
  const shown = await showSeries(ctx, db, sight, id)
  return shown || sight === 'public' ? shown : fail('event_not_found')
}
