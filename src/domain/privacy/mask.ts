// Masking: the only constructor of shown events; masked ones are built from an allow-list of times.
import type { Details, Status, Timing, Transparency, Visibility } from '../calendar/event.ts'
import { withoutListingLimit } from '../recurrence/occurrences.ts'
import { formatRule, parseRule } from '../recurrence/rule.ts'
import type { Instant, LocalMs } from '../time/instant.ts'
import { requireZone } from '../time/zone.ts'
import { maskSchedule } from './masked-schedule.ts'
import type { Sight } from './viewer.ts'

declare const shown: unique symbol

/** Metadata of an event for readers with full sight, besides its details and timing. */
export interface FullEventRecord {
  uid: string
  transparency: Transparency
  version: number
  etag: string
  createdAt: Instant
  updatedAt: Instant
  createdBy: string | null
  updatedBy: string | null
}

export interface ExceptionRecord {
  key: LocalMs
  type: 'excluded' | 'overridden'
  createdAt: Instant
  createdBy: string | null
  /** What an override changes. */
  changes: Partial<Details> & { startAt?: Instant; endAt?: Instant }
  /** Only if it differs from that of the series. */
  transparency?: Transparency
}

export interface Repetition {
  rrule: string | null
  rdates: readonly LocalMs[]
  exdates: readonly LocalMs[]
  /** The last occurrence that is expanded, if its rule has more. */
  lastListed: LocalMs | undefined
}

/** An event as storage returns it, not yet masked for any reader. */
export interface StoredEvent {
  id: string
  visibility: Visibility
  timing: Timing
  details: Details
  isRecurring: boolean
  rrule: string | null
  /** Only if the whole series was read, not for an occurrence in a list. */
  repetition?: Repetition
  exceptions?: readonly ExceptionRecord[]
  record?: FullEventRecord
}

interface MaskedBase {
  readonly [shown]: true
  readonly id: string
  readonly visibility: Visibility
  readonly timing: Timing
  readonly isRecurring: boolean
  readonly repetition: Repetition | undefined
}

/** Everything, for readers with full sight. */
export interface FullEvent extends MaskedBase {
  readonly level: 'full'
  readonly details: Details
  readonly rrule: string | null
  readonly record: FullEventRecord
  readonly exceptions: readonly ExceptionRecord[] | undefined
}

/** A public event: its details and times. */
export interface OpenEvent extends MaskedBase {
  readonly level: 'open'
  readonly details: OpenDetails
}

/** A private event: its times, and a title that is the same for all. */
export interface MaskedEventView extends MaskedBase {
  readonly level: 'masked'
  readonly title: typeof MASKED_TITLE
}

export interface OpenDetails {
  title: string
  description: string | null
  location: string | null
  category: string | null
  url: string | null
  status: Status
}

export type ShownEvent = FullEvent | OpenEvent | MaskedEventView

export const MASKED_TITLE = 'Private Event'

/** Undefined when there is nothing to show: a cancelled private event does not exist for the public. */
export function show(event: StoredEvent, sight: Sight): ShownEvent | undefined {
  if (sight === 'full') return showFull(event)
  if (event.visibility === 'public') return showOpen(event)
  return event.details.status === 'cancelled' ? undefined : showMasked(event)
}

function showFull(event: StoredEvent): FullEvent {
  if (!event.record) throw new Error('a full event needs its record')
  const { details, rrule, record, exceptions } = event
  return brand({ level: 'full', ...timesOf(event), details, rrule, record, exceptions })
}

function showOpen(event: StoredEvent): OpenEvent {
  const { title, description, location, category, url, status } = event.details
  return brand({ level: 'open', ...timesOf(event), details: { title, description, location, category, url, status } })
}

function showMasked(event: StoredEvent): MaskedEventView {
  const repetition = event.repetition && maskRepetition(event, event.repetition)
  const isRecurring = repetition ? repetition.rrule !== null || repetition.rdates.length > 0 : event.isRecurring
  const { id, visibility, timing } = event
  const times = timesOf({ id, visibility, timing, isRecurring, repetition })
  return brand({ level: 'masked', ...times, title: MASKED_TITLE })
}

/** Only what places an occurrence: no dates of an earlier schedule, and no sign of edits. */
function maskRepetition({ timing, exceptions = [] }: StoredEvent, stored: Repetition): Repetition {
  const rule = stored.rrule === null ? undefined : parseRule(stored.rrule)
  if (typeof rule === 'string') throw new Error('a rule that cannot be read')
  const pattern = withoutListingLimit({ ...timing, zone: requireZone(timing.zone), rule, rdates: stored.rdates })
  const overrides = exceptions.filter(({ type }) => type === 'overridden').map(({ key }) => ({ key, timing }))
  const schedule = maskSchedule(pattern, stored.exdates, overrides)
  return {
    rrule: schedule.rule ? formatRule(schedule.rule) : null,
    rdates: schedule.rdates,
    exdates: schedule.exclusions,
    lastListed: stored.lastListed,
  }
}

type ShownTimes = Pick<StoredEvent, 'id' | 'visibility' | 'timing' | 'isRecurring'> & {
  repetition?: Repetition | undefined
}

const timesOf = ({ id, visibility, timing, isRecurring, repetition }: ShownTimes) => ({
  id,
  visibility,
  timing: {
    allDay: timing.allDay,
    zone: timing.zone,
    startWall: timing.startWall,
    startAt: timing.startAt,
    durationMs: timing.durationMs,
  },
  isRecurring,
  repetition: repetition && {
    rrule: repetition.rrule,
    rdates: repetition.rdates,
    exdates: repetition.exdates,
    lastListed: repetition.lastListed,
  },
})

const brand = <T>(value: T): T & MaskedBase => value as T & MaskedBase
