// What was sent in clear for all to read is ended, where the operator wants that: sessions, tokens and device passwords.
import type { Context } from '../context.ts'
import { hashSecret } from '../secrets.ts'
import { deleteCredential, findApiToken, findAppPassword } from '../storage/credentials.ts'
import { deleteSession, findSession } from '../storage/sessions.ts'
import { inTransaction } from '../storage/transaction.ts'
import { plainAppPassword } from './sign-in.ts'

/** The password of an account is left alone: it can only be changed by its owner, who would be locked out. */
export async function revokeExposed(
  ctx: Context,
  authorization: string | undefined,
  sessionSecret: string | undefined,
): Promise<void> {
  const { scheme, value } = readAuthorization(authorization)
  await inTransaction(ctx.storage, async (db) => {
    const session = sessionSecret && (await findSession(db, hashSecret(sessionSecret)))
    if (session) await deleteSession(db, session.account.id, session.session.id)
    const token = scheme === 'bearer' && (await findApiToken(db, hashSecret(value)))
    if (token) await deleteCredential(db, 'api_tokens', token.account.id, token.credential.id)
    const device = scheme === 'basic' ? plainAppPassword(passwordIn(value)) : undefined
    const found = device && (await findAppPassword(db, hashSecret(device)))
    if (found) await deleteCredential(db, 'app_passwords', found.account.id, found.credential.id)
  })
}

function readAuthorization(header = ''): { scheme: string; value: string } {
  const space = header.indexOf(' ')
  return { scheme: header.slice(0, space).toLowerCase(), value: header.slice(space + 1).trim() }
}

const passwordIn = (encoded: string): string => {
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  return text.slice(text.indexOf(':') + 1)
}
