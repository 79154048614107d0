// Configuration: the only reader of process.env; with daybook.json it becomes one frozen value.
import { lstatSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type BackupRetention, parseInterval, parseRetention } from './domain/backup-schedule.ts'
import type { Visibility } from './domain/calendar/event.ts'
import { readEmail } from './domain/email.ts'
import { WEEKDAY_NAMES } from './domain/time/weekdays.ts'
import { findZone } from './domain/time/zone.ts'
import { environmentName } from './environment.ts'
import type { LogLevel } from './ops/log.ts'
import {
  autoOnOrOff,
  filled,
  indexIn,
  integer,
  isDatabaseUrl,
  isToken,
  mailHostOf,
  onOrOff,
  optionalPort,
  parseNetworks,
  parsePublicUrl,
  parseSiteName,
  parseSites,
  parseSlug,
  parseSmtp,
  type Smtp,
  servedOnOrOff,
} from './setting-values.ts'
import { type SettingName, settings } from './settings.ts'

export interface Config {
  host: string
  port: number
  /** The address of the service for its users; links are built from it, never from a request's Host header. */
  publicUrl: URL
  urlSlug: string
  siteName: string
  dataDir: string
  /** Empty means SQLite under the data folder. */
  databaseUrl: string
  databasePoolSize: number
  /** Refuses a PostgreSQL server that does not wait for its disk. */
  durableCommits: boolean
  memoryLimitMib: number
  timezone: string
  /** Monday is 0. */
  weekStart: number
  defaultVisibility: Visibility
  /** Sites that may show the calendar in a frame, besides this one; `*` is any site. */
  embedSites: readonly string[]
  /** Whether CalDAV clients may overwrite an event without a matching ETag. */
  caldavBlindWrites: 'served' | 'on' | 'off'
  trustProxy: readonly string[]
  proxyHeader: 'x-forwarded' | 'forwarded'
  /** Whether plain HTTP is served on the machine itself although the public address is https. */
  allowLoopbackHttp: boolean
  tls: TlsFiles | undefined
  hstsSubdomains: boolean
  /** Empty: no backups are scheduled. */
  backupDir: string
  backupEveryMs: number
  backupKeep: BackupRetention
  /** Undefined: mails are written to files under the data folder. */
  smtp: Smtp | undefined
  mailFrom: string
  /** Approved accounts may act only once their address is verified. */
  requireVerifiedEmail: boolean
  notifyAdmins: boolean
  /** Whether HTTP Basic accepts the password of an account, besides app passwords. */
  basicPasswords: boolean
  proofOfWork: 'auto' | 'on' | 'off'
  revokeExposedCredentials: boolean
  rateLimits: boolean
  logLevel: LogLevel
  /** Empty: metrics are not served at the address of the service. */
  metricsToken: string
  /** Undefined: metrics have no port of their own. */
  metricsPort: number | undefined
  /** Where each setting comes from. */
  origins: Readonly<Record<SettingName, Origin>>
}

/** In order of precedence. */
export type Origin = 'environment' | 'file' | 'setup' | 'default'

/** Settings chosen when the calendar was set up. */
export interface InstanceSettings {
  siteName?: string | undefined
  timezone?: string | undefined
  /** Monday is 0. */
  weekStart?: number | undefined
}

/** An invalid setting: one line that names it, for the operator. */
export class ConfigError extends Error {}

export type SettingSource = Record<string, string | undefined>

/** `content` replaces that of the file, to check what would result from it. */
export function loadConfig(env: SettingSource = process.env, folder: string = process.cwd(), content?: object): Config {
  const path = configPath(env, folder)
  const file = settingsIn(content ?? readConfigFile(path, !!env.DAYBOOK_CONFIG), path)
  for (const name of Object.keys(env)) {
    const known = name === 'DAYBOOK_CONFIG' || settings.some((setting) => environmentName(setting.name) === name)
    if (name.startsWith('DAYBOOK_') && !known) throw new ConfigError(`${name}: unknown setting`)
  }
  const text = (name: string): string =>
    env[environmentName(name)] ?? file[name] ?? settings.find((setting) => setting.name === name)!.default
  const read = <T>(name: string, parse: (value: string) => T | undefined, expected: string): T => {
    const value = parse(text(name).trim())
    if (value === undefined) throw new ConfigError(`${sourceOf(name, env, file)}: ${expected}`)
    return value
  }
  const port = read('port', integer(0, 65_535), 'must be a number from 0 to 65535')
  const publicUrl = read(
    'public_url',
    (value) => parsePublicUrl(value || `http://localhost:${port}`),
    'must be an http or https address without path, query or fragment',
  )
  const isMailEncrypted = read('smtp_tls', onOrOff, 'must be on or off')
  const smtp = read(
    'smtp_url',
    (value) => (value === '' ? { none: true as const } : parseSmtp(value, isMailEncrypted)),
    'must look like smtp://user:password@mail.example.org:587 or smtps://…:465',
  )
  const hasSmtp = !('none' in smtp)
  return Object.freeze({
    host: read('host', filled, 'must be a host name or an address'),
    port,
    publicUrl,
    urlSlug: read(
      'url_slug',
      parseSlug,
      'must be lower-case letters, digits and hyphens (at most 63) and none of the reserved words',
    ),
    siteName: read('site_name', parseSiteName, 'must be 1 to 100 characters on one line'),
    dataDir: resolve(folder, read('data_dir', filled, 'must be a folder')),
    databaseUrl: read(
      'database_url',
      (value) => (value === '' || isDatabaseUrl(value) ? value : undefined),
      'must begin with postgres:// (leave it empty for SQLite); in a password / is %2F, # is %23 and @ is %40',
    ),
    databasePoolSize: read('database_pool_size', integer(1, 200), 'must be a number from 1 to 200'),
    memoryLimitMib: read('memory_limit', integer(128, 65_536), 'must be a number of MiB from 128 to 65536'),
    timezone: read('timezone', (value) => findZone(value)?.name, 'must be an IANA time zone such as Europe/London'),
    weekStart: read('week_start', indexIn(WEEKDAY_NAMES), `must be one of ${WEEKDAY_NAMES.join(', ')}`),
    defaultVisibility: read(
      'default_visibility',
      (value) => (value === 'public' || value === 'private' ? value : undefined),
      'must be public or private',
    ),
    embedSites: read(
      'embed_sites',
      parseSites,
      'must be addresses such as https://www.example.org, separated by commas, or *',
    ),
    caldavBlindWrites: read('caldav_blind_writes', servedOnOrOff, 'must be served, on or off'),
    trustProxy: read(
      'trust_proxy',
      parseNetworks,
      'must be addresses or networks such as 10.0.0.0/8, separated by commas',
    ),
    proxyHeader: read(
      'proxy_header',
      (value) => (value === 'x-forwarded' || value === 'forwarded' ? value : undefined),
      'must be x-forwarded or forwarded',
    ),
    allowLoopbackHttp: read('allow_loopback_http', onOrOff, 'must be on or off'),
    tls: readTls(
      read('tls_certificate', (value) => value, ''),
      read('tls_key', (value) => value, ''),
      folder,
    ),
    durableCommits: read('durable_commits', onOrOff, 'must be on or off'),
    hstsSubdomains: read('hsts_subdomains', onOrOff, 'must be on or off'),
    backupDir: read('backup_dir', (value) => (value === '' ? '' : resolve(folder, value)), 'must be a folder'),
    backupEveryMs: read('backup_every', parseInterval, 'must be hours or days, such as 6h or 1d, a year at most'),
    backupKeep: read(
      'backup_keep',
      parseRetention,
      'must be days, weeks and months such as 7d 4w 12m, of which at least one is not 0',
    ),
    smtp: hasSmtp ? smtp : undefined,
    mailFrom: read(
      'mail_from',
      (value) => readEmail(value || `daybook@${mailHostOf(publicUrl)}`)?.address,
      'must be an email address',
    ),
    requireVerifiedEmail: read(
      'require_verified_email',
      (value) => (value === '' ? hasSmtp : onOrOff(value)),
      'must be on or off',
    ),
    notifyAdmins: read('notify_admins', onOrOff, 'must be on or off'),
    basicPasswords: read('basic_passwords', onOrOff, 'must be on or off'),
    proofOfWork: read('proof_of_work', autoOnOrOff, 'must be auto, on or off'),
    revokeExposedCredentials: read('revoke_exposed_credentials', onOrOff, 'must be on or off'),
    rateLimits: read('rate_limits', onOrOff, 'must be on or off'),
    logLevel: read(
      'log_level',
      (value) => (['error', 'warn', 'info', 'silent'].includes(value) ? (value as LogLevel) : undefined),
      'must be error, warn, info or silent',
    ),
    metricsToken: read(
      'metrics_token',
      (value) => (value === '' || isToken(value) ? value : undefined),
      'must be 16 to 200 ASCII characters without spaces',
    ),
    metricsPort: read('metrics_port', optionalPort, 'must be a number from 0 to 65535, or empty').port,
    origins: Object.freeze(
      Object.fromEntries(settings.map(({ name }) => [name, originOf(name, env, file)])) as Config['origins'],
    ),
  })
}

const CHOICES = [
  ['site_name', 'siteName'],
  ['timezone', 'timezone'],
  ['week_start', 'weekStart'],
] as const

/** Applies choices where neither environment nor file has a value; returns an equal config where nothing is new. */
export function withInstanceSettings(config: Config, { timezone = '', ...choices }: InstanceSettings): Config {
  // A zone that this runtime does not know is ignored.
  const chosen: InstanceSettings = { ...choices, timezone: findZone(timezone)?.name }
  let settled = config
  for (const [name, key] of CHOICES) {
    const origin = config.origins[name]
    const isFixed = origin === 'environment' || origin === 'file'
    const isKnown = origin === 'setup' && config[key] === chosen[key]
    if (chosen[key] === undefined || isFixed || isKnown) continue
    settled = { ...settled, [key]: chosen[key], origins: Object.freeze({ ...settled.origins, [name]: 'setup' }) }
  }
  return Object.freeze(settled)
}

export const configPath = (env: SettingSource = process.env, folder: string = process.cwd()): string =>
  env.DAYBOOK_CONFIG ? resolve(folder, env.DAYBOOK_CONFIG) : join(folder, 'daybook.json')

function readTls(certificate: string, key: string, folder: string): Config['tls'] {
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

/** The content of the file; empty where there is none. */
export function readConfigFile(path: string, isWanted: boolean): object {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === undefined) throw new ConfigError(`${path} is not valid JSON`)
    if (code === 'EISDIR') throw new ConfigError(`${path} is a folder, not a file`)
    const isMissing = code === 'ENOENT'
    if (isMissing && lstatSync(path, { throwIfNoEntry: false }))
      throw new ConfigError(`${path} is a broken symbolic link`)
    if (isMissing && !isWanted) return {}
    throw new ConfigError(`${isWanted ? 'DAYBOOK_CONFIG: ' : ''}the file ${path} cannot be read`)
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new ConfigError(`${path} must hold one JSON object`)
  return content
}

function settingsIn(content: object, path: string): SettingSource {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => {
      if (!settings.some((setting) => setting.name === name))
        throw new ConfigError(`${path}: there is no setting "${name}"`)
      if (typeof value === 'boolean') return [name, value ? 'on' : 'off']
      if (Array.isArray(value)) return [name, value.join(',')]
      return [name, String(value)]
    }),
  )
}

function sourceOf(name: string, env: SettingSource, file: SettingSource): string {
  const origin = originOf(name, env, file)
  if (origin === 'environment') return environmentName(name)
  return origin === 'file' ? `daybook.json "${name}"` : name
}

function originOf(name: string, env: SettingSource, file: SettingSource): Origin {
  if (env[environmentName(name)] !== undefined) return 'environment'
  return file[name] !== undefined ? 'file' : 'default'
}
