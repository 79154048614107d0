// Words of the embed script in British English.

/** What the elements say before the grid is loaded, and the list of upcoming events. */
export const embedded = {
  locale: 'en-GB',
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as Intl.DateTimeFormatOptions,
  /** Adapts a date as Intl writes it: here without the comma after the weekday. */
  day: (text: string) => text.replaceAll(',', ''),
  loading: 'Loading…',
  nothing: 'There are no upcoming events.',
  unreachable: 'The calendar cannot be reached right now.',
  tryAgain: 'Try again',
  upcoming: 'Coming up',
  calendar: 'Calendar',
  zone: (name: string) => `Times in ${name}`,
  privateEvent: 'Private Event',
}
