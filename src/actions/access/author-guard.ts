// Checks that the author of a write, or a reader, may still act: standing, role, and the credential they showed.
import type { Context } from '../../context.ts'
import { type AccountViewer, type Author, personOf, requireAccess, type Verb } from '../../domain/privacy/viewer.ts'
import { fail } from '../../errors.ts'
import {
  type AccountWithHash,
  findCredentialById,
  lockCredential,
  lockCredentialForShare,
} from '../../storage/accounts/accounts.ts'
import { hasCredential, isCredentialStored } from '../../storage/accounts/credentials.ts'
import { hasSession } from '../../storage/accounts/sessions.ts'
import type { Db } from '../../storage/tables.ts'

/**
 * The id the change carries; null for the operator. The account and the credential are locked until the transaction ends,
 * so whatever ends them waits for this write, or is seen by it. Called before any other row is locked: an administrator's
 * change also takes the account first, and events and counters after it.
 */
export async function requireAuthor(ctx: Context, db: Db, author: Author, ...verbs: Verb[]): Promise<string | null> {
  if (author.kind === 'operator') return null
  await requireCurrent(ctx, db, author, verbs, await lockCredentialForShare(db, author.account.id))
  return author.account.id
}

/** The same for changes of the account and what belongs to it: two of one person's run one after the other. */
export async function requireOwner(
  ctx: Context,
  db: Db,
  person: AccountViewer,
  verb: Verb = 'own_account',
): Promise<void> {
  await requireCurrent(ctx, db, person, [verb], await lockCredential(db, person.account.id))
}

/** For reads: nothing is locked, and what is found holds for what was read before. */
export async function requireReader(ctx: Context, db: Db, person: AccountViewer, ...verbs: Verb[]): Promise<void> {
  await requireCurrent(ctx, db, person, verbs, await findCredentialById(db, person.account.id), isCredentialStored)
}

async function requireCurrent(
  ctx: Context,
  db: Db,
  person: AccountViewer,
  verbs: readonly Verb[],
  now: AccountWithHash | undefined,
  isStored: CredentialLookup = hasStored,
): Promise<void> {
  if (!now || !(await isStillGood(db, person, now, isStored)))
    fail(person.proof === 'session' ? 'session_expired' : 'invalid_credentials')
  const current = personOf(now.account, ctx.config.requireVerifiedEmail, person)
  for (const verb of verbs) requireAccess(current, verb)
}

type CredentialLookup = typeof isCredentialStored

/** Locks what it finds. */
const hasStored: CredentialLookup = (db, table, userId, id) =>
  table === 'sessions' ? hasSession(db, userId, id) : hasCredential(db, table, userId, id)

async function isStillGood(
  db: Db,
  person: AccountViewer,
  { account, passwordHash }: AccountWithHash,
  isStored: CredentialLookup,
): Promise<boolean> {
  switch (person.proof) {
    case 'password':
      return passwordHash === person.passwordHash
    case 'session':
      return isStored(db, 'sessions', account.id, person.credentialId!)
    case 'app_password':
      return isStored(db, 'app_passwords', account.id, person.credentialId!)
    case 'token':
      return isStored(db, 'api_tokens', account.id, person.credentialId!)
  }
}
