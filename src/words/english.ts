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

/** 1,059: four digits in a row are read as a year. */
const grouped = (count: number): string => count.toLocaleString('en-GB')

function countDates(count: number): string {
  if (count === 0) return 'No dates were'
  return count === 1 ? '1 date was' : `${grouped(count)} dates were`
}

/** Around every page of the web app. */
export const frame = {
  skip: 'Skip to content',
  ways: 'Main',
  signIn: 'Sign in',
}

/** The calendar, as the service sends it and as the web app shows it. */
export const calendarPage = {
  today: 'Today',
  goTo: 'Go to date',
  view: 'View',
  views: { month: 'Month', week: 'Week', day: 'Day', list: 'List', year: 'Year' },
  next: { month: 'Next month', week: 'Next week', day: 'Next day', list: 'Later', year: 'Next year' },
  previous: {
    month: 'Previous month',
    week: 'Previous week',
    day: 'Previous day',
    list: 'Earlier',
    year: 'Previous year',
  },
  until: (clock: string) => `until ${clock}`,
  allDay: times.allDay,
  cancelled: 'cancelled',
  nothing: 'There are no events in this period.',
  nothingFound: 'There are no events of this category in this period.',
  searchFor: (text: string) => `Search: ${text}`,
  searchAll: 'Search all dates',
  found: {
    ahead: (count: number) => `${countDates(count)} found from today on.`,
    past: (count: number) => `${countDates(count)} found before today.`,
  },
  searchIn: { ahead: 'Search from today on', past: 'Search past dates' },
  moreFound: (shown: number, total: number) => `Show more (${grouped(shown)} of ${grouped(total)})`,
  cut: (shown: number, total: number) =>
    `Showing the first ${shown} of ${total} events. Choose a shorter period to see the rest.`,
  more: (count: number) => `${count} more`,
  moreHint: (count: number) => `${count} more ${count === 1 ? 'event' : 'events'}; open the day`,
  events: (count: number) => (count === 1 ? '1 event' : `${count} events`),
  outside: 'This link points to a date or view that this calendar cannot show, so today is shown instead.',
  search: 'Search',
  category: 'Category',
  allCategories: 'All categories',
  severalCategories: (count: number) => `${count} categories`,
  legend: 'Categories',
  showAll: 'Show all',
  searchAndFilter: 'Search and filter',
  whatsOn: {
    label: 'What’s on:',
    names: { today: 'Today', weekend: 'This weekend', week: 'Next 7 days' },
    title: (name: string, days: string) => `${name}: ${days}`,
  },
  openPrint: 'Print',
  openShortcuts: 'Keyboard shortcuts',
  zone: (zone: string) => `Times in ${zone}`,
  subscribe: 'Subscribe',
  period: 'Period',
  go: 'Go',
  feeds: { calendar: 'Calendar feed (.ics)', news: 'News feed (Atom)' },
}
