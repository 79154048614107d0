// What the service writes, in Spanish: settings of the machine, findings.
import type * as english from '../english/service.ts'
import { findings } from './findings.ts'

const meanings: typeof english.service.meanings = {
  host: 'Dónde escucha el servicio. `localhost` es solo esta máquina; `0.0.0.0` es cualquier dirección.',
  port: 'El puerto en el que escucha.',
  public_url:
    'La dirección que usan las personas, por ejemplo `https://calendario.example.org`. Vacío: `http://localhost:<port>`.',
  url_slug: 'Un primer segmento de todas las rutas, por ejemplo `ciudad` en `/ciudad/api-root/calendar/v1`.',
  data_dir: 'La carpeta del archivo de SQLite, y de los correos mientras no haya servidor de correo.',
  database_url: 'Una dirección de PostgreSQL (`postgres://…`). Vacío: SQLite en `data_dir`.',
  database_pool_size:
    'Número de conexiones de un nodo con PostgreSQL, además de cuatro para lecturas costosas, suscripciones y exportaciones: la mitad, cuatro como máximo, para escrituras, las demás para lecturas. Se abre al menos una de cada tipo.',
  durable_commits:
    '`off` permite un PostgreSQL con `fsync` o `synchronous_commit` desactivado, que puede perder eventos ya confirmados.',
  memory_limit:
    'Memoria que puede ocupar el servicio, en MiB, desde 128. De ella dependen el tamaño de sus cachés y del montón.',
  api_origins:
    'Otros sitios cuyas páginas pueden llamar a la API con un token: direcciones https como `https://plugin.example.org`, o http de esta máquina, separadas por comas; 50 como máximo.',
  trash_days: 'Durante cuántos días se pueden restaurar los eventos eliminados. `0` no conserva ninguno.',
  history_days: 'Durante cuántos días se conservan las versiones anteriores de los eventos. `0` no conserva ninguna.',
  bulk_change_limit:
    'Cuántos eventos puede eliminar o cambiar un dispositivo, un programa o una sesión en diez minutos antes de que se le frene y los administradores reciban un correo. Con `0` no ocurre nunca.',
  caldav_blind_writes:
    'Si un PUT de CalDAV puede sustituir un evento existente sin `If-Match`. Con `served`, si el programa ha recibido la versión actual; con `on`, siempre; con `off`, nunca.',
  trust_proxy: 'Proxies en cuyas cabeceras de reenvío se confía: direcciones o redes, separadas por comas.',
  proxy_header: 'Qué cabeceras ponen esos proxies: `x-forwarded` (X-Forwarded-For, -Proto) o `forwarded` (RFC 7239).',
  allow_loopback_http:
    '`on` responde por http en la propia máquina aunque `public_url` sea https. No detrás de un proxy en la misma máquina.',
  tls_certificate: 'Un archivo PEM con la cadena de certificados, para servir HTTPS directamente.',
  tls_key: 'El archivo PEM con su clave.',
  hsts_subdomains: '`off` omite `includeSubDomains` en HSTS.',
  backup_dir: 'La carpeta de las copias programadas, mejor en otro disco. Vacío: no se hace ninguna.',
  require_verified_email:
    'Si una cuenta aprobada necesita una dirección confirmada, `on` u `off`. Vacío: `on` con servidor de correo, `off` sin él.',
  basic_passwords:
    '`off` rechaza las contraseñas de cuentas en HTTP Basic, de modo que los programas necesitan contraseñas de aplicación.',
  proof_of_work:
    '`on`: registrarse o pedir una contraseña nueva cuesta al navegador un segundo de cálculo; `auto` solo mientras muchas solicitudes llenan sus límites; `off` nunca.',
  revoke_exposed_credentials:
    '`on` anula sesiones, tokens, contraseñas de aplicación y enlaces de suscripción enviados por http sin cifrar. Compruebe antes `trust_proxy`.',
  rate_limits: '`off` desactiva los límites de peticiones, solo para pruebas de carga; al arrancar aparece un aviso.',
  log_level:
    'Lo que se escribe en la salida de errores: `error`, `warn`, `info` (con una línea por petición) o `silent`.',
  metrics_token:
    'Sirve `GET /metrics` a los programas que envían este token como `Authorization: Bearer`, de al menos 16 caracteres sin espacios. Vacío: no.',
  metrics_port: 'Sirve `GET /metrics` sin token en este puerto de 127.0.0.1. Vacío: no.',
}

const reasons: typeof english.service.reasons = {
  environment: (name) => `El operador lo ha fijado en el entorno (${name}).`,
  others: {
    start: 'Direcciones, conexiones y memoria: se preparan al arrancar el servicio.',
    database: 'Base de datos: debe estar abierta antes de que se puedan leer la configuración que se cambia aquí.',
    files: 'Archivos y carpetas de la máquina.',
    protection: 'Protección de cuentas y eventos, también frente a una sesión robada de un administrador.',
    monitoring: 'Supervisión de la máquina.',
    file: 'El operador lo ha fijado en daybook.json.',
    smtp_url: 'Forma parte del smtp_url del operador.',
  },
}

export const service: typeof english.service = { findings, meanings, reasons }
