// Tokens as the mail worker creates them, for tests that are not about mail.
import { hashSecret, newKey } from '../../src/secrets.ts'
import { insertToken, type TokenPurpose } from '../../src/storage/accounts/tokens.ts'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import type { World } from './world.ts'

export async function mintToken(
  { app, clock }: World,
  purpose: TokenPurpose,
  userId: string,
  lifetimeMs = 3_600_000,
): Promise<string> {
  const token = newKey()
  const owner = await app.ctx.storage.reads
    .selectFrom('users')
    .select('email_key')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const row = {
    hash: hashSecret(token),
    purpose,
    user_id: userId,
    email_key: owner.email_key,
    created_at: clock.at,
    expires_at: clock.at + lifetimeMs,
  }
  await inTransaction(app.ctx.storage, (db) => insertToken(db, row))
  return token
}
