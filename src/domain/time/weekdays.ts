// Weekday names; Monday is 0.

export const WEEKDAY_NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

export type WeekdayName = (typeof WEEKDAY_NAMES)[number]

/** As iCalendar writes them (RFC 5545 §3.3.10). */
export const WEEKDAY_CODES: readonly string[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
