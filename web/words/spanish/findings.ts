// Findings of the health page in Spanish.
import type { FindingValues } from '../../../src/contract/health.ts'
import type * as english from '../english/findings.ts'

const EXPIRY = 'Renuévelo. Daybook lee por sí mismo los archivos renovados; un proxy quizá deba recargarse.'
const AS_SERVICE =
  'Compruebe el propietario y los permisos de la carpeta y los archivos (chown, chmod): el usuario del servicio debe poder leerlos y escribirlos.'
const MAIL = 'Compruebe smtp_url y smtp_tls. Los correos esperan en la base de datos y se envían en cuanto funcione.'
const ROOM = 'Elimine archivos o amplíe el disco.'

const restore = ({ command, engine }: FindingValues): string =>
  engine === 'postgres'
    ? `Detenga el servicio, indique una base de datos vacía en database_url y restaure una copia: ${command} restore ARCHIVO.`
    : `Detenga el servicio, mueva daybook.db* a otra carpeta y restaure una copia: ${command} restore ARCHIVO.`

const placeOf = (place: unknown): string => (place === 'backup_dir' ? 'de backup_dir' : 'de la carpeta de datos')
const fileOf = (name: unknown): string => (name === 'data_dir' ? 'La carpeta de datos' : `${name}`)
const mib = (value: unknown): string => `${Number(value).toLocaleString('es')} MiB`
const lastOf = (last: unknown): string => (last ? `la última es de ${last}` : 'todavía no hay ninguna')
const certificateOf = (isServed: unknown): string =>
  isServed ? 'El certificado de public_url' : 'El certificado de tls_certificate'

const UNREACHABLE: Record<string, string> = {
  ECONNREFUSED: 'allí no responde nada',
  ENOTFOUND: 'no hay ningún equipo con ese nombre',
  EAI_AGAIN: 'el nombre del equipo no se puede resolver ahora',
  ABORT_ERR: 'no respondió a tiempo',
  ETIMEDOUT: 'no respondió a tiempo',
  ECONNRESET: 'la conexión se cerró sin respuesta',
  EPROTO: 'allí no se habla TLS',
}

const MAIL_PROBLEMS: Record<string, string> = {
  EAUTH: 'el servidor de correo rechazó el nombre de usuario o la contraseña',
  EDNS: 'no hay ningún equipo con ese nombre',
  ENOTFOUND: 'no hay ningún equipo con ese nombre',
  ECONNECTION: 'no se pudo establecer la conexión',
  ECONNREFUSED: 'allí no responde nada',
  ESOCKET: 'allí no responde nada',
  EUNTRUSTED: 'allí no responde nada, o su certificado no es de confianza',
  ETIMEDOUT: 'no respondió a tiempo',
  ETLS: 'el servidor no ofrece cifrado (smtp_tls off envía sin él)',
}

function mailProblem({ where, reason, cause }: FindingValues): string {
  const place = where || 'carpeta de correos'
  const known = MAIL_PROBLEMS[`${reason}`]
  if (known) return `${place}: ${known}`
  if (reason === 'refused') return `${place} no acepta correo para esa dirección (${cause})`
  return `${place} no aceptó el correo (${cause})`
}

const DATABASE: Record<string, string> = {
  disk_full: 'El disco está lleno, o la base de datos ha llegado a su tamaño máximo',
  read_only: 'La base de datos es de solo lectura',
  io_error: 'El disco o el sistema de archivos informa de un error',
  permission_denied: 'La base de datos niega el acceso a este usuario',
  data_missing: 'Falta un archivo de la base de datos',
  database_unreachable: 'No se puede acceder a la base de datos',
  write_failed: 'Falló una escritura de prueba en la base de datos',
  locked: 'Otro proceso tiene el bloqueo de escritura de la base de datos',
  busy: 'La base de datos está ocupada',
}

export const findings: typeof english.findings = {
  check_failed: ({ kind }) => [`Esto no se pudo comprobar (${kind})`, 'Comuníquelo, con esta línea.'],
  categories_not_managed: ({ count }) => [
    `Categorías de eventos sin color propio: ${count}`,
    'Adóptelas en la página «Categorías»: un clic da a cada una un color y un lugar.',
  ],
  config_ok: () => ['La configuración es válida y coherente'],
  config_invalid: () => [
    'tls_certificate: el archivo no contiene ningún certificado PEM',
    'Indique un archivo PEM con la cadena de certificados.',
  ],
  setting_without_effect: ({ name, needed }) => {
    const other = needed === 'an https public_url' ? 'una dirección https en public_url' : `${needed}`
    return [`${name} está fijado, pero no tiene efecto sin ${other}`, `Fije también ${other}, o quite ${name}.`]
  },
  https_unreachable: () => [
    'public_url es https, pero trust_proxy no nombra ningún proxy y tls_certificate no está fijado: todas las peticiones se rechazan con https_required',
    'Ponga en trust_proxy la dirección de su proxy y haga que este fije X-Forwarded-Proto y X-Forwarded-For, o fije tls_certificate y tls_key.',
  ],
  loopback_http_allowed: () => [
    'allow_loopback_http está en on: un proxy de esta máquina que no fije cabeceras convierte a todos los visitantes en locales',
    'Ponga allow_loopback_http en off, salvo que programas de esta máquina necesiten http.',
  ],
  public_url_plain: () => [
    'public_url es http sin cifrar: no se permite iniciar sesión, salvo en esta máquina',
    'Sirva HTTPS, con un proxy o directamente, y ponga la dirección https en public_url.',
  ],
  rate_limits_off: () => [
    'rate_limits está en off: se pueden adivinar contraseñas sin límite',
    'Ponga rate_limits en on. Solo las pruebas de carga necesitan off.',
  ],
  commits_not_durable: () => [
    'durable_commits está en off: un corte de corriente puede hacer perder eventos ya confirmados',
    'Active fsync y synchronous_commit en PostgreSQL y ponga durable_commits en on.',
  ],
  mail_password_in_clear: () => [
    'smtp_tls está en off: la contraseña del servidor de correo se envía sin cifrar',
    'Ponga smtp_tls en on, o use un servidor de correo en esta máquina.',
  ],
  verification_without_mail: () => [
    'require_verified_email está en on, pero no hay servidor de correo que envíe los enlaces',
    'Fije smtp_url, o dé a las personas los enlaces de los archivos de data/mail.',
  ],
  files_ok: () => ['Solo el propietario puede leer los datos, y el servicio puede escribirlos'],
  files_not_checked: () => ['Los permisos de archivos no se comprueban en Windows'],
  folder_open: ({ mode }) => [
    `Otros usuarios de esta máquina pueden entrar en la carpeta de datos (modo ${mode})`,
    'Ejecute chmod 700 en la carpeta.',
  ],
  file_open: ({ file, mode }) => {
    if (file === 'daybook.json' || file === 'tls_key')
      return [
        file === 'tls_key'
          ? `Otros usuarios de esta máquina pueden leer la clave del certificado (modo ${mode})`
          : `Otros usuarios de esta máquina pueden leer la configuración con sus contraseñas y tokens (modo ${mode})`,
        'Ejecute chmod 600 en el archivo, o 640 con el grupo del servicio.',
      ]
    return [
      `Otros usuarios de esta máquina pueden leer ${file} (modo ${mode})`,
      'Ejecute chmod 600 en el archivo: contiene eventos privados y hashes de contraseñas.',
    ]
  },
  file_owner: ({ name, user, owner }) => [
    `${name} pertenece a otro usuario (${user}) que la carpeta de datos (${owner})`,
    'Ejecute chown en el archivo, para que ambos pertenezcan al usuario del servicio.',
  ],
  file_not_accessible: ({ name }) => [`${fileOf(name)}: este usuario no puede leer y escribir ahí`, AS_SERVICE],
  disk_ok: (values) => [`El disco ${placeOf(values.place)} tiene ${mib(values.mib)} libres`],
  disk_low: ({ place, mib: free, files }) =>
    files === undefined
      ? [`El disco ${placeOf(place)} solo tiene ${mib(free)} libres; quizá no quepa ahí una copia de seguridad`, ROOM]
      : [
          `El sistema de archivos ${placeOf(place)} solo tiene sitio para ${files} archivos más`,
          'Elimine archivos que no hagan falta.',
        ],
  disk_full: (values) => [
    `El disco ${placeOf(values.place)} solo tiene ${mib(values.mib)} libres; falla la escritura`,
    `${ROOM} El servicio vuelve a escribir en cuanto haya sitio.`,
  ],
  database_ok: ({ engine }) => [
    engine === 'postgres'
      ? 'PostgreSQL responde, y el esquema es el de esta versión (aquí no se leen filas ni referencias)'
      : 'SQLite no encuentra daños (comprobación rápida), las referencias están completas, y el esquema es el de esta versión',
  ],
  database_unreachable: ({ reason, code }) => [
    `${DATABASE[`${reason}`] ?? DATABASE.database_unreachable}${code}`,
    'Compruebe database_url, los permisos de su usuario, la carpeta de datos y el disco.',
  ],
  database_unsuitable: ({ detail }) => [
    `La base de datos no es adecuada: ${detail}`,
    'El servicio no arranca hasta que se corrija.',
  ],
  database_damaged: (values) => [`La base de datos está dañada: ${values.detail}`, restore(values)],
  references_broken: ({ tables }) => [
    `Hay filas que remiten a otras que no existen, en: ${tables}`,
    'Restaure una copia, o comuníquelo: ninguna versión de Daybook escribe filas así.',
  ],
  database_index_invalid: ({ indexes }) => [
    `Estos índices no son válidos: ${indexes}`,
    'Ejecute REINDEX INDEX para cada uno.',
  ],
  schema_outdated: ({ count }) => [
    `La base de datos es de una versión anterior de Daybook (migraciones que faltan: ${count})`,
    'Haga una copia y arranque el servicio: él actualiza la base de datos.',
  ],
  schema_newer: ({ migration }) => [
    `La base de datos es de una versión más nueva de Daybook (migración ${migration})`,
    'Use esa versión, o restaure una copia de esta.',
  ],
  index_ok: ({ checked }) => [`Las columnas y fechas de ${checked} eventos son las de sus textos`],
  index_wrong: ({ count, ids, command }) => [
    `Eventos mal indexados: ${count} (${ids})`,
    `Ejecute ${command} reindex; los repara, también con el servicio en marcha.`,
  ],
  index_rebuilding: () => [
    'Los eventos se están indexando de nuevo; hasta entonces pueden faltar algunos en las listas',
    'Mantenga el servicio en marcha; GET /readyz muestra el progreso.',
  ],
  index_outdated: () => [
    'Los eventos se indexaron con otros datos de zonas horarias, otra zona u otra versión',
    'Reinicie el servicio: los indexa de nuevo por sí mismo.',
  ],
  events_unreadable: ({ count, ids }) => [
    `Eventos ilegibles: ${count} (${ids})`,
    'Restáurelos desde una copia, o elimínelos. No se muestran a nadie.',
  ],
  clock_ok: ({ engine }) => [
    engine === 'postgres'
      ? 'El reloj concuerda con PostgreSQL y con el último uso del calendario'
      : 'El reloj concuerda con el último uso del calendario',
  ],
  clock_in_doubt: ({ days, is_ahead, command }) => [
    `El reloj va ${days} días ${is_ahead ? 'adelantado' : 'atrasado'} respecto al último uso del calendario; entretanto no se elimina nada definitivamente`,
    `Ponga el reloj en hora y reinicie el servicio. Si el reloj está bien, ejecute ${command} reindex --accept-clock.`,
  ],
  clock_drift: ({ seconds, is_ahead }) => [
    `El reloj de esta máquina va ${Number(seconds).toLocaleString('es')} s ${is_ahead ? 'adelantado' : 'atrasado'} respecto al de PostgreSQL`,
    'Deje que un servidor de hora ponga en hora ambos relojes. El servicio usa la hora de PostgreSQL.',
  ],
  zone_data_ok: ({ tz, icu, timezone }) => [
    `Datos de zonas horarias ${tz}, ICU ${icu}; el calendario está en ${timezone}`,
  ],
  zone_data_old: ({ tz }) => [
    `Los datos de zonas horarias son de la versión ${tz}`,
    'Actualice Daybook; su propio Node trae esos datos.',
  ],
  mail_ok: ({ server, is_encrypted, has_login }) => [
    `El servidor de correo ${server} responde ${is_encrypted ? 'por TLS' : 'sin cifrado'}${has_login ? ' y acepta las credenciales' : ''}`,
  ],
  mail_to_files: () => [
    'No hay servidor de correo: los correos se escriben en archivos',
    'Fije smtp_url para un uso público.',
  ],
  mail_failing: (values) => [mailProblem(values), MAIL],
  mail_not_sent: (values) => [mailProblem(values), MAIL],
  service_ok: () => ['El servicio está listo'],
  service_not_ready: ({ reason }) => [
    `El servicio no está listo: ${reason}`,
    'docs/monitoring.md explica cada motivo; el registro tiene los detalles.',
  ],
  public_url_ok: ({ origin }) => [`${origin} sirve este calendario`],
  public_url_not_checked: () => ['public_url no se pudo comprobar'],
  public_url_unreachable: ({ origin, reason }) => [
    `No se puede acceder a ${origin}: ${UNREACHABLE[`${reason}`] ?? `sin conexión (${reason})`}`,
    'Compruebe public_url, DNS, cortafuegos y proxy. Si solo esta máquina no alcanza su propia dirección pública, pruebe desde otra.',
  ],
  public_url_elsewhere: ({ origin, status }) => [
    `${origin} responde con ${status}, pero no como este calendario`,
    'Compruebe public_url y url_slug, y adónde envía el proxy las peticiones: responde otro servicio, otro calendario o una versión anterior.',
  ],
  certificate_ok: ({ is_served, end }) => [`${certificateOf(is_served)} es válido hasta el ${end}`],
  certificate_expiring: ({ is_served, end, days }) => [
    `${certificateOf(is_served)} caduca el ${end}, dentro de ${days} ${days === 1 ? 'día' : 'días'}`,
    EXPIRY,
  ],
  certificate_expired: ({ is_served, end }) => [`${certificateOf(is_served)} caducó el ${end}`, EXPIRY],
  certificate_not_valid_yet: ({ is_served }) => [
    `${certificateOf(is_served)} todavía no es válido`,
    'Compruebe el reloj de esta máquina.',
  ],
  certificate_wrong_name: ({ is_served, hostname }) => [
    `${certificateOf(is_served)} no es para ${hostname}`,
    'Obtenga un certificado para el nombre de equipo de public_url.',
  ],
  certificate_untrusted: ({ reason }) => [
    `Esta máquina no confía en el certificado de public_url (${reason})`,
    'Sirva la cadena completa, con los certificados intermedios, de una autoridad que los navegadores conozcan.',
  ],
  proxy_ok: ({ is_proxied }) => [
    is_proxied ? 'El proxy transmite el esquema y la dirección de los visitantes' : 'Las peticiones llegan sin proxy',
  ],
  proxy_bare: ({ sender, nginx }) => [
    'El proxy transmite las peticiones sin cabeceras de reenvío: se desconocen el esquema y la dirección de los visitantes',
    `Para nginx: ${nginx} Nombre el proxy en trust_proxy: ${sender}.`,
  ],
  proxy_untrusted: ({ sender }) => [
    `Un proxy con la dirección ${sender} fija cabeceras de reenvío, pero trust_proxy no lo nombra`,
    `Añada ${sender} a trust_proxy.`,
  ],
  proxy_without_scheme: ({ header }) => [
    'El proxy no dice que los visitantes usan https, por lo que sus peticiones se rechazan',
    header === 'Forwarded'
      ? 'Haga que fije Forwarded con proto=https.'
      : 'Haga que ponga en X-Forwarded-Proto el esquema del visitante.',
  ],
  proxy_without_address: ({ header }) => [
    'El proxy no transmite las direcciones: todos los visitantes comparten un mismo límite',
    header === 'Forwarded' ? 'Haga que fije Forwarded con for=.' : 'Haga que complete X-Forwarded-For.',
  ],
  backup_ok: ({ last }) => [`Las copias de seguridad se hacen según lo previsto; ${lastOf(last)}`],
  backup_unknown: ({ command }) => [
    'No hay copias de seguridad programadas, y Daybook no sabe de otras',
    `Fije backup_dir, o ejecute ${command} backup con regularidad, y guarde los archivos en otra máquina.`,
  ],
  backup_failing: ({ last }) => [
    `La copia de seguridad programada falló; ${lastOf(last)}`,
    'El registro del servicio dice por qué. ¿Hay sitio en backup_dir, y puede escribir ahí el servicio?',
  ],
  backup_overdue: ({ last }) => [
    `Una copia de seguridad programada lleva retraso; ${lastOf(last)}`,
    '¿Está en marcha el servicio?',
  ],
  backup_missing: ({ name }) => [
    `La última copia programada, ${name}, no está en backup_dir`,
    '¿Se eliminó o se movió, o la hizo otro nodo en una carpeta propia?',
  ],
  backup_ahead: ({ names, more }) => [
    `backup_dir tiene copias cuyo nombre está en el futuro: ${names}${more ? ` y ${more} más` : ''}`,
    'Si el reloj está bien, iba adelantado cuando se hicieron. Nunca se eliminan solas: elimínelas o cámbieles el nombre.',
  ],
}
