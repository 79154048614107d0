// What calendar programs write: the text is kept as they sent it, and everything else is derived from it put right.
import type { Context } from '../context.ts'
import { type SkipReason, skipReasons } from '../domain/calendar/skip-reasons.ts'
import { type Author, requireAccess, sightOf, type Viewer } from '../domain/privacy/viewer.ts'
import { runSteps, type Steps } from '../domain/steps.ts'
import { FIRST_YEAR, type Instant, LAST_YEAR } from '../domain/time/instant.ts'
import type { Range } from '../domain/time/window.ts'
import { requireZone } from '../domain/time/zone.ts'
import { AppError, type ErrorCode, fail } from '../errors.ts'
import { type Adopted, adoptInSteps, isAdopted } from '../ical/adopt.ts'
import { makeZoneFinder } from '../ical/foreign-zones.ts'
import { isParseProblem, parseInSteps } from '../ical/parse.ts'
import { printCalendarInSteps } from '../ical/print.ts'
import { type FileEvent, isSplitProblem, splitInSteps } from '../ical/split.ts'
import { isOversized } from '../ical/text-size.ts'
import { type Component, findProperty, listComponents, listProperties } from '../ical/tree.ts'
import { yieldToEventLoop } from '../scheduling/event-loop.ts'
import { raiseRevision, readIndexSpan } from '../storage/calendar.ts'
import { deleteEvent, insertEvent, updateEvent } from '../storage/events.ts'
import { insertGoneName } from '../storage/gone-names.ts'
import { findEventRowByName, findNameOfUid, renameObject } from '../storage/objects.ts'
import type { Db, EventRow } from '../storage/tables.ts'
import { inTransaction } from '../storage/transaction.ts'
import { requireAuthor } from './author-guard.ts'
import { isCostlyText, isCurrent, type Preparation, prepare, runYielding, withWritePermit } from './costly-writes.ts'
import { type Texts, textsInSteps } from './event-texts.ts'
import { type Caller, SERVICE_CALLER } from './long-reads.ts'
import { headOf, type ObjectHead } from './objects.ts'
import { epochAfter } from './public-text.ts'
import { etagOf } from './read-event.ts'

export interface Expected {
  /** Any of these; `*` is any there is. */
  etags?: readonly string[] | undefined
  mustBeNew?: boolean | undefined
}

export interface Put {
  /** Undefined for those who may not read: a tag has the version in it. */
  head: ObjectHead | undefined
  isNew: boolean
}

/**
 * A long text is made ready before the transaction, which checks that what it replaces is still the same. A short one
 * that replaces a costly event is costly too: all rows of that event are read and deleted.
 */
export async function putObject(
  ctx: Context,
  viewer: Viewer,
  name: string,
  text: string,
  expected: Expected,
  caller: Caller = SERVICE_CALLER,
): Promise<Put> {
  requireAccess(viewer, 'write')
  const isCostly = isCostlyText(text) || (await isCostlyName(ctx, name))
  if (!isCostly) return putSent(ctx, viewer, { name, text, event: runSteps(readSent(text)), expected })
  return withWritePermit(ctx, caller, async () => {
    const event = await runYielding(readSent(text))
    const { reads } = ctx.storage
    const before = await findEventRowByName(reads, name, false)
    const span = await readIndexSpan(reads)
    const mayPut = isExpected(ctx, before, expected, ctx.config.caldavBlindWrites) && isSameUid(before, event)
    const id = before?.id ?? ctx.newId()
    const prepared = mayPut && (await prepare(before, span, adoptTexts(ctx, { event, text, before, id, span })))
    return putSent(ctx, viewer, { name, text, event, expected, prepared: prepared || undefined })
  })
}

async function isCostlyName(ctx: Context, name: string): Promise<boolean> {
  const row = await findEventRowByName(ctx.storage.reads, name, false)
  return row !== undefined && isCostlyText(row.ical)
}

/** The work is charged to the caller where what is stored under the name is costly to delete. */
const withPermitForName = async <T>(ctx: Context, caller: Caller, name: string, work: () => Promise<T>): Promise<T> =>
  (await isCostlyName(ctx, name)) ? withWritePermit(ctx, caller, work) : work()

interface SentObject {
  name: string
  text: string
  event: FileEvent
  expected: Expected
  prepared?: Preparation<AdoptedTexts> | undefined
}

async function putSent(ctx: Context, viewer: Author, sent: SentObject): Promise<Put> {
  const { name, text, event, expected, prepared } = sent
  const newId = ctx.newId()
  try {
    return await inTransaction(ctx.storage, async (db) => {
      const by = await requireAuthor(ctx, db, viewer, 'write')
      const before = await findEventRowByName(db, name)
      if (!isExpected(ctx, before, expected, ctx.config.caldavBlindWrites)) fail('version_mismatch')
      if (!isSameUid(before, event)) throw conflictWith(name)
      const span = await readIndexSpan(db)
      // Statements with a long text take some 10 ms each on SQLite.
      if (prepared) await yieldToEventLoop()
      const adopted = isCurrent(prepared, before, span)
        ? prepared.finish()
        : runSteps(adoptTexts(ctx, { event, text, before, id: before?.id ?? newId, span }))
      const put = await write(ctx, db, { by, name, text, before, adopted })
      return sightOf(viewer) === 'full' ? put : { ...put, head: undefined }
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'uid_conflict' || error.details) throw error
    if (sightOf(viewer) !== 'full') throw error
    throw conflictWith((await findNameOfUid(ctx.storage.reads, event.uid)) ?? name)
  }
}

const isSameUid = (before: EventRow | undefined, { uid }: FileEvent): boolean => !before || before.uid === uid

/** The one that has the UID already, so that the program can find it. */
const conflictWith = (name: string): AppError => new AppError('uid_conflict', { details: { name } })

interface Adopting {
  event: FileEvent
  text: string
  before: EventRow | undefined
  id: string
  span: Range
}

/** All that is kept of an object, under the id it has or is to have. */
interface AdoptedTexts {
  id: string
  updatedAt: Instant
  texts: Texts
}

function* adoptTexts(ctx: Context, { event, text, before, id, span }: Adopting): Steps<AdoptedTexts> {
  const adopted = yield* adopt(ctx, event, before, text)
  const updatedAt = Math.max(ctx.clock(), before?.updated_at ?? 0)
  const epoch = before ? epochAfter(before, adopted.series.visibility) : 0
  yield
  const ical = yield* printCalendarInSteps(adopted.tree)
  if (isOversized(ical)) refuse('too_large')
  yield
  const known = { id, updated_at: updatedAt, mask_epoch: epoch }
  return { id, updatedAt, texts: yield* textsInSteps(ctx, ical, adopted, span, known) }
}

interface Writing {
  by: string | null
  name: string
  text: string
  before: EventRow | undefined
  adopted: AdoptedTexts
}

async function write(ctx: Context, db: Db, { by, name, text, before, adopted }: Writing): Promise<Put> {
  const { id, updatedAt: now } = adopted
  const { derived, ...texts } = adopted.texts
  const revision = await raiseRevision(db)
  const changed = { id, updated_at: now, updated_by: by, revision, ...texts, dav_name: name, sent_ical: text }
  if (before) {
    const version = before.version + 1
    if (!(await updateEvent(db, before, { ...changed, version }, derived))) fail('version_mismatch')
    return { head: headOf(ctx, { ...before, ...changed, version }), isNew: false }
  }
  const record = { ...changed, created_at: now, created_by: by, version: 1 }
  await insertEvent(db, record, derived)
  return { head: headOf(ctx, { ...record, key: 0 }), isNew: true }
}

export async function deleteObject(
  ctx: Context,
  viewer: Viewer,
  name: string,
  etags?: readonly string[],
  caller: Caller = SERVICE_CALLER,
): Promise<void> {
  requireAccess(viewer, 'write')
  const remove = (): Promise<void> =>
    inTransaction(ctx.storage, async (db) => {
      await requireAuthor(ctx, db, viewer, 'write')
      const row = (await findEventRowByName(db, name)) ?? fail('event_not_found')
      if (!isExpected(ctx, row, { etags }, true)) fail('version_mismatch')
      await deleteEvent(db, row, await raiseRevision(db), ctx.clock())
    })
  await withPermitForName(ctx, caller, name, remove)
}

export interface Move {
  /** Whatever stands there goes. */
  overwrite: boolean
  etags?: readonly string[] | undefined
}

export async function moveObject(
  ctx: Context,
  viewer: Viewer,
  from: string,
  to: string,
  { overwrite, etags }: Move,
  caller: Caller = SERVICE_CALLER,
): Promise<{ isNew: boolean }> {
  requireAccess(viewer, 'write')
  const move = (): Promise<{ isNew: boolean }> =>
    inTransaction(ctx.storage, async (db) => {
      await requireAuthor(ctx, db, viewer, 'write')
      // Before the events, so that of two who want one name, or each other's, one waits for the other.
      const revision = await raiseRevision(db)
      const row = (await findEventRowByName(db, from)) ?? fail('event_not_found')
      if (!isExpected(ctx, row, { etags }, true)) fail('version_mismatch')
      const there = await findEventRowByName(db, to)
      if (there && (!overwrite || there.key === row.key)) fail('destination_taken')
      if (there) await deleteEvent(db, there, revision, ctx.clock())
      await renameObject(db, row.key, to, revision)
      await insertGoneName(db, from, revision, ctx.clock())
      return { isNew: !there }
    })
  return withPermitForName(ctx, caller, to, move)
}

/** Who writes over something must say what they saw, unless that is not asked of them. */
function isExpected(ctx: Context, row: EventRow | undefined, expected: Expected, mayBeBlind: boolean): boolean {
  const { etags, mustBeNew } = expected
  if (!row) return !etags
  const isKnown = etags ? etags.includes('*') || etags.includes(etagOf(row, ctx.secret)) : mayBeBlind
  return !mustBeNew && isKnown
}

/** One event or series, and nothing else. */
function* readSent(text: string): Steps<FileEvent> {
  const tree = yield* parseInSteps(text.replace(/^\ufeff/, ''))
  if (isParseProblem(tree)) fail('data_invalid', { why: tree.problem, line: tree.line })
  if (tree.name !== 'VCALENDAR') fail('data_invalid', { line: 1 })
  if ((findProperty(tree, 'VERSION')?.value.trim() ?? '2.0') !== '2.0') fail('data_type_unsupported')
  if (findProperty(tree, 'METHOD')) refuse('method_given')
  yield
  const split = yield* splitInSteps(text)
  if (isSplitProblem(split)) fail('data_invalid', { why: split.problem, line: split.line })
  const [skipped] = split.skipped
  if (skipped) refuse(skipped.reason, skipped.part.line)
  const [event, ...others] = split.events
  if (!event) refuse('unknown_component')
  if (others.length > 0) refuse('several_events')
  return withParsed(event, tree)
}

/** With the components that were parsed already, so that nothing is parsed twice. */
function withParsed(event: FileEvent, tree: Component): FileEvent {
  const parsed = listComponents(tree, 'VEVENT')
  // As many in the same order: none was skipped, and there is one UID.
  if (parsed.length !== event.parts.length) return event
  return { ...event, parts: event.parts.map((part, i) => ({ ...part, parsed: parsed[i]! })) }
}

function* adopt(ctx: Context, event: FileEvent, before: EventRow | undefined, text: string): Steps<Adopted> {
  const zone = requireZone(ctx.config.timezone)
  const adopted = yield* adoptInSteps(event, {
    zone,
    // A program that does not know of CLASS, or leaves it out, does not publish anything.
    visibility: before?.visibility ?? ctx.config.defaultVisibility,
    now: ctx.clock(),
    findZone: makeZoneFinder(zone),
  })
  const [left] = adopted.left
  if (left)
    refuse(left.reason, left.line, TIME_REASONS.includes(left.reason) ? yield* findBeyondYears(text) : undefined)
  return isAdopted(adopted) ? adopted : fail('object_invalid')
}

const OWN_REASONS = {
  method_given: 'It has a METHOD, which belongs into mail.',
  several_events: 'It has more than one UID.',
}

const CODES: Partial<Record<SkipReason | keyof typeof OWN_REASONS, ErrorCode>> = {
  todo: 'component_unsupported',
  journal: 'component_unsupported',
  free_busy: 'component_unsupported',
  unknown_component: 'component_unsupported',
  unreadable: 'data_invalid',
  line_too_long: 'data_invalid',
  timezone_unknown: 'zone_unknown',
}

const TIME_REASONS: readonly SkipReason[] = ['times_unreadable', 'dates_out_of_range']
const TIME_LINES = ['DTSTART', 'DTEND', 'RDATE', 'RECURRENCE-ID']

/** RFC 4791 §5.3.2.1 tells times that cannot be read from those before or after all we keep. */
function* findBeyondYears(text: string): Steps<ErrorCode | undefined> {
  const tree = yield* parseInSteps(text.replace(/^\ufeff/, ''))
  const events = isParseProblem(tree) ? [] : listComponents(tree, 'VEVENT')
  const lines = events.flatMap((event) => TIME_LINES.flatMap((name) => listProperties(event, name)))
  const years = lines.flatMap(({ value }) => [...value.matchAll(/\b(\d{4})\d{4}/g)].map(([, year]) => Number(year)))
  if (years.some((year) => year < FIRST_YEAR)) return 'date_too_early'
  return years.some((year) => year > LAST_YEAR) ? 'date_too_late' : undefined
}

function refuse(
  reason: SkipReason | keyof typeof OWN_REASONS,
  line?: number,
  code: ErrorCode = CODES[reason] ?? 'object_invalid',
): never {
  fail(code, { reason, why: { ...skipReasons, ...OWN_REASONS }[reason], line })
}
