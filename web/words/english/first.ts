// Words of the first load in British English: frame, calendar, errors.
import { times } from '../../../src/words/english.ts'

export { rule, times } from '../../../src/words/english.ts'

/** The frame around every page. */
export const frame = {
  skip: 'Skip to content',
  ways: 'Main',
  signIn: 'Sign in',
  signOut: 'Sign out',
  stillSignedIn: 'You are still signed in.',
  account: 'My account',
  admin: 'Administration',
  newEvent: 'New event',
  trash: 'Trash',
  missingTitle: 'Page not found',
  missing: 'The address may be mistyped, or the page may have moved.',
  toCalendar: 'Go to the calendar',
  /** The number beside “Administration”. */
  waiting: (count: number) => (count === 1 ? '1 request waiting' : `${count} requests waiting`),
  language: 'Language',
  brokenTitle: 'This page could not be loaded',
  broken: 'You may be offline, or Daybook may have just been updated.',
  tryAgain: 'Try again',
}

export const common = {
  ownPassword: 'Your own password',
  ownPasswordProblems: {
    required: 'Enter your own password.',
    not_allowed: 'This is not your own password.',
  },
  loading: 'Loading…',
  working: 'One moment…',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  delete: 'Delete',
  copy: 'Copy',
  copied: 'Copied',
  undo: 'Undo',
  yes: 'Yes',
  no: 'No',
  show: 'Show',
  hide: 'Hide',
  optional: 'optional',
  privateEvent: 'Private Event',
  quoted: (text: string) => `“${text}”`,
  tryAgainIn: (seconds: number) => `Too many attempts. Try again in ${waitInWords(seconds)}.`,
}

/** The calendar page. */
export const calendar = {
  severalDates: 'on several dates',
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
  to: times.to,
  until: (clock: string) => `until ${clock}`,
  allDay: times.allDay,
  allDayShort: 'all day',
  history: 'History',
  repeats: 'repeats',
  private: 'private',
  cancelled: 'cancelled',
  tentative: 'Not yet confirmed',
  cancelledNote: 'Cancelled',
  privateNote: 'Private: only people who are signed in can see more than the time.',
  maskedNote: 'This time is taken. The details are private.',
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
  days: 'Use the arrow keys to move between days, and Enter to open a day.',
  daysForWriters: 'Use the arrow keys to move between days, Enter to add an event, and Space to open a day.',
  outside: 'This link points to a date or view that this calendar cannot show, so today is shown instead.',
  search: 'Search',
  category: 'Category',
  allCategories: 'All categories',
  zone: (zone: string) => `Times in ${zone}`,
  showIn: (zone: string) => `Show in ${zone}`,
  newEvent: 'New event',
  subscribe: 'Subscribe',
  subscribeTitle: 'Subscribe to this calendar',
  subscribeIntro: 'Your calendar app will show these events and keep them up to date.',
  subscribeCategory: (category: string) => `Only “${category}”`,
  withApple: 'Apple Calendar',
  withGoogle: 'Google Calendar',
  withOutlook: 'Outlook.com',
  withOffice: 'Outlook for work or school',
  withProgram: 'Another app on this device',
  subscribeLink: 'Or copy this address into your calendar app',
  event: 'Event',
  when: 'When',
  where: 'Where',
  repeatsLabel: 'Repeats',
  link: 'Link',
  page: 'Event page',
  take: 'Add to my calendar',
  edit: 'Edit',
  duplicate: 'Duplicate',
}

/** By error code; any other code is `unknown`. */
export const errors = {
  unknown: 'Something went wrong. Try again later.',
  offline: 'The server cannot be reached right now. Check your connection and try again.',
  rate_limited: 'Too many attempts. Wait a while and try again.',
  another_person: 'Someone else is signed in on this browser now. Nothing was sent.',
  credential_not_found: 'This no longer exists.',
  session_expired: 'You were signed out. Sign in again to continue; nothing you typed is lost.',
  authentication_required: 'Sign in first.',
  invalid_credentials: 'The email address or the password is wrong.',
  insufficient_capability: 'Your account does not have permission to do this.',
  admin_required: 'Only administrators can do this.',
  account_pending: 'Your account is still waiting for an administrator.',
  account_rejected: 'An administrator has declined this account.',
  account_suspended: 'This account is suspended. Ask an administrator.',
  email_not_verified: 'Your email address is not verified yet. Use the link in the email we sent.',
  registration_closed: 'This calendar accepts no requests for accounts at the moment.',
  https_required: 'This page needs a secure connection. Open it with https.',
  token_invalid_or_expired: 'This link has already been used, or has expired.',
  validation_failed: 'Please check the marked fields.',
  version_mismatch: 'Someone else has changed this in the meantime.',
  event_not_found: 'This event no longer exists.',
  version_not_found: 'This version is no longer kept.',
  occurrence_not_found: 'This date is not part of the series.',
  invalid_occurrence_key: 'This date is not part of the series.',
  exception_not_found: 'There is nothing to undo on this date.',
  event_not_recurring: 'This event no longer repeats.',
  user_not_found: 'This account no longer exists.',
  email_taken: 'This address already has an account.',
  body_too_large: 'This file is too large.',
  too_many_exceptions: 'This series has reached its limit of changed dates.',
  too_many_overrides:
    'More than 1,000 dates would have to be changed one by one. Change the whole series, or delete this and the following dates and create a new event for them.',
  event_too_large: 'This event has too much text, counting all of its changed dates.',
  last_admin: 'This is the last administrator; make another one first.',
  invalid_state_transition: 'The current state of the account does not allow this.',
  service_unavailable: 'The server is busy. Try again in a moment.',
  storage_unavailable: 'The database cannot be reached right now. Try again in a moment.',
} as Record<string, string>

/** By the code of a field error. */
export const fields = {
  required: 'Please fill this in.',
  invalid_type: 'This is not valid.',
  invalid_format: 'This does not look right.',
  too_short: 'Please fill this in.',
  too_long: 'This is too long.',
  out_of_range: 'This is out of range.',
  not_allowed: 'This value is not allowed here.',
  timezone_unknown: 'There is no such time zone.',
  end_before_start: 'The end must come after the start.',
  range_too_large: 'This period is too long.',
  rrule_invalid: 'This repetition is not valid.',
  rrule_unsupported: 'This kind of repetition is not supported.',
  rrule_no_occurrences: 'This repetition has no dates.',
  password_common: 'This password is easy to guess. Choose another.',
  set_by_operator: 'The operator has set this on the server.',
  url_scheme: 'Web addresses begin with http:// or https://.',
} as Record<string, string>

/** 1,059: four digits in a row are read as a year. */
const grouped = (count: number): string => count.toLocaleString('en-GB')

function countDates(count: number): string {
  if (count === 0) return 'No dates were'
  return count === 1 ? '1 date was' : `${grouped(count)} dates were`
}

function waitInWords(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? 'a second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
