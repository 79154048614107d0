// Findings of `daybook doctor`: every code with its area and level; docs/doctor.md lists them.
import type { FindingValues } from '../contract/health.ts'
import { describeKind } from '../errors.ts'

export type FindingLevel = 'ok' | 'warning' | 'problem'

/** In the order in which they are shown. */
export const AREAS = [
  'configuration',
  'files',
  'disk',
  'database',
  'index',
  'time',
  'mail',
  'service',
  'public_url',
  'certificate',
  'proxy',
  'backup',
] as const

export type FindingArea = (typeof AREAS)[number]

export interface Finding {
  code: FindingCode
  area: FindingArea
  level: FindingLevel
  /** What was found, without paths and secrets. */
  message: string
  /** What to do about it; absent where nothing is to be done. */
  advice?: string | undefined
  /** What the message names, for pages, which say it in the reader's language. */
  values?: FindingValues | undefined
  /** The file or folder it is about, for the operator on the machine only. */
  path?: string | undefined
}

/** Codes are stable: programs read them. */
const CODES = {
  check_failed: ['configuration', 'problem'],
  config_ok: ['configuration', 'ok'],
  config_invalid: ['configuration', 'problem'],
  config_unknown_setting: ['configuration', 'problem'],
  setting_without_effect: ['configuration', 'warning'],
  https_unreachable: ['configuration', 'problem'],
  loopback_http_allowed: ['configuration', 'warning'],
  public_url_plain: ['configuration', 'warning'],
  rate_limits_off: ['configuration', 'warning'],
  commits_not_durable: ['configuration', 'warning'],
  mail_password_in_clear: ['configuration', 'warning'],
  verification_without_mail: ['configuration', 'warning'],
  categories_not_managed: ['configuration', 'ok'],
  files_ok: ['files', 'ok'],
  files_not_checked: ['files', 'ok'],
  folder_open: ['files', 'warning'],
  file_open: ['files', 'warning'],
  file_owner: ['files', 'problem'],
  file_not_accessible: ['files', 'problem'],
  disk_ok: ['disk', 'ok'],
  disk_low: ['disk', 'warning'],
  disk_full: ['disk', 'problem'],
  database_ok: ['database', 'ok'],
  database_not_created: ['database', 'warning'],
  database_missing: ['database', 'problem'],
  database_unreachable: ['database', 'problem'],
  database_unsuitable: ['database', 'problem'],
  database_damaged: ['database', 'problem'],
  references_broken: ['database', 'problem'],
  database_index_invalid: ['database', 'problem'],
  schema_outdated: ['database', 'warning'],
  schema_newer: ['database', 'problem'],
  index_ok: ['index', 'ok'],
  index_wrong: ['index', 'problem'],
  index_rebuilding: ['index', 'warning'],
  index_outdated: ['index', 'warning'],
  events_unreadable: ['index', 'problem'],
  clock_ok: ['time', 'ok'],
  clock_in_doubt: ['time', 'problem'],
  clock_drift: ['time', 'warning'],
  zone_data_ok: ['time', 'ok'],
  zone_data_old: ['time', 'warning'],
  mail_ok: ['mail', 'ok'],
  mail_to_files: ['mail', 'ok'],
  mail_failing: ['mail', 'problem'],
  mail_sent: ['mail', 'ok'],
  mail_not_sent: ['mail', 'problem'],
  service_ok: ['service', 'ok'],
  service_stopped: ['service', 'warning'],
  service_not_ready: ['service', 'problem'],
  service_not_checked: ['service', 'ok'],
  public_url_ok: ['public_url', 'ok'],
  public_url_not_checked: ['public_url', 'ok'],
  public_url_unreachable: ['public_url', 'problem'],
  public_url_elsewhere: ['public_url', 'problem'],
  certificate_ok: ['certificate', 'ok'],
  certificate_expiring: ['certificate', 'warning'],
  certificate_expired: ['certificate', 'problem'],
  certificate_not_valid_yet: ['certificate', 'problem'],
  certificate_wrong_name: ['certificate', 'problem'],
  certificate_untrusted: ['certificate', 'warning'],
  proxy_ok: ['proxy', 'ok'],
  proxy_bare: ['proxy', 'problem'],
  proxy_untrusted: ['proxy', 'problem'],
  proxy_without_scheme: ['proxy', 'problem'],
  proxy_without_address: ['proxy', 'warning'],
  backup_ok: ['backup', 'ok'],
  backup_unknown: ['backup', 'ok'],
  backup_failing: ['backup', 'problem'],
  backup_overdue: ['backup', 'warning'],
  backup_missing: ['backup', 'warning'],
  backup_ahead: ['backup', 'warning'],
} as const satisfies Record<string, readonly [FindingArea, FindingLevel]>

export type FindingCode = keyof typeof CODES

export const FINDING_CODES = Object.keys(CODES) as FindingCode[]

export const levelOf = (code: FindingCode): FindingLevel => CODES[code][1]

export function finding(
  code: FindingCode,
  message: string,
  more: Partial<Pick<Finding, 'advice' | 'values' | 'path' | 'area'>> = {},
): Finding {
  const [area, level] = CODES[code]
  return { code, area, level, message, ...more }
}

/** The advice where this user may not use a file. */
export const AS_SERVICE =
  'Run the command as the user of the service. If it is that user, run chown and chmod on folder and files.'

/** Whether the file system refuses something to this user; errors of a connection name no path. */
export function isRefused(error: unknown): boolean {
  const { code, path } = error as { code?: string; path?: string }
  return (code === 'EACCES' || code === 'EPERM') && path !== undefined
}

/** Its kind only: messages of other programs may have a password in them. */
export function describeUnexpected(error: unknown, area: FindingArea): Finding {
  const kind = Object.values(describeKind(error)).filter(Boolean).join(' ')
  return finding('check_failed', `this could not be checked (${kind})`, {
    area,
    advice: 'Report it, with this line.',
    values: { kind },
  })
}

const LEVELS: readonly FindingLevel[] = ['ok', 'warning', 'problem']

export const worstOf = (findings: readonly Pick<Finding, 'level'>[]): FindingLevel =>
  LEVELS[Math.max(0, ...findings.map(({ level }) => LEVELS.indexOf(level)))]!

/** By area, the order of the checks within it. */
export const sortFindings = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((a, b) => AREAS.indexOf(a.area) - AREAS.indexOf(b.area))
