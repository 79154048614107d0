// Configuration: the only reader of process.env; with daybook.json it becomes one frozen value.
import { lstatSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BackupRetention } from './domain/backup-schedule.ts'
import type { Visibility } from './domain/calendar/event.ts'
import type { Language } from './domain/languages.ts'
import { environmentName } from './environment.ts'
import type { LogLevel } from './ops/log.ts'
import {
  CHANGEABLE,
  combine,
  defaultOf,
  type FixedTexts,
  fixedTexts,
  normalizeSetting,
  readChangeable,
  ruleOf,
  type SettingSource,
} from './setting-rules.ts'
import {
  autoOnOrOff,
  ConfigError,
  filled,
  integer,
  isDatabaseUrl,
  isToken,
  onOrOff,
  optionalPort,
  parseApiOrigins,
  parseNetworks,
  parsePublicUrl,
  parseSlug,
  readTls,
  type Smtp,
  servedOnOrOff,
  type TlsFiles,
} from './setting-values.ts'
import { type ChangeableName, type SettingName, settings } from './settings.ts'

export { ConfigError, readTlsFiles, type TlsFiles, type TlsPaths } from './setting-values.ts'

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
  /** Of `view=week` in the API; by language it is that of `language`. Monday is 0. */
  weekStart: number
  /** Pages begin the week as the reader's language does. */
  isWeekStartByLanguage: boolean
  language: Language
  defaultVisibility: Visibility
  /** Sites that may show the calendar in a frame, besides this one; `*` is any site. */
  embedSites: readonly string[]
  /** Other origins whose pages may call the API with a token. */
  apiOrigins: readonly string[]
  /** How long deleted events are kept; 0: not at all. */
  trashDays: number
  /** How long earlier versions of events are kept; 0: not at all. */
  historyDays: number
  /** Of one credential in ten minutes; 0 for none. */
  bulkChangeLimit: number
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
  /** Whether people may request an account. */
  registration: 'open' | 'closed'
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
  /** What environment and file say of settings that are changed or derived otherwise; such texts win. */
  fixed: FixedTexts
  /** What was read from the database. */
  stored: StoredSettings
}

/** In order of precedence. */
export type Origin = 'environment' | 'file' | 'database' | 'default'

/** Texts of settings that administrators have changed. The password of the mail server is no setting of the file. */
export type StoredSettings = Readonly<Partial<Record<StoredName, string>>>
export type StoredName = ChangeableName | 'smtp_password'

export type { SettingSource }

/** `content` replaces that of the file, to check what would result from it. */
export function loadConfig(env: SettingSource = process.env, folder: string = process.cwd(), content?: object): Config {
  const path = configPath(env, folder)
  const file = settingsIn(content ?? readConfigFile(path, !!env.DAYBOOK_CONFIG), path)
  for (const name of Object.keys(env)) {
    const known = name === 'DAYBOOK_CONFIG' || settings.some((setting) => environmentName(setting.name) === name)
    if (name.startsWith('DAYBOOK_') && !known) throw new ConfigError(`${name}: unknown setting`)
  }
  const text = (name: string): string => env[environmentName(name)] ?? file[name] ?? defaultOf(name)
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
  const fixed = fixedTexts(env, file)
  const chosen = readChangeable((name) => {
    const { parse, expected } = ruleOf(name)
    return read(name, parse, expected)
  })
  const isVerifiedEmailRequired = read(
    'require_verified_email',
    (value) => (value === '' ? 'with_mail' : onOrOff(value)),
    'must be on or off',
  )
  return Object.freeze({
    ...combine(chosen, publicUrl, isVerifiedEmailRequired),
    fixed,
    stored: {},
    host: read('host', filled, 'must be a host name or an address'),
    port,
    publicUrl,
    urlSlug: read(
      'url_slug',
      parseSlug,
      'must be lower-case letters, digits and hyphens (at most 63) and none of the reserved words',
    ),
    dataDir: resolve(folder, read('data_dir', filled, 'must be a folder')),
    databaseUrl: read(
      'database_url',
      (value) => (value === '' || isDatabaseUrl(value) ? value : undefined),
      'must begin with postgres:// (leave it empty for SQLite); in a password / is %2F, # is %23 and @ is %40',
    ),
    databasePoolSize: read('database_pool_size', integer(1, 200), 'must be a number from 1 to 200'),
    memoryLimitMib: read('memory_limit', integer(128, 65_536), 'must be a number of MiB from 128 to 65536'),
    apiOrigins: read('api_origins', parseApiOrigins, 'must be https origins, or http ones of this machine; 50 at most'),
    trashDays: read('trash_days', integer(0, 3_660), 'must be a number of days from 0 to 3660'),
    historyDays: read('history_days', integer(0, 3_660), 'must be a number of days from 0 to 3660'),
    bulkChangeLimit: read('bulk_change_limit', integer(0, 100_000), 'must be a number of events from 0 to 100000'),
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

/** Whether environment or file decide; of a mail server they decide on all of its connection. */
export const isFixed = ({ fixed }: Config, name: ChangeableName): boolean =>
  fixed[name] !== undefined || (name === 'smtp_tls' && fixed.smtp_url !== undefined)

/**
 * Applies what administrators have changed where neither environment nor file has a value. A text that is not allowed
 * here, such as a zone that this runtime does not know, is ignored. Returns the same config where nothing is new.
 */
export function withStoredSettings(config: Config, stored: StoredSettings): Config {
  const names = [...CHANGEABLE, 'smtp_password'] as const
  if (names.every((name) => stored[name] === config.stored[name])) return config
  const isUsed = (name: ChangeableName): boolean =>
    !isFixed(config, name) && stored[name] !== undefined && normalizeSetting(name, stored[name]) !== undefined
  const textOf = (name: ChangeableName): string =>
    isUsed(name) ? stored[name]! : (config.fixed[name] ?? defaultOf(name))
  const chosen = readChangeable((name) => ruleOf(name).parse(textOf(name)))
  const { smtp_url: server } = chosen
  const withPassword =
    server !== 'none' && isUsed('smtp_url') ? { ...server, password: stored.smtp_password ?? '' } : server
  const required = config.fixed.require_verified_email
  const origins = CHANGEABLE.map((name) => [name, isUsed(name) ? 'database' : settledOrigin(config, name)])
  return Object.freeze({
    ...config,
    ...combine(
      { ...chosen, smtp_url: withPassword },
      config.publicUrl,
      required === undefined ? 'with_mail' : onOrOff(required)!,
    ),
    stored: Object.freeze({ ...stored }),
    origins: Object.freeze({ ...config.origins, ...Object.fromEntries(origins) }),
  })
}

const settledOrigin = ({ origins, fixed }: Config, name: ChangeableName): Origin =>
  fixed[name] === undefined ? 'default' : origins[name]

export const configPath = (env: SettingSource = process.env, folder: string = process.cwd()): string =>
  env.DAYBOOK_CONFIG ? resolve(folder, env.DAYBOOK_CONFIG) : join(folder, 'daybook.json')

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

/** An empty text where the default is empty sets nothing. */
function originOf(name: string, env: SettingSource, file: SettingSource): Origin {
  const [variable, entry] = [env[environmentName(name)], file[name]]
  if ((variable ?? entry)?.trim() === '' && defaultOf(name) === '') return 'default'
  return variable !== undefined ? 'environment' : entry !== undefined ? 'file' : 'default'
}
