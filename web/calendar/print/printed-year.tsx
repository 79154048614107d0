// Prints a year as a small table for each month, with a dot below each day for each of its first events.
import type { JSX } from 'preact'
import { type Day, dayFromDate, weekdayOf } from '../../../src/domain/time/instant.ts'
import { formatDate } from '../../../src/domain/time/text.ts'
import * as words from '../../strings.ts'
import { formatMonth } from '../../words/formats.ts'
import { countItemsByDay } from '../busy-times.ts'
import type { PrintedPeriod } from './printed-period.ts'

const DAYS_A_WEEK = 7
const MOST_DOTS = 4

export function PrintedYear({
  date,
  items,
  weekStart,
}: Pick<PrintedPeriod, 'date' | 'items' | 'weekStart'>): JSX.Element {
  const year = Number(date.slice(0, 4))
  const counts = countItemsByDay(items)
  return (
    <div class="printed-year">
      {words.rule.months.map((name, month) => (
        <PrintedMonth key={name} {...{ year, month, weekStart, counts }} />
      ))}
    </div>
  )
}

interface PrintedMonthProps {
  year: number
  /** From 0. */
  month: number
  weekStart: number
  counts: ReadonlyMap<string, number>
}

function PrintedMonth({ year, month, weekStart, counts }: PrintedMonthProps): JSX.Element {
  const first = dayFromDate(year, month + 1, 1)
  const next = month === 11 ? dayFromDate(year + 1, 1, 1) : dayFromDate(year, month + 2, 1)
  const before = (weekdayOf(first) - weekStart + DAYS_A_WEEK) % DAYS_A_WEEK
  const weeks: Day[] = []
  for (let week = first - before; week < next; week += DAYS_A_WEEK) weeks.push(week)
  const columns = Array.from({ length: DAYS_A_WEEK }, (_, i) => i)
  return (
    <table>
      <caption>{formatMonth(year, month)}</caption>
      <thead>
        <tr>
          {columns.map((i) => (
            <th key={i}>{words.rule.shortDays[(weekStart + i) % DAYS_A_WEEK]}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week}>
            {columns.map((i) => {
              const day = week + i
              return <td key={day}>{day >= first && day < next && dayWithDots(day, counts)}</td>
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function dayWithDots(day: Day, counts: ReadonlyMap<string, number>): JSX.Element {
  const date = formatDate(day)
  const count = counts.get(date) ?? 0
  return (
    <>
      {count > 0 ? <b>{Number(date.slice(8))}</b> : Number(date.slice(8))}
      <span>{'•'.repeat(Math.min(count, MOST_DOTS))}</span>
    </>
  )
}
