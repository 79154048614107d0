// Redaction of request traces: an allow-list of fields, each kept only in its expected shape.
import { parseTimeText } from '../domain/time/text.ts'
import { VIEWS } from '../domain/time/window.ts'
import { findZone } from '../domain/time/zone.ts'

const REDACTED = '[redacted]'
const OTHER = '[other]'

type RedactedValues = Record<string, string>
/** The text as it may be stored; undefined if it does not have the expected shape. */
type Shape = (text: string) => string | undefined

const wordOf =
  (...words: readonly string[]): Shape =>
  (text) =>
    words.includes(text) ? text : undefined

const matching =
  (pattern: RegExp): Shape =>
  (text) =>
    pattern.test(text) ? text : undefined

const number = matching(/^\d{1,5}$/)
const time: Shape = (text) => (parseTimeText(text) ? text : undefined)
const zone: Shape = (text) => (text.length <= 64 ? findZone(text)?.name : undefined)

const QUERY = new Map<string, Shape>([
  ['from', time],
  ['to', time],
  ['view', wordOf(...VIEWS)],
  ['page', number],
  ['per_page', number],
  ['limit', number],
  ['timezone', zone],
  ['expand', wordOf('true', 'false')],
  ['scope', wordOf('occurrence', 'following')],
])

/** `known` are the parameters of the route; any other may be personal text, including its name. */
export function redactQuery(query: unknown, known: readonly string[]): RedactedValues {
  const shown: RedactedValues = {}
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    const shape = QUERY.get(name)
    if (shape) shown[name] = shownAs(shape, value)
    else shown[known.includes(name) ? name : '?'] = REDACTED
  }
  return shown
}

const shownAs = (shape: Shape, value: unknown): string =>
  typeof value === 'object' ? OTHER : (shape(String(value)) ?? OTHER)

const MAX_PARTS = 8

/** Each element of a list is checked separately: one unexpected element does not hide the others. */
const listOf =
  (shape: Shape): Shape =>
  (text) =>
    [
      ...new Set(
        text
          .slice(0, 1_000)
          .split(',', MAX_PARTS)
          .map((part) => shape(part.trim()) ?? OTHER),
      ),
    ].join(', ')

const MAX_AGENT = 120

/** Products that people use with a calendar; any other name could be arbitrary text. */
const PRODUCTS = new Set(
  `Mozilla AppleWebKit Chrome HeadlessChrome CriOS Safari Version Mobile Firefox FxiOS Gecko Edg EdgA OPR Thunderbird
  iOS iPadOS macOS Mac_OS_X Darwin CFNetwork CalendarAgent CalendarStore dataaccessd accountsd remindd Android Dalvik
  okhttp dav4jvm DAVx5 DAVdroid ICSx5 Etar Evolution evolution-data-server GNOME KDE Akonadi DAVKIO vdirsyncer pimsync
  khal caldav python-requests aiohttp curl Wget node undici tsdav Outlook Microsoft CalDavSynchronizer eM_Client
  BusyCal Fantastical Google-Calendar-Importer Googlebot Go-http-client Java Python-urllib ical4j SOGo`.split(/\s+/),
)
const PRODUCT = /^([A-Za-z][\w+-]{0,30})\/\d{1,4}(?:\.\d{1,5}){0,4}(?:-[a-z]{1,8})?$/

/** Product names with their versions; comments are dropped, since they may hold any text. */
const agent: Shape = (text) =>
  text
    .slice(0, 1_000)
    .split(' ')
    .filter((word) => PRODUCTS.has(PRODUCT.exec(word)?.[1] ?? ''))
    .join(' ')
    .slice(0, MAX_AGENT) || undefined

const MEDIA_TYPES = new Set(
  `*/* application/* text/* image/* application/json application/merge-patch+json application/problem+json
  application/xml text/xml text/html application/xhtml+xml text/plain text/calendar application/calendar+json text/css
  text/javascript application/javascript application/x-www-form-urlencoded multipart/form-data application/octet-stream
  image/avif image/webp image/apng image/png image/jpeg image/gif image/svg+xml image/x-icon
  application/signed-exchange`.split(/\s+/),
)

const mediaType: Shape = (text) => {
  const [type = '', ...parameters] = text
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  if (!MEDIA_TYPES.has(type)) return undefined
  const shown = parameters.filter((part) => !/^(?:q|v)=[\w.]{1,5}$/.test(part))
  return [type, ...new Set(shown.map((part) => (/^charset="?utf-8"?$/.test(part) ? part : OTHER)))].join('; ')
}

/**
 * The two kinds of ETag that the service issues: of a version, and of bytes. A client could send any letters as the
 * second kind, so its value is not stored.
 */
const tag: Shape = (text) => {
  if (text === '*' || /^(?:W\/)?"[a-z]-\d{1,9}-[0-9a-f]{8}"$/.test(text)) return text
  return /^(?:W\/)?"[\w-]{27}(?:-br|-gzip)?"$/.test(text) ? '[tag]' : undefined
}

const preference = wordOf(
  'return=minimal',
  'return=representation',
  'handling=strict',
  'handling=lenient',
  'respond-async',
  'depth-noroot',
)

const REQUEST_HEADERS = new Map<string, Shape>([
  ['user-agent', agent],
  ['accept', listOf(mediaType)],
  ['content-type', mediaType],
  ['depth', wordOf('0', '1', 'infinity')],
  ['if-match', listOf(tag)],
  ['if-none-match', listOf(tag)],
  ['prefer', listOf(preference)],
  ['sec-fetch-site', wordOf('same-origin', 'same-site', 'cross-site', 'none')],
])

const SECRET_HEADERS = ['authorization', 'cookie', 'x-csrf-token']

export function redactRequestHeaders(headers: Record<string, unknown>, ownOrigin: string): RedactedValues {
  const shown: RedactedValues = {}
  for (const [name, shape] of REQUEST_HEADERS)
    if (headers[name] !== undefined) shown[name] = shownAs(shape, headers[name])
  if (headers.origin !== undefined) shown.origin = headers.origin === ownOrigin ? '[same]' : OTHER
  for (const name of SECRET_HEADERS) if (headers[name] !== undefined) shown[name] = REDACTED
  return shown
}

const RESPONSE_HEADERS = new Map<string, Shape>([
  ['content-type', mediaType],
  ['etag', tag],
  ['retry-after', number],
])

/** `templateOf` maps a location to the template of its route, without parameter values. */
export function redactResponseHeaders(
  headerOf: (name: string) => unknown,
  templateOf: (location: string) => string | undefined,
): RedactedValues {
  const shown: RedactedValues = {}
  for (const [name, shape] of RESPONSE_HEADERS) {
    const value = headerOf(name)
    if (value !== undefined) shown[name] = shownAs(shape, value)
  }
  const location = headerOf('location')
  if (location !== undefined) shown.location = shownAs(templateOf, location)
  if (headerOf('set-cookie') !== undefined) shown['set-cookie'] = REDACTED
  return shown
}

const SECRET_FIELDS = new Set([
  'password',
  'current_password',
  'new_password',
  'smtp_password',
  'token',
  'code',
  'proof',
])

/** Names, types and lengths of the fields, never their values. `known` are the fields the route takes. */
export function redactBody(body: unknown, known: readonly string[]): RedactedValues | null {
  if (typeof body !== 'object' || body === null) return null
  const shown: RedactedValues = {}
  let others = 0
  for (const [name, value] of Object.entries(body)) {
    if (known.includes(name)) shown[name] = SECRET_FIELDS.has(name) ? REDACTED : kindOf(value)
    else others += 1
  }
  return others > 0 ? { ...shown, '?': `fields(${others})` } : shown
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `string(${value.length})`
  if (Array.isArray(value)) return `array(${value.length})`
  return typeof value === 'object' ? `object(${Object.keys(value).length})` : typeof value
}
