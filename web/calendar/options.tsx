// FullCalendar options: views, formats, and the class names that grid.css styles.
import type { CalendarOptions, FormatterInput } from 'fullcalendar'
import { toneOf } from '../../src/domain/calendar/tones.ts'
import { WEEKDAY_TITLES } from '../../src/domain/time/weekdays.ts'
import type { View } from '../../src/domain/time/window.ts'
import { isOneNight } from '../../src/words/calendar-times.ts'
import * as words from '../strings.ts'
import { formatClocks, formatEnd, formatMonth } from '../words/formats.ts'
import { Chip } from './chip.tsx'
import { itemOf } from './grid-span.ts'
import { type CalendarItem, isCancelled } from './item.ts'
import { savedClass } from './saved-mark.ts'

const VIEW_NAMES: Record<View, string> = {
  month: 'dayGridMonth',
  week: 'timeGridWeek',
  day: 'timeGridDay',
  list: 'listAhead',
  year: 'multiMonthYear',
}

/** Narrower than this, seven columns are unreadable, and a week is shown as a list. */
const WEEK_PX = 640

/** `listDays` is the number of days of a list that does not show a month. */
export function viewName(view: View, room: HTMLElement, listDays?: number): string {
  if (view === 'list' && listDays !== undefined) return listOf(listDays)
  return view === 'week' && room.clientWidth < WEEK_PX ? 'listWeek' : VIEW_NAMES[view]
}

const listOf = (days: number): string => `listDays${days}`

/** A day, a weekend, and a week from any day on. */
const LIST_DAYS = [1, 2, 7]

const isList = (name: string): boolean => name.startsWith('list')

/** Intl puts more space around the dash between times on two days than on one. */
const SPACED_DASH = /\s*[-–]\s*/

const names = (...some: (string | false | undefined)[]): string => some.filter(Boolean).join(' ')

/** FullCalendar has types of its own for the options of Intl. */
const CLOCK = words.times.clock as Exclude<FormatterInput, string>

/** FullCalendar writes dates with Intl; a language may adapt them. */
const adapt = (text: string): string => words.times.day(text)

/** The letter that Intl has for a weekday, unless the language puts its own names into dates. */
function narrowName(weekdayFromSunday: number, letter: string): string {
  const day = (weekdayFromSunday + 6) % 7
  const title = WEEKDAY_TITLES[day]!
  return adapt(title) === title ? letter : words.rule.shortDays[day]!
}

export const BASE_OPTIONS: CalendarOptions = {
  locale: words.times.locale,
  direction: document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr',
  headerToolbar: false,
  navLinks: true,
  // A year’s events may have been cut at the limit, so a month of it is loaded again.
  lazyFetching: false,
  nowIndicator: true,
  eventInteractive: true,
  eventDisplay: 'auto',
  eventTimeFormat: CLOCK,
  slotHeaderFormat: CLOCK,
  slotDuration: '00:30:00',
  slotEventOverlap: false,
  // FullCalendar’s own order, with an event first that was just saved.
  eventOrder: 'rank,start,-duration,allDay,title',
  fixedWeekCount: false,
  allDayText: words.calendar.allDayShort,
  // The status line above the grid says it, as in every other view.
  noEventsText: '',
  navLinkHint: (text) => adapt(text),
  dayHeaderContent: ({ text, dow }) => (text.length === 1 ? narrowName(dow, text) : adapt(text)),
  moreLinkText: (count) => words.calendar.more(count),
  moreLinkHint: (count) => words.calendar.moreHint(count),
  views: {
    listAhead: { type: 'list', duration: { months: 1 }, dateAlignment: 'day' },
    ...Object.fromEntries(
      LIST_DAYS.map((days) => [listOf(days), { type: 'list', duration: { days }, dateAlignment: 'day' }]),
    ),
    list: {
      listDayFormat: { weekday: 'long', day: 'numeric', month: 'long' },
      listDayAltFormat: false,
      listDayHeaderContent: ({ text }) => adapt(text),
    },
    multiMonth: {
      multiMonthMaxColumns: 4,
      singleMonthMinWidth: 230,
      singleMonthTitleFormat: ({ date }) => formatMonth(date.year, date.month),
    },
    timeGrid: {
      dayHeaderFormat: { weekday: 'short', day: 'numeric' },
      // With the number even in a narrow column: a weekday letter alone is no date.
      dayHeaderContent: ({ weekdayText, dayNumberText }) => adapt(`${weekdayText} ${dayNumberText}`),
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
  nowIndicatorHeaderClass: 'cal-now-mark',
  highlightClass: 'cal-highlight',
  eventClass: ({ event, view, isPast }) => {
    const item = itemOf(event)
    const isNight = view.type === VIEW_NAMES.month && isOneNight(item)
    return names(
      'cal-event',
      toneOf(item),
      isCancelled(item) && 'cancelled',
      isPast && 'past',
      isNight && 'cal-night',
      savedClass(item),
    )
  },
  listItemEventClass: 'cal-line',
  blockEventClass: 'cal-block',
  columnEventClass: ({ isShort }) => names('cal-column', isShort && 'short'),
  rowMoreLinkClass: 'cal-more',
  listDayClass: 'cal-list-day',
  listDayHeaderClass: 'cal-list-head',
  noEventsClass: 'cal-none',
  singleMonthClass: 'cal-month',
  singleMonthHeaderClass: 'cal-month-head',
  eventContent: ({ event, timeText, view, isStart, isEnd, isMirror }) => {
    const item = itemOf(event)
    const isMonth = view.type === VIEW_NAMES.month
    return (
      <Chip
        item={item}
        zone={view.getOption('timeZone')}
        time={
          isNightEnd(item, isStart, isMirror)
            ? formatEnd(item)
            : isMirror
              ? timeText.replace(SPACED_DASH, '–')
              : timeOf(item, isMonth, isList(view.type))
        }
        isRoomy={!isMonth}
        secondTime={isMonth && isStart && isEnd && isOneNight(item) ? formatEnd(item) : undefined}
      />
    )
  },
}

/** Whether this is the part after midnight, which says only when the event ends. */
const isNightEnd = (item: CalendarItem, isStart: boolean, isMirror: boolean): boolean =>
  !isStart && !isMirror && isOneNight(item)

/**
 * As the service writes them: `formatRange` of Intl puts “Uhr” after German hours. FullCalendar also cuts an event at
 * midnight and gives each part times of its own; a reader needs those of the event.
 */
function timeOf(item: CalendarItem, isMonth: boolean, isInList: boolean): string {
  if (item.all_day) return isInList ? words.calendar.allDay : ''
  return formatClocks(item, isMonth)
}
