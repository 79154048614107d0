// Describes an event in one sentence for screen readers: title, time, repetition, place.

import * as words from '../strings.ts'
import { formatTimes } from '../words/formats.ts'
import { type CalendarItem, isCancelled, isFull, isMasked } from './item.ts'

/** Of a masked event the words for one, in place of those that programs get. */
export const titleOf = (item: CalendarItem): string => (isMasked(item) ? words.common.privateEvent : item.title)

/** Such as "Choir practice, Tuesday 14 July 2026, 19:30 to 21:00, repeats every Tuesday, Village hall". */
export function describeItem(item: CalendarItem, zone: string): string {
  const time = formatTimes(item, zone)
  if (isMasked(item)) return `${titleOf(item)}, ${time}`
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

/** Undefined until a reader needs it. */
let ruleInWords: typeof import('./rule-words.ts').ruleInWords | undefined

/** Call before items that include rules are described. Without it they are only said to repeat. */
export async function loadRuleWords(): Promise<void> {
  ;({ ruleInWords } = await import('./rule-words.ts'))
}

/** Public lists do not include the rule. */
const repeatWords = (item: CalendarItem): string =>
  ruleInWords && isFull(item) && item.rrule
    ? `${words.calendar.repeats} ${ruleInWords(item.rrule, item.timezone)}`
    : words.calendar.repeats
