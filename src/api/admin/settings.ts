// Routes with which administrators read and change settings, and send themselves a test mail.
import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  changeSettings,
  readSettingsVersion,
  type SettingsPatch,
  settingsEtagOf,
} from '../../actions/settings/change-settings.ts'
import { type Config, isFixed } from '../../config.ts'
import type { Context } from '../../context.ts'
import { Type } from '../../contract/json-schema.ts'
import { SettingItem, SettingsChange, TestMailItem } from '../../contract/settings.ts'
import { formatInterval, formatRetention } from '../../domain/backup-schedule.ts'
import { weekStartName } from '../../domain/time/weekdays.ts'
import { environmentName } from '../../environment.ts'
import { readPrecondition, requirePrecondition } from '../../http/responses/conditional.ts'
import type { Site } from '../../http/site.ts'
import type { LoginThrottle } from '../../rate-limits/login-throttle.ts'
import type { RequestLimits } from '../../rate-limits/request-limits.ts'
import { MACHINE_REASONS, type SettingName, settings } from '../../settings.ts'
import type { RouteDocs } from '../docs/route.ts'

export interface SettingsServer {
  site: Site
  attempts: LoginThrottle
  limits: RequestLimits
}

export function addSettingsRoutes(app: FastifyInstance, ctx: Context, server: SettingsServer): void {
  const { site, attempts, limits } = server
  const path = `${site.base}/admin/settings`
  const access = 'administer'
  const send = (reply: FastifyReply, version: number): FastifyReply =>
    reply
      .header('etag', settingsEtagOf(version, ctx.secret))
      .send({ data: settings.map((setting) => presentSetting(ctx.config, setting)), meta: { version } })

  app.get(path, { config: { access, docs: docs.list } }, async (request, reply) =>
    send(reply, await readSettingsVersion(ctx, request.viewer)),
  )

  app.patch(
    path,
    {
      preValidation: requirePrecondition,
      schema: { body: SettingsChange },
      config: { access, carriesSecrets: true, docs: docs.change },
    },
    async (request, reply) => {
      const { version: _, current_password: currentPassword, ...patch } = request.body as SettingsBody
      const expected = readPrecondition(request.headers['if-match'], request.body)
      const createAttempt = (email: string) => attempts(request, email)
      const change = { patch, expected, requestId: request.id, currentPassword, createAttempt }
      return send(reply, await changeSettings(ctx, request.viewer, change))
    },
  )

  app.post(`${path}/test-mail`, { config: { access, docs: docs.testMail } }, async (request) => {
    const { sendTestMailTo } = await import('../../doctor/test-mail.ts')
    const count = (accountId: string) => limits.count('test-mail', accountId)
    return { data: await sendTestMailTo(ctx, request.viewer, { requestId: request.id, count }) }
  })
}

type SettingsBody = SettingsPatch & { version?: number; current_password?: string }

type SettingEntry = (typeof settings)[number]

function presentSetting(config: Config, setting: SettingEntry) {
  const { name, help, default: fallback } = setting
  const isFree = !('needs' in setting) && !isFixed(config, setting.name)
  return {
    name,
    environment: environmentName(name),
    value: SHOWN[name](config),
    origin: config.origins[name],
    default: fallback,
    stored: 'needs' in setting ? null : (config.stored[setting.name] ?? null),
    changeable: isFree,
    reason: isFree ? null : reasonOf(config, setting),
    reason_code: isFree ? null : reasonCodeOf(config, setting),
    ...(name === 'smtp_url' ? { has_password: Boolean(config.smtp?.password) } : {}),
    meaning: help,
  }
}

function reasonCodeOf({ origins }: Config, setting: SettingEntry): string {
  if ('needs' in setting) return setting.needs
  const origin = origins[setting.name]
  return origin === 'environment' || origin === 'file' ? origin : 'smtp_url'
}

function reasonOf({ origins }: Config, setting: SettingEntry): string {
  if ('needs' in setting) return MACHINE_REASONS[setting.needs]
  const origin = origins[setting.name]
  if (origin === 'environment') return `The operator has set it in the environment (${environmentName(setting.name)}).`
  return origin === 'file' ? 'The operator has set it in daybook.json.' : 'It belongs to the operator’s smtp_url.'
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
  week_start: ({ weekStart, isWeekStartByLanguage }) => weekStartName(weekStart, isWeekStartByLanguage),
  language: ({ language }) => language,
  default_visibility: ({ defaultVisibility }) => defaultVisibility,
  embed_sites: ({ embedSites }) => embedSites.join(', '),
  api_origins: ({ apiOrigins }) => apiOrigins.join(', '),
  bulk_change_limit: ({ bulkChangeLimit }) => String(bulkChangeLimit),
  trash_days: ({ trashDays }) => String(trashDays),
  history_days: ({ historyDays }) => String(historyDays),
  caldav_blind_writes: ({ caldavBlindWrites }) => caldavBlindWrites,
  trust_proxy: ({ trustProxy }) => trustProxy.join(', '),
  proxy_header: ({ proxyHeader }) => proxyHeader,
  allow_loopback_http: ({ allowLoopbackHttp }) => onOrOff(allowLoopbackHttp),
  tls_certificate: ({ tls }) => (tls ? '…' : ''),
  tls_key: ({ tls }) => (tls ? '…' : ''),
  hsts_subdomains: ({ hstsSubdomains }) => onOrOff(hstsSubdomains),
  backup_dir: ({ backupDir }) => backupDir,
  backup_every: ({ backupEveryMs }) => formatInterval(backupEveryMs),
  backup_keep: ({ backupKeep }) => formatRetention(backupKeep),
  smtp_url: ({ smtp }) =>
    smtp ? `${smtp.isImplicitTls ? 'smtps' : 'smtp'}://…@${hostOf(smtp.host)}:${smtp.port}` : '',
  smtp_tls: ({ smtp }) => onOrOff(smtp?.isEncrypted ?? true),
  mail_from: ({ mailFrom }) => mailFrom,
  require_verified_email: ({ requireVerifiedEmail }) => onOrOff(requireVerifiedEmail),
  registration: ({ registration }) => registration,
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

const docs = {
  list: {
    id: 'listSettings',
    summary: 'Show the settings in force',
    description:
      'Those of the node that answers. Passwords are never among them. `ETag` and `meta.version` are for a change of the changeable ones.',
    success: {
      status: 200,
      headers: ['ETag'],
      isForIfMatchOnly: true,
      description: 'Every setting, with its meaning.',
      data: Type.Array(SettingItem),
    },
    errors: [],
  },
  change: {
    id: 'changeSettings',
    summary: 'Change settings, or reset them to their defaults',
    description:
      'Only settings that are `changeable`, and `smtp_password`. They are stored in the database and in force on every node within ten seconds. Environment and `daybook.json` win: a setting that they have is refused with `set_by_operator`. Every change is in the audit trail. A mail server makes verified addresses a requirement, if `require_verified_email` is not set: without one of your own the change is refused with `email_not_verified`. The mail server and the sender are changed with your password, in `current_password` or by Basic, and never with a token: mails carry links that reset passwords. `backup_keep` cannot be less than its default.',
    success: {
      status: 200,
      headers: ['ETag'],
      description: 'Every setting, as it is in force now.',
      data: Type.Array(SettingItem),
    },
    errors: ['email_not_verified'],
    takesPrecondition: 'required',
  },
  testMail: {
    id: 'sendTestMail',
    summary: 'Send a test mail to yourself',
    description: 'With the mail server in force, to the address of your own account. Five in 15 minutes.',
    success: { status: 200, description: 'Whether it was sent.', data: TestMailItem },
    errors: ['rate_limited'],
  },
} satisfies Record<string, RouteDocs>
