// The words of pages that both the service and the web app write, in English.
import { MONTH_TITLES, WEEKDAY_TITLES } from '../domain/time/weekdays.ts'
import { createJoin } from './join.ts'
import type { RuleWords } from './rule-words.ts'

/** Dates and times. */
export const times = {
  /** The tag for Intl. */
  locale: 'en-GB',
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as Intl.DateTimeFormatOptions,
  /** Adapts a date as Intl writes it: here without the comma after the weekday. */
  day: (text: string) => text.replace(/^(\p{L}+), /u, '$1 '),
  /** Between two times of day. */
  to: 'to',
  /** Before the last day. */
  toDay: 'to',
  allDay: 'all day',
}

const days: readonly string[] = WEEKDAY_TITLES
const months: readonly string[] = MONTH_TITLES
const ordinals: readonly string[] = ['first', 'second', 'third', 'fourth', 'fifth']
const names = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' }
const and = createJoin('en-GB')

function nth(day: number): string {
  const isTeen = day > 10 && day < 14
  return `${day}${isTeen ? 'th' : (({ 1: 'st', 2: 'nd', 3: 'rd' } as Record<number, string>)[day % 10] ?? 'th')}`
}

/** Recurrence rules in words. Weekdays are numbers from 0, Monday; months are numbers from 1. */
export const rule: RuleWords = {
  custom: 'custom repetition',
  days,
  shortDays: days.map((title) => title.slice(0, 3)),
  months,
  and,
  everyWeekday: 'every weekday',
  every: (interval, unit) => {
    if (interval === 1) return `every ${names[unit]}`
    return interval === 2 ? `every second ${names[unit]}` : `every ${interval} ${names[unit]}s`
  },
  everyDays: (some) => `every ${and(some.map((day) => days[day]!))}`,
  everySecondDay: (day) => `every second ${days[day]}`,
  weekOn: (every, some) => `${every} on ${and(some.map((day) => days[day]!))}`,
  weekdaysOf: (every) => `${every} on Monday to Friday`,
  allDaysOf: (every) => `${every} on every day`,
  monthDay: (day) => `the ${nth(day)}`,
  lastDay: 'the last day',
  place: (which, day) => `the ${which === -1 ? 'last' : ordinals[which - 1]} ${day === 'weekday' ? day : days[day]}`,
  on: (every, phrase) => `${every} on ${phrase}`,
  in: (every, month) => `${every} in ${months[month - 1]}`,
  of: (phrase, month) => `${phrase} of ${months[month - 1]}`,
  date: (day, month, year) => `${day} ${months[month - 1]}${year === undefined ? '' : ` ${year}`}`,
  onDate: (every, date) => `${every} on ${date}`,
  until: (date) => ` until ${date}`,
  times: (count) => (count === 1 ? ', once' : `, ${count} times`),
}

/** The page of the web app, before it runs. */
export const appPage = {
  description: (site: string) => `${site}: what is on, to look at, search and subscribe to.`,
  needsScript: 'This page needs JavaScript, which is switched off here. The calendar can still be subscribed to:',
}

/** The page of one event. */
export const eventPage = {
  missing: 'There is no such event',
  missingHint: 'It may have been deleted, or the link is incomplete.',
  busy: 'Too many requests at the moment',
  busyHint: 'Please try again in a few minutes.',
  languages: 'Other languages',
  skip: 'Skip to content',
  calendar: 'Calendar',
  timesIn: (zone: string) => `Times are in ${zone}.`,
  repeats: (rule: string) => `Repeats ${rule}`,
  severalDates: 'On several dates',
  partOf: 'One date of a repeated event.',
  allDates: 'All dates',
  cancelled: 'This is cancelled.',
  movedFrom: (when: string) => `Moved from ${when}.`,
  cancelledMark: 'Cancelled',
  tentative: 'This is not certain yet.',
  isCancelled: 'cancelled',
  privateEvent: 'Private Event',
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
  missingTitle: 'Page not found',
  missing: 'The address may be mistyped, or the page may have moved.',
  toCalendar: 'Go to the calendar',
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
