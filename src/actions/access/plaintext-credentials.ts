// Revokes credentials that were sent over plain HTTP, if configured; not account passwords.
import type { Context } from '../../context.ts'
import type { Account } from '../../domain/account/account.ts'
import { hashSecret } from '../../secrets.ts'
import { deleteCredential, findApiToken, findAppPassword } from '../../storage/accounts/credentials.ts'
import { deleteFeedLink, findFeedLink } from '../../storage/accounts/feed-links.ts'
import { deleteSession, findSession } from '../../storage/accounts/sessions.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import type { Db } from '../../storage/tables.ts'
import { parseAuthorization } from './authorization.ts'
import { plainAppPassword } from './sign-in.ts'

interface Exposed {
  owner: Account
  id: string
  kind: 'session' | 'api_token' | 'app_password' | 'feed_link'
  end: (db: Db) => Promise<boolean>
}

/** The parts of a request that can hold a credential. */
export interface PlaintextCredentials {
  authorization: string | undefined
  sessionSecret: string | undefined
  linkSecret: string | undefined
}

/** The account's own password is kept: only its owner can change it, and revoking it would lock the owner out. */
export async function revokePlaintextCredentials(
  ctx: Context,
  sent: PlaintextCredentials,
  requestId: string,
): Promise<void> {
  // The lookup only reads, so an unknown credential causes no write.
  for (const { owner, id, kind, end } of await listExposed(ctx, sent)) {
    await inTransaction(ctx.storage, async (db) => {
      if (!(await end(db))) return
      const entry = { action: 'credential_revoked', actorId: null, subjectId: owner.id, requestId } as const
      await insertAudit(db, { ...entry, detail: { kind, id } }, ctx.clock())
    })
  }
}

async function listExposed(
  { storage: { reads } }: Context,
  { authorization, sessionSecret, linkSecret }: PlaintextCredentials,
): Promise<Exposed[]> {
  const sent = authorization === undefined ? undefined : parseAuthorization(authorization)
  const exposed: Exposed[] = []
  const session = sessionSecret && (await findSession(reads, hashSecret(sessionSecret)))
  if (session) {
    const { account: owner } = session
    const { id } = session.session
    exposed.push({ owner, id, kind: 'session', end: (db) => deleteSession(db, owner.id, id) })
  }
  const token = sent?.scheme === 'bearer' && (await findApiToken(reads, hashSecret(sent.token)))
  if (token) {
    const { account: owner, credential } = token
    const end = (db: Db) => deleteCredential(db, 'api_tokens', owner.id, credential.id)
    exposed.push({ owner, id: credential.id, kind: 'api_token', end })
  }
  const device = sent?.scheme === 'basic' ? plainAppPassword(sent.password) : undefined
  const found = device && (await findAppPassword(reads, hashSecret(device)))
  if (found) {
    const { account: owner, credential } = found
    const end = (db: Db) => deleteCredential(db, 'app_passwords', owner.id, credential.id)
    exposed.push({ owner, id: credential.id, kind: 'app_password', end })
  }
  const linked = linkSecret && (await findFeedLink(reads, hashSecret(linkSecret)))
  if (linked) {
    const { account: owner, link } = linked
    exposed.push({ owner, id: link.id, kind: 'feed_link', end: (db) => deleteFeedLink(db, owner.id, link.id) })
  }
  return exposed
}
