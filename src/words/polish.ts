// Words of pages in Polish.
import type * as english from './english.ts'
import { createJoin } from './join.ts'
import { createPlural } from './plural.ts'
import type { RuleWords } from './rule-words.ts'

export const times: typeof english.times = {
  locale: 'pl',
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: (text) => text,
  // “do” would need “od” before the first time.
  to: '–',
  toDay: '–',
  allDay: 'cały dzień',
}

const plural = createPlural('pl')
const and = createJoin('pl')

interface Weekday {
  /** After “w” and “co”. */
  accusative: string
  /** For more than one day of each week: “we wtorki i czwartki”. */
  each: string
  isFeminine?: true
}

const weekdays: readonly Weekday[] = [
  { accusative: 'poniedziałek', each: 'poniedziałki' },
  { accusative: 'wtorek', each: 'wtorki' },
  { accusative: 'środę', each: 'środy', isFeminine: true },
  { accusative: 'czwartek', each: 'czwartki' },
  { accusative: 'piątek', each: 'piątki' },
  { accusative: 'sobotę', each: 'soboty', isFeminine: true },
  { accusative: 'niedzielę', each: 'niedziele', isFeminine: true },
]

const months: readonly { genitive: string; locative: string }[] = [
  { genitive: 'stycznia', locative: 'styczniu' },
  { genitive: 'lutego', locative: 'lutym' },
  { genitive: 'marca', locative: 'marcu' },
  { genitive: 'kwietnia', locative: 'kwietniu' },
  { genitive: 'maja', locative: 'maju' },
  { genitive: 'czerwca', locative: 'czerwcu' },
  { genitive: 'lipca', locative: 'lipcu' },
  { genitive: 'sierpnia', locative: 'sierpniu' },
  { genitive: 'września', locative: 'wrześniu' },
  { genitive: 'października', locative: 'październiku' },
  { genitive: 'listopada', locative: 'listopadzie' },
  { genitive: 'grudnia', locative: 'grudniu' },
]

const units = {
  DAILY: { one: 'codziennie', few: 'dni', many: 'dni' },
  WEEKLY: { one: 'co tydzień', few: 'tygodnie', many: 'tygodni' },
  MONTHLY: { one: 'co miesiąc', few: 'miesiące', many: 'miesięcy' },
  YEARLY: { one: 'co roku', few: 'lata', many: 'lat' },
}

const ordinals = [
  { masculine: 'pierwszy', feminine: 'pierwszą' },
  { masculine: 'drugi', feminine: 'drugą' },
  { masculine: 'trzeci', feminine: 'trzecią' },
  { masculine: 'czwarty', feminine: 'czwartą' },
  { masculine: 'piąty', feminine: 'piątą' },
]
const last = { masculine: 'ostatni', feminine: 'ostatnią' }

/** “we” before words that begin with “w” and another consonant. */
const within = (word: string): string => `${/^w[^aeiouyąęó]/.test(word) ? 'we' : 'w'} ${word}`

export const rule: RuleWords = {
  custom: 'powtarzanie niestandardowe',
  days: ['Poniedziałek', 'Wtorek', 'Środa', 'Czwartek', 'Piątek', 'Sobota', 'Niedziela'],
  shortDays: ['pn', 'wt', 'śr', 'czw', 'pt', 'sob', 'nd'],
  months: [
    'Styczeń',
    'Luty',
    'Marzec',
    'Kwiecień',
    'Maj',
    'Czerwiec',
    'Lipiec',
    'Sierpień',
    'Wrzesień',
    'Październik',
    'Listopad',
    'Grudzień',
  ],
  and,
  everyWeekday: 'w dni robocze (od poniedziałku do piątku)',
  every: (interval, unit) => {
    const { one, few, many } = units[unit]
    return interval === 1 ? one : `co ${interval} ${plural(interval, { few, other: many })}`
  },
  everyDays: (some) => {
    const [day] = some.map((one) => weekdays[one]!)
    if (some.length === 1) return `w ${day!.isFeminine ? 'każdą' : 'każdy'} ${day!.accusative}`
    return within(and(some.map((one) => weekdays[one]!.each)))
  },
  everySecondDay: (day) => {
    const { accusative, isFeminine } = weekdays[day]!
    return `co ${isFeminine ? 'drugą' : 'drugi'} ${accusative}`
  },
  weekOn: (every, some) => `${every} ${within(and(some.map((day) => weekdays[day]!.accusative)))}`,
  weekdaysOf: (every) => `${every} od poniedziałku do piątku`,
  allDaysOf: (every) => `${every} we wszystkie dni tygodnia`,
  monthDay: (day) => `${day}. dnia`,
  lastDay: 'ostatniego dnia',
  place: (which, day) => {
    const { masculine, feminine } = which === -1 ? last : ordinals[which - 1]!
    if (day === 'weekday') return `w ${masculine} dzień roboczy`
    const { accusative, isFeminine } = weekdays[day]!
    return `w ${isFeminine ? feminine : masculine} ${accusative}`
  },
  // “w drugi wtorek każdego miesiąca” is what one says; “co miesiąc w drugi wtorek” only of longer intervals.
  on: (every, phrase, interval, unit) =>
    interval === 1 && unit === 'MONTHLY' ? `${phrase} każdego miesiąca` : `${every} ${phrase}`,
  in: (every, month) => `${every} ${within(months[month - 1]!.locative)}`,
  of: (phrase, month) => `${phrase} ${months[month - 1]!.genitive}`,
  date: (day, month, year) => `${day} ${months[month - 1]!.genitive}${year === undefined ? '' : ` ${year}`}`,
  onDate: (every, date) => `${every} ${date}`,
  until: (date) => ` do ${date}`,
  times: (count) => `, ${count} ${plural(count, { one: 'raz', other: 'razy' })}`,
}

export const appPage: typeof english.appPage = {
  description: (site) => `${site}: wydarzenia do przeglądania, wyszukiwania i subskrybowania.`,
  needsScript:
    'Ta strona wymaga JavaScriptu, który jest tu wyłączony. Kalendarz można mimo to subskrybować pod adresem:',
}

export const eventPage: typeof english.eventPage = {
  missing: 'Nie ma takiego wydarzenia',
  missingHint: 'Mogło zostać usunięte albo link jest niepełny.',
  busy: 'Zbyt wiele żądań w tej chwili',
  busyHint: 'Proszę spróbować ponownie za kilka minut.',
  languages: 'Inne języki',
  skip: 'Przejdź do treści',
  calendar: 'Kalendarz',
  timesIn: (zone) => `Godziny w strefie czasowej ${zone}.`,
  repeats: (rule) => `Powtarza się ${rule}`,
  severalDates: 'W kilku terminach',
  partOf: 'Jeden z terminów powtarzającego się wydarzenia.',
  allDates: 'Wszystkie terminy',
  cancelled: 'To wydarzenie jest odwołane.',
  movedFrom: (when) => `Przeniesione; pierwotny termin: ${when}.`,
  cancelledMark: 'Odwołane',
  tentative: 'To wydarzenie nie jest jeszcze pewne.',
  isCancelled: 'odwołane',
  privateEvent: 'Wydarzenie prywatne',
  masked: 'To wydarzenie jest prywatne: widać tylko jego czas.',
  nextDates: 'Najbliższe terminy',
  noMoreDates: 'Brak terminów w ciągu najbliższych dwóch lat.',
  where: 'Miejsce',
  map: 'Pokaż na mapie',
  category: 'Kategoria',
  link: 'Link',
  add: 'Dodaj do mojego kalendarza',
  file: 'Plik kalendarza (.ics)',
  fileOfDate: 'Ten termin (.ics)',
  fileOfAll: 'Wszystkie terminy (.ics)',
  google: 'Kalendarz Google',
  outlook: 'Outlook',
  subscribe: 'Subskrybuj cały kalendarz',
  open: 'Pokaż w kalendarzu',
  picture: (title, when) => `${title}, ${when}`,
  inYourZone: (times, zone) => `W Twojej strefie czasowej (${zone}): ${times}`,
  share: 'Udostępnij',
  copyLink: 'Kopiuj link',
  linkCopied: 'Skopiowano link',
  edit: 'Edytuj',
  changedBy: (name, date) => `Ostatnia zmiana: ${name}, ${date}`,
  changed: (date) => `Ostatnia zmiana: ${date}`,
}

/** Always grouped: Polish writes four digits without a space, but then they are read as a year. */
const grouped = (count: number): string => count.toLocaleString('pl', { useGrouping: true })

function countEvents(count: number): string {
  return `${count} ${plural(count, { one: 'wydarzenie', few: 'wydarzenia', other: 'wydarzeń' })}`
}

function countDates(count: number): string {
  if (count === 0) return 'Nie znaleziono terminów'
  return `Znaleziono ${grouped(count)} ${plural(count, { one: 'termin', few: 'terminy', other: 'terminów' })}`
}

export const frame: typeof english.frame = {
  skip: 'Przejdź do treści',
  ways: 'Menu główne',
  signIn: 'Zaloguj się',
  missingTitle: 'Nie znaleziono strony',
  missing: 'W adresie może być błąd albo strona została przeniesiona.',
  toCalendar: 'Przejdź do kalendarza',
}

export const calendarPage: typeof english.calendarPage = {
  today: 'Dzisiaj',
  goTo: 'Przejdź do daty',
  view: 'Widok',
  views: { month: 'Miesiąc', week: 'Tydzień', day: 'Dzień', list: 'Lista', year: 'Rok' },
  next: {
    month: 'Następny miesiąc',
    week: 'Następny tydzień',
    day: 'Następny dzień',
    list: 'Później',
    year: 'Następny rok',
  },
  previous: {
    month: 'Poprzedni miesiąc',
    week: 'Poprzedni tydzień',
    day: 'Poprzedni dzień',
    list: 'Wcześniej',
    year: 'Poprzedni rok',
  },
  until: (clock) => `do ${clock}`,
  allDay: times.allDay,
  cancelled: 'odwołane',
  nothing: 'W tym okresie nie ma wydarzeń.',
  nothingFound: 'W tym okresie nie ma wydarzeń z tej kategorii.',
  searchFor: (text) => `Wyszukiwanie: ${text}`,
  searchAll: 'Przeszukaj wszystkie terminy',
  found: {
    ahead: (count) => `${countDates(count)} od dzisiaj.`,
    past: (count) => `${countDates(count)} przed dzisiejszym dniem.`,
  },
  searchIn: { ahead: 'Szukaj od dzisiaj', past: 'Szukaj w przeszłości' },
  moreFound: (shown, total) => `Pokaż więcej (${grouped(shown)} z ${grouped(total)})`,
  cut: (shown, total) =>
    `Liczba pokazanych wydarzeń: ${shown} z ${total}. Wybierz krótszy okres, aby zobaczyć pozostałe.`,
  more: (count) => `jeszcze ${count}`,
  moreHint: (count) => `Jeszcze ${countEvents(count)}; otwórz dzień`,
  events: countEvents,
  outside:
    'Ten link prowadzi do daty lub widoku, których ten kalendarz nie może pokazać. Zamiast tego widać dzisiejszy dzień.',
  search: 'Szukaj',
  category: 'Kategoria',
  allCategories: 'Wszystkie kategorie',
  severalCategories: (count) => `${count} ${plural(count, { one: 'kategoria', few: 'kategorie', other: 'kategorii' })}`,
  legend: 'Kategorie',
  showAll: 'Pokaż wszystkie',
  searchAndFilter: 'Szukaj i filtruj',
  whatsOn: {
    label: 'Co się dzieje:',
    names: { today: 'Dzisiaj', weekend: 'W ten weekend', week: 'Najbliższe 7 dni' },
    title: (name, days) => `${name}: ${days}`,
  },
  openPrint: 'Drukuj',
  openShortcuts: 'Skróty klawiszowe',
  zone: (zone) => `Godziny w strefie ${zone}`,
  subscribe: 'Subskrybuj',
  period: 'Okres',
  go: 'Przejdź',
  feeds: { calendar: 'Kanał kalendarza (.ics)', news: 'Kanał nowości (Atom)' },
}
