// Spans of time marked on the grid, and what a grid that can be edited needs of its page.
import type { CalendarOptions, EventApi, PluginInput } from 'fullcalendar'
import { dayOf } from '../../src/domain/time/instant.ts'
import { formatDate } from '../../src/domain/time/text.ts'
import type { CalendarItem } from './item.ts'

/** Dates for all-day events (the end is exclusive), otherwise date-times with their offset. */
export interface GridSpan {
  start: string
  /** Equal to the start if no duration was selected. */
  end: string
  isAllDay: boolean
}

export interface GridEditing {
  /** FullCalendar’s interaction plugin and the options for it, loaded only for writers. */
  plugin: PluginInput
  options: CalendarOptions
  /** Resolves when the form for the new event is closed. */
  onCreate(span: GridSpan): Promise<void>
  /** Resolves to false if the event must return to where it was. */
  onMove(item: CalendarItem, to: GridSpan): Promise<boolean>
}

export const wholeDay = (date: string): GridSpan => ({
  start: date,
  end: formatDate(dayOf(Date.parse(date)) + 1),
  isAllDay: true,
})

export const itemOf = (event: EventApi): CalendarItem => event.extendedProps.item as CalendarItem
