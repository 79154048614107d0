// App passwords and API tokens: created, listed, deleted by their owner; secrets are shown once.
import type { Context } from '../../context.ts'
import { cleanText } from '../../domain/plain-text.ts'
import { type Scope, VERB_OF } from '../../domain/privacy/rights.ts'
import { type AccountViewer, createAccountViewer, mayDo } from '../../domain/privacy/viewer.ts'
import { DAY_MS } from '../../domain/time/instant.ts'
import { fail, failField } from '../../errors.ts'
import { hashSecret, newCode, newKey } from '../../secrets.ts'
import {
  type ApiToken,
  countCredentials,
  deleteCredential,
  insertApiToken,
  insertAppPassword,
  listApiTokens,
  listAppPasswords,
  MAX_CREDENTIALS,
  type StoredAppPassword,
} from '../../storage/accounts/credentials.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { settleIdempotencyKey } from '../../storage/operations/idempotency.ts'
import type { Db } from '../../storage/tables.ts'
import { requireOwner } from '../access/actor-guard.ts'
import { plainAppPassword } from '../access/sign-in.ts'
import { recordAudit } from './record-audit.ts'

export type { ApiToken, StoredAppPassword }

const DEFAULT_TOKEN_DAYS = 365
const TOKEN_PREFIX = 'calpat_'

export const listOwnAppPasswords = (ctx: Context, { account }: AccountViewer): Promise<StoredAppPassword[]> =>
  listAppPasswords(ctx.storage.reads, account.id)

export const listOwnTokens = (ctx: Context, { account }: AccountViewer): Promise<ApiToken[]> =>
  listApiTokens(ctx.storage.reads, account.id)

export async function createAppPassword(
  ctx: Context,
  viewer: AccountViewer,
  wanted: { name: string },
  requestId: string,
): Promise<{ made: StoredAppPassword; password: string }> {
  const password = newCode()
  const made = { id: ctx.newId(), name: readName(wanted.name), createdAt: ctx.clock(), lastUsedAt: null }
  await inTransaction(ctx.storage, async (db) => {
    await requireRoom(ctx, db, 'app_passwords', viewer)
    await insertAppPassword(db, {
      id: made.id,
      hash: hashSecret(plainAppPassword(password)!),
      user_id: viewer.account.id,
      name: made.name,
      created_at: made.createdAt,
      last_used_at: null,
    })
    await recordAudit(ctx, db, 'app_password_created', viewer.account, made.id, requestId)
    await settleIdempotencyKey(db, viewer.account.id, requestId)
  })
  return { made, password }
}

export interface TokenInput {
  name: string
  scopes: readonly Scope[]
  days?: number | undefined
}

export async function createToken(
  ctx: Context,
  accountViewer: AccountViewer,
  wanted: TokenInput,
  requestId: string,
): Promise<{ made: ApiToken; token: string }> {
  const token = `${TOKEN_PREFIX}${newKey()}`
  const scopes = [...new Set(wanted.scopes)]
  if (scopes.some((scope) => !mayHave(accountViewer, scope))) failField('/scopes', 'not_allowed')
  const createdAt = ctx.clock()
  const made = {
    id: ctx.newId(),
    name: readName(wanted.name),
    scopes,
    lastFour: token.slice(-4),
    createdAt,
    expiresAt: createdAt + (wanted.days ?? DEFAULT_TOKEN_DAYS) * DAY_MS,
    lastUsedAt: null,
  }
  await inTransaction(ctx.storage, async (db) => {
    await requireRoom(ctx, db, 'api_tokens', accountViewer)
    await insertApiToken(db, {
      id: made.id,
      hash: hashSecret(token),
      user_id: accountViewer.account.id,
      name: made.name,
      last_four: made.lastFour,
      scopes: scopes.join(' '),
      created_at: createdAt,
      expires_at: made.expiresAt,
      last_used_at: null,
    })
    await recordAudit(ctx, db, 'api_token_created', accountViewer.account, made.id, requestId)
    await settleIdempotencyKey(db, accountViewer.account.id, requestId)
  })
  return { made, token }
}

export const deleteAppPassword = (
  ctx: Context,
  accountViewer: AccountViewer,
  id: string,
  requestId: string,
): Promise<void> =>
  inTransaction(ctx.storage, async (db) => {
    await requireOwner(ctx, db, accountViewer)
    if (!(await deleteCredential(db, 'app_passwords', accountViewer.account.id, id))) fail('credential_not_found')
    await recordAudit(ctx, db, 'app_password_deleted', accountViewer.account, id, requestId)
  })

export const deleteToken = (ctx: Context, accountViewer: AccountViewer, id: string, requestId: string): Promise<void> =>
  inTransaction(ctx.storage, async (db) => {
    await requireOwner(ctx, db, accountViewer)
    if (!(await deleteCredential(db, 'api_tokens', accountViewer.account.id, id))) fail('credential_not_found')
    await recordAudit(ctx, db, 'api_token_deleted', accountViewer.account, id, requestId)
  })

/** A token cannot have a scope that its owner lacks: it would gain it unexpectedly when the owner is promoted. */
const mayHave = (accountViewer: AccountViewer, scope: Scope): boolean =>
  mayDo(createAccountViewer(accountViewer.account, false, { proof: 'password' }), VERB_OF[scope])

const readName = (text: string): string => {
  const name = cleanText(text)
  return name === undefined || name === '' || name.includes('\n') ? failField('/name', 'invalid_format') : name
}

/** Locks the owner's row, so that two requests at once cannot both take the last free slot. */
async function requireRoom(
  ctx: Context,
  db: Db,
  table: 'app_passwords' | 'api_tokens',
  accountViewer: AccountViewer,
): Promise<void> {
  await requireOwner(ctx, db, accountViewer)
  if ((await countCredentials(db, table, accountViewer.account.id)) >= MAX_CREDENTIALS) fail('too_many_credentials')
}
