// Words of the administration of the server and its data in Spanish.
import { createPlural } from '../../../src/words/plural.ts'
import type * as english from '../english/server.ts'
import { service } from './service.ts'

const plural = createPlural('es')

export const admin: typeof english.admin = {
  service,
  healthPage: {
    lead: 'Comprobaciones del servidor, como las que hace «daybook doctor» en la propia máquina. Consultarlas no cambia nada.',
    again: 'Comprobar de nuevo',
    checking: 'Comprobando…',
    checked: 'Comprobado',
    summary: (problems, warnings) => {
      const parts = [
        problems > 0 && plural(problems, { one: '1 problema', other: `${problems} problemas` }),
        warnings > 0 && plural(warnings, { one: '1 advertencia', other: `${warnings} advertencias` }),
      ].filter(Boolean)
      return parts.length > 0 ? `${parts.join(' y ')}. Más abajo se indica qué hacer.` : 'Todo está bien.'
    },
    levels: { ok: 'Correcto', warning: 'Advertencia', problem: 'Problema' },
    areas: {
      configuration: 'Configuración',
      files: 'Archivos',
      disk: 'Disco',
      database: 'Base de datos',
      index: 'Índice',
      time: 'Hora',
      mail: 'Correo',
      service: 'Servicio',
      public_url: 'Dirección pública',
      certificate: 'Certificado',
      proxy: 'Proxy',
      backup: 'Copia de seguridad',
    },
  },
  diagnosticsPage: {
    lead: 'Las últimas peticiones, primero las más recientes. No se guarda el contenido de las peticiones, solo los nombres, tipos y tamaños de los campos.',
    live: 'Se actualiza cada pocos segundos.',
    pause: 'Pausar',
    goOn: 'Reanudar',
    paused: 'En pausa.',
    latest: (count) => plural(count, { one: '1 petición nueva.', other: `${count} peticiones nuevas.` }),
    answers: 'Respuestas',
    anyAnswer: 'Todas las respuestas',
    refused: 'Rechazadas (4xx)',
    failed: 'Fallidas (5xx)',
    fine: 'Correctas (menos de 400)',
    who: 'Acceso con',
    anyWho: 'Cualquier medio',
    auths: { anonymous: 'sin iniciar sesión', session: 'un navegador', basic: 'una contraseña', token: 'un token' },
    search: 'La dirección o el error contiene',
    ownOut: 'Ocultar los archivos de las páginas y las peticiones de esta página',
    table: 'Peticiones',
    time: 'Hora',
    request: 'Petición',
    answer: 'Respuesta',
    duration: 'Duración',
    net: 'Red',
    unknownRoute: 'dirección desconocida',
    details: 'Detalles de esta petición',
    milliseconds: (ms) => `${Math.round(ms)} ms`,
    empty: 'Ninguna petición coincide. Cambie los filtros o espere a la siguiente.',
    rebuilding: (done, total) =>
      `Se está reconstruyendo el índice de fechas: ${done} de ${total} eventos. Puede seguir usando el calendario.`,
    unreadable: (count) =>
      plural(count, {
        one: 'No se puede leer un evento guardado. El registro del servicio lo nombra; `daybook reindex` vuelve a indicarlo.',
        other: `No se pueden leer ${count} eventos guardados. El registro del servicio los nombra; \`daybook reindex\` vuelve a indicarlos.`,
      }),
    clockInDoubt:
      'El reloj del servidor está a días de distancia del último uso del calendario. Los datos caducados no se retiran hasta que se corrija el reloj o se confirme con `daybook reindex --accept-clock`.',
    backupFailing: 'La última copia de seguridad programada ha fallado. El registro del servicio indica por qué.',
    skipped: (count) =>
      plural(count, {
        one: 'No se anotó 1 petición, porque el servidor estaba saturado.',
        other: `No se anotaron ${count} peticiones, porque el servidor estaba saturado.`,
      }),
    inClear:
      'En los últimos siete días se envió una contraseña o un enlace de suscripción personal por http sin cifrar. Busque «Envío de credenciales por http sin cifrar» en el registro de auditoría.',
    loopbackHttp:
      'El ajuste allow_loopback_http está activado: se acepta http sin cifrar en el propio servidor, aunque la dirección pública es https.',
    id: 'Identificador de la petición',
    node: 'Nodo',
    user: 'Persona',
    query: 'Parámetros',
    headers: 'Cabeceras de la petición',
    body: 'Campos enviados',
    answerHeaders: 'Cabeceras de la respuesta',
    bytes: 'Bytes recibidos, enviados',
    error: 'Error',
    limit: 'Rechazada por el límite',
  },
  rewindPage: {
    head: 'Devolver el calendario a un momento anterior',
    lead: 'Los eventos creados desde un momento pasan a la papelera, los modificados desde entonces recuperan su texto de aquel momento y los eliminados desde entonces vuelven, para todos. Primero se muestra una vista previa, y la operación se puede deshacer.',
    to: 'Tal como estaba el',
    toHint: (zone) => `En la zona horaria ${zone}.`,
    by: 'Solo los cambios de',
    byHint: 'La dirección de correo de una cuenta. Los eventos que otra cuenta modificó más tarde quedan como están.',
    badMoments: {
      invalid_format: 'Escriba una fecha y una hora.',
      not_allowed: 'Este momento está en el futuro.',
    },
    preview: 'Mostrar la vista previa',
    looking: 'Comparando los eventos…',
    working: 'Devolviendo el calendario a aquel momento… Deje esta página abierta.',
    wouldHead: 'Qué ocurriría',
    didHead: 'Qué ha ocurrido',
    counts: ({ deleted, changed, restored, skipped }) =>
      `A la papelera: ${deleted}; devueltos a su estado anterior: ${changed}; restaurados: ${restored}${
        skipped > 0 ? `; sin tocar: ${skipped}` : ''
      }.`,
    published: (count, isDryRun) =>
      isDryRun
        ? plural(count, {
            one: 'Un evento privado volvería a ser público.',
            other: `${count} eventos privados volverían a ser públicos.`,
          })
        : plural(count, {
            one: 'Un evento privado vuelve a ser público.',
            other: `${count} eventos privados vuelven a ser públicos.`,
          }),
    publicAgain: '– de nuevo público',
    notKept:
      'Las versiones anteriores y los eventos eliminados no se conservan el tiempo suficiente para volver atrás: el servidor fija history_days o trash_days en 0.',
    nothing: 'El calendario está como estaba en aquel momento, así que no hay nada que hacer.',
    now: (count) => plural(count, { one: 'Volver atrás un evento…', other: `Volver atrás ${count} eventos…` }),
    sure: (count) =>
      plural(count, {
        one: 'Un evento vuelve a ser lo que era, para todos. Después se puede deshacer.',
        other: `${count} eventos vuelven a ser lo que eran, para todos. Después se puede deshacer.`,
      }),
    yes: (count) => plural(count, { one: 'Sí, volver atrás', other: `Sí, volver atrás ${count} eventos` }),
    undo: 'Vista previa para deshacer esta vuelta atrás',
    events: 'Eventos',
    event: 'Evento',
    result: 'Resultado',
    results: {
      deleted: { would: 'a la papelera', did: 'en la papelera' },
      changed: { would: 'a su estado anterior', did: 'en su estado anterior' },
      restored: { would: 'restaurado', did: 'restaurado' },
      skipped: { would: 'sin tocar', did: 'sin tocar' },
    },
    reasons: {
      changed_later: 'otra cuenta lo modificó más tarde',
      changed_meanwhile: 'se modificó durante la operación',
      not_kept: 'su texto de aquel momento no se conserva',
      uid_conflict: 'se volvió a crear entretanto',
      not_stored: 'no se pudo guardar',
    },
    truncated: 'Solo se enumeran los primeros 1000 eventos. Los números de arriba los incluyen todos.',
    refusals: {
      user_not_found: 'No hay ninguna cuenta con esta dirección de correo.',
      rewind_too_early: 'Ya no se conserva cómo era el calendario en ese momento. Elija un momento más reciente.',
    },
  },
  transferPage: {
    importHead: 'Importar un archivo de calendario',
    importLead:
      'Importa un archivo .ics de otro programa, de 10 MiB como máximo. Los eventos se reconocen por su UID: los existentes se actualizan, los nuevos se añaden y no se elimina ninguno. No se envían correos. Primero se muestra una vista previa.',
    file: 'Archivo de calendario (.ics)',
    tooLarge: (size, command) =>
      `Este archivo ocupa ${size}; aquí el límite es de 10 MiB. En el servidor se puede importar un archivo de cualquier tamaño: ${command} import calendar.ics`,
    rehearse: 'Vista previa de la importación',
    uploading: 'Subiendo el archivo…',
    looking: 'Leyendo el archivo…',
    importing: 'Importando los eventos… Un archivo grande tarda uno o dos minutos; deje esta página abierta.',
    wouldHead: 'Qué ocurriría',
    didHead: 'Qué ha ocurrido',
    importNow: (count) => plural(count, { one: 'Importar 1 evento', other: `Importar ${count} eventos` }),
    nothing: 'En este archivo no hay nada nuevo, así que no hay nada que importar.',
    done: 'La importación ha terminado.',
    unreadable: (line) =>
      `Este no es un archivo de calendario o está incompleto (línea ${line}). No se ha importado nada.`,
    notCalendar: 'Este no es un archivo de calendario en UTF-8. No se ha importado nada.',
    results: {
      created: { would: 'nuevos', did: 'nuevos' },
      updated: { would: 'se modificarían', did: 'modificados' },
      unchanged: { would: 'sin cambios', did: 'sin cambios' },
      skipped: { would: 'se omitirían', did: 'omitidos' },
    },
    show: 'Mostrar',
    all: 'Todas las entradas',
    entries: 'Entradas del archivo',
    line: 'Línea',
    event: 'Evento',
    result: 'Resultado',
    continues: 'Se había eliminado; la versión eliminada sigue en la papelera.',
    more: (count) => `… y ${count} más. Los números de arriba incluyen todas las entradas.`,
    exportHead: 'Exportar todo',
    exportLead:
      'Todos los eventos con todos sus detalles, también los privados, en un solo archivo. Guárdelo donde solo usted pueda leerlo.',
    export: 'Descargar calendar.ics',
  },
  settingsPage: {
    lead: 'Los cambios se aplican de inmediato, y en todos los nodos en menos de diez segundos. Figuran en el registro de auditoría.',
    calendar: 'Calendario',
    accounts: 'Cuentas',
    backups: 'Copias de seguridad',
    save: 'Guardar',
    saved: 'La configuración se ha guardado.',
    nothing: 'No hay nada que guardar.',
    reset: 'Restablecer',
    resetOf: (label) => `Restablecer: ${label}`,
    defaultIs: (value) => (value ? `Valor predeterminado: ${value}` : 'Cambiado aquí'),
    overruled: (value) => `Aquí está fijado en «${value}», lo que no tiene efecto.`,
    empty: 'sin definir',
    fields: {
      site_name: { label: 'Nombre del calendario', hint: 'En la cabecera de cada página, en correos y suscripciones.' },
      timezone: {
        label: 'Zona horaria',
        hint: 'Para las fechas y horas sin zona propia. Los eventos de todo el día conservan sus fechas y los demás, sus horas.',
      },
      week_start: {
        label: 'La semana empieza el',
        hint: 'Según el idioma, los lectores estadounidenses ven semanas desde el domingo y los españoles desde el lunes.',
      },
      language: {
        label: 'Idioma',
        hint: 'Para los correos y para los lectores cuyo navegador no pide ninguno de los idiomas disponibles.',
      },
      default_visibility: { label: 'Los eventos nuevos son', hint: 'Salvo que se elija otra cosa al crearlos.' },
      embed_sites: {
        label: 'Sitios que pueden mostrar el calendario en un marco',
        hint: 'Direcciones como https://www.example.org, separadas por comas; * es cualquier sitio.',
      },
      registration: { label: 'Solicitudes de cuenta', hint: 'Las pendientes se pueden aprobar en ambos casos.' },
      notify_admins: { label: 'Cuando se solicita una cuenta', hint: '' },
      mail_from: { label: 'Remitente de los correos', hint: 'Una dirección que el servidor de correo acepte.' },
      backup_every: {
        label: 'Frecuencia de las copias de seguridad',
        hint: 'En horas o días, como 6h o 1d.',
      },
      backup_keep: {
        label: 'Qué copias se conservan',
        hint: 'La última de cada uno de esos días, semanas y meses, 7d 4w 12m como mínimo.',
      },
    },
    problems: {
      site_name: { invalid_format: 'El nombre debe ser una línea de 1 a 100 caracteres.' },
      embed_sites: {
        invalid_format: 'Cada sitio necesita una dirección como https://www.example.org, sin ruta.',
      },
      backup_every: { invalid_format: 'Deben ser horas o días, como 6h o 1d.' },
      backup_keep: {
        invalid_format: 'Deben ser días, semanas y meses, como 7d 4w 12m.',
        not_allowed: 'Debe ser 7d 4w 12m como mínimo. El operador puede fijar menos en el servidor.',
      },
    },
    refusals: {
      version_mismatch:
        'Otra persona ha cambiado la configuración entretanto. Los campos que usted no ha cambiado ya lo muestran; revíselos y guarde de nuevo.',
      email_not_verified:
        'Con un servidor de correo, las cuentas necesitan una dirección confirmada, y la suya no lo está. Pida a otro administrador que la marque como confirmada en la página «Personas».',
    },
    weekStartAuto: 'según el idioma del lector',
    visibilities: { private: 'privados', public: 'públicos' },
    registrations: { open: 'abiertas', closed: 'cerradas' },
    notifications: { on: 'enviar un correo a los administradores', off: 'no enviar correo' },
    noBackupFolder:
      'No se hacen copias de seguridad, porque no hay ninguna carpeta definida para ellas: el operador fija backup_dir en el servidor.',
    mailServer: {
      title: 'Correo',
      lead: 'Sin servidor de correo, los mensajes son archivos en el servidor. Con él, las cuentas necesitan una dirección confirmada, salvo que el operador haya decidido otra cosa.',
      server: 'Servidor de correo',
      serverHint: 'Su nombre, como mail.example.org.',
      port: 'Puerto',
      encryption: 'Cifrado',
      encryptions: {
        starttls: 'STARTTLS (habitual, puerto 587)',
        tls: 'TLS desde el principio (puerto 465)',
        none: 'ninguno, solo en la misma máquina o red',
      },
      user: 'Usuario',
      password: 'Contraseña',
      stored: 'vacío la conserva',
      passwordEnds:
        'La contraseña guardada es la del servidor y el usuario anteriores, y se pierde con este cambio. Escríbala de nuevo.',
      remove: 'Quitar el servidor de correo',
      ownPasswordHint: 'Para cambiar estos ajustes, porque los correos llevan enlaces que restablecen contraseñas.',
      problems: {
        invalid_format: 'No es el nombre de un servidor, o el puerto no es un número.',
        not_allowed: 'Una contraseña necesita un usuario.',
      },
      test: 'Enviarme un correo de prueba',
      testing: 'Enviando…',
      saveFirst: 'Guarde primero sus cambios.',
      tested: (to) => `El correo de prueba para ${to} se ha aceptado. Compruebe si llega.`,
      testedFile: 'No hay servidor de correo, así que el correo de prueba se ha escrito en un archivo del servidor.',
      testFailed: (why) => `El correo de prueba no se ha enviado: ${why}.`,
    },
    machine: 'En el servidor',
    machineLead:
      'Estos ajustes los cambia el operador, en daybook.json o en el entorno, y se aplican en el próximo inicio.',
    origins: {
      environment: 'del entorno',
      file: 'de daybook.json',
      database: 'cambiado aquí',
      default: 'valor predeterminado',
    },
  },
}
