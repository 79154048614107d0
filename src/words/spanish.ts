// Words of pages in Spanish.
import type * as english from './english.ts'
import { createJoin } from './join.ts'
import { createPlural } from './plural.ts'
import type { RuleWords } from './rule-words.ts'

const plural = createPlural('es')

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
const and = createJoin('es')
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
  missing: 'Este evento no existe',
  missingHint: 'Puede que se haya eliminado o que el enlace esté incompleto.',
  busy: 'Demasiadas solicitudes en este momento',
  busyHint: 'Inténtelo de nuevo en unos minutos.',
  languages: 'Otros idiomas',
  skip: 'Ir al contenido',
  calendar: 'Calendario',
  timesIn: (zone) => `Las horas corresponden a la zona horaria ${zone}.`,
  repeats: (rule) => `Se repite ${rule}`,
  severalDates: 'En varias fechas',
  partOf: 'Una de las fechas de un evento que se repite.',
  allDates: 'Todas las fechas',
  cancelled: 'Este evento está cancelado.',
  movedFrom: (when) => `Trasladado; fecha original: ${when}.`,
  cancelledMark: 'Cancelado',
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
  fileOfDate: 'Esta fecha (.ics)',
  fileOfAll: 'Todas las fechas (.ics)',
  google: 'Google Calendar',
  outlook: 'Outlook',
  subscribe: 'Suscribirse a todo el calendario',
  open: 'Ver en el calendario',
  picture: (title, when) => `${title}, ${when}`,
  inYourZone: (times, zone) => `En su zona horaria (${zone}): ${times}`,
  share: 'Compartir',
  copyLink: 'Copiar el enlace',
  linkCopied: 'Enlace copiado',
  edit: 'Editar',
  changedBy: (name, date) => `Última modificación por ${name}, el ${date}`,
  changed: (date) => `Última modificación, el ${date}`,
}

const grouped = (count: number): string => count.toLocaleString('es')

function countDates(count: number): string {
  if (count === 0) return 'No se encontró ninguna fecha'
  return count === 1 ? 'Se encontró 1 fecha' : `Se encontraron ${grouped(count)} fechas`
}

export const frame: typeof english.frame = {
  skip: 'Ir al contenido',
  ways: 'Menú principal',
  signIn: 'Iniciar sesión',
  missingTitle: 'Página no encontrada',
  missing: 'Puede que la dirección contenga un error o que la página se haya trasladado.',
  toCalendar: 'Ir al calendario',
}

export const calendarPage: typeof english.calendarPage = {
  today: 'Hoy',
  goTo: 'Ir a una fecha',
  view: 'Vista',
  views: { month: 'Mes', week: 'Semana', day: 'Día', list: 'Lista', year: 'Año' },
  next: {
    month: 'Mes siguiente',
    week: 'Semana siguiente',
    day: 'Día siguiente',
    list: 'Más tarde',
    year: 'Año siguiente',
  },
  previous: {
    month: 'Mes anterior',
    week: 'Semana anterior',
    day: 'Día anterior',
    list: 'Antes',
    year: 'Año anterior',
  },
  until: (clock) => `hasta ${/^0?1:/.test(clock) ? 'la' : 'las'} ${clock}`,
  allDay: times.allDay,
  cancelled: 'cancelado',
  nothing: 'No hay eventos en este período.',
  nothingFound: 'No hay eventos de esta categoría en este período.',
  searchFor: (text) => `Búsqueda: ${text}`,
  searchAll: 'Buscar en todas las fechas',
  found: {
    ahead: (count) => `${countDates(count)} a partir de hoy.`,
    past: (count) => `${countDates(count)} antes de hoy.`,
  },
  searchIn: { ahead: 'Buscar a partir de hoy', past: 'Buscar en fechas pasadas' },
  moreFound: (shown, total) => `Mostrar más (${grouped(shown)} de ${grouped(total)})`,
  cut: (shown, total) =>
    `Se muestran los primeros ${shown} de ${total} eventos. Elija un período más corto para ver los demás.`,
  more: (count) => `${count} más`,
  moreHint: (count) =>
    plural(count, { one: `${count} evento más; abrir el día`, other: `${count} eventos más; abrir el día` }),
  events: (count) => plural(count, { one: `${count} evento`, other: `${count} eventos` }),
  outside:
    'Este enlace lleva a una fecha o vista que este calendario no puede mostrar; por eso se muestra el día de hoy.',
  search: 'Buscar',
  category: 'Categoría',
  allCategories: 'Categoría: todas',
  severalCategories: (count) => `${count} categorías`,
  legend: 'Categorías',
  showAll: 'Mostrar todas',
  searchAndFilter: 'Buscar y filtrar',
  whatsOn: {
    label: 'Qué hay:',
    names: { today: 'Hoy', weekend: 'Este fin de semana', week: 'Próximos 7 días' },
    title: (name, days) => `${name}: ${days}`,
  },
  openPrint: 'Imprimir',
  openShortcuts: 'Atajos de teclado',
  zone: (zone) => `Zona horaria: ${zone}`,
  subscribe: 'Suscribirse',
  period: 'Período',
  go: 'Ir',
  feeds: { calendar: 'Suscripción al calendario (.ics)', news: 'Suscripción a las novedades (Atom)' },
}
