// Decides whether the public sees a change of an event, for counters that reveal no other.
import type { EventRow } from '../tables.ts'

/** How the public sees a change: not at all, as a change, or that the event appears or disappears. */
export type PublicChange = 'none' | 'changed' | 'appeared' | 'disappeared'

/** Besides the public text: columns that are public where the event is. */
const SEEN = ['visibility', 'all_day', 'timezone', 'start_local', 'start_at', 'duration_ms'] as const

export type SeenColumns = Pick<EventRow, (typeof SEEN)[number] | 'status' | 'public_ical'>

/** Whether the public sees the event, if only its time. The views have the same condition. */
export const isSeenByPublic = ({ visibility, status }: Pick<EventRow, 'visibility' | 'status'>): boolean =>
  visibility === 'public' || status !== 'cancelled'

/**
 * Compares what the public sees, before and after. The public text is built for that: of a private event it has the
 * times alone.
 */
export function publicChangeOf(before: SeenColumns | undefined, after: SeenColumns): PublicChange {
  const wasSeen = before !== undefined && isSeenByPublic(before)
  if (!isSeenByPublic(after)) return wasSeen ? 'disappeared' : 'none'
  if (!wasSeen) return 'appeared'
  if (SEEN.some((column) => before[column] !== after[column])) return 'changed'
  return isSameText(before.public_ical, after.public_ical) ? 'none' : 'changed'
}

/** When an event was changed is in its text too; these lines have the same lengths each time. */
const TIMES_OF_CHANGE = /^(?:DTSTAMP|LAST-MODIFIED|SEQUENCE):.*$/gm

function isSameText(before: string, after: string): boolean {
  if (before === after || before.length !== after.length) return before === after
  return before.replace(TIMES_OF_CHANGE, '') === after.replace(TIMES_OF_CHANGE, '')
}

/** The counter of the calendar that each column of the change feed gets its value from. */
export type CounterColumns = [column: keyof ChangeCounters, counter: 'revision' | 'public_revision'][]

export function counterColumnsOf(isNew: boolean, change: PublicChange): CounterColumns {
  const columns: CounterColumns = [['revision', 'revision']]
  if (isNew) columns.push(['created_revision', 'revision'])
  if (change === 'appeared' || change === 'changed') columns.push(['public_revision', 'public_revision'])
  if (change === 'appeared') columns.push(['public_created_revision', 'public_revision'])
  return columns
}

export interface ChangeCounters {
  revision: number
  created_revision: number
  public_revision: number
  public_created_revision: number
}

export type RaisedCounters = { revision: number; publicRevision: number }

/** The same with the values of raised counters. */
export function counterValuesOf(
  isNew: boolean,
  change: PublicChange,
  { revision, publicRevision }: RaisedCounters,
): Partial<ChangeCounters> {
  const columns = counterColumnsOf(isNew, change)
  return Object.fromEntries(
    columns.map(([column, counter]) => [column, counter === 'revision' ? revision : publicRevision]),
  )
}

/** For a new event, with every column. */
export const newCountersOf = (change: PublicChange, raised: RaisedCounters): ChangeCounters => ({
  ...{ revision: 0, created_revision: 0, public_revision: 0, public_created_revision: 0 },
  ...counterValuesOf(true, change, raised),
})
