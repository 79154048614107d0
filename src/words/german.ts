// Words of pages in German.
import type * as english from './english.ts'
import type { RuleWords } from './rule-words.ts'

export const times: typeof english.times = {
  locale: 'de',
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: (text) => text,
  to: 'bis',
  toDay: 'bis',
  allDay: 'ganztägig',
}

const days = ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag']
const months = [
  'Januar',
  'Februar',
  'März',
  'April',
  'Mai',
  'Juni',
  'Juli',
  'August',
  'September',
  'Oktober',
  'November',
  'Dezember',
]
const ordinals = ['ersten', 'zweiten', 'dritten', 'vierten', 'fünften']
const list = new Intl.ListFormat('de')
const and = (phrases: readonly string[]): string => list.format(phrases)
/** All weekdays and units but the week and the year are masculine. */
const units = {
  DAILY: { one: 'jeden Tag', second: 'jeden zweiten Tag', many: 'Tage' },
  WEEKLY: { one: 'jede Woche', second: 'jede zweite Woche', many: 'Wochen' },
  MONTHLY: { one: 'jeden Monat', second: 'jeden zweiten Monat', many: 'Monate' },
  YEARLY: { one: 'jedes Jahr', second: 'jedes zweite Jahr', many: 'Jahre' },
}

export const rule: RuleWords = {
  custom: 'eigene Wiederholung',
  days,
  shortDays: days.map((title) => title.slice(0, 2)),
  months,
  and,
  everyWeekday: 'jeden Werktag (Montag bis Freitag)',
  every: (interval, unit) => {
    const { one, second, many } = units[unit]
    return interval === 1 ? one : interval === 2 ? second : `alle ${interval} ${many}`
  },
  everyDays: (some) => `jeden ${and(some.map((day) => days[day]!))}`,
  everySecondDay: (day) => `jeden zweiten ${days[day]}`,
  weekOn: (every, some) => `${every} am ${and(some.map((day) => days[day]!))}`,
  weekdaysOf: (every) => `${every} von Montag bis Freitag`,
  allDaysOf: (every) => `${every} an jedem Tag`,
  monthDay: (day) => `am ${day}.`,
  lastDay: 'am letzten Tag',
  place: (which, day) =>
    `am ${which === -1 ? 'letzten' : ordinals[which - 1]} ${day === 'weekday' ? 'Werktag' : days[day]}`,
  on: (every, phrase) => `${every} ${phrase}`,
  in: (every, month) => `${every} im ${months[month - 1]}`,
  of: (phrase, month) => `${phrase} im ${months[month - 1]}`,
  date: (day, month, year) => `${day}. ${months[month - 1]}${year === undefined ? '' : ` ${year}`}`,
  onDate: (every, date) => `${every} am ${date}`,
  until: (date) => ` bis ${date}`,
  times: (count) => (count === 1 ? ', einmal' : `, ${count}-mal`),
}

export const appPage: typeof english.appPage = {
  description: (site) => `${site}: Veranstaltungen zum Ansehen, Suchen und Abonnieren.`,
  needsScript:
    'Diese Seite braucht JavaScript, das hier ausgeschaltet ist. Der Kalender kann trotzdem abonniert werden:',
}

export const eventPage: typeof english.eventPage = {
  languages: 'Andere Sprachen',
  skip: 'Zum Inhalt springen',
  calendar: 'Kalender',
  timesIn: (zone) => `Die Zeiten gelten in der Zeitzone ${zone}.`,
  repeats: (rule) => `Wiederholung: ${rule}`,
  severalDates: 'An mehreren Terminen',
  partOf: 'Ein Termin einer Veranstaltungsreihe.',
  allDates: 'Alle Termine',
  cancelled: 'Diese Veranstaltung ist abgesagt.',
  tentative: 'Diese Veranstaltung ist noch nicht sicher.',
  isCancelled: 'abgesagt',
  privateEvent: 'Private Veranstaltung',
  masked: 'Diese Veranstaltung ist privat: Nur ihre Zeit wird angezeigt.',
  nextDates: 'Nächste Termine',
  noMoreDates: 'Keine in den nächsten zwei Jahren.',
  where: 'Ort',
  map: 'Auf einer Karte zeigen',
  category: 'Kategorie',
  link: 'Link',
  add: 'In meinen Kalender übernehmen',
  file: 'Kalenderdatei (.ics)',
  google: 'Google Kalender',
  outlook: 'Outlook',
  subscribe: 'Den ganzen Kalender abonnieren',
  open: 'Im Kalender zeigen',
}
