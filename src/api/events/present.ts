// Presents masked events as JSON: an allow-list of keys for each level of sight.
import type { ShownOccurrence } from '../../actions/events/masked-reads.ts'
import type { DroppedException } from '../../domain/calendar/dropped.ts'
import type { ExceptionRecord, FullEvent, MaskedEventView, OpenEvent, ShownEvent } from '../../domain/privacy/mask.ts'
import { formatOccurrenceKey } from '../../domain/recurrence/occurrence-key.ts'
import { dayOf, type Instant, type LocalMs } from '../../domain/time/instant.ts'
import { formatDate, formatInstant, formatUtc } from '../../domain/time/text.ts'
import { requireZone, startOfDay, type Zone } from '../../domain/time/zone.ts'

/** A single event, in its own zone unless the reader asked for another. */
export function presentEvent(event: ShownEvent, zone: Zone = requireZone(event.timing.zone)) {
  switch (event.level) {
    case 'full':
      return {
        ...presentFull(event, undefined, zone),
        ...presentRepetition(event),
        exceptions: presentExceptions(event, zone),
      }
    case 'open':
      return { ...presentOpen(event, undefined, zone), ...presentRepetition(event) }
    case 'masked':
      return { ...presentMasked(event, zone), timezone: event.timing.zone, ...presentMaskedRepetition(event) }
  }
}

/** Response to a write: the event, its version, and the exceptions that do not fit the changed series. */
export function presentWritten(
  id: string,
  event: ShownEvent | undefined,
  dropped: readonly DroppedException[],
  continues?: string,
) {
  if (event?.level !== 'full') return { data: event ? presentEvent(event) : { id } }
  return {
    data: presentEvent(event),
    meta: {
      version: event.record.version,
      ...(dropped.length > 0 ? presentDropped(dropped) : {}),
      ...(continues === undefined ? {} : { continues }),
    },
  }
}

/** A series may have 10,000 exceptions. */
const MAX_LISTED_DROPPED = 500

function presentDropped(dropped: readonly DroppedException[]) {
  const listed = dropped.slice(0, MAX_LISTED_DROPPED)
  return {
    dropped_exceptions: [...new Set(listed.map(({ occurrenceKey }) => occurrenceKey))],
    dropped: listed.map(({ occurrenceKey, type }) => ({ occurrence_key: occurrenceKey, type })),
    ...(listed.length < dropped.length ? { dropped_truncated: true } : {}),
  }
}

/** A list entry. `key` is absent if the event is listed once, as stored. */
export function presentListed({ event, key }: ShownOccurrence, zone: Zone) {
  switch (event.level) {
    case 'full':
      if (event.exceptions) return presentEvent(event, zone)
      return { ...presentFull(event, key, zone), rrule: event.rrule }
    case 'open':
      return event.repetition ? presentEvent(event, zone) : presentOpen(event, key, zone)
    case 'masked':
      return presentMasked(event, zone)
  }
}

/** A short form for the sidebar. */
export function presentUpcoming({ event, key }: ShownOccurrence, zone: Zone) {
  if (event.level === 'masked') return presentMasked(event, zone)
  const { id, details, visibility, timing } = event
  return {
    id,
    title: details.title,
    ...presentPlace(event, zone),
    visibility,
    occurrence_key: key === undefined ? null : formatOccurrenceKey(key, timing.allDay),
    location: details.location,
  }
}

function presentFull(event: FullEvent, key: LocalMs | undefined, zone: Zone) {
  const { record } = event
  return {
    ...presentOpen(event, key, zone),
    uid: record.uid,
    transparency: record.transparency,
    created_at: formatUtc(record.createdAt),
    updated_at: formatUtc(record.updatedAt),
    created_by: record.createdBy,
    updated_by: record.updatedBy,
    version: record.version,
    etag: record.etag,
  }
}

function presentOpen(event: OpenEvent | FullEvent, key: LocalMs | undefined, zone: Zone) {
  const { details } = event
  return {
    id: event.id,
    title: details.title,
    ...presentPlace(event, zone),
    timezone: event.timing.zone,
    visibility: event.visibility,
    description: details.description,
    location: details.location,
    category: details.category,
    url: details.url,
    status: details.status,
    recurring: event.isRecurring,
    occurrence_key: key === undefined ? null : formatOccurrenceKey(key, event.timing.allDay),
  }
}

const presentMasked = (event: MaskedEventView, zone: Zone) => ({
  id: event.id,
  title: event.title,
  ...presentPlace(event, zone),
  visibility: event.visibility,
})

interface PlacedInTime {
  timing: Pick<ShownEvent['timing'], 'allDay' | 'startAt' | 'durationMs'>
}

export interface PresentedPlace {
  start: string
  end: string
  all_day: boolean
  start_date?: string
  end_date?: string
}

/** Dates stay dates: an all-day event begins at midnight in the zone of the response. */
export function presentPlace({ timing }: PlacedInTime, zone: Zone) {
  const endAt = timing.startAt + timing.durationMs
  if (!timing.allDay)
    return { start: formatInstant(timing.startAt, zone), end: formatInstant(endAt, zone), all_day: false }
  const [first, next] = [dayOf(timing.startAt), dayOf(endAt)]
  return {
    start: formatInstant(startOfDay(zone, first), zone),
    end: formatInstant(startOfDay(zone, next), zone),
    all_day: true,
    start_date: formatDate(first),
    end_date: formatDate(next),
  }
}

function presentRepetition({ repetition, timing }: ShownEvent) {
  const keys = (walls: readonly LocalMs[] = []) => walls.map((wall) => formatOccurrenceKey(wall, timing.allDay))
  const [last_listed] = keys(repetition?.lastListed === undefined ? [] : [repetition.lastListed])
  return {
    rrule: repetition?.rrule ?? null,
    rdates: keys(repetition?.rdates),
    exdates: keys(repetition?.exdates),
    ...(last_listed === undefined ? {} : { last_listed }),
  }
}

/** Only times, and only the fields that are present. */
function presentMaskedRepetition(event: MaskedEventView) {
  const { rrule, rdates, exdates, ...last } = presentRepetition(event)
  return {
    ...last,
    ...(rrule === null ? {} : { rrule }),
    ...(rdates.length > 0 ? { rdates } : {}),
    ...(event.isRecurring ? { exdates } : {}),
  }
}

const presentExceptions = (event: FullEvent, zone: Zone) =>
  (event.exceptions ?? []).map((exception) => presentException(exception, event.timing.allDay, zone))

export function presentException(
  { key, type, createdAt, createdBy, changes }: ExceptionRecord,
  allDay: boolean,
  zone: Zone,
) {
  const { startAt, endAt, ...words } = changes
  const moment = (at: Instant): string => formatInstant(allDay ? startOfDay(zone, dayOf(at)) : at, zone)
  return {
    occurrence_key: formatOccurrenceKey(key, allDay),
    type,
    created_at: formatUtc(createdAt),
    created_by: createdBy,
    ...words,
    ...(startAt === undefined || endAt === undefined ? {} : { start: moment(startAt), end: moment(endAt) }),
  }
}
