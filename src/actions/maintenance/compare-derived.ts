// Derives events from their texts again and compares the result with the stored columns and rows.
import type { Context } from '../../context.ts'
import type { Steps } from '../../domain/steps.ts'
import { describeKind } from '../../errors.ts'
import type { OpenObject } from '../../ical/encode.ts'
import type { SliceTimer } from '../../scheduling/event-loop.ts'
import { type IndexSpan, readIndexSpan } from '../../storage/events/calendar.ts'
import { type Derived, type DerivedWord, deriveInSteps } from '../../storage/events/derive.ts'
import type { DerivedRows } from '../../storage/events/derived-rows.ts'
import { listExceptionRows, listOccurrenceRows, listPublicWordRows } from '../../storage/events/events.ts'
import { listOccurrenceRowsAfter, listPublicWordRowsAfter } from '../../storage/events/index-work.ts'
import type { Db, EventRow, ExceptionRow, OccurrenceRow, PublicWordRow } from '../../storage/tables.ts'
import { openText, withStoredVisibility } from '../events/event-texts.ts'
import { publicTextInSteps } from '../events/public-text.ts'

/** What deriving needs of the context, so that it can be checked where nothing may be written. */
export type DerivationContext = Pick<Context, 'config' | 'secret' | 'log'>

export interface ComparedEvent {
  anew: DerivedAnew
  before: DerivedRows
  isAsStored: boolean
}

/** Undefined for an event that cannot be read. */
export type CompareEvent = (row: EventRow) => Promise<ComparedEvent | undefined>

/** Reads what these events have in common; the function it returns compares one of them. Nothing is written. */
export async function openComparison(
  ctx: DerivationContext,
  db: Db,
  rows: readonly EventRow[],
  timer: SliceTimer,
): Promise<CompareEvent> {
  const keys = rows.map(({ key }) => key)
  // A series may have thousands of rows; they are read when its turn comes, in batches.
  const single = rows.filter(({ is_recurring }) => is_recurring === 0).map(({ key }) => key)
  const span = await readIndexSpan(db)
  await timer.pause()
  const exceptions = Map.groupBy(await listExceptionRows(db, keys), (row) => row.event_key)
  await timer.pause()
  const occurrences = Map.groupBy(await listOccurrenceRows(db, single), (row) => row.event_key)
  await timer.pause()
  const words = Map.groupBy(await listPublicWordRows(db, single), (row) => row.event_key)
  return async (row) => {
    const anew = await deriveSafely(ctx, row, span, timer)
    if (!anew) return undefined
    const before: DerivedRows = {
      exceptions: exceptions.get(row.key) ?? [],
      occurrences: row.is_recurring === 0 ? (occurrences.get(row.key) ?? []) : await readOccurrences(db, row, timer),
      words: row.is_recurring === 0 ? (words.get(row.key) ?? []) : await readWords(db, row, timer),
    }
    const { derived } = anew
    const isAsStored =
      anew.textMatchesVisibility &&
      row.public_ical === anew.publicIcal &&
      isAsDerived(row, before.exceptions, before.occurrences, derived) &&
      (await hasSameWords(before.words, derived.words, timer))
    return { anew, before, isAsStored }
  }
}

const ROWS_AT_ONCE = 1_000

async function readOccurrences(db: Db, { key }: EventRow, timer: SliceTimer): Promise<OccurrenceRow[]> {
  const rows: OccurrenceRow[] = []
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const some = await listOccurrenceRowsAfter(db, key, after, ROWS_AT_ONCE)
    rows.push(...some)
    if (some.length < ROWS_AT_ONCE) return rows
    after = some.at(-1)!.local_at
    await timer.pause()
  }
}

async function readWords(db: Db, { key }: EventRow, timer: SliceTimer): Promise<PublicWordRow[]> {
  const rows: PublicWordRow[] = []
  for (let after = { local_at: Number.MIN_SAFE_INTEGER, word: '' }; ; ) {
    const some = await listPublicWordRowsAfter(db, key, after, ROWS_AT_ONCE)
    rows.push(...some)
    if (some.length < ROWS_AT_ONCE) return rows
    after = some.at(-1)!
    await timer.pause()
  }
}

export interface DerivedAnew {
  open: OpenObject
  derived: Derived
  publicIcal: string
  /** Whether the text itself has the stored visibility. */
  textMatchesVisibility: boolean
}

async function deriveAnew(
  ctx: DerivationContext,
  row: EventRow,
  span: IndexSpan,
  timer: SliceTimer,
): Promise<DerivedAnew> {
  const text = await runTimed(openText(row.ical, ctx.config.timezone), timer)
  await timer.pause()
  const open = withStoredVisibility(text, row)
  const derived = await runTimed(deriveInSteps(open.series, span), timer)
  await timer.pause()
  const publicIcal = await runTimed(publicTextInSteps(ctx, open, row, span), timer)
  await timer.pause()
  return { open, derived, publicIcal, textMatchesVisibility: text.series.visibility === open.series.visibility }
}

/** Yields to the event loop between the steps of a computation. */
async function runTimed<T>(steps: Steps<T>, timer: SliceTimer): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
    await timer.pause()
  }
}

/** Undefined for an event that cannot be read: it is logged and left as it is, and the walk continues. */
export async function deriveSafely(
  ctx: DerivationContext,
  row: EventRow,
  span: IndexSpan,
  timer: SliceTimer,
): Promise<DerivedAnew | undefined> {
  try {
    return await deriveAnew(ctx, row, span, timer)
  } catch (error) {
    ctx.log.error('a stored event cannot be read and was left as it is', { event_id: row.id, ...describeKind(error) })
    return undefined
  }
}

function isAsDerived(
  row: EventRow,
  exceptions: ExceptionRow[],
  occurrences: OccurrenceRow[],
  derived: Derived,
): boolean {
  return (
    matches(row, derived.columns) &&
    exceptions.length === derived.exceptions.length &&
    exceptions.every((exception, i) => matches(exception, derived.exceptions[i]!)) &&
    occurrences.length === derived.occurrences.length &&
    occurrences.every((occurrence, i) => matches(occurrence, derived.occurrences[i]!))
  )
}

/** Compares regardless of order; neither list has a word of an occurrence twice. */
async function hasSameWords(
  rows: readonly DerivedWord[],
  wanted: readonly DerivedWord[],
  timer: SliceTimer,
): Promise<boolean> {
  if (rows.length !== wanted.length) return false
  const known = new Set<string>()
  for (const [i, { local_at, word }] of rows.entries()) {
    known.add(`${local_at} ${word}`)
    if (i % ROWS_AT_ONCE === 0) await timer.pause()
  }
  for (const [i, { local_at, word }] of wanted.entries()) {
    if (!known.has(`${local_at} ${word}`)) return false
    if (i % ROWS_AT_ONCE === 0) await timer.pause()
  }
  return true
}

const matches = (row: object, wanted: object): boolean =>
  Object.entries(wanted).every(([column, value]) => (row as Record<string, unknown>)[column] === value)
