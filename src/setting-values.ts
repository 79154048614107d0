// Parsers for setting values: undefined where the text is invalid; TLS files are read here too.
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'

export interface Smtp {
  host: string
  port: number
  /** TLS from the first byte; otherwise STARTTLS, which must be offered unless `isEncrypted` is false. */
  isImplicitTls: boolean
  isEncrypted: boolean
  user: string
  password: string
}

/** First path segments that the service uses itself. */
export const RESERVED_SLUGS = [
  ...['api-root', 'public', 'admin', 'dav', 'caldav', 'auth', 'assets', 'health', 'healthz', 'readyz', 'metrics'],
  ...['well-known'],
  ...[
    'setup',
    'sign-in',
    'register',
    'verify',
    'forgot-password',
    'reset-password',
    'event',
    'trash',
    'account',
    'embed',
  ],
]

export const parseSlug = (value: string): string | undefined =>
  value === '' || (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(value) && !RESERVED_SLUGS.includes(value))
    ? value
    : undefined

export function parsePublicUrl(value: string): URL | undefined {
  if (!URL.canParse(value)) return undefined
  const url = new URL(value)
  const isPlain = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
  return isPlain && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined
}

/** An @ after the host name means that a character of the password was taken for the end of that name. */
export function isDatabaseUrl(value: string): boolean {
  // If the host is in `?host=`, its place in the URL may be empty, which URL does not accept.
  const whole = value.replace('@/', '@localhost/')
  if (!/^postgres(?:ql)?:\/\//.test(value) || !URL.canParse(whole)) return false
  const { pathname, search, hash } = new URL(whole)
  return !`${pathname}${search}${hash}`.includes('@')
}

/** A host given as an IP address, as in a trial at home, cannot be a mail domain; any name will do there. */
export const mailHostOf = ({ hostname }: URL): string => (/[a-z]/i.test(hostname) ? hostname : 'localhost')

export function parseSmtp(value: string, isEncrypted: boolean): Smtp | undefined {
  if (!URL.canParse(value)) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(value)
  if ((protocol !== 'smtp:' && protocol !== 'smtps:') || !hostname || (pathname && pathname !== '/') || search || hash)
    return undefined
  const isImplicitTls = protocol === 'smtps:'
  const [user, secret] = [unescaped(username), unescaped(password)]
  if (user === undefined || secret === undefined) return undefined
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : isImplicitTls ? 465 : 587,
    isImplicitTls,
    isEncrypted: isEncrypted || isImplicitTls,
    user,
    password: secret,
  }
}

/** As a URL without the password. */
export function formatSmtp({ host, port, isImplicitTls, user }: Smtp): string {
  const login = user ? `${encodeURIComponent(user)}@` : ''
  return `${isImplicitTls ? 'smtps' : 'smtp'}://${login}${urlHostOf(host)}:${port}`
}

/** An IPv6 address has brackets in a URL. */
export const urlHostOf = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** A literal percent sign must be written %25. */
function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export function parseNetworks(value: string): string[] | undefined {
  const networks = value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return networks.every(isNetwork) ? networks : undefined
}

/** A host name of a URL may hold `;` and quotes, which would end a CSP directive or begin a keyword. */
const CSP_SOURCE = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/

const cspSourceOf = (site: string): string | undefined => {
  const origin = parsePublicUrl(site)?.origin
  return origin !== undefined && CSP_SOURCE.test(origin) ? origin : undefined
}

/** Sites as CSP sources: scheme, host and port, or `*`. */
export function parseSites(value: string): string[] | undefined {
  const sites = value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const named = sites.map((site) => (site === '*' ? site : cspSourceOf(site)))
  return named.every((site) => site !== undefined) ? named : undefined
}

const MAX_API_ORIGINS = 50

/** Origins as browsers send them: https, or http of this machine. */
export function parseApiOrigins(value: string): string[] | undefined {
  const texts = value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const origins = texts.map(cspSourceOf)
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && (origin.startsWith('https://') || LOOPBACK_ORIGIN.test(origin))
  return origins.length <= MAX_API_ORIGINS && origins.every(isAllowed) ? origins : undefined
}

const LOOPBACK_ORIGIN = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  return (
    version !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32)))
  )
}

export const parseSiteName = (value: string): string | undefined =>
  /^[^\p{Cc}\u2028\u2029]{1,100}$/u.test(value) ? value : undefined

export const filled = (value: string): string | undefined => value || undefined

export const integer =
  (least: number, most: number) =>
  (value: string): number | undefined =>
    /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most ? Number(value) : undefined

export const indexIn =
  (words: readonly string[]) =>
  (value: string): number | undefined => {
    const index = words.indexOf(value.toLowerCase())
    return index < 0 ? undefined : index
  }

export const onOrOff = (value: string): boolean | undefined => {
  if (['on', 'true', '1'].includes(value)) return true
  return ['off', 'false', '0'].includes(value) ? false : undefined
}

const onOffOr =
  <const Word extends string>(word: Word) =>
  (value: string): Word | 'on' | 'off' | undefined => {
    if (value.toLowerCase() === word) return word
    const isOn = onOrOff(value)
    return isOn === undefined ? undefined : isOn ? 'on' : 'off'
  }

export const autoOnOrOff = onOffOr('auto')
export const servedOnOrOff = onOffOr('served')

/** Long enough that it cannot be guessed, and of characters that a header can carry. */
export const isToken = (value: string): boolean => /^[\x21-\x7e]{16,200}$/.test(value)

/** Empty is a valid value, and means none. */
export const optionalPort = (value: string): { port: number | undefined } | undefined => {
  if (value === '') return { port: undefined }
  const port = integer(0, 65_535)(value)
  return port === undefined ? undefined : { port }
}

/** An invalid setting: one line that names it, for the operator. */
export class ConfigError extends Error {}

/** Undefined where neither is set. */
export function readTls(certificate: string, key: string, folder: string): TlsFiles | undefined {
  if (!certificate && !key) return undefined
  if (!certificate || !key) throw new ConfigError('tls_certificate and tls_key: both are needed, or neither')
  return readTlsFiles({ certificatePath: resolve(folder, certificate), keyPath: resolve(folder, key) })
}

export interface TlsFiles extends TlsPaths {
  /** The contents, as PEM. */
  certificate: string
  key: string
}

export interface TlsPaths {
  certificatePath: string
  keyPath: string
}

export const readTlsFiles = ({ certificatePath, keyPath }: TlsPaths): TlsFiles => ({
  certificatePath,
  keyPath,
  certificate: readNamed('tls_certificate', certificatePath),
  key: readNamed('tls_key', keyPath),
})

function readNamed(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new ConfigError(`${setting}: the file ${path} cannot be read`)
  }
}
