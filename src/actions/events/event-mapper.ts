// Maps database rows to domain events.

import type { Details, Timing } from '../../domain/calendar/event.ts'
import type { CurrentVersion } from '../../domain/precondition.ts'
import type { ExceptionRecord, FullEventRecord, Repetition, StoredEvent } from '../../domain/privacy/mask.ts'
import { maskDates } from '../../domain/privacy/masked-schedule.ts'
import { type Pattern, resolvePattern, startAtOf, withoutListingLimit } from '../../domain/recurrence/occurrences.ts'
import { parseRule } from '../../domain/recurrence/rule.ts'
import { isFrequent } from '../../domain/recurrence/sub-daily-limit.ts'
import type { LocalMs } from '../../domain/time/instant.ts'
import { requireZone } from '../../domain/time/zone.ts'
import { keyedHash } from '../../secrets.ts'
import type { ExceptionTimes } from '../../storage/events/exceptions.ts'
import type {
  EventRow,
  ExceptionRow,
  KnownEventRow,
  PublicEventRow,
  PublicExceptionRow,
  TimeColumns,
  WordColumns,
} from '../../storage/tables.ts'

export const eventFromPublicRow = (row: PublicEventRow): StoredEvent => ({
  id: row.id,
  visibility: row.visibility,
  timing: timingOf(row),
  details: detailsOf(row),
  isRecurring: row.is_recurring === 1,
  rrule: row.rrule,
})

export const eventFromRow = (row: Omit<KnownEventRow, 'search_text'>, secret: string): StoredEvent => ({
  ...eventFromPublicRow(row),
  record: recordOf(row, secret),
})

/** The event with the changes of one of its edited occurrences. */
export function withOverride(event: StoredEvent, row: PublicExceptionRow | ExceptionRow): StoredEvent {
  if (row.start_local === null || row.start_at === null || row.duration_ms === null) return event
  const timing = { ...event.timing, startWall: row.start_local, startAt: row.start_at, durationMs: row.duration_ms }
  const details = row.title === null ? event.details : detailsOf(row as WordColumns)
  const transparency = 'transparency' in row ? row.transparency : null
  const record = event.record && transparency ? { record: { ...event.record, transparency } } : {}
  return { ...event, timing, details, ...record }
}

/** The series with its repetition; records of exceptions only where the reader may know them. */
export function withRepetition(
  event: StoredEvent,
  row: TimeColumns,
  exceptions: readonly PublicExceptionRow[],
): StoredEvent {
  const pattern = exceptions.some(({ kind }) => kind === 'overridden') ? patternFromRow(row) : undefined
  const records = exceptions.map((exception) => exceptionRecord(event, pattern, exception))
  return { ...event, repetition: repetitionOf(row, exceptions), exceptions: records }
}

/**
 * The same for a series that is masked next, or listed for the public: of an edited occurrence only its key is needed.
 * The other changes are not computed, which halves the time that edits add to a read.
 */
export const withMaskedRepetition = (
  event: StoredEvent,
  row: TimeColumns,
  exceptions: readonly Pick<PublicExceptionRow, 'kind' | 'local_at'>[],
): StoredEvent => ({
  ...event,
  repetition: repetitionOf(row, exceptions),
  exceptions: exceptions.map(({ kind, local_at }) => ({ key: local_at, type: kind, ...NOT_SHOWN })),
})

const NOT_SHOWN = { createdAt: 0, createdBy: null, changes: {} }

const repetitionOf = (
  row: TimeColumns,
  exceptions: readonly Pick<PublicExceptionRow, 'kind' | 'local_at'>[],
): Repetition => ({
  rrule: row.rrule,
  rdates: rdatesOf(row),
  exdates: exceptions.filter(({ kind }) => kind === 'excluded').map(({ local_at }) => local_at),
  lastListed: isTruncated(row) ? (row.last_local ?? undefined) : undefined,
})

function exceptionRecord(
  event: StoredEvent,
  pattern: Pattern | undefined,
  exception: PublicExceptionRow,
): ExceptionRecord {
  const made = { key: exception.local_at, createdAt: exception.created_at, createdBy: exception.created_by }
  if (exception.kind === 'excluded' || !pattern) return { type: 'excluded', ...made, changes: {} }
  const edited = withOverride(event, exception)
  const changes: Record<string, unknown> = {}
  for (const field of Object.keys(event.details) as (keyof Details)[]) {
    if (edited.details[field] !== event.details[field]) changes[field] = edited.details[field]
  }
  const nominalStart = startAtOf(pattern, exception.local_at)
  if (edited.timing.startAt !== nominalStart || edited.timing.durationMs !== event.timing.durationMs) {
    changes.startAt = edited.timing.startAt
    changes.endAt = edited.timing.startAt + edited.timing.durationMs
  }
  const transparency = edited.record?.transparency
  const isOwn = transparency !== undefined && transparency !== event.record?.transparency
  return { type: 'overridden', ...made, changes, ...(isOwn ? { transparency } : {}) }
}

/** Whether only its first occurrences are expanded (sub-daily rule): all of those are indexed, and there are more. */
export function isTruncated({ rrule, indexed_to }: Pick<TimeColumns, 'rrule' | 'indexed_to'>): boolean {
  const rule = rrule === null || indexed_to === null ? undefined : parseRule(rrule)
  return typeof rule === 'object' && isFrequent(rule)
}

/** The pattern to expand a series without its text: the rule was checked and its count resolved when it was written. */
export function patternFromRow(row: TimeColumns): Pattern {
  const rule = row.rrule === null ? undefined : parseRule(row.rrule)
  if (typeof rule === 'string') throw new Error(`event ${row.id} holds a rule that cannot be read`)
  const pattern = {
    allDay: row.all_day === 1,
    zone: requireZone(row.timezone),
    startWall: row.start_local,
    startAt: row.start_at,
    durationMs: row.duration_ms,
    rule,
    rdates: rdatesOf(row),
  }
  return resolvePattern(pattern, row.last_local ?? undefined)
}

/** The pattern and exceptions of a private series as the public may know them. */
export function maskExceptions(pattern: Pattern, rows: readonly ExceptionTimes[]) {
  const overrides = rows.flatMap((row) =>
    row.kind === 'excluded' || row.start_at === null || row.duration_ms === null
      ? []
      : [{ key: row.local_at, timing: { startAt: row.start_at, durationMs: row.duration_ms }, row }],
  )
  const excluded = rows.filter(({ kind }) => kind === 'excluded').map(({ local_at }) => local_at)
  const { rdates, exclusions, moved } = maskDates(withoutListingLimit(pattern), excluded, overrides)
  const effective = new Set(exclusions)
  const exceptions = [
    ...rows.filter(({ kind, local_at }) => kind === 'excluded' && effective.has(local_at)),
    ...moved.map(({ row }) => row),
  ]
  return { pattern: { ...pattern, rdates }, exceptions }
}

/** Length of one date in the stored list of extra dates. */
export const RDATE_CHARACTERS = 14

const rdatesOf = (row: Pick<TimeColumns, 'rdates'>): LocalMs[] => (row.rdates === '[]' ? [] : JSON.parse(row.rdates))

const timingOf = (row: TimeColumns): Timing => ({
  allDay: row.all_day === 1,
  zone: row.timezone,
  startWall: row.start_local,
  startAt: row.start_at,
  durationMs: row.duration_ms,
})

const detailsOf = (row: WordColumns): Details => ({
  title: row.title,
  description: row.description,
  location: row.location,
  category: row.category,
  url: row.url,
  status: row.status,
})

const recordOf = (row: Omit<KnownEventRow, 'search_text'>, secret: string): FullEventRecord => ({
  uid: row.uid,
  transparency: row.transparency,
  version: row.version,
  etag: etagOf(row, secret),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  createdBy: row.created_by,
  updatedBy: row.updated_by,
})

/** The columns that an ETag is made of. */
export type TaggedRow = Pick<EventRow, 'id' | 'version' | 'revision'>

/** Opaque; differs for the same version number in another history of the calendar, such as after a restore. */
export const currentVersionOf = (row: TaggedRow, secret: string): CurrentVersion => ({
  version: row.version,
  etag: () => etagOf(row, secret),
})

export const etagOf = (row: TaggedRow, secret: string): string =>
  `"e-${row.version}-${keyedHash(secret, `${row.id} ${row.version} ${row.revision}`).slice(0, 8)}"`
