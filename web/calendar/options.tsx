// How FullCalendar shows our calendar: views, formats, and the names by which grid.css dresses it.
import type { CalendarOptions, EventApi } from 'fullcalendar'
import dayGrid from 'fullcalendar/daygrid'
import list from 'fullcalendar/list'
import multiMonth from 'fullcalendar/multimonth'
import timeGrid from 'fullcalendar/timegrid'
import type { View } from '../../src/domain/time/window.ts'
import * as words from '../strings.ts'
import { Chip } from './chip.tsx'
import { type CalendarItem, isCancelled, toneOf } from './item.ts'

export const PLUGINS = [dayGrid, timeGrid, list, multiMonth]

const VIEW_NAMES: Record<View, string> = {
  month: 'dayGridMonth',
  week: 'timeGridWeek',
  day: 'timeGridDay',
  list: 'listAhead',
  year: 'multiMonthYear',
}

/** Seven days side by side can be read from here on; where there is less room, a week is a list of its days. */
const WEEK_PX = 640

export const viewName = (view: View, room: HTMLElement): string =>
  view === 'week' && room.clientWidth < WEEK_PX ? 'listWeek' : VIEW_NAMES[view]

const isList = (name: string): boolean => name.startsWith('list')

/** More than these of one day are behind a link to the day. */
const MONTH_ROWS = 4

export const itemOf = (event: EventApi): CalendarItem => event.extendedProps.item as CalendarItem

/** Between hours of two days the browser sets more space than between those of one. */
const SPACED_DASH = /\s*[-–]\s*/

const names = (...some: (string | false | undefined)[]): string => some.filter(Boolean).join(' ')

export const LOOK: CalendarOptions = {
  locale: 'en-GB',
  headerToolbar: false,
  height: 'auto',
  navLinks: true,
  // What was loaded for a year may have been cut short; a month of it is asked for anew.
  lazyFetching: false,
  nowIndicator: true,
  eventInteractive: true,
  eventDisplay: 'auto',
  eventTimeFormat: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  slotHeaderFormat: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  slotDuration: '00:30:00',
  slotEventOverlap: false,
  dayMaxEvents: MONTH_ROWS,
  fixedWeekCount: false,
  allDayText: words.calendar.allDayShort,
  // Said above, as in every other view.
  noEventsText: '',
  navLinkHint: (text) => text,
  moreLinkText: (count) => words.calendar.more(count),
  moreLinkHint: (count) => words.calendar.moreHint(count),
  views: {
    listAhead: { type: 'list', duration: { months: 1 }, dateAlignment: 'day' },
    list: { listDayFormat: { weekday: 'long', day: 'numeric', month: 'long' }, listDayAltFormat: false },
    multiMonth: { multiMonthMaxColumns: 4, singleMonthMinWidth: 230 },
    timeGrid: {
      dayHeaderFormat: { weekday: 'short', day: 'numeric' },
      // However narrow the column: a letter without its number is no date.
      dayHeaderContent: ({ weekdayText, dayNumberText }) => `${weekdayText} ${dayNumberText}`,
      displayEventEnd: true,
    },
    dayGrid: { displayEventEnd: false },
  },
  className: 'cal',
  viewClass: ({ view }) => `cal-view ${isList(view.type) ? 'cal-list' : view.type}`,
  tableHeaderClass: 'cal-head',
  dayHeaderAlign: 'center',
  dayHeaderInnerClass: 'cal-day-head-in',
  dayHeaderClass: ({ isToday }) => names('cal-day-head', isToday && 'today'),
  dayRowClass: 'cal-row',
  dayCellClass: ({ isToday, isOther, isDisabled }) =>
    names('cal-cell', isToday && 'today', isOther && 'other', isDisabled && 'void'),
  dayCellTopClass: 'cal-cell-top',
  navLinkClass: 'cal-link',
  dayLaneClass: ({ isToday }) => names('cal-lane', isToday && 'today'),
  slotLaneClass: ({ isMinor }) => names('cal-slot', isMinor && 'minor'),
  slotHeaderClass: 'cal-hour',
  slotHeaderAlign: 'end',
  slotHeaderInnerClass: 'cal-hour-in',
  allDayHeaderClass: 'cal-hour',
  allDayHeaderInnerClass: 'cal-all-day-in',
  allDayDividerClass: 'cal-divider',
  nowIndicatorLineClass: 'cal-now',
  highlightClass: 'cal-highlight',
  eventClass: ({ event, isPast }) =>
    names('cal-event', toneOf(itemOf(event)), isCancelled(itemOf(event)) && 'cancelled', isPast && 'past'),
  listItemEventClass: 'cal-line',
  blockEventClass: 'cal-block',
  columnEventClass: ({ isShort }) => names('cal-column', isShort && 'short'),
  rowMoreLinkClass: 'cal-more',
  listDayClass: 'cal-list-day',
  listDayHeaderClass: 'cal-list-head',
  noEventsClass: 'cal-none',
  singleMonthClass: 'cal-month',
  singleMonthHeaderClass: 'cal-month-head',
  eventContent: ({ event, timeText, view }) => (
    <Chip
      item={itemOf(event)}
      zone={view.getOption('timeZone')}
      time={isList(view.type) && event.allDay ? words.calendar.allDay : timeText.replace(SPACED_DASH, '–')}
      isRoomy={view.type !== VIEW_NAMES.month}
    />
  ),
}
