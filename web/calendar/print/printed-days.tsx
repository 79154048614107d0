// Prints month, week and day as a table with every event: a grid on screen cuts long days and titles.
import type { JSX } from 'preact'
import { toneOf } from '../../../src/domain/calendar/tones.ts'
import { type Day, dayOf, weekdayOf } from '../../../src/domain/time/instant.ts'
import { formatDate } from '../../../src/domain/time/text.ts'
import { isOneNight } from '../../../src/words/calendar-times.ts'
import * as words from '../../strings.ts'
import { formatClocks, formatEnd } from '../../words/formats.ts'
import { groupItemsByDay } from '../busy-times.ts'
import { Lock } from '../chip.tsx'
import { type CalendarItem, isCancelled, isMasked } from '../item.ts'
import { titleOf } from '../item-words.ts'
import type { PrintedPeriod } from './printed-period.ts'

interface PrintedDaysProps extends Omit<PrintedPeriod, 'zone' | 'weekStart'> {
  view: 'month' | 'week' | 'day'
}

const DAYS_A_WEEK = 7

export function PrintedDays({ view, date, from, to, items }: PrintedDaysProps): JSX.Element {
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
        <p key={`${item.id} ${item.start}`} class={`${toneOf(item)}${isCancelled(item) ? ' cancelled' : ''}`}>
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
