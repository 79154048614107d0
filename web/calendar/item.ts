// An occurrence on the calendar as its reader may see it, and as FullCalendar input.
import type { EventInput } from 'fullcalendar'
import type { MaskedEvent, Occurrence, PublicEvent } from '../api/contract.ts'
import { rankOf } from './saved-mark.ts'

export type CalendarItem = Occurrence | PublicEvent | MaskedEvent

/** A private event that shows this reader only its time. */
export const isMasked = (item: CalendarItem): item is MaskedEvent => !('status' in item)

/** The whole record, as sent to users who may read everything. */
export const isFull = (item: CalendarItem): item is Occurrence => 'etag' in item

export const isCancelled = (item: CalendarItem): boolean => !isMasked(item) && item.status === 'cancelled'

/** The key within a series; undefined for a single event and for a masked one. */
export const occurrenceOf = (item: CalendarItem): string | undefined =>
  isMasked(item) ? undefined : (item.occurrence_key ?? undefined)

export const toEventInput = (item: CalendarItem, isEditable: boolean): EventInput => ({
  id: `${item.id} ${occurrenceOf(item) ?? item.start}`,
  title: item.title,
  start: item.all_day ? item.start_date! : item.start,
  end: item.all_day ? item.end_date! : item.end,
  allDay: item.all_day,
  editable: isEditable && isFull(item),
  extendedProps: { item, rank: rankOf(item) },
})
