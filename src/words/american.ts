// Words of pages in American English: the British ones, with other dates and spellings.
import * as english from './english.ts'
import { createJoin } from './join.ts'
import type { RuleWords } from './rule-words.ts'

export { appPage, frame } from './english.ts'

const { days, months } = english.rule
const and = createJoin('en-US')

export const times: typeof english.times = {
  ...english.times,
  locale: 'en-US',
  clock: { hour: 'numeric', minute: '2-digit' },
  day: (text) => text,
}

export const rule: RuleWords = {
  ...english.rule,
  and,
  everyDays: (some) => `every ${and(some.map((day) => days[day]!))}`,
  weekOn: (every, some) => `${every} on ${and(some.map((day) => days[day]!))}`,
  weekdaysOf: (every) => `${every}, Monday through Friday`,
  date: (day, month, year) => `${months[month - 1]} ${day}${year === undefined ? '' : `, ${year}`}`,
}

export const eventPage: typeof english.eventPage = {
  ...english.eventPage,
  cancelled: 'This is canceled.',
  cancelledMark: 'Canceled',
  isCancelled: 'canceled',
}

export const calendarPage: typeof english.calendarPage = {
  ...english.calendarPage,
  cancelled: 'canceled',
}
