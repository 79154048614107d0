// Presents versions of an event and their differences as JSON.
import type { Comparison, ListedEntry, ReadVersion, VersionEntry } from '../../actions/history/versions.ts'
import type { EventDifference } from '../../domain/calendar/compare-events.ts'
import type { ExceptionRecord, FullEvent } from '../../domain/privacy/mask.ts'
import { formatOccurrenceKey } from '../../domain/recurrence/occurrence-key.ts'
import { formatUtc } from '../../domain/time/text.ts'
import { requireZone } from '../../domain/time/zone.ts'
import { presentEvent, presentException } from './present.ts'

/** In a list; one version has all. */
const LISTED_CHANGES = 50
const LISTED_CHARS = 200

export function presentListedVersion({ comparison, ...entry }: ListedEntry) {
  const changes = comparison?.changes.slice(0, LISTED_CHANGES)
  return {
    ...presentEntry(entry),
    changes: comparison ? presentChanges({ ...comparison, changes: changes! }, shorten) : null,
    more_changes: (comparison?.changes.length ?? 0) - (changes?.length ?? 0),
  }
}

export function presentVersion({ event, comparison, ...entry }: ReadVersion) {
  const { etag: _, ...shown } = presentEvent(event) as { etag: string }
  return {
    ...presentEntry(entry),
    event: shown,
    against: comparison?.against ?? null,
    changes: comparison ? presentChanges(comparison, (value) => value) : null,
  }
}

const presentEntry = ({ at, byName, credentialName, isCurrent, deleted, ...entry }: VersionEntry) => ({
  version: entry.version,
  at: formatUtc(at),
  by: entry.by,
  by_name: byName ?? null,
  with: entry.with,
  credential_name: credentialName ?? null,
  through: entry.through,
  current: isCurrent,
  deleted: deleted
    ? { at: formatUtc(deleted.at), by: deleted.by, by_name: deleted.byName ?? null, with: deleted.with }
    : null,
})

type Shorten = (value: unknown) => unknown

const shorten: Shorten = (value) => {
  if (Array.isArray(value)) return value.slice(0, LISTED_CHANGES)
  if (typeof value !== 'string' || value.length <= LISTED_CHARS) return value
  // By characters: half of a surrogate pair is none.
  return `${[...value.slice(0, LISTED_CHARS)].slice(0, -1).join('')}…`
}

function presentChanges({ before, after, changes }: Comparison, shown: Shorten) {
  const [one, other] = [presentFieldsOf(before), presentFieldsOf(after)]
  const valuesOf = (field: string) => ({
    before: shown(shownValue(one, field)),
    after: shown(shownValue(other, field)),
  })
  return changes.map((change) => {
    if (change.field === 'other') return { field: change.field }
    return change.field === 'occurrence'
      ? presentOccurrence(change, before, after, shown)
      : { field: change.field, ...valuesOf(change.field) }
  })
}

type PresentedFields = Record<string, unknown>

/** Of an all-day event the dates: `end` is the day after the last. */
const shownValue = (fields: PresentedFields, field: string): unknown => fields[`${field}_date`] ?? fields[field]

/** An event may have 10,000 exceptions, of which a comparison shows those that differ. */
const presentFieldsOf = (event: FullEvent): PresentedFields => presentEvent({ ...event, exceptions: [] })

function presentOccurrence(
  { before, after }: Extract<EventDifference, { field: 'occurrence' }>,
  one: FullEvent,
  other: FullEvent,
  shown: Shorten,
) {
  const { allDay } = other.timing
  const key = formatOccurrenceKey((after ?? before)!.key, allDay)
  const change = after === undefined ? 'restored' : after.type === 'excluded' ? 'deleted' : 'edited'
  const place = { field: 'occurrence', occurrence_key: key, change, before: stateOf(before), after: stateOf(after) }
  if (before?.type !== 'overridden' && after?.type !== 'overridden') return place
  const shownIn: Shorten = (value) => (allDay && isMoment(value) ? value.slice(0, 10) : shown(value))
  const values = [valuesIn(one, before), valuesIn(other, after)] as const
  return { ...place, fields: presentFields(...values, { before, after }, shownIn) }
}

const valuesIn = ({ timing }: FullEvent, record: ExceptionRecord | undefined): PresentedFields =>
  record ? presentException(record, timing.allDay, requireZone(timing.zone)) : {}

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:]+(?:Z|[+-]\d\d:\d\d)$/.test(value)

const stateOf = (exception: ExceptionRecord | undefined) =>
  exception === undefined ? 'series' : exception.type === 'excluded' ? 'deleted' : 'edited'

const SKIPPED = ['occurrence_key', 'type', 'created_at', 'created_by']

/** Absent where the occurrence has the value of the series. */
function presentFields(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  records: { before: ExceptionRecord | undefined; after: ExceptionRecord | undefined },
  shown: Shorten,
) {
  const names = [...new Set(['start', 'end', ...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !SKIPPED.includes(name),
  )
  const changed = names.filter((name) => before[name] !== after[name])
  const values = changed.map((field) => ({
    field,
    ...(field in before ? { before: shown(before[field]) } : {}),
    ...(field in after ? { after: shown(after[field]) } : {}),
  }))
  const [was, is] = [records.before?.transparency, records.after?.transparency]
  if (was === is) return values
  return [...values, { field: 'transparency', ...(was ? { before: was } : {}), ...(is ? { after: is } : {}) }]
}
