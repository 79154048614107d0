// Creating, moving and stretching on the grid, for those who may.
import type { CalendarOptions, EventApi, PluginInput } from 'fullcalendar'
import { dayOf } from '../../src/domain/time/instant.ts'
import { formatDate } from '../../src/domain/time/text.ts'
import type { CalendarItem } from './item.ts'
import { itemOf } from './options.tsx'

/** Dates for whole days (the end exclusive), date-times with their offset for the others. */
export interface GridSpan {
  start: string
  /** The same as the start where nobody said how long. */
  end: string
  isAllDay: boolean
}

export interface GridEditing {
  /** FullCalendar’s part for dragging, which only writers load. */
  plugin: PluginInput
  onCreate(span: GridSpan): void
  /** Answers whether it stays where it was put. */
  onMove(item: CalendarItem, to: GridSpan): Promise<boolean>
}

export function editingOptions(editing: GridEditing): CalendarOptions {
  const move = async ({ event, revert }: { event: EventApi; revert(): void }): Promise<void> => {
    const to = { start: event.startStr, end: event.endStr, isAllDay: event.allDay }
    if (!(await editing.onMove(itemOf(event), to))) revert()
  }
  let wanted: GridSpan | undefined
  /** One press may be a selection and a click: it counts once, and when FullCalendar has done with it. */
  const create = (span: GridSpan): void => {
    if (wanted) return
    wanted = span
    setTimeout(() => {
      wanted = undefined
      editing.onCreate(span)
    })
  }
  return {
    selectable: true,
    editable: true,
    eventResizableFromStart: true,
    // An end is always known, so that a resize tells both.
    forceEventDuration: true,
    blockEventBeforeClass: ({ isStartResizable, isSelected }) => gripClass('first', isStartResizable, isSelected),
    blockEventAfterClass: ({ isEndResizable, isSelected }) => gripClass('last', isEndResizable, isSelected),
    select: ({ startStr, endStr, allDay }) => create({ start: startStr, end: endStr, isAllDay: allDay }),
    // A finger selects only by staying; by a tap it says where, and not how long.
    dateClick: ({ dateStr, allDay }) =>
      create(allDay ? wholeDay(dateStr) : { start: dateStr, end: dateStr, isAllDay: false }),
    eventDrop: (info) => void move(info),
    eventResize: (info) => void move(info),
  }
}

/** FullCalendar makes a handle where it has a class. After a long touch it is shown. */
const gripClass = (end: 'first' | 'last', isThere: boolean, isSelected: boolean): string =>
  isThere ? `cal-grip ${end}${isSelected ? ' held' : ''}` : ''

export const wholeDay = (date: string): GridSpan => ({
  start: date,
  end: formatDate(dayOf(Date.parse(date)) + 1),
  isAllDay: true,
})
