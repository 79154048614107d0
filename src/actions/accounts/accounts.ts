// Creates accounts: by the operator's commands, or the first administrator with the setup code.
import type { StoredSettings } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { Account, Role } from '../../domain/account/account.ts'
import { readDisplayName } from '../../domain/account/managed-account.ts'
import { readEmail } from '../../domain/email.ts'
import { foldText } from '../../domain/plain-text.ts'
import { Problems } from '../../domain/problems.ts'
import { fail, failField } from '../../errors.ts'
import { hashPassword, hashSecret, newCode } from '../../secrets.ts'
import { normalizeSetting, ruleOf } from '../../setting-rules.ts'
import {
  type AccountWithHash,
  accountOf,
  findAccountByEmailKey,
  hasAdmin,
  insertAccount,
} from '../../storage/accounts/accounts.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import { addSetupCodeHash, clearSetupCode, spendSetupCode } from '../../storage/operations/instance.ts'
import { readSettings, replaceSettings } from '../../storage/operations/settings.ts'
import type { Db, UserRow } from '../../storage/tables.ts'
import { shareQuery } from '../maintenance/revision-reader.ts'
import { applySettings } from '../settings/live-settings.ts'
import { checkNewPassword } from './password-rules.ts'

export interface NewAccount {
  email: string
  password: string
  displayName?: string | undefined
}

/** For the operator, who runs commands on this machine. */
export async function findAccount(ctx: Context, email: string): Promise<Account | undefined> {
  return (await findCredential(ctx, email))?.account
}

/** Whether the password of this account was invalidated or may have been chosen by another person. */
export async function needsNewPassword(ctx: Context, email: string): Promise<boolean> {
  const found = await findCredential(ctx, email)
  return found !== undefined && (!found.account.emailVerified || found.passwordState !== 'set')
}

function findCredential(ctx: Context, email: string): Promise<AccountWithHash | undefined> {
  const { key } = readEmail(email) ?? failField('/email', 'invalid_format')
  return findAccountByEmailKey(ctx.storage.reads, key)
}

/** Creates an approved account with a verified address, on the word of the operator who runs the command. */
export async function createApprovedAccount(ctx: Context, input: NewAccount, role: Role): Promise<Account> {
  const row = await prepareAccount(ctx, input, role)
  await inTransaction(ctx.storage, async (db) => {
    await insertAccount(db, row)
    if (role === 'admin') await clearSetupCode(db)
    await insertAudit(
      db,
      {
        action: 'account_created_by_operator',
        actorId: null,
        subjectId: row.id,
        requestId: null,
        detail: { role },
      },
      row.created_at,
    )
  })
  return accountOf(row)
}

/** Creates the first administrator. All setup codes expire once one is used or an administrator is made otherwise. */
export async function setUpAdministrator(
  ctx: Context,
  code: string,
  input: NewAccount,
  sent: ChosenSettings,
  requestId: string,
): Promise<Account> {
  const problems = new Problems()
  const choices = readChoices(sent, problems)
  const row = await prepareAccount(ctx, input, 'admin', problems)
  await inTransaction(ctx.storage, async (db) => {
    if (!(await spendSetupCode(db, hashCode(code))) || (await hasAdmin(db))) fail('token_invalid_or_expired')
    await insertAccount(db, row)
    const { settings } = await readSettings(db)
    await replaceSettings(db, settings, { ...settings, ...choices }, row.created_at)
    await insertAudit(
      db,
      { action: 'setup_completed', actorId: row.id, subjectId: row.id, requestId, detail: { role: row.role } },
      row.created_at,
    )
  })
  await applySettings(ctx)
  return accountOf(row)
}

/** Settings that are asked for at setup; those that environment or file decide are stored too, without effect. */
type ChosenSettings = Partial<Record<'site_name' | 'timezone' | 'week_start', string | undefined>>

function readChoices(sent: ChosenSettings, problems: Problems): StoredSettings {
  const texts: Partial<Record<keyof ChosenSettings, string>> = {}
  for (const name of ['site_name', 'timezone', 'week_start'] as const) {
    if (sent[name] === undefined) continue
    const text = normalizeSetting(name, sent[name])
    if (text === undefined) problems.add(`/${name}`, ruleOf(name).problem)
    else texts[name] = text
  }
  return texts
}

/** Whether there is an administrator. A positive result is cached: the last administrator cannot be removed. */
export function createSetupCheck(ctx: Context): () => Promise<boolean> {
  const query = shareQuery(() => hasAdmin(ctx.storage.reads))
  let isDone = false
  return async () => {
    if (!isDone && (await query())) isDone = true
    return isDone
  }
}

/**
 * A setup code to print while there is no administrator; undefined once there is one. Codes that this or another node
 * printed before stay valid.
 */
export async function offerSetupCode(ctx: Context): Promise<string | undefined> {
  // A service that cannot write starts all the same where it has an administrator.
  if (await hasAdmin(ctx.storage.reads)) return undefined
  return inTransaction(ctx.storage, async (db: Db) => {
    if (await hasAdmin(db)) return undefined
    const code = newCode()
    await addSetupCodeHash(db, hashCode(code))
    return code
  })
}

/** Codes are typed by hand, so case and hyphens are ignored. */
const hashCode = (code: string): string => hashSecret(code.toLowerCase().replace(/[^0-9a-z]/g, ''))

async function prepareAccount(
  ctx: Context,
  input: NewAccount,
  role: Role,
  problems: Problems = new Problems(),
): Promise<UserRow> {
  const email = readEmail(input.email) ?? problems.add('/email', 'invalid_format')
  const name = readDisplayName(input.displayName ?? email?.address.split('@')[0] ?? '-')
  if ('problem' in name) problems.add('/display_name', name.problem)
  const displayName = 'name' in name ? name.name : ''
  await checkNewPassword(ctx, input.password, { email: email?.address, displayName }, problems)
  problems.throwIfAny()
  const now = ctx.clock()
  return {
    id: ctx.newId(),
    email: email!.address,
    email_key: email!.key,
    display_name: displayName,
    name_key: foldText(displayName),
    password_hash: await hashPassword(input.password),
    was_asked_again: 0,
    request_count: 0,
    last_requested_at: null,
    role,
    approval_state: 'approved',
    email_verified_at: now,
    request_message: null,
    created_at: now,
    decided_at: now,
    decided_by: null,
    last_login_at: null,
    language: null,
    version: 1,
  }
}
