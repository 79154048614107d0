// Names of weekdays and months; Monday is 0, January is 0.

export const WEEKDAY_NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

export type WeekdayName = (typeof WEEKDAY_NAMES)[number]

/** Values of the setting week_start: `auto` is the first day of the week of each reader's language. */
export const WEEK_STARTS = ['auto', ...WEEKDAY_NAMES] as const

/** The text of the setting that is in force. */
export const weekStartName = (weekStart: number, isByLanguage: boolean): (typeof WEEK_STARTS)[number] =>
  isByLanguage ? 'auto' : WEEKDAY_NAMES[weekStart]!

/** As iCalendar writes them (RFC 5545 §3.3.10). */
export const WEEKDAY_CODES: readonly string[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** In English, for mails and pages. */
export const WEEKDAY_TITLES: readonly string[] = WEEKDAY_NAMES.map(
  (name) => `${name[0]!.toUpperCase()}${name.slice(1)}`,
)

export const MONTH_TITLES: readonly string[] = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]
