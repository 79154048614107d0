// Words of the trash and of histories of events in Spanish.
import { createPlural } from '../../../src/words/plural.ts'
import type * as english from '../english/past.ts'

const plural = createPlural('es')

export const trash: typeof english.trash = {
  title: 'Papelera',
  lead: 'Los eventos eliminados se pueden restaurar hasta que se eliminan definitivamente.',
  notKept: 'En este calendario no se conservan los eventos eliminados.',
  nothing: 'La papelera está vacía.',
  nothingFound: 'En la papelera no hay eventos de este tipo.',
  deletedBy: 'Eliminado por',
  anyone: 'Cualquier cuenta',
  you: (name) => `${name} (usted)`,
  someone: 'La cuenta seleccionada',
  deletedSince: 'Eliminado desde',
  apply: 'Mostrar',
  onlyWith: (withWhat) => `Solo los eventos eliminados ${withWhat}.`,
  onlyOne: 'Solo los eventos eliminados con un dispositivo o programa determinado.',
  onlyUntil: (time) => `Solo los eventos eliminados antes de este momento: ${time}.`,
  showAll: 'Mostrar todos los eventos eliminados',
  selectAll: (count) => `Seleccionar todo en esta página (${count})`,
  select: (title) => `Seleccionar: ${title}`,
  noneSelected: 'Restaurar la selección',
  restoreSelected: (count) => `Restaurar la selección (${count})`,
  restoreAll: (count) => `Restaurar todos (${count})…`,
  restoreSure: (count) =>
    plural(count, {
      one: 'Se restaurará un evento para todos.',
      other: `Se restaurarán ${count} eventos para todos.`,
    }),
  restoreYes: (count) => (count === 1 ? 'Sí, restaurar' : `Sí, restaurar ${count}`),
  wouldConflict: (count) =>
    plural(count, {
      one: 'Otro más sigue en la papelera, porque se volvió a crear entretanto.',
      other: `Otros ${count} siguen en la papelera, porque se volvieron a crear entretanto.`,
    }),
  restored: (count) =>
    plural(count, { one: 'Se ha restaurado un evento.', other: `Se han restaurado ${count} eventos.` }),
  conflicts: (count) =>
    plural(count, {
      one: 'Uno sigue en la papelera, porque se volvió a crear entretanto.',
      other: `${count} siguen en la papelera, porque se volvieron a crear entretanto.`,
    }),
  notFound: (count) =>
    plural(count, {
      one: 'Uno ya se había restaurado o eliminado definitivamente.',
      other: `${count} ya se habían restaurado o eliminado definitivamente.`,
    }),
  notStored: (count) =>
    plural(count, {
      one: 'Uno no se pudo restaurar. Vuelva a intentarlo.',
      other: `${count} no se pudieron restaurar. Vuelva a intentarlo.`,
    }),
  restore: 'Restaurar',
  replace: 'Restaurar esta versión',
  replacedNote: 'El evento se volvió a crear entretanto. Si se restaura esta versión, el nuevo pasa a la papelera.',
  showOther: 'Verlo',
  refusals: { event_not_found: 'Este evento ya se ha restaurado o eliminado definitivamente.' },
  deleted: 'Eliminado el',
  until: 'Se puede restaurar hasta el',
  by: (entry) => `por ${entry.deleted_by_name ?? 'una cuenta eliminada'} ${withWords(entry)}`,
  withWords,
  sameSince: (entry) => {
    if (entry.credential_name !== null) return `Todo lo eliminado desde entonces con «${entry.credential_name}»`
    return SAME_SINCE[entry.deleted_with]
  },
  empty: 'Vaciar la papelera…',
  emptySure: (count) =>
    plural(count, {
      one: 'El evento de la papelera se eliminará definitivamente. Esto no se puede deshacer.',
      other: `Los ${count} eventos de la papelera se eliminarán definitivamente. Esto no se puede deshacer.`,
    }),
  emptyYes: 'Sí, vaciar la papelera',
  emptied: 'La papelera se ha vaciado.',
}

const SAME_SINCE = {
  session: 'Todo lo eliminado desde entonces en el mismo navegador',
  password: 'Todo lo eliminado desde entonces con esa contraseña',
  app_password: 'Todo lo eliminado desde entonces con el mismo dispositivo',
  token: 'Todo lo eliminado desde entonces con el mismo token',
  operator: 'Todo lo eliminado desde entonces en el servidor',
}

function withWords({ deleted_with: proof, credential_name: name }: english.DeletedWithWords): string {
  switch (proof) {
    case 'session':
      return 'desde estas páginas'
    case 'password':
      return 'con la contraseña de la cuenta'
    case 'app_password':
      return name === null
        ? 'con una contraseña de aplicación que ya no existe'
        : `con la contraseña de aplicación «${name}»`
    case 'token':
      return name === null ? 'con un token de API que ya no existe' : `con el token de API «${name}»`
    case 'operator':
      return 'mediante una orden en el servidor'
  }
}

export const history: typeof english.history = {
  title: 'Historial',
  lead: 'Qué hizo cada cambio con el evento. Las versiones anteriores se pueden restaurar hasta que se eliminan definitivamente.',
  of: 'Historial de',
  notKept: 'En este calendario no se conservan versiones anteriores de los eventos.',
  notFound: 'Este evento se ha eliminado.',
  inTrash: 'Se puede restaurar desde la papelera.',
  version: (version) => `Versión ${version}`,
  current: 'versión actual',
  by: ({ by_name, with: proof, credential_name }) => {
    if (proof === 'service') return 'automáticamente'
    const who = proof === 'operator' ? '' : `por ${by_name ?? 'una cuenta eliminada'}`
    const means = proof === null ? '' : withWords({ deleted_by_name: by_name, deleted_with: proof, credential_name })
    return [who, means].filter(Boolean).join(' ')
  },
  created: 'Creación',
  changed: 'Cambio',
  through: { import: 'Importación', restore: 'Restauración', rewind: 'Vuelta atrás del calendario' },
  deletedThen: 'Después se eliminó, y más tarde se restauró.',
  unknown: 'La versión anterior a esta no se conserva.',
  tooLong: 'Los cambios son demasiado largos para enumerarlos aquí. Compare la versión para verlos.',
  nothing: 'No cambió nada en el evento.',
  more: (count) => plural(count, { one: 'Un cambio más', other: `${count} cambios más` }),
  compare: 'Comparar',
  hide: 'Ocultar',
  compareLabel: (version) => `Comparar la versión ${version} con la actual`,
  hideLabel: (version) => `Ocultar la comparación de la versión ${version}`,
  same: 'Esta versión es igual que la actual.',
  field: 'Campo',
  earlier: 'En esta versión',
  now: 'Ahora',
  none: 'nada',
  restore: 'Restaurar esta versión…',
  restoreSure:
    'El evento vuelve a ser, para todos, lo que era en esta versión. Su estado actual queda en su historial.',
  publishes: 'Pasa a ser público: cualquiera puede ver su texto.',
  restoreYes: 'Sí, restaurar',
  restored: 'La versión se ha restaurado.',
  stale: 'El evento se modificó entretanto. Mire primero su última versión.',
  fields: {
    title: 'Título',
    start: 'Inicio',
    end: 'Fin',
    all_day: 'Todo el día',
    timezone: 'Zona horaria',
    rrule: 'Repetición',
    rdates: 'Fechas adicionales',
    location: 'Lugar',
    description: 'Descripción',
    category: 'Categoría',
    url: 'Enlace',
    status: 'Estado',
    visibility: 'Quién puede verlo',
    transparency: 'Horario mostrado como',
    other: 'Otros detalles, como los recordatorios',
  },
  visibilities: {
    public: 'cualquiera (público)',
    private: 'solo las personas que pueden leer el calendario (privado)',
  },
  date: (when) => `Fecha del ${when}`,
  moved: (before, after) => `Trasladado del ${before} al ${after}`,
  movedTo: (after) => `trasladada al ${after}`,
  movedBack: 'de nuevo a la hora de la serie',
  // The name of a field has a gender, so none of these is a participle of it.
  fieldChanged: (field, before, after) => `${field}: de ${before} a ${after}`,
  fieldAdded: (field, after) => `${field} (se añade): ${after}`,
  fieldRemoved: (field, before) => `${field} (se quita): ${before}`,
  fieldSet: (field, after) => `${field}: ${after}`,
  fieldOfSeries: (field) => `${field}: de nuevo como en la serie`,
  otherChanged: 'Otros detalles modificados, como los recordatorios',
  madePublic: 'Pasa a ser público',
  madePrivate: 'Pasa a ser privado',
  dateDeleted: (when) => `Fecha del ${when} eliminada`,
  dateRestored: (when) => `Fecha del ${when} de nuevo como en la serie`,
  dateEdited: (when, what) => `Fecha del ${when} modificada (${what})`,
  dateStates: { deleted: 'eliminada', series: 'como en la serie', edited: 'modificada' },
}
