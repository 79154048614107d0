// Guards: check again that an author or reader may act (account state, role, credential used).
import type { Context } from '../../context.ts'
import type { Verb } from '../../domain/privacy/rights.ts'
import { type AccountViewer, type Actor, createAccountViewer, requireAccess } from '../../domain/privacy/viewer.ts'
import { fail } from '../../errors.ts'
import {
  type AccountWithHash,
  findAccountById,
  lockAccountForShare,
  lockAccountWithHash,
} from '../../storage/accounts/accounts.ts'
import { hasCredential, isCredentialStored } from '../../storage/accounts/credentials.ts'
import { hasSession } from '../../storage/accounts/sessions.ts'
import type { Db } from '../../storage/tables.ts'

/**
 * Returns the account id to store with the change; null for the operator. Locks the account and the credential until
 * the transaction ends, so a revocation either waits for this write or is seen by it. Call it before any other row is
 * locked: an administrator's change also locks the account first, then events and counters.
 */
export async function requireActor(ctx: Context, db: Db, author: Actor, ...verbs: Verb[]): Promise<string | null> {
  if (author.kind === 'operator') return null
  await requireCurrent(ctx, db, author, verbs, await lockAccountForShare(db, author.account.id))
  return author.account.id
}

/** The same for changes to the account and what belongs to it: two of one account run one after the other. */
export async function requireOwner(
  ctx: Context,
  db: Db,
  viewer: AccountViewer,
  verb: Verb = 'own_account',
): Promise<void> {
  await requireCurrent(ctx, db, viewer, [verb], await lockAccountWithHash(db, viewer.account.id))
}

/** For reads: takes no lock, so the check covers only what was read before it. */
export async function requireReader(
  ctx: Context,
  db: Db,
  accountViewer: AccountViewer,
  ...verbs: Verb[]
): Promise<void> {
  await requireCurrent(
    ctx,
    db,
    accountViewer,
    verbs,
    await findAccountById(db, accountViewer.account.id),
    isCredentialStored,
  )
}

async function requireCurrent(
  ctx: Context,
  db: Db,
  accountViewer: AccountViewer,
  verbs: readonly Verb[],
  now: AccountWithHash | undefined,
  isStored: CredentialLookup = hasStored,
): Promise<void> {
  if (!now || !(await isStillGood(db, accountViewer, now, isStored)))
    fail(accountViewer.proof === 'session' ? 'session_expired' : 'invalid_credentials')
  const current = createAccountViewer(now.account, ctx.config.requireVerifiedEmail, accountViewer)
  for (const verb of verbs) requireAccess(current, verb)
}

type CredentialLookup = typeof isCredentialStored

/** Locks the row it finds. */
const hasStored: CredentialLookup = (db, table, userId, id) =>
  table === 'sessions' ? hasSession(db, userId, id) : hasCredential(db, table, userId, id)

async function isStillGood(
  db: Db,
  accountViewer: AccountViewer,
  { account, passwordHash }: AccountWithHash,
  isStored: CredentialLookup,
): Promise<boolean> {
  switch (accountViewer.proof) {
    case 'password':
      return passwordHash === accountViewer.passwordHash
    case 'session':
      return isStored(db, 'sessions', account.id, accountViewer.credentialId!)
    case 'app_password':
      return isStored(db, 'app_passwords', account.id, accountViewer.credentialId!)
    case 'token':
      return isStored(db, 'api_tokens', account.id, accountViewer.credentialId!)
  }
}
