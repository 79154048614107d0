// Gives the month the height that is left in the window; what a day has no room for is behind its link to more.
import type { Calendar, CalendarOptions } from 'fullcalendar'
import { dayOf, weekdayOf } from '../../src/domain/time/instant.ts'
import { type View, viewDays } from '../../src/domain/time/window.ts'

/** Events per day where the month is as high as it needs; the rest are behind a link to the day. */
const MONTH_ROWS = 4

/** Narrower than this, events are too small to be told apart by their titles alone, and a day needs more of them. */
const WIDE_PX = 704

/** The number of the day, one event and the link to more. */
const LOWEST_WEEK_PX = 82
const HEAD_PX = 32
/** Between the month and the edge of the window. */
const BELOW_PX = 10

/** What the height depends on. */
interface ShownGrid {
  view: View
  date: string
  /** Monday is 0. */
  weekStart: number
  fitsWindow?: boolean
}

export type MonthHeight = Pick<CalendarOptions, 'height' | 'dayMaxEvents'>

/** On screen, where `fitsWindow` is set and there is room for seven readable columns. */
export function monthHeight(box: HTMLElement, props: ShownGrid): MonthHeight {
  if (!props.fitsWindow || props.view !== 'month' || box.clientWidth < WIDE_PX)
    return { height: 'auto', dayMaxEvents: MONTH_ROWS }
  const left = innerHeight - (box.getBoundingClientRect().top + scrollY) - BELOW_PX
  const lowest = HEAD_PX + weeksOf(props) * LOWEST_WEEK_PX
  return { height: Math.floor(Math.max(left, lowest)), dayMaxEvents: true }
}

function weeksOf({ date, weekStart }: ShownGrid): number {
  const [first, next] = viewDays('month', dayOf(Date.parse(date)), weekStart)
  const before = (weekdayOf(first) - weekStart + 7) % 7
  return Math.ceil((before + next - first) / 7)
}

export function fitMonth(calendar: Calendar, box: HTMLElement, props: ShownGrid): void {
  const wanted = monthHeight(box, props)
  box.classList.toggle('cal-fitted', wanted.dayMaxEvents === true)
  if (calendar.getOption('height') !== wanted.height) calendar.setOption('height', wanted.height)
  if (calendar.getOption('dayMaxEvents') !== wanted.dayMaxEvents)
    calendar.setOption('dayMaxEvents', wanted.dayMaxEvents)
}
