// Checks settings: unknown names, values that are refused, and settings that contradict each other.
import { findTransportProblem } from '../../actions/access/transport-problem.ts'
import { type Config, ConfigError, configPath, loadConfig, readConfigFile, type SettingSource } from '../../config.ts'
import { currentEnvironment, environmentName } from '../../environment.ts'
import { type SettingName, settings } from '../../settings.ts'
import { type Finding, finding } from '../finding.ts'

export interface CheckedConfig {
  /** Undefined if the settings are refused; then little else can be checked. */
  config: Config | undefined
  findings: Finding[]
}

/** Goes on without unknown settings, so that the other checks can be made; `checkConfig` judges the rest. */
export function checkConfigFile(): CheckedConfig {
  const findings: Finding[] = []
  try {
    const unknown = findUnknownSettings()
    for (const name of unknown.names)
      findings.push(
        finding('config_unknown_setting', `there is no setting "${name}"; the service does not start with it`, {
          advice: 'Correct its spelling or remove it. docs/settings.md lists the settings.',
        }),
      )
    const config = loadConfig(unknown.knownEnvironment, undefined, unknown.knownContent)
    return { config, findings }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const advice = 'Correct it; the service does not start with it. docs/settings.md describes each setting.'
    return { config: undefined, findings: [...findings, finding('config_invalid', error.message, { advice })] }
  }
}

interface UnknownSettings {
  names: string[]
  /** Environment and content of the file without them. */
  knownEnvironment: SettingSource
  knownContent: object
}

/** Every name that stops the start; fails where the file cannot be read. */
function findUnknownSettings(): UnknownSettings {
  const env = currentEnvironment()
  const content = Object.entries(readConfigFile(configPath(env), !!env.DAYBOOK_CONFIG))
  const isKnown = (name: string): boolean => settings.some((setting) => setting.name === name)
  const isUnknownVariable = (name: string): boolean =>
    name.startsWith('DAYBOOK_') &&
    name !== 'DAYBOOK_CONFIG' &&
    !settings.some((setting) => environmentName(setting.name) === name)
  return {
    names: [
      ...Object.keys(env).filter(isUnknownVariable),
      ...content.map(([name]) => name).filter((name) => !isKnown(name)),
    ],
    knownEnvironment: Object.fromEntries(Object.entries(env).filter(([name]) => !isUnknownVariable(name))),
    knownContent: Object.fromEntries(content.filter(([name]) => isKnown(name))),
  }
}

/** Settings that are valid one by one. */
export function checkConfig(config: Config, isValid = true): Finding[] {
  const found = [...transportFindings(config), ...mailFindings(config), ...idleSettings(config)]
  if (!config.rateLimits)
    found.push(
      finding('rate_limits_off', 'rate_limits is off: passwords can be guessed without limit', {
        values: {},
        advice: 'Set rate_limits to on. Only load tests need it off.',
      }),
    )
  if (config.databaseUrl && !config.durableCommits)
    found.push(
      finding('commits_not_durable', 'durable_commits is off: a power cut may lose acknowledged events', {
        values: {},
        advice: 'Turn fsync and synchronous_commit on in PostgreSQL, and set durable_commits to on.',
      }),
    )
  if (found.length === 0 && isValid)
    found.push(finding('config_ok', 'the settings are valid and fit together', { values: {} }))
  return found
}

function transportFindings(config: Config): Finding[] {
  const problem = findTransportProblem(config)
  if (problem?.code === 'https_unreachable')
    return [
      finding(
        problem.code,
        'public_url is https, but trust_proxy names no proxy and tls_certificate is not set: every request is refused with https_required',
        {
          values: {},
          advice:
            'Set trust_proxy to the address of your proxy and let it set X-Forwarded-Proto and X-Forwarded-For, or set tls_certificate and tls_key.',
        },
      ),
    ]
  if (problem)
    return [
      finding(
        problem.code,
        'allow_loopback_http is on: a proxy on this machine that sets no headers makes every visitor local',
        {
          values: {},
          advice: 'Set allow_loopback_http to off, unless programs on this machine need plain http.',
        },
      ),
    ]
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(config.publicUrl.hostname)
  if (config.publicUrl.protocol === 'https:' || isLocal) return []
  return [
    finding('public_url_plain', 'public_url is plain http: signing in is refused except on this machine', {
      values: {},
      advice: 'Serve HTTPS, by a proxy or directly, and set public_url to the https address.',
    }),
  ]
}

function mailFindings({ smtp, requireVerifiedEmail, origins }: Config): Finding[] {
  const found: Finding[] = []
  if (smtp && !smtp.isEncrypted && smtp.user && !/^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(smtp.host))
    found.push(
      finding('mail_password_in_clear', 'smtp_tls is off: the password of the mail server is sent unencrypted', {
        values: {},
        advice: 'Set smtp_tls to on, or use a mail server on this machine.',
      }),
    )
  if (!smtp && requireVerifiedEmail && origins.require_verified_email !== 'default')
    found.push(
      finding(
        'verification_without_mail',
        'require_verified_email is on, but there is no mail server to send the links',
        {
          values: {},
          advice: 'Set smtp_url, or give people the links from the files in data/mail.',
        },
      ),
    )
  return found
}

/** Settings that were set and do nothing without another one. */
function idleSettings(config: Config): Finding[] {
  const idle: [SettingName, boolean, string][] = [
    ['proxy_header', config.trustProxy.length === 0, 'trust_proxy'],
    ['database_pool_size', !config.databaseUrl, 'database_url'],
    ['durable_commits', !config.databaseUrl, 'database_url'],
    ['smtp_tls', !config.smtp, 'smtp_url'],
    ['backup_every', config.backupDir === '', 'backup_dir'],
    ['backup_keep', config.backupDir === '', 'backup_dir'],
    ['hsts_subdomains', config.publicUrl.protocol !== 'https:', 'an https public_url'],
    ['revoke_exposed_credentials', config.publicUrl.protocol !== 'https:', 'an https public_url'],
  ]
  return idle
    .filter(([name, isIdle]) => isIdle && config.origins[name] !== 'default')
    .map(([name, , needed]) =>
      finding('setting_without_effect', `${name} is set, but has no effect without ${needed}`, {
        values: { name, needed },
        advice: `Set ${needed} too, or remove ${name}.`,
      }),
    )
}
