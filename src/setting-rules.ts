// Validation of the settings that administrators may change, shared with daybook.json.
import { formatInterval, formatRetention, parseInterval, parseRetention } from './domain/backup-schedule.ts'
import type { Visibility } from './domain/calendar/event.ts'
import { readEmail } from './domain/email.ts'
import { LANGUAGES } from './domain/languages.ts'
import { weekStartOf } from './domain/time/week-start.ts'
import { WEEK_STARTS, WEEKDAY_NAMES } from './domain/time/weekdays.ts'
import { findZone } from './domain/time/zone.ts'
import { environmentName } from './environment.ts'
import {
  formatSmtp,
  indexIn,
  mailHostOf,
  onOrOff,
  parseSiteName,
  parseSites,
  parseSmtp,
  type Smtp,
} from './setting-values.ts'
import { type ChangeableName, settings } from './settings.ts'

export interface SettingRule<T> {
  /** Undefined where the text is not allowed. */
  parse(text: string): T | undefined
  /** The text in its usual form, without a password. */
  format(value: T): string
  /** Completes a sentence that begins with the name of the setting. */
  expected: string
  /** The code of a refusal in the API. */
  problem: 'invalid_format' | 'not_allowed' | 'timezone_unknown'
}

const rule = <T>(given: Omit<SettingRule<T>, 'problem'> & Partial<SettingRule<T>>): SettingRule<T> => ({
  problem: 'invalid_format',
  ...given,
})

const wordOf = <const Word extends string>(...words: readonly Word[]): SettingRule<Word> =>
  rule({
    parse: (text) => words.find((word) => word === text),
    format: (word) => word,
    expected: `must be ${words.join(' or ')}`,
    problem: 'not_allowed',
  })

const SWITCH = rule({
  parse: onOrOff,
  format: (isOn) => (isOn ? 'on' : 'off'),
  expected: 'must be on or off',
  problem: 'not_allowed',
})

export const RULES = {
  site_name: rule({
    parse: parseSiteName,
    format: (name) => name,
    expected: 'must be 1 to 100 characters on one line',
  }),
  timezone: rule({
    parse: (text) => findZone(text)?.name,
    format: (name) => name,
    expected: 'must be an IANA time zone such as Europe/London',
    problem: 'timezone_unknown',
  }),
  week_start: rule<number | 'auto'>({
    parse: (text) => (text.toLowerCase() === 'auto' ? 'auto' : indexIn(WEEKDAY_NAMES)(text)),
    format: (day) => (day === 'auto' ? day : WEEKDAY_NAMES[day]!),
    expected: `must be one of ${WEEK_STARTS.join(', ')}`,
    problem: 'not_allowed',
  }),
  language: wordOf(...LANGUAGES),
  default_visibility: wordOf<Visibility>('public', 'private'),
  embed_sites: rule({
    parse: parseSites,
    format: (sites) => sites.join(', '),
    expected: 'must be addresses such as https://www.example.org, separated by commas, or *',
  }),
  registration: wordOf('open', 'closed'),
  notify_admins: SWITCH,
  backup_every: rule({
    parse: parseInterval,
    format: formatInterval,
    expected: 'must be hours or days, such as 6h or 1d, a year at most',
  }),
  backup_keep: rule({
    parse: parseRetention,
    format: formatRetention,
    expected: 'must be days, weeks and months such as 7d 4w 12m, of which at least one is not 0',
  }),
  /** Whether the connection is encrypted is another setting. */
  smtp_url: rule<Smtp | 'none'>({
    parse: (text) => (text === '' ? 'none' : parseSmtp(text, true)),
    format: (smtp) => (smtp === 'none' ? '' : formatSmtp(smtp)),
    expected: 'must look like smtp://user:password@mail.example.org:587 or smtps://…:465',
  }),
  smtp_tls: SWITCH,
  /** Empty: it follows from `public_url`. */
  mail_from: rule({
    parse: (text) => (text === '' ? '' : readEmail(text)?.address),
    format: (address) => address,
    expected: 'must be an email address',
  }),
} satisfies Record<ChangeableName, unknown>

/** The values that texts of these settings mean. */
export type ChangeableValues = {
  [Name in ChangeableName]: Exclude<ReturnType<(typeof RULES)[Name]['parse']>, undefined>
}

/** The text in its usual form; undefined where it is not allowed. */
export function normalizeSetting(name: ChangeableName, text: string): string | undefined {
  const { parse, format } = ruleOf(name)
  const value = parse(text.trim())
  return value === undefined ? undefined : format(value)
}

export const ruleOf = (name: ChangeableName): SettingRule<unknown> => RULES[name] as SettingRule<unknown>

export const defaultOf = (name: string): string => settings.find((setting) => setting.name === name)!.default

/** Names and texts, of the environment or the file. */
export type SettingSource = Record<string, string | undefined>

export type FixedTexts = Readonly<Partial<Record<ChangeableName | 'require_verified_email', string>>>

/** The part of the configuration that administrators may change, and what follows from it. */
export function combine(chosen: ChangeableValues, publicUrl: URL, isVerifiedEmailRequired: boolean | 'with_mail') {
  const { smtp_url: server, smtp_tls: isEncrypted } = chosen
  const smtp = server === 'none' ? undefined : { ...server, isEncrypted: isEncrypted || server.isImplicitTls }
  return {
    siteName: chosen.site_name,
    timezone: chosen.timezone,
    weekStart: chosen.week_start === 'auto' ? weekStartOf(chosen.language) : chosen.week_start,
    isWeekStartByLanguage: chosen.week_start === 'auto',
    language: chosen.language,
    defaultVisibility: chosen.default_visibility,
    embedSites: chosen.embed_sites,
    registration: chosen.registration,
    notifyAdmins: chosen.notify_admins,
    backupEveryMs: chosen.backup_every,
    backupKeep: chosen.backup_keep,
    smtp,
    mailFrom: chosen.mail_from || `daybook@${mailHostOf(publicUrl)}`,
    requireVerifiedEmail: isVerifiedEmailRequired === 'with_mail' ? smtp !== undefined : isVerifiedEmailRequired,
  }
}

export const CHANGEABLE = Object.keys(RULES) as ChangeableName[]

export const readChangeable = (read: (name: ChangeableName) => unknown): ChangeableValues =>
  Object.fromEntries(CHANGEABLE.map((name) => [name, read(name)])) as ChangeableValues

/** Empty counts as not set, as in `DAYBOOK_SMTP_URL=`. */
export function fixedTexts(env: SettingSource, file: SettingSource): FixedTexts {
  const names = [...CHANGEABLE, 'require_verified_email'] as const
  const texts = names.map((name) => [name, (env[environmentName(name)] ?? file[name])?.trim()] as const)
  return Object.fromEntries(texts.filter(([, text]) => text))
}
