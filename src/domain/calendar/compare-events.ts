// Compares two versions of an event: fields that differ, occurrences that were edited or deleted.
import type { ExceptionRecord, FullEvent } from '../privacy/mask.ts'
import type { LocalMs } from '../time/instant.ts'
import { DETAIL_FIELDS } from './event.ts'

/** Fields of an event that a comparison names, as its JSON has them. */
export const COMPARED_FIELDS = [
  ...(['title', 'start', 'end', 'all_day', 'timezone', 'rrule', 'rdates', 'location', 'description'] as const),
  ...(['category', 'url', 'status', 'visibility', 'transparency'] as const),
]

export type ComparedField = (typeof COMPARED_FIELDS)[number]

export type EventDifference =
  | { field: ComparedField }
  /** What an occurrence was before and is now; undefined where it is as the series says. */
  | { field: 'occurrence'; before: ExceptionRecord | undefined; after: ExceptionRecord | undefined }
  /** Parts of the calendar object that are no field, such as reminders. */
  | { field: 'other' }

/** A version, and its iCalendar text. */
export interface ShownVersion {
  event: FullEvent
  ical: string
}

export function compareEvents(before: ShownVersion, after: ShownVersion): EventDifference[] {
  const [one, other] = [fieldsOf(before.event), fieldsOf(after.event)]
  const fields = COMPARED_FIELDS.filter((field) => one[field] !== other[field]).map((field) => ({ field }))
  const changes = [...fields, ...compareExceptions(before.event, after.event)]
  if (changes.length > 0 || withoutStamps(before.ical) === withoutStamps(after.ical)) return changes
  return [{ field: 'other' }]
}

function fieldsOf({ details, timing, visibility, record, repetition }: FullEvent): Record<ComparedField, unknown> {
  // Midnight of a date is no instant, so an all-day event is compared by its dates.
  const start = `${timing.allDay} ${timing.startAt}`
  return {
    ...Object.fromEntries(DETAIL_FIELDS.map((field) => [field, details[field]])),
    start,
    end: `${timing.allDay} ${timing.startAt + timing.durationMs}`,
    all_day: timing.allDay,
    timezone: timing.zone,
    visibility,
    transparency: record.transparency,
    rrule: repetition?.rrule ?? null,
    rdates: JSON.stringify(repetition?.rdates ?? []),
  } as Record<ComparedField, unknown>
}

/** By the nominal starts: where the series was moved, its exceptions have moved with it. */
function compareExceptions(before: FullEvent, after: FullEvent): EventDifference[] {
  const known = byKey(after.exceptions, 0)
  const shift = after.timing.startWall - before.timing.startWall
  const candidates = [byKey(before.exceptions, 0), ...(shift === 0 ? [] : [byKey(before.exceptions, shift)])]
  const earlier = candidates.reduce((best, one) => (countShared(one, known) > countShared(best, known) ? one : best))
  const keys = [...new Set([...earlier.keys(), ...known.keys()])].sort((a, b) => a - b)
  return keys.flatMap((key) => {
    const [one, other] = [earlier.get(key), known.get(key)]
    return isSameException(one, other) ? [] : [{ field: 'occurrence' as const, before: one, after: other }]
  })
}

const byKey = (exceptions: readonly ExceptionRecord[] = [], shift: number): Map<LocalMs, ExceptionRecord> =>
  new Map(exceptions.map((exception) => [exception.key + shift, { ...exception, key: exception.key + shift }]))

const countShared = (one: ReadonlyMap<LocalMs, unknown>, other: ReadonlyMap<LocalMs, unknown>): number =>
  [...one.keys()].filter((key) => other.has(key)).length

/** Where the exception was made and by whom is not part of it. */
const isSameException = (one: ExceptionRecord | undefined, other: ExceptionRecord | undefined): boolean =>
  one?.type === other?.type &&
  one?.transparency === other?.transparency &&
  JSON.stringify(sorted(one?.changes)) === JSON.stringify(sorted(other?.changes))

const sorted = (changes: object = {}): [string, unknown][] =>
  Object.entries(changes).sort(([a], [b]) => (a < b ? -1 : 1))

/** DTSTAMP, LAST-MODIFIED and SEQUENCE change with every write. */
const withoutStamps = (ical: string): string =>
  ical.replace(/(?<=\r\n)(?:DTSTAMP|LAST-MODIFIED|SEQUENCE)[:;][^\r\n]*\r\n(?:[ \t][^\r\n]*\r\n)*/gi, '')
