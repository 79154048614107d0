// Plans the import of one event: parse, normalise, validate, compare with the stored event.
import type { Context } from '../../context.ts'
import { isAllEdited } from '../../domain/calendar/event.ts'
import type { SkipReason } from '../../domain/calendar/skip-reasons.ts'
import type { Steps } from '../../domain/steps.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { requireZone } from '../../domain/time/zone.ts'
import { findMain, MAX_SEQUENCE, sequenceOf } from '../../ical/decode.ts'
import { type ImportedObject, importEventInSteps, isImported } from '../../ical/import/import-event.ts'
import type { UnimportedPart } from '../../ical/import/read-parts.ts'
import { isParseProblem, parseCalendar, parseInSteps } from '../../ical/text/parse.ts'
import { printCalendarInSteps } from '../../ical/text/print.ts'
import type { FilePart } from '../../ical/text/split.ts'
import { isOversized, MAX_EVENT_OCTETS } from '../../ical/text/text-size.ts'
import { type Component, findProperty, property, unescapeText, withProperties } from '../../ical/text/tree.ts'
import type { ZoneFinder } from '../../ical/zones/foreign-zones.ts'
import type { IndexSpan } from '../../storage/events/calendar.ts'
import type { EventRow } from '../../storage/tables.ts'
import { openText, type Texts, textsInSteps } from '../events/event-texts.ts'
import { epochAfter } from '../events/public-text.ts'
import type { ImportedEvent } from './import-report.ts'
import type { ImportCandidate } from './import-source.ts'

export interface ImportContext {
  ctx: Context
  findZone: ZoneFinder
  now: Instant
  /** The time span of the occurrence index. */
  span: IndexSpan
  /** The last event in the trash of each UID. */
  inTrash: ReadonlyMap<string, string>
}

export interface ImportPlan {
  /** Entries for the report once it is written: the event, and parts of it that were left out. */
  entries: ImportedEvent[]
}

export interface WritePlan extends ImportPlan {
  uid: string
  id: string
  at: Instant
  /** The row it replaces; undefined for a new event. */
  before: EventRow | undefined
  texts: Texts
  span: IndexSpan
}

export const isToWrite = (plan: ImportPlan): plan is WritePlan => 'texts' in plan

/** Runs in steps, because an event at its limits takes long to plan. */
export function* planInSteps(
  planning: ImportContext,
  event: ImportCandidate,
  before: EventRow | undefined,
): Steps<ImportPlan> {
  try {
    return yield* planSafely(planning, event, before)
  } catch (error) {
    // An internal error with this event must not stop the others.
    planning.ctx.log.error('an event of a file could not be read', { error: (error as Error).name })
    return { entries: [skippedEntry(event.parts[0]!, 'unreadable')] }
  }
}

function* planSafely(planning: ImportContext, event: ImportCandidate, before: EventRow | undefined): Steps<ImportPlan> {
  const { ctx, findZone, now, span, inTrash } = planning
  const { timezone, defaultVisibility } = ctx.config
  const visibility = before?.visibility ?? defaultVisibility
  // Checked before parsing: a part of a file may be as long as the file.
  const long = event.parts.find(({ text }) => text.length > 2 * MAX_EVENT_OCTETS)
  if (long) return { entries: [skippedEntry(long, 'too_large')] }
  const adopted = yield* importEventInSteps(event, { zone: requireZone(timezone), visibility, now, findZone })
  if (!isImported(adopted)) return { entries: adopted.left.map(leftEntry) }
  yield
  if (before && isSameText(before.ical, yield* printCalendarInSteps(adopted.tree)))
    return { entries: entriesOf(adopted, 'unchanged', before.id) }
  yield
  // Overrides alone do not describe a series: a stored series that has more than edited occurrences is not replaced.
  if (adopted.wasOccurrence && before?.is_recurring === 1 && (yield* hasMoreThanEdits(before, timezone)))
    return { entries: [skippedEntry(event.parts[0]!, 'occurrence_without_series')] }
  const tree = before ? yield* withNextSequence(adopted.tree, before.ical) : adopted.tree
  yield
  const ical = yield* printCalendarInSteps(tree)
  if (isOversized(ical)) return { entries: [skippedEntry(event.parts[0]!, 'too_large')] }
  yield
  const id = before?.id ?? event.id
  const at = Math.max(now, before?.updated_at ?? now)
  const epoch = before ? epochAfter(before, adopted.series.visibility) : 0
  const texts = yield* textsInSteps(ctx, ical, { tree, series: adopted.series }, span, {
    id,
    updated_at: at,
    mask_epoch: epoch,
  })
  const continues = before ? undefined : inTrash.get(event.uid)
  const entries = entriesOf(adopted, before ? 'updated' : 'created', id, continues)
  const plan: WritePlan = { entries, uid: event.uid, id, at, before, texts, span }
  return plan
}

/** A stored text that cannot be read has nothing to keep. */
function* hasMoreThanEdits({ ical }: EventRow, timezone: string): Steps<boolean> {
  try {
    const { series } = yield* openText(ical, timezone)
    return !isAllEdited(series)
  } catch {
    return false
  }
}

/** Ignores DTSTAMP, LAST-MODIFIED and SEQUENCE: many programs rewrite them in every export. */
const isSameText = (stored: string, given: string): boolean =>
  stored === given || withoutStamps(stored) === withoutStamps(given)

const withoutStamps = (ical: string): string =>
  ical.replace(/(?<=\r\n)(?:DTSTAMP|LAST-MODIFIED|SEQUENCE)[:;][^\r\n]*\r\n(?:[ \t][^\r\n]*\r\n)*/gi, '')

const entriesOf = (
  { series, left, line }: ImportedObject,
  result: 'created' | 'updated' | 'unchanged',
  id: string,
  continues?: string,
): ImportedEvent[] => [
  ...left.map(leftEntry),
  {
    uid: series.uid,
    id,
    title: shortTitle(series.details.title),
    result,
    line,
    ...(continues === undefined ? {} : { continues }),
  },
]

/** Raises SEQUENCE like any change here: the file may be older than the event, and subscribers ignore older ones. */
function* withNextSequence(tree: Component, stored: string): Steps<Component> {
  const before = yield* parseInSteps(stored)
  const last = isParseProblem(before) ? undefined : findMain(before)
  const main = findMain(tree)!
  const sequence = Math.max(sequenceOf(main) ?? 0, Math.min((last && sequenceOf(last)) ?? 0, MAX_SEQUENCE - 1) + 1)
  const counted = withProperties(main, 'SEQUENCE', [property('SEQUENCE', String(sequence))])
  return { ...tree, children: tree.children.map((node) => (node === main ? counted : node)) }
}

const leftEntry = ({ part, reason, line }: UnimportedPart): ImportedEvent => skippedEntry(part, reason, line)

export function skippedEntry(part: FilePart, reason: SkipReason, line = part.line): ImportedEvent {
  const title = shortTitle(unescapeText(summaryOf(part)))
  return { uid: part.uid ?? null, title, result: 'skipped', reason, line }
}

/** Characters searched for a title; a component can be as long as a file. */
const MAX_SEARCHED_CHARS = 16 * 1_024

/** In a part that cannot be parsed, or is long, the first line that looks like a SUMMARY counts. */
function summaryOf({ text }: FilePart): string {
  const tree = text.length <= MAX_SEARCHED_CHARS ? parseCalendar(text) : undefined
  if (tree && !isParseProblem(tree)) return findProperty(tree, 'SUMMARY')?.value ?? ''
  const unfolded = text.slice(0, MAX_SEARCHED_CHARS).replace(/\r?\n[ \t]/g, '')
  return /\nSUMMARY(?:;[^:\r\n]*)?:([^\r\n]*)/i.exec(unfolded)?.[1] ?? ''
}

const MAX_TITLE = 80

const shortTitle = (title: string): string => [...title.slice(0, 2 * MAX_TITLE)].slice(0, MAX_TITLE).join('')
