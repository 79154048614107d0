// One event on the grid: its visible label, and a full sentence for screen readers.
import type { JSX } from 'preact'
import * as words from '../strings.ts'
import { type CalendarItem, isMasked } from './item.ts'
import { describeItem, titleOf } from './item-words.ts'

interface ChipProps {
  item: CalendarItem
  zone: string
  time: string
  /** Whether there is room for more than the title. */
  isRoomy: boolean
  /** If it covers two days of a month, each of which has the label: the time on the second. */
  secondTime: string | undefined
}

export function Chip({ item, zone, time, isRoomy, secondTime }: ChipProps): JSX.Element {
  return (
    <>
      <Label {...{ item, time, isRoomy }} />
      {secondTime && <Label {...{ item, time: secondTime, isRoomy }} />}
      <span class="cal-unseen">{describeItem(item, zone)}</span>
    </>
  )
}

function Label({ item, time, isRoomy }: Pick<ChipProps, 'item' | 'time' | 'isRoomy'>): JSX.Element {
  const place = isRoomy && !isMasked(item) ? item.location : undefined
  return (
    <span class="cal-chip" aria-hidden="true">
      {time && <Times text={time} />}
      <span class="cal-name">
        {item.visibility === 'private' && <Lock />}
        {titleOf(item)}
      </span>
      {isRoomy && item.visibility === 'private' && !isMasked(item) && (
        <span class="cal-place">{words.calendar.private}</span>
      )}
      {place && <span class="cal-place">{place}</span>}
    </span>
  )
}

/** The end is in an element of its own, since a narrow event has no room for it. */
function Times({ text }: { text: string }): JSX.Element {
  const [, start, end] = HOURS.exec(text) ?? []
  return (
    <span class="cal-time">
      {start ?? text}
      {end && <span class="cal-till">{end}</span>}
    </span>
  )
}

/** `19:30–21:00` or `7:30 PM–9:00 PM`; between days there are spaces around the dash. */
const HOURS = /^(\d[^–]*\S)(–\d[^–]*)$/

export const Lock = (): JSX.Element => (
  <svg class="cal-lock" viewBox="0 0 16 16" aria-hidden="true">
    <path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2" fill="none" stroke="currentColor" stroke-width="1.8" />
    <rect x="2.5" y="7" width="11" height="7.5" rx="1.5" fill="currentColor" />
  </svg>
)
