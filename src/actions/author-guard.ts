// Checks inside a write transaction that its author may still act: standing, role, and the credential they showed.
import type { Context } from '../context.ts'
import { type Author, type Person, personOf, requireAccess, type Verb } from '../domain/privacy/viewer.ts'
import { fail } from '../errors.ts'
import { type Credential, lockCredential, lockCredentialForShare } from '../storage/accounts.ts'
import { hasCredential } from '../storage/credentials.ts'
import { hasSession } from '../storage/sessions.ts'
import type { Db } from '../storage/tables.ts'

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
export async function requireOwner(ctx: Context, db: Db, person: Person, verb: Verb = 'own_account'): Promise<void> {
  await requireCurrent(ctx, db, person, [verb], await lockCredential(db, person.account.id))
}

async function requireCurrent(
  ctx: Context,
  db: Db,
  person: Person,
  verbs: readonly Verb[],
  now: Credential | undefined,
): Promise<void> {
  if (!now || !(await isStillGood(db, person, now)))
    fail(person.proof === 'session' ? 'session_expired' : 'invalid_credentials')
  const current = personOf(now.account, ctx.config.requireVerifiedEmail, person)
  for (const verb of verbs) requireAccess(current, verb)
}

async function isStillGood(db: Db, person: Person, { account, passwordHash }: Credential): Promise<boolean> {
  switch (person.proof) {
    case 'password':
      return passwordHash === person.passwordHash
    case 'session':
      return hasSession(db, account.id, person.credentialId!)
    case 'app_password':
      return hasCredential(db, 'app_passwords', account.id, person.credentialId!)
    case 'token':
      return hasCredential(db, 'api_tokens', account.id, person.credentialId!)
  }
}
