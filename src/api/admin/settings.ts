// Route that lists the settings in force for administrators, without secrets.
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { Type } from '../../contract/json-schema.ts'
import { SettingItem } from '../../contract/settings.ts'
import { DAY_MS, HOUR_MS } from '../../domain/time/instant.ts'
import { WEEKDAY_NAMES } from '../../domain/time/weekdays.ts'
import { environmentName } from '../../environment.ts'
import type { Site } from '../../http/site.ts'
import { type SettingName, settings } from '../../settings.ts'
import type { RouteDocs } from '../docs/route.ts'

export function addSettingsRoutes(app: FastifyInstance, ctx: Context, site: Site): void {
  app.get(`${site.base}/admin/settings`, { config: { access: 'administer', docs } }, async () => ({
    data: settings.map(({ name, help }) => ({
      name,
      environment: environmentName(name),
      value: SHOWN[name](ctx.config),
      origin: ctx.config.origins[name],
      meaning: help,
    })),
  }))
}

const onOrOff = (isOn: boolean): string => (isOn ? 'on' : 'off')

/** An allow-list: each value is built from what may be shown, so nothing else of a setting can leak. */
const SHOWN: Record<SettingName, (config: Config) => string> = {
  host: ({ host }) => host,
  port: ({ port }) => String(port),
  public_url: ({ publicUrl }) => publicUrl.origin,
  url_slug: ({ urlSlug }) => urlSlug,
  site_name: ({ siteName }) => siteName,
  data_dir: ({ dataDir }) => dataDir,
  database_url: ({ databaseUrl }) => placeOf(databaseUrl),
  database_pool_size: ({ databasePoolSize }) => String(databasePoolSize),
  memory_limit: ({ memoryLimitMib }) => String(memoryLimitMib),
  durable_commits: ({ durableCommits }) => onOrOff(durableCommits),
  timezone: ({ timezone }) => timezone,
  week_start: ({ weekStart }) => WEEKDAY_NAMES[weekStart]!,
  default_visibility: ({ defaultVisibility }) => defaultVisibility,
  embed_sites: ({ embedSites }) => embedSites.join(', '),
  caldav_blind_writes: ({ caldavBlindWrites }) => caldavBlindWrites,
  trust_proxy: ({ trustProxy }) => trustProxy.join(', '),
  proxy_header: ({ proxyHeader }) => proxyHeader,
  allow_loopback_http: ({ allowLoopbackHttp }) => onOrOff(allowLoopbackHttp),
  tls_certificate: ({ tls }) => (tls ? '…' : ''),
  tls_key: ({ tls }) => (tls ? '…' : ''),
  hsts_subdomains: ({ hstsSubdomains }) => onOrOff(hstsSubdomains),
  backup_dir: ({ backupDir }) => backupDir,
  backup_every: ({ backupEveryMs }) =>
    backupEveryMs % DAY_MS === 0 ? `${backupEveryMs / DAY_MS}d` : `${backupEveryMs / HOUR_MS}h`,
  backup_keep: ({ backupKeep: { days, weeks, months } }) => `${days}d ${weeks}w ${months}m`,
  smtp_url: ({ smtp }) =>
    smtp ? `${smtp.isImplicitTls ? 'smtps' : 'smtp'}://…@${hostOf(smtp.host)}:${smtp.port}` : '',
  smtp_tls: ({ smtp }) => onOrOff(smtp?.isEncrypted ?? true),
  mail_from: ({ mailFrom }) => mailFrom,
  require_verified_email: ({ requireVerifiedEmail }) => onOrOff(requireVerifiedEmail),
  notify_admins: ({ notifyAdmins }) => onOrOff(notifyAdmins),
  basic_passwords: ({ basicPasswords }) => onOrOff(basicPasswords),
  proof_of_work: ({ proofOfWork }) => proofOfWork,
  revoke_exposed_credentials: ({ revokeExposedCredentials }) => onOrOff(revokeExposedCredentials),
  rate_limits: ({ rateLimits }) => onOrOff(rateLimits),
  log_level: ({ logLevel }) => logLevel,
  metrics_token: ({ metricsToken }) => (metricsToken ? '…' : ''),
  metrics_port: ({ metricsPort }) => String(metricsPort ?? ''),
}

const hostOf = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Host and name of the database, without the user and the password. */
function placeOf(databaseUrl: string): string {
  if (databaseUrl === '') return ''
  if (!URL.canParse(databaseUrl)) return 'postgres://…'
  const { host, pathname } = new URL(databaseUrl)
  return `postgres://…@${host}${pathname}`
}

const docs: RouteDocs = {
  id: 'listSettings',
  summary: 'Show the settings in force',
  description:
    'Those of the node that answers. Passwords are never among them; settings are changed where they are kept.',
  success: { status: 200, description: 'Every setting, with its meaning.', data: Type.Array(SettingItem) },
  errors: [],
}
