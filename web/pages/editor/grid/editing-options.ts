// FullCalendar options for creating, moving and resizing events, for users who may write.
import type { CalendarOptions, EventApi, ViewApi } from 'fullcalendar'
import { type GridEditing, type GridSpan, itemOf, wholeDay } from '../../../calendar/grid-span.ts'

export function editingOptions(editing: Pick<GridEditing, 'onCreate' | 'onMove'>): CalendarOptions {
  const move = async ({ event, revert }: { event: EventApi; revert(): void }): Promise<void> => {
    const to = { start: event.startStr, end: event.endStr, isAllDay: event.allDay }
    if (!(await editing.onMove(itemOf(event), to))) revert()
  }
  let wanted: GridSpan | undefined
  /** One press may fire both select and dateClick: it counts once, after FullCalendar has handled it. */
  const create = (span: GridSpan, { calendar }: ViewApi): void => {
    if (wanted) return
    wanted = span
    setTimeout(() => {
      wanted = undefined
      void editing.onCreate(span).then(() => calendar.unselect())
    })
  }
  return {
    selectable: true,
    editable: true,
    eventResizableFromStart: true,
    // Every event has an end, so that a resize reports start and end.
    forceEventDuration: true,
    blockEventBeforeClass: ({ isStartResizable, isSelected }) => gripClass('first', isStartResizable, isSelected),
    blockEventAfterClass: ({ isEndResizable, isSelected }) => gripClass('last', isEndResizable, isSelected),
    // What is selected stays marked while the form is open.
    unselectCancel: 'dialog',
    select: ({ startStr, endStr, allDay, view }) => create({ start: startStr, end: endStr, isAllDay: allDay }, view),
    // On a touch screen only a long press selects; a tap gives the start but no duration.
    dateClick: ({ dateStr, allDay, view }) =>
      create(allDay ? wholeDay(dateStr) : { start: dateStr, end: dateStr, isAllDay: false }, view),
    eventDrop: (info) => void move(info),
    eventResize: (info) => void move(info),
  }
}

/** FullCalendar makes a resize handle if this returns a class. On touch screens it appears after a long press. */
const gripClass = (end: 'first' | 'last', isThere: boolean, isSelected: boolean): string =>
  isThere ? `cal-grip ${end}${isSelected ? ' held' : ''}` : ''
