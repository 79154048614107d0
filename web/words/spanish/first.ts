// Words of the first load in Spanish.
import { createPlural } from '../../../src/words/plural.ts'
import { times } from '../../../src/words/spanish.ts'
import type * as english from '../english/first.ts'

export { rule, times } from '../../../src/words/spanish.ts'

const plural = createPlural('es')

export const frame: typeof english.frame = {
  skip: 'Ir al contenido',
  ways: 'Menú principal',
  signIn: 'Iniciar sesión',
  signOut: 'Cerrar sesión',
  stillSignedIn: 'La sesión sigue abierta.',
  account: 'Mi cuenta',
  admin: 'Administración',
  newEvent: 'Nuevo evento',
  trash: 'Papelera',
  missingTitle: 'Página no encontrada',
  missing: 'Puede que la dirección contenga un error o que la página se haya trasladado.',
  toCalendar: 'Ir al calendario',
  waiting: (count) => plural(count, { one: `${count} solicitud pendiente`, other: `${count} solicitudes pendientes` }),
  language: 'Idioma',
  brokenTitle: 'No se pudo cargar esta página',
  broken: 'Puede que no haya conexión o que Daybook se acabe de actualizar.',
  tryAgain: 'Reintentar',
}

export const common: typeof english.common = {
  ownPassword: 'Su propia contraseña',
  ownPasswordProblems: {
    required: 'Escriba su propia contraseña.',
    not_allowed: 'Esta no es su contraseña.',
  },
  loading: 'Cargando…',
  working: 'Un momento…',
  cancel: 'Cancelar',
  close: 'Cerrar',
  save: 'Guardar',
  delete: 'Eliminar',
  copy: 'Copiar',
  copied: 'Copiado',
  undo: 'Deshacer',
  yes: 'Sí',
  no: 'No',
  show: 'Mostrar',
  hide: 'Ocultar',
  optional: 'opcional',
  privateEvent: 'Evento privado',
  quoted: (text) => `«${text}»`,
  tryAgainIn: (seconds) => `Demasiados intentos. Vuelva a intentarlo dentro de ${waitInWords(seconds)}.`,
}

export const calendar: typeof english.calendar = {
  severalDates: 'en varias fechas',
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
  to: times.to,
  until: (clock) => `hasta las ${clock}`,
  allDay: times.allDay,
  allDayShort: 'todo el día',
  history: 'Historial',
  repeats: 'se repite',
  private: 'privado',
  cancelled: 'cancelado',
  tentative: 'Sin confirmar',
  cancelledNote: 'Cancelado',
  privateNote: 'Privado: solo quienes han iniciado sesión ven algo más que el horario.',
  maskedNote: 'Este horario está ocupado. Los detalles son privados.',
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
  days: 'Con las teclas de flecha se cambia de día y con Intro se abre un día.',
  daysForWriters:
    'Con las teclas de flecha se cambia de día, con Intro se añade un evento y con la barra espaciadora se abre un día.',
  outside:
    'Este enlace lleva a una fecha o vista que este calendario no puede mostrar; por eso se muestra el día de hoy.',
  search: 'Buscar',
  category: 'Categoría',
  allCategories: 'Categoría: todas',
  zone: (zone) => `Zona horaria: ${zone}`,
  showIn: (zone) => `Mostrar en la zona ${zone}`,
  newEvent: 'Nuevo evento',
  subscribe: 'Suscribirse',
  subscribeTitle: 'Suscribirse a este calendario',
  subscribeIntro: 'Su aplicación de calendario mostrará estos eventos y los mantendrá al día.',
  subscribeCategory: (category) => `Solo «${category}»`,
  withApple: 'Calendario de Apple',
  withGoogle: 'Google Calendar',
  withOutlook: 'Outlook.com',
  withOffice: 'Outlook (trabajo o centro educativo)',
  withProgram: 'Otra aplicación de este dispositivo',
  subscribeLink: 'O copie esta dirección en su aplicación de calendario',
  event: 'Evento',
  when: 'Cuándo',
  where: 'Dónde',
  repeatsLabel: 'Repetición',
  link: 'Enlace',
  page: 'Página del evento',
  take: 'Añadir a mi calendario',
  edit: 'Editar',
  duplicate: 'Duplicar',
}

export const errors: typeof english.errors = {
  unknown: 'Se ha producido un error. Vuelva a intentarlo más tarde.',
  offline: 'No se puede conectar con el servidor en este momento. Compruebe su conexión y vuelva a intentarlo.',
  rate_limited: 'Demasiados intentos. Espere un poco y vuelva a intentarlo.',
  another_person: 'Ahora hay otra persona con la sesión iniciada en este navegador. No se ha enviado nada.',
  credential_not_found: 'Este elemento ya no existe.',
  session_expired: 'La sesión se ha cerrado. Iníciela de nuevo para continuar; no se ha perdido nada de lo escrito.',
  authentication_required: 'Primero hay que iniciar sesión.',
  invalid_credentials: 'La dirección de correo o la contraseña no es correcta.',
  insufficient_capability: 'Su cuenta no tiene permiso para hacer esto.',
  admin_required: 'Solo un administrador puede hacer esto.',
  account_pending: 'Su cuenta sigue pendiente de la aprobación de un administrador.',
  account_rejected: 'Un administrador ha rechazado esta cuenta.',
  account_suspended: 'Esta cuenta está suspendida. Consulte a un administrador.',
  email_not_verified:
    'Su dirección de correo todavía no está confirmada. Use el enlace del mensaje que le hemos enviado.',
  registration_closed: 'En este momento el calendario no acepta solicitudes de cuenta.',
  https_required: 'Esta página necesita una conexión segura. Ábrala con https.',
  token_invalid_or_expired: 'Este enlace ya se ha usado o ha caducado.',
  validation_failed: 'Revise los campos señalados.',
  version_mismatch: 'Otra persona lo ha modificado entretanto.',
  event_not_found: 'Este evento ya no existe.',
  version_not_found: 'Esta versión ya no se conserva.',
  occurrence_not_found: 'Esta fecha no forma parte de la serie.',
  invalid_occurrence_key: 'Esta fecha no forma parte de la serie.',
  exception_not_found: 'No hay nada que deshacer en esta fecha.',
  event_not_recurring: 'Este evento ya no se repite.',
  user_not_found: 'Esta cuenta ya no existe.',
  email_taken: 'Esta dirección ya tiene una cuenta.',
  body_too_large: 'Este archivo es demasiado grande.',
  too_many_exceptions: 'Esta serie ha alcanzado el máximo de fechas modificadas.',
  too_many_overrides:
    'Habría que cambiar más de 1000 fechas una por una. Cambie toda la serie, o elimine esta fecha y las siguientes y cree un evento nuevo para ellas.',
  event_too_large: 'Este evento tiene demasiado texto, contando todas sus fechas modificadas.',
  last_admin: 'Es el último administrador; nombre antes a otro.',
  invalid_state_transition: 'El estado actual de la cuenta no lo permite.',
  service_unavailable: 'El servidor está saturado. Vuelva a intentarlo en un momento.',
  storage_unavailable: 'No se puede acceder a la base de datos en este momento. Vuelva a intentarlo en un momento.',
}

export const fields: typeof english.fields = {
  required: 'Rellene este campo.',
  invalid_type: 'Este valor no es válido.',
  invalid_format: 'Este valor no parece correcto.',
  too_short: 'Rellene este campo.',
  too_long: 'Este texto es demasiado largo.',
  out_of_range: 'Este valor está fuera de los límites.',
  not_allowed: 'Este valor no se permite aquí.',
  timezone_unknown: 'Esta zona horaria no existe.',
  end_before_start: 'El final debe ser posterior al comienzo.',
  range_too_large: 'Este período es demasiado largo.',
  rrule_invalid: 'Esta repetición no es válida.',
  rrule_unsupported: 'Este tipo de repetición no se admite.',
  rrule_no_occurrences: 'Esta repetición no da ninguna fecha.',
  password_common: 'Esta contraseña es fácil de adivinar. Elija otra.',
  set_by_operator: 'El operador ha fijado este valor en el servidor.',
  url_scheme: 'Las direcciones web empiezan por http:// o https://.',
}

const grouped = (count: number): string => count.toLocaleString('es')

function countDates(count: number): string {
  if (count === 0) return 'No se encontró ninguna fecha'
  return count === 1 ? 'Se encontró 1 fecha' : `Se encontraron ${grouped(count)} fechas`
}

function waitInWords(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? 'un segundo' : `${seconds} segundos`
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? `${minutes} minutos` : `${Math.ceil(minutes / 60)} horas`
}
