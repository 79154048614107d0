// Words of pages in German.
import type * as english from './english.ts'
import { createJoin } from './join.ts'
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
const and = createJoin('de')
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
  missing: 'Diese Veranstaltung gibt es nicht',
  missingHint: 'Vielleicht wurde sie gelöscht, oder der Link ist unvollständig.',
  busy: 'Zurzeit zu viele Anfragen',
  busyHint: 'Bitte versuchen Sie es in einigen Minuten noch einmal.',
  languages: 'Andere Sprachen',
  skip: 'Zum Inhalt springen',
  calendar: 'Kalender',
  timesIn: (zone) => `Die Zeiten gelten in der Zeitzone ${zone}.`,
  repeats: (rule) => `Wiederholung: ${rule}`,
  severalDates: 'An mehreren Terminen',
  partOf: 'Ein Termin einer Veranstaltungsreihe.',
  allDates: 'Alle Termine',
  cancelled: 'Diese Veranstaltung ist abgesagt.',
  movedFrom: (when) => `Verlegt; ursprünglich: ${when}.`,
  cancelledMark: 'Abgesagt',
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
  fileOfDate: 'Dieser Termin (.ics)',
  fileOfAll: 'Alle Termine (.ics)',
  google: 'Google Kalender',
  outlook: 'Outlook',
  subscribe: 'Den ganzen Kalender abonnieren',
  open: 'Im Kalender zeigen',
  picture: (title, when) => `${title}, ${when}`,
  inYourZone: (times, zone) => `In Ihrer Zeitzone (${zone}): ${times}`,
  share: 'Teilen',
  copyLink: 'Link kopieren',
  linkCopied: 'Link kopiert',
  edit: 'Bearbeiten',
  changedBy: (name, date) => `Zuletzt geändert von ${name} am ${date}`,
  changed: (date) => `Zuletzt geändert am ${date}`,
}

const grouped = (count: number): string => count.toLocaleString('de')

function countDates(count: number): string {
  if (count === 0) return 'Keine Termine'
  return count === 1 ? '1 Termin' : `${grouped(count)} Termine`
}

export const frame: typeof english.frame = {
  skip: 'Zum Inhalt springen',
  ways: 'Hauptmenü',
  signIn: 'Anmelden',
  missingTitle: 'Seite nicht gefunden',
  missing: 'Vielleicht enthält die Adresse einen Tippfehler, oder die Seite ist umgezogen.',
  toCalendar: 'Zum Kalender',
}

export const calendarPage: typeof english.calendarPage = {
  today: 'Heute',
  goTo: 'Zu einem Datum',
  view: 'Ansicht',
  views: { month: 'Monat', week: 'Woche', day: 'Tag', list: 'Liste', year: 'Jahr' },
  next: {
    month: 'Nächster Monat',
    week: 'Nächste Woche',
    day: 'Nächster Tag',
    list: 'Später',
    year: 'Nächstes Jahr',
  },
  previous: {
    month: 'Voriger Monat',
    week: 'Vorige Woche',
    day: 'Voriger Tag',
    list: 'Früher',
    year: 'Voriges Jahr',
  },
  until: (clock) => `bis ${clock}`,
  allDay: times.allDay,
  cancelled: 'abgesagt',
  nothing: 'In diesem Zeitraum gibt es keine Veranstaltungen.',
  nothingFound: 'In diesem Zeitraum gibt es keine Veranstaltungen dieser Kategorie.',
  searchFor: (text) => `Suche: ${text}`,
  searchAll: 'Alle Termine durchsuchen',
  found: {
    ahead: (count) => `${countDates(count)} ab heute gefunden.`,
    past: (count) => `${countDates(count)} vor heute gefunden.`,
  },
  searchIn: { ahead: 'Ab heute suchen', past: 'In vergangenen Terminen suchen' },
  moreFound: (shown, total) => `Mehr anzeigen (${grouped(shown)} von ${grouped(total)})`,
  cut: (shown, total) =>
    `Es werden die ersten ${shown} von ${total} Veranstaltungen angezeigt. Wählen Sie einen kürzeren Zeitraum, um die übrigen zu sehen.`,
  more: (count) => `${count} weitere`,
  moreHint: (count) => `${count} weitere ${count === 1 ? 'Veranstaltung' : 'Veranstaltungen'}; Tag öffnen`,
  events: (count) => (count === 1 ? '1 Veranstaltung' : `${count} Veranstaltungen`),
  outside:
    'Dieser Link führt zu einem Datum oder einer Ansicht, die dieser Kalender nicht zeigen kann. Deshalb wird der heutige Tag gezeigt.',
  search: 'Suchen',
  category: 'Kategorie',
  allCategories: 'Alle Kategorien',
  severalCategories: (count) => `${count} Kategorien`,
  legend: 'Kategorien',
  showAll: 'Alle anzeigen',
  searchAndFilter: 'Suchen und filtern',
  whatsOn: {
    label: 'Was ist los:',
    names: { today: 'Heute', weekend: 'Dieses Wochenende', week: 'Nächste 7 Tage' },
    title: (name, days) => `${name}: ${days}`,
  },
  openPrint: 'Drucken',
  openShortcuts: 'Tastenkürzel',
  zone: (zone) => `Zeiten in ${zone}`,
  subscribe: 'Abonnieren',
  period: 'Zeitraum',
  go: 'Los',
  feeds: { calendar: 'Kalender-Feed (.ics)', news: 'Neuigkeiten-Feed (Atom)' },
}
