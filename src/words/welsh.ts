// Words of pages in Welsh.
import type * as english from './english.ts'
import { createPlural } from './plural.ts'
import type { RuleWords } from './rule-words.ts'
import { withWelshNames } from './welsh-dates.ts'

export const times: typeof english.times = {
  // What browsers do with `cy` differs; the names are put into the British date.
  locale: 'en-GB',
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: (text) => withWelshNames(text.replace(/^(\p{L}+), /u, '$1 ')),
  // “i” and “tan” would mutate the day after them.
  to: '–',
  toDay: '–',
  allDay: 'drwy’r dydd',
}

const plural = createPlural('cy')

const names = ['Llun', 'Mawrth', 'Mercher', 'Iau', 'Gwener', 'Sadwrn', 'Sul']
const months = [
  'Ionawr',
  'Chwefror',
  'Mawrth',
  'Ebrill',
  'Mai',
  'Mehefin',
  'Gorffennaf',
  'Awst',
  'Medi',
  'Hydref',
  'Tachwedd',
  'Rhagfyr',
]

const dayOfWeek = (day: number): string => `dydd ${names[day]}`

/** “a” joins the article as “a’r”. Before vowels it is “ac”, but no other phrase here begins with one. */
function and(phrases: readonly string[]): string {
  const before = phrases.slice(0, -1).join(', ')
  const final = phrases.at(-1)!
  if (phrases.length === 1) return final
  return /^yr? /.test(final) ? `${before} a’r ${final.replace(/^yr? /, '')}` : `${before} a ${final}`
}

/** Nouns after a number are singular, and mutate after some. */
const units = {
  DAILY: { one: 'bob dydd', after: { two: 'ddiwrnod', other: 'diwrnod' } },
  WEEKLY: { one: 'bob wythnos', after: { other: 'wythnos' } },
  MONTHLY: { one: 'bob mis', after: { two: 'fis', other: 'mis' } },
  YEARLY: { one: 'bob blwyddyn', after: { two: 'flynedd', few: 'blynedd', many: 'blynedd', other: 'mlynedd' } },
}

/** “pedair blynedd”, though Intl counts 4 among the others. */
const after = (interval: number, unit: keyof typeof units): string =>
  unit === 'YEARLY' && interval === 4 ? 'blynedd' : plural(interval, units[unit].after)

/** Endings of 1af, 2il and so on, as they are said. */
const ENDINGS = ['', 'af', 'il', 'ydd', 'ydd', 'ed', 'ed', 'fed', 'fed', 'fed', 'fed', 'eg', 'fed', 'eg', 'eg', 'fed']
const LATER_ENDINGS: Record<number, string> = { 16: 'eg', 17: 'eg', 18: 'fed', 19: 'eg', 20: 'fed' }
/** Said with a vowel first: “yr ail”, “yr wythfed”, “yr unfed ar ddeg”. */
const BEFORE_VOWEL = [2, 8, 11, 16, 17, 20, 21, 22, 28, 31]

const nth = (day: number): string => `${day}${ENDINGS[day] ?? LATER_ENDINGS[day] ?? 'ain'}`

/** “cyntaf” and “olaf” stand after the noun; “ail” mutates it. */
function placeOf(which: number, noun: string): string {
  if (which === -1) return `y ${noun} olaf`
  if (which === 1) return `y ${noun} cyntaf`
  if (which === 2) return `yr ail d${noun}`
  return `y ${which === 3 ? 'trydydd' : which === 4 ? 'pedwerydd' : 'pumed'} ${noun}`
}

export const rule: RuleWords = {
  custom: 'ailadrodd cyfaddas',
  days: names.map((name) => `Dydd ${name}`),
  shortDays: ['Llun', 'Maw', 'Mer', 'Iau', 'Gwe', 'Sad', 'Sul'],
  months,
  and,
  everyWeekday: 'bob diwrnod gwaith (dydd Llun i ddydd Gwener)',
  every: (interval, unit) => (interval === 1 ? units[unit].one : `bob ${interval} ${after(interval, unit)}`),
  everyDays: (some) => `bob ${and(some.map(dayOfWeek))}`,
  everySecondDay: (day) => `bob yn ail d${dayOfWeek(day)}`,
  weekOn: (every, some) => `${every} ar d${and(some.map(dayOfWeek))}`,
  weekdaysOf: (every) => `${every} o ddydd Llun i ddydd Gwener`,
  allDaysOf: (every) => `${every} ar bob diwrnod o’r wythnos`,
  monthDay: (day) => `${BEFORE_VOWEL.includes(day) ? 'yr' : 'y'} ${nth(day)}`,
  lastDay: 'y diwrnod olaf',
  place: (which, day) => placeOf(which, day === 'weekday' ? 'diwrnod gwaith' : dayOfWeek(day)),
  on: (every, phrase, interval, unit) =>
    interval === 1 && unit === 'MONTHLY' ? `${phrase} o bob mis` : `${every} ar ${phrase}`,
  in: (every, month) => `${every} ym mis ${months[month - 1]}`,
  of: (phrase, month) => `${phrase} o fis ${months[month - 1]}`,
  date: (day, month, year) => `${day} ${months[month - 1]}${year === undefined ? '' : ` ${year}`}`,
  onDate: (every, date) => `${every} ar ${date}`,
  until: (date) => ` tan ${date}`,
  times: (count) => `, ${['', 'unwaith', 'dwywaith', 'teirgwaith'][count] ?? `${count} gwaith`}`,
}

export const appPage: typeof english.appPage = {
  description: (site) => `${site}: digwyddiadau i’w gweld, i chwilio drwyddynt ac i danysgrifio iddynt.`,
  needsScript:
    'Mae angen JavaScript ar y dudalen hon, ac mae wedi’i ddiffodd yma. Gallwch danysgrifio i’r calendr er hynny:',
}

export const eventPage: typeof english.eventPage = {
  missing: 'Nid oes digwyddiad o’r fath',
  missingHint: 'Efallai ei fod wedi’i ddileu, neu fod y ddolen yn anghyflawn.',
  busy: 'Gormod o geisiadau ar hyn o bryd',
  busyHint: 'Rhowch gynnig arall arni ymhen ychydig funudau.',
  languages: 'Ieithoedd eraill',
  skip: 'Neidio i’r cynnwys',
  calendar: 'Calendr',
  timesIn: (zone) => `Mae’r amserau yng nghylchfa amser ${zone}.`,
  repeats: (rule) => `Yn ailadrodd: ${rule}`,
  severalDates: 'Ar sawl dyddiad',
  partOf: 'Un o ddyddiadau digwyddiad sy’n ailadrodd.',
  allDates: 'Pob dyddiad',
  cancelled: 'Mae’r digwyddiad hwn wedi’i ganslo.',
  movedFrom: (when) => `Symudwyd; y dyddiad gwreiddiol: ${when}.`,
  cancelledMark: 'Wedi’i ganslo',
  tentative: 'Nid yw hyn yn sicr eto.',
  isCancelled: 'wedi’i ganslo',
  privateEvent: 'Digwyddiad preifat',
  masked: 'Mae’r digwyddiad hwn yn breifat: dim ond ei amser sy’n cael ei ddangos.',
  nextDates: 'Y dyddiadau nesaf',
  noMoreDates: 'Dim un yn y ddwy flynedd nesaf.',
  where: 'Lleoliad',
  map: 'Dangos ar fap',
  category: 'Categori',
  link: 'Dolen',
  add: 'Ychwanegu at fy nghalendr',
  file: 'Ffeil calendr (.ics)',
  fileOfDate: 'Y dyddiad hwn (.ics)',
  fileOfAll: 'Pob dyddiad (.ics)',
  google: 'Google Calendar',
  outlook: 'Outlook',
  subscribe: 'Tanysgrifio i’r calendr cyfan',
  open: 'Dangos yn y calendr',
  picture: (title, when) => `${title}, ${when}`,
  inYourZone: (times, zone) => `Yn eich cylchfa amser chi (${zone}): ${times}`,
  share: 'Rhannu',
  copyLink: 'Copïo’r ddolen',
  linkCopied: 'Dolen wedi’i chopïo',
  edit: 'Golygu',
  changedBy: (name, date) => `Newidiwyd ddiwethaf gan ${name}: ${date}`,
  changed: (date) => `Newidiwyd ddiwethaf: ${date}`,
}

/** In British digits, which are the Welsh ones too: Intl of Chrome has no Welsh. */
const grouped = (count: number): string => count.toLocaleString('en-GB')

function countEvents(count: number): string {
  return `${count} ${plural(count, { two: 'ddigwyddiad', other: 'digwyddiad' })}`
}

function countDates(count: number): string {
  if (count === 0) return 'Ni chafwyd hyd i unrhyw ddyddiadau'
  return `Cafwyd hyd i ${grouped(count)} ${plural(count, { two: 'ddyddiad', other: 'dyddiad' })}`
}

export const frame: typeof english.frame = {
  skip: 'Neidio i’r cynnwys',
  ways: 'Prif ddewislen',
  signIn: 'Mewngofnodi',
  missingTitle: 'Heb ganfod y dudalen',
  missing: 'Efallai fod gwall yn y cyfeiriad, neu fod y dudalen wedi symud.',
  toCalendar: 'Mynd i’r calendr',
}

export const calendarPage: typeof english.calendarPage = {
  today: 'Heddiw',
  goTo: 'Mynd i ddyddiad',
  view: 'Golwg',
  views: { month: 'Mis', week: 'Wythnos', day: 'Diwrnod', list: 'Rhestr', year: 'Blwyddyn' },
  next: {
    month: 'Y mis nesaf',
    week: 'Yr wythnos nesaf',
    day: 'Y diwrnod nesaf',
    list: 'Yn hwyrach',
    year: 'Y flwyddyn nesaf',
  },
  previous: {
    month: 'Y mis blaenorol',
    week: 'Yr wythnos flaenorol',
    day: 'Y diwrnod blaenorol',
    list: 'Yn gynharach',
    year: 'Y flwyddyn flaenorol',
  },
  until: (clock) => `tan ${clock}`,
  allDay: times.allDay,
  cancelled: 'wedi’i ganslo',
  nothing: 'Does dim digwyddiadau yn y cyfnod hwn.',
  nothingFound: 'Does dim digwyddiadau o’r categori hwn yn y cyfnod hwn.',
  searchFor: (text) => `Chwilio: ${text}`,
  searchAll: 'Chwilio pob dyddiad',
  found: {
    ahead: (count) => `${countDates(count)} o heddiw ymlaen.`,
    past: (count) => `${countDates(count)} cyn heddiw.`,
  },
  searchIn: { ahead: 'Chwilio o heddiw ymlaen', past: 'Chwilio’r gorffennol' },
  moreFound: (shown, total) => `Dangos rhagor (${grouped(shown)} o ${grouped(total)})`,
  cut: (shown, total) =>
    `Nifer y digwyddiadau sy’n cael eu dangos: ${shown} o ${total}. Dewiswch gyfnod byrrach i weld y gweddill.`,
  more: (count) => `${count} arall`,
  moreHint: (count) => `${countEvents(count)} arall; agor y diwrnod`,
  events: countEvents,
  outside:
    'Mae’r ddolen hon yn arwain at ddyddiad neu olwg na all y calendr hwn ei ddangos, felly mae heddiw’n cael ei ddangos yn lle hynny.',
  search: 'Chwilio',
  category: 'Categori',
  allCategories: 'Pob categori',
  severalCategories: (count) =>
    `${count} ${plural(count, { two: 'gategori', few: 'chategori', many: 'chategori', other: 'categori' })}`,
  legend: 'Categorïau',
  showAll: 'Dangos y cyfan',
  searchAndFilter: 'Chwilio a hidlo',
  whatsOn: {
    label: 'Beth sydd ymlaen:',
    names: { today: 'Heddiw', weekend: 'Y penwythnos hwn', week: 'Y 7 diwrnod nesaf' },
    title: (name, days) => `${name}: ${days}`,
  },
  openPrint: 'Argraffu',
  openShortcuts: 'Bysellau brys',
  zone: (zone) => `Amserau yng nghylchfa ${zone}`,
  subscribe: 'Tanysgrifio',
  period: 'Cyfnod',
  go: 'Mynd',
  feeds: { calendar: 'Ffrwd calendr (.ics)', news: 'Ffrwd newyddion (Atom)' },
}
