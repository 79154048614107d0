// The printed list: each day with its events, and an event of many days once, with its span.
import type { JSX } from 'preact'
import { toneOf } from '../../../src/domain/calendar/tones.ts'
import { type Day, dayOf, weekdayOf } from '../../../src/domain/time/instant.ts'
import { daysOf, isOneNight } from '../../../src/words/calendar-times.ts'
import * as words from '../../strings.ts'
import { formatClocks, formatLongDay, formatTimes } from '../../words/formats.ts'
import { Lock } from '../chip.tsx'
import { type CalendarItem, isCancelled, isMasked } from '../item.ts'
import { titleOf } from '../item-words.ts'
import type { PrintedPeriod } from './printed-period.ts'

/** A page ends between two weeks, if a week fits one. */
export function PrintedList({ from, to, items, zone, weekStart }: Omit<PrintedPeriod, 'view' | 'date'>): JSX.Element {
  const byDay = listOnce(items, dayOf(Date.parse(from)), dayOf(Date.parse(to)))
  const weeks = new Map<Day, Day[]>()
  for (const day of [...byDay.keys()].sort((one, other) => one - other)) {
    const week = day - ((weekdayOf(day) - weekStart + 7) % 7)
    weeks.set(week, [...(weeks.get(week) ?? []), day])
  }
  return (
    <>
      {[...weeks.values()].map((days) => (
        <section key={days[0]} class="printed-week">
          {days.map((day) => (
            <div key={day} class="printed-day">
              <h2>{formatLongDay(day)}</h2>
              <ul>
                {byDay.get(day)!.map((item) => (
                  <PrintedEvent key={`${item.id} ${item.start}`} item={item} zone={zone} />
                ))}
              </ul>
            </div>
          ))}
        </section>
      ))}
    </>
  )
}

/** Each event on the first of its days that is in the period. */
function listOnce(items: readonly CalendarItem[], first: Day, last: Day): Map<Day, CalendarItem[]> {
  const byDay = new Map<Day, CalendarItem[]>()
  for (const item of items) {
    const day = Math.max(daysOf(item)[0], first)
    if (day <= last) byDay.set(day, [...(byDay.get(day) ?? []), item])
  }
  return byDay
}

function PrintedEvent({ item, zone }: { item: CalendarItem; zone: string }): JSX.Element {
  const [begin, end] = daysOf(item)
  const isLong = end > begin && !isOneNight(item)
  const place = isMasked(item) ? null : item.location
  return (
    <li class={`${toneOf(item)}${isCancelled(item) ? ' cancelled' : ''}`}>
      {!isLong && <span class="cal-time">{item.all_day ? words.calendar.allDay : formatClocks(item, false)} </span>}
      <b>
        {item.visibility === 'private' && <Lock />}
        {titleOf(item)}
      </b>
      {place && <span class="printed-place"> {place}</span>}
      {isLong && <span class="printed-span"> {formatTimes(item, zone)}</span>}
    </li>
  )
}
