// Making accounts: by whoever has the machine, and the first administrator by the one-time setup code.
import type { Context } from '../context.ts'
import type { Account, Role } from '../domain/account/account.ts'
import { checkPassword, readEmail } from '../domain/account/credentials.ts'
import { Problems } from '../domain/calendar/fields.ts'
import { cleanText } from '../domain/calendar/words.ts'
import { fail } from '../errors.ts'
import { hashPassword, hashSecret, newCode } from '../secrets.ts'
import { accountOf, hasAdmin, insertAccount } from '../storage/accounts.ts'
import { clearSetupCode, setSetupCodeHash, spendSetupCode } from '../storage/instance.ts'
import type { Db, UserRow } from '../storage/tables.ts'
import { inTransaction } from '../storage/transaction.ts'

export interface NewAccount {
  email: string
  password: string
  displayName?: string | undefined
}

/** An approved account, vouched for by whoever can run commands here. */
export async function createApprovedAccount(ctx: Context, input: NewAccount, role: Role): Promise<Account> {
  const row = await prepareAccount(ctx, input, role)
  await inTransaction(ctx.storage, async (db) => {
    await insertAccount(db, row)
    if (role === 'admin') await clearSetupCode(db)
  })
  return accountOf(row)
}

/** The first administrator. The code dies with its use, and with the first administrator made in any other way. */
export async function setUpAdministrator(ctx: Context, code: string, input: NewAccount): Promise<Account> {
  const row = await prepareAccount(ctx, input, 'admin')
  await inTransaction(ctx.storage, async (db) => {
    if (!(await spendSetupCode(db, hashCode(code))) || (await hasAdmin(db))) fail('token_invalid_or_expired')
    await insertAccount(db, row)
  })
  return accountOf(row)
}

/** A fresh setup code while there is no administrator; undefined once there is one. */
export async function offerSetupCode(ctx: Context): Promise<string | undefined> {
  return inTransaction(ctx.storage, async (db: Db) => {
    if (await hasAdmin(db)) return undefined
    const code = newCode()
    await setSetupCodeHash(db, hashCode(code))
    return code
  })
}

/** Typed by hand, so case and hyphens do not matter. */
const hashCode = (code: string): string => hashSecret(code.toLowerCase().replace(/[^0-9a-z]/g, ''))

async function prepareAccount(ctx: Context, input: NewAccount, role: Role): Promise<UserRow> {
  const problems = new Problems()
  const email = readEmail(input.email) ?? problems.add('/email', 'invalid_format')
  const displayName = cleanText(input.displayName ?? email?.address.split('@')[0] ?? '')
  if (displayName === undefined || displayName.includes('\n')) problems.add('/display_name', 'invalid_format')
  checkPassword(input.password, problems)
  problems.throwIfAny()
  const now = ctx.clock()
  return {
    id: ctx.newId(),
    email: email!.address,
    email_key: email!.key,
    display_name: displayName!,
    password_hash: await hashPassword(input.password),
    role,
    approval_state: 'approved',
    email_verified_at: now,
    request_message: null,
    created_at: now,
    decided_at: now,
    decided_by: null,
    last_login_at: null,
    version: 1,
  }
}
