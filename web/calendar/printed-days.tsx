// Prints month, week and day as a table with every event: a grid on screen cuts long days and titles.
import { type JSX, render } from 'preact'
import { type Day, dayOf, weekdayOf } from '../../src/domain/time/instant.ts'
import { formatDate } from '../../src/domain/time/text.ts'
import * as words from '../strings.ts'
import { groupItemsByDay } from './busy-times.ts'
import { Lock } from './chip.tsx'
import { formatClocks, formatEnd, isOneNight } from './format-date.ts'
import { type CalendarItem, isCancelled, isMasked } from './item.ts'
import { titleOf } from './item-words.ts'

export interface ShownDays {
  /** Both dates are inclusive. */
  from: string
  to: string
  items: readonly CalendarItem[]
}

interface PrintedDaysProps extends ShownDays {
  view: 'month' | 'week' | 'day'
  date: string
}

/** The table exists only while the page is printed. `read` returns undefined for a view that is printed as it is. */
export function watchPrinting(box: HTMLElement, read: () => PrintedDaysProps | undefined): () => void {
  const place = document.createElement('div')
  place.className = 'cal-printed'
  const before = (): void => {
    const props = read()
    if (!props) return
    render(<PrintedDays {...props} />, place)
    box.after(place)
  }
  const after = (): void => {
    render(null, place)
    place.remove()
  }
  addEventListener('beforeprint', before)
  addEventListener('afterprint', after)
  return () => {
    after()
    removeEventListener('beforeprint', before)
    removeEventListener('afterprint', after)
  }
}

const DAYS_A_WEEK = 7

function PrintedDays({ view, date, from, to, items }: PrintedDaysProps): JSX.Element {
  const [first, last] = [dayOf(Date.parse(from)), dayOf(Date.parse(to))]
  const days = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  const weeks = days.filter((_, i) => i % DAYS_A_WEEK === 0).map((day) => days.slice(day - first, day - first + 7))
  const byDay = groupItemsByDay(items)
  return (
    <table>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day}>{words.rule.shortDays[weekdayOf(day)]}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <PrintedDay key={day} {...{ view, date, day }} items={byDay.get(formatDate(day)) ?? []} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface PrintedDayProps {
  view: PrintedDaysProps['view']
  date: string
  day: Day
  items: readonly CalendarItem[]
}

function PrintedDay({ view, date, day, items }: PrintedDayProps): JSX.Element {
  const text = formatDate(day)
  const isOther = view === 'month' && text.slice(0, 7) !== date.slice(0, 7)
  return (
    <td class={isOther ? 'other' : undefined}>
      <p>{Number(text.slice(8))}</p>
      {items.map((item) => (
        <p key={`${item.id} ${item.start}`} class={isCancelled(item) ? 'cancelled' : undefined}>
          {!item.all_day && (
            <span class="cal-time">
              {isNightEnd(item, text) ? formatEnd(item) : formatClocks(item, view === 'month')}{' '}
            </span>
          )}
          <b>
            {item.visibility === 'private' && <Lock />}
            {titleOf(item)}
          </b>
          {view !== 'month' && !isMasked(item) && item.location && ` ${item.location}`}
        </p>
      ))}
    </td>
  )
}

/** As on screen, the day after says only when the event ends. */
const isNightEnd = (item: CalendarItem, date: string): boolean => isOneNight(item) && item.start.slice(0, 10) !== date
