// Words of pages in Spanish.
import type * as english from './english.ts'
import type { RuleWords } from './rule-words.ts'

export const times: typeof english.times = {
  locale: 'es',
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: (text) => text.replace(/^(\p{L}+), /u, '$1 '),
  to: 'a',
  toDay: 'al',
  allDay: 'todo el día',
}

const days = ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo']
const months = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre',
  'octubre',
  'noviembre',
  'diciembre',
]
const ordinals = ['primer', 'segundo', 'tercer', 'cuarto', 'quinto']
const list = new Intl.ListFormat('es')
const and = (phrases: readonly string[]): string => list.format(phrases)
const units = {
  DAILY: ['día', 'días'],
  WEEKLY: ['semana', 'semanas'],
  MONTHLY: ['mes', 'meses'],
  YEARLY: ['año', 'años'],
}
/** Weekdays that end in s have no other plural. */
const pluralOf = (day: string): string => (day.endsWith('s') ? day : `${day}s`)

export const rule: RuleWords = {
  custom: 'según una regla personalizada',
  days,
  shortDays: days.map((title) => title.slice(0, 3)),
  months,
  and,
  everyWeekday: 'todos los días de lunes a viernes',
  every: (interval, unit) => {
    const [one, many] = units[unit]
    return interval === 1 ? `cada ${one}` : `cada ${interval === 2 ? 'dos' : interval} ${many}`
  },
  everyDays: (some) => `cada ${and(some.map((day) => days[day]!))}`,
  everySecondDay: (day) => `cada dos ${pluralOf(days[day]!)}`,
  weekOn: (every, some) => `${every}, ${and(some.map((day) => `el ${days[day]}`))}`,
  weekdaysOf: (every) => `${every}, de lunes a viernes`,
  allDaysOf: (every) => `${every}, todos los días de la semana`,
  monthDay: (day) => `el día ${day}`,
  lastDay: 'el último día',
  place: (which, day) =>
    `el ${which === -1 ? 'último' : ordinals[which - 1]} ${day === 'weekday' ? 'día laborable' : days[day]}`,
  on: (every, phrase, interval, unit) =>
    interval === 1 && unit === 'MONTHLY' ? `${phrase} de cada mes` : `${every}, ${phrase}`,
  in: (every, month) => `${every} en ${months[month - 1]}`,
  of: (phrase, month) => `${phrase} de ${months[month - 1]}`,
  date: (day, month, year) => `${day} de ${months[month - 1]}${year === undefined ? '' : ` de ${year}`}`,
  onDate: (every, date) => `${every}, el ${date}`,
  until: (date) => ` hasta el ${date}`,
  times: (count) => (count === 1 ? ', una vez' : `, ${count} veces`),
}

export const appPage: typeof english.appPage = {
  description: (site) => `${site}: eventos para consultar, buscar y suscribirse.`,
  needsScript:
    'Esta página necesita JavaScript, que aquí está desactivado. Aun así, es posible suscribirse al calendario:',
}

export const eventPage: typeof english.eventPage = {
  languages: 'Otros idiomas',
  skip: 'Ir al contenido',
  calendar: 'Calendario',
  timesIn: (zone) => `Las horas corresponden a la zona horaria ${zone}.`,
  repeats: (rule) => `Se repite ${rule}`,
  severalDates: 'En varias fechas',
  partOf: 'Una de las fechas de un evento que se repite.',
  allDates: 'Todas las fechas',
  cancelled: 'Este evento está cancelado.',
  tentative: 'Este evento todavía no es seguro.',
  isCancelled: 'cancelado',
  privateEvent: 'Evento privado',
  masked: 'Este evento es privado: solo se muestra su horario.',
  nextDates: 'Próximas fechas',
  noMoreDates: 'Ninguna en los próximos dos años.',
  where: 'Lugar',
  map: 'Ver en un mapa',
  category: 'Categoría',
  link: 'Enlace',
  add: 'Añadir a mi calendario',
  file: 'Archivo de calendario (.ics)',
  google: 'Google Calendar',
  outlook: 'Outlook',
  subscribe: 'Suscribirse a todo el calendario',
  open: 'Ver en el calendario',
}
