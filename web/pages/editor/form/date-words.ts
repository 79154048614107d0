// Formats the dates of an event for reading, in the event’s own time zone.
import { DAY_MS } from '../../../../src/domain/time/instant.ts'
import { parseTimeText } from '../../../../src/domain/time/text.ts'
import * as words from '../../../strings.ts'
import { dateFormat, formatClock } from '../../../words/formats.ts'
import type { EventValues } from './event-values.ts'
import { wallIn } from './event-values.ts'

const DATE = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' } as const

/** Formats a wall time: `Tue 14 July 2026, 19:30`, or the date alone. */
export const wallInWords = (wall: number, isAllDay: boolean): string =>
  isAllDay ? dateInWords(wall) : `${dateInWords(wall)}, ${dateFormat('UTC', words.times.clock).format(wall)}`

const dateInWords = (wall: number): string => dateFormat('UTC', DATE).format(wall)

/** Formats an occurrence key, or an API time with the event’s offset. */
export function momentInWords(text: string): string {
  const read = parseTimeText(text)
  if (!read) return text
  if (read.kind === 'date') return dateInWords(read.day * DAY_MS)
  return wallInWords(read.kind === 'local' ? read.wall : read.written, false)
}

/** Formats start and end, with the zone unless it is all-day. */
export function spanInWords({ allDay, startDate, startTime, endDate, endTime, timezone }: EventValues): string {
  const one = (date: string, time: string): string => {
    const wall = wallIn(allDay ? date : `${date}T${time}`, '')
    return wall === undefined ? `${date} ${time}` : wallInWords(wall, allDay)
  }
  const isOneDay = startDate === endDate
  if (allDay)
    return isOneDay ? `${one(startDate, '')}, ${words.times.allDay}` : `${one(startDate, '')} – ${one(endDate, '')}`
  const start = one(startDate, startTime)
  return `${isOneDay ? `${start}–${formatClock(endTime)}` : `${start} – ${one(endDate, endTime)}`} (${timezone})`
}
