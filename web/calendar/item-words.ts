// Describes an event in one sentence for screen readers: title, time, repetition, place.

import { formatTimes } from '../../src/words/format-times.ts'
import { ruleInWords } from '../../src/words/rule-in-words.ts'
import * as words from '../strings.ts'
import { type CalendarItem, isCancelled, isFull, isMasked } from './item.ts'

/** Such as "Choir practice, Tuesday 14 July 2026, 19:30 to 21:00, repeats every Tuesday, Village hall". */
export function describeItem(item: CalendarItem, zone: string): string {
  const time = formatTimes(item, zone)
  if (isMasked(item)) return `${item.title}, ${time}`
  return [
    item.title,
    time,
    item.recurring && repeatWords(item),
    item.category,
    item.location,
    item.visibility === 'private' && words.calendar.private,
    isCancelled(item) && words.calendar.cancelled,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Public lists do not include the rule. */
const repeatWords = (item: CalendarItem): string =>
  isFull(item) && item.rrule
    ? `${words.calendar.repeats} ${ruleInWords(item.rrule, item.timezone)}`
    : words.calendar.repeats
