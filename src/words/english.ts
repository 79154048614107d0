// The words of pages that both the service and the web app write, in English.
import { MONTH_TITLES, WEEKDAY_TITLES } from '../domain/time/weekdays.ts'

/** Dates and times. */
export const times = {
  to: 'to',
  allDay: 'all day',
}

/** Recurrence rules in words. */
export const rule = {
  custom: 'custom repetition',
  days: WEEKDAY_TITLES,
  shortDays: WEEKDAY_TITLES.map((title) => title.slice(0, 3)),
  months: MONTH_TITLES,
  ordinals: ['first', 'second', 'third', 'fourth', 'fifth'],
  last: 'last',
  lastDay: 'the last day',
  weekday: 'weekday',
  weekdays: 'Monday to Friday',
  everyDay: 'every day',
  everyWeekday: 'every weekday',
  every: (interval: number, unit: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY') => {
    const name = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' }[unit]
    if (interval === 1) return `every ${name}`
    return interval === 2 ? `every second ${name}` : `every ${interval} ${name}s`
  },
  everyNamed: (names: string) => `every ${names}`,
  everySecond: (name: string) => `every second ${name}`,
  on: (every: string, days: string) => `${every} on ${days}`,
  in: (every: string, month: string) => `${every} in ${month}`,
  of: (days: string, month: string) => `${days} of ${month}`,
  the: (what: string) => `the ${what}`,
  nth: (day: number) => {
    const isTeen = day > 10 && day < 14
    return `${day}${isTeen ? 'th' : (({ 1: 'st', 2: 'nd', 3: 'rd' } as Record<number, string>)[day % 10] ?? 'th')}`
  },
  and: (first: string, last: string) => `${first} and ${last}`,
  date: (day: number, month: string, year?: number) => `${day} ${month}${year === undefined ? '' : ` ${year}`}`,
  until: (date: string) => ` until ${date}`,
  times: (count: number) => (count === 1 ? ', once' : `, ${count} times`),
}

/** The page of one event. */
export const eventPage = {
  skip: 'Skip to content',
  calendar: 'Calendar',
  timesIn: (zone: string) => `Times are in ${zone}.`,
  repeats: (rule: string) => `Repeats ${rule}`,
  severalDates: 'On several dates',
  partOf: 'One date of a repeated event.',
  allDates: 'All dates',
  cancelled: 'This is cancelled.',
  cancelledMark: 'Cancelled',
  tentative: 'This is not certain yet.',
  isCancelled: 'cancelled',
  masked: 'This event is private: only its time is shown.',
  nextDates: 'Next dates',
  noMoreDates: 'None in the next two years.',
  where: 'Where',
  map: 'Show on a map',
  category: 'Category',
  link: 'Link',
  add: 'Add to my calendar',
  file: 'Calendar file (.ics)',
  fileOfDate: 'This date (.ics)',
  fileOfAll: 'All dates (.ics)',
  google: 'Google Calendar',
  outlook: 'Outlook',
  subscribe: 'Subscribe to the whole calendar',
  open: 'Show in the calendar',
  picture: (title: string, when: string) => `${title}, ${when}`,
  inYourZone: (times: string, zone: string) => `In your time zone (${zone}): ${times}`,
  share: 'Share',
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  edit: 'Edit',
  changedBy: (name: string, date: string) => `Last changed by ${name} on ${date}`,
  changed: (date: string) => `Last changed on ${date}`,
}
