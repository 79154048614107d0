// Changes settings for administrators: validation, precondition, audit without secrets.
import { type Config, isFixed, type StoredName, type StoredSettings, withStoredSettings } from '../../config.ts'
import type { Context } from '../../context.ts'
import { keepsAtLeast, parseRetention } from '../../domain/backup-schedule.ts'
import { meetsPrecondition, type Precondition } from '../../domain/precondition.ts'
import { actorIdOf, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { Problems } from '../../domain/problems.ts'
import { AppError, fail, failField } from '../../errors.ts'
import { keyedHash } from '../../secrets.ts'
import { CHANGEABLE, defaultOf, normalizeSetting, ruleOf } from '../../setting-rules.ts'
import { parseSmtp } from '../../setting-values.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import { lockSettings, readSettings, replaceSettings } from '../../storage/operations/settings.ts'
import { requireActor } from '../access/actor-guard.ts'
import { confirmPassword, type PasswordConfirmation } from '../access/confirm-password.ts'
import { applySettings, refreshSettings } from './live-settings.ts'

/** Texts by name; null resets a setting to its default. */
export type SettingsPatch = Partial<Record<StoredName, string | null>>

/** The password is that of the administrator, where a setting of mail is changed in a session. */
export interface SettingsUpdate extends PasswordConfirmation {
  patch: SettingsPatch
  expected: Precondition
  requestId: string
}

/** The version of the settings in force, which this node applies first if they are newer than its own. */
export function readSettingsVersion(ctx: Context, viewer: Viewer): Promise<number> {
  requireAccess(viewer, 'administer')
  return refreshSettings(ctx)
}

/** Returns the new version. */
export async function changeSettings(ctx: Context, viewer: Viewer, change: SettingsUpdate): Promise<number> {
  requireAccess(viewer, 'administer')
  const { patch, expected, requestId } = change
  if (Object.keys(patch).length === 0) failField('', 'required')
  if (MAIL.some((name) => name in patch)) await confirmPassword(ctx, viewer, change)
  const texts = readPatch(ctx.config, patch)
  const version = await inTransaction(ctx.storage, async (db) => {
    await requireActor(ctx, db, viewer, 'administer')
    await lockSettings(db)
    const { version: current, settings: before } = await readSettings(db)
    requireVersion(ctx, expected, current)
    const after = mergeSettings(before, texts)
    const changed = STORED.filter((name) => before[name] !== after[name])
    if (changed.length === 0) return current
    requireOwnAccess(ctx.config, after, viewer)
    const now = ctx.clock()
    const raised = await replaceSettings(db, before, after, now)
    for (const name of changed) {
      const detail = { [`${name}_from`]: auditText(name, before), [`${name}_to`]: auditText(name, after) }
      const entry = {
        action: 'setting_changed',
        actorId: actorIdOf(viewer),
        subjectId: null,
        requestId,
        detail,
      } as const
      await insertAudit(db, entry, now)
    }
    return raised
  })
  await applySettings(ctx)
  return version
}

/** Mails carry links that reset passwords, so whoever directs them can take over every account. */
const MAIL = ['smtp_url', 'smtp_tls', 'smtp_password', 'mail_from'] as const satisfies StoredName[]

const STORED: readonly StoredName[] = [...CHANGEABLE, 'smtp_password']

export const settingsEtagOf = (version: number, secret: string): string =>
  `"s-${version}-${keyedHash(secret, `settings ${version}`).slice(0, 8)}"`

function requireVersion({ secret }: Context, expected: Precondition, version: number): void {
  const etag = settingsEtagOf(version, secret)
  if (!meetsPrecondition(expected, { version, etag: () => etag }))
    throw new AppError('version_mismatch', { details: { current_version: version, current_etag: etag } })
}

/** All texts in their usual form, or every problem at once. An empty text resets like null. */
function readPatch(config: Config, patch: SettingsPatch): SettingsPatch {
  const problems = new Problems()
  const texts: SettingsPatch = {}
  for (const name of CHANGEABLE) {
    const sent = patch[name]
    if (sent === undefined) continue
    const text = sent === null ? '' : normalizeSetting(name, sent)
    if (sent !== null && isFixed(config, name)) problems.add(`/${name}`, 'set_by_operator')
    else if (text === undefined) problems.add(`/${name}`, ruleOf(name).problem)
    else if (name === 'backup_keep' && text && keepsLessThanDefault(text)) problems.add('/backup_keep', 'not_allowed')
    // It would be shown with the address.
    else if (name === 'smtp_url' && parseSmtp(sent ?? '', true)?.password) problems.add('/smtp_url', 'not_allowed')
    else texts[name] = text || null
  }
  if (patch.smtp_password && isFixed(config, 'smtp_url')) problems.add('/smtp_password', 'set_by_operator')
  if (patch.smtp_password !== undefined) texts.smtp_password = patch.smtp_password || null
  problems.throwIfAny()
  return texts
}

/** A shorter retention deletes backups at once, also for a stolen session; the operator may set one. */
const keepsLessThanDefault = (text: string): boolean =>
  !keepsAtLeast(parseRetention(text)!, parseRetention(defaultOf('backup_keep'))!)

/**
 * The password is kept only for the server, login and encryption that it was entered for: otherwise a session of an
 * administrator would be enough to have it sent elsewhere.
 */
function mergeSettings(before: StoredSettings, texts: SettingsPatch): StoredSettings {
  const merged = Object.entries({ ...before, ...texts }).filter(([, text]) => text !== null)
  const after: Partial<Record<StoredName, string>> = Object.fromEntries(merged)
  const isOtherServer = (['smtp_url', 'smtp_tls'] as const).some((name) => before[name] !== after[name])
  if (isOtherServer && !texts.smtp_password) delete after.smtp_password
  const hasLogin = Boolean(parseSmtp(after.smtp_url ?? '', true)?.user)
  if (texts.smtp_password && !hasLogin) failField('/smtp_password', 'not_allowed')
  return after
}

/** A mail server makes verified addresses a requirement; the administrator who sets it must not lose access by it. */
function requireOwnAccess(config: Config, after: StoredSettings, viewer: Viewer): void {
  const isRequired = withStoredSettings(config, after).requireVerifiedEmail
  if (isRequired && viewer.kind === 'account' && !viewer.account.emailVerified) fail('email_not_verified')
}

/** Null for the default. Of addresses only the host: the trail is kept for good. */
function auditText(name: StoredName, settings: StoredSettings): string | null {
  const text = settings[name]
  if (name === 'smtp_password') return text === undefined ? 'not set' : 'set'
  if (text === undefined) return null
  return name === 'smtp_url' || name === 'mail_from' ? withoutUser(text) : text
}

/** `smtp://…@mail.example.org`, `…@example.org`. */
function withoutUser(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 0 ? address : `${address.slice(0, address.lastIndexOf('/', at) + 1)}…${address.slice(at)}`
}
