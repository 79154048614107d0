// Checks that the credential of an open stream still holds: account, rights and expiry.
import type { Context } from '../../context.ts'
import { isSessionLive } from '../../domain/account/session.ts'
import { type AccountViewer, type Sight, sightOf } from '../../domain/privacy/viewer.ts'
import { AppError } from '../../errors.ts'
import { listApiTokens } from '../../storage/accounts/credentials.ts'
import { listSessions } from '../../storage/accounts/sessions.ts'
import { requireReader } from './actor-guard.ts'

/** What the account and credential of a viewer may see now; undefined if they are no longer valid. */
export async function findCurrentSight(ctx: Context, viewer: AccountViewer): Promise<Sight | undefined> {
  const { reads } = ctx.storage
  if (await isExpired(ctx, viewer)) return undefined
  try {
    await requireReader(ctx, reads, viewer, 'read_full')
    return 'full'
  } catch (error) {
    if (error instanceof AppError && error.status === 403) return 'public'
    return undefined
  }
}

async function isExpired(ctx: Context, { account, proof, credentialId }: AccountViewer): Promise<boolean> {
  const { reads } = ctx.storage
  const now = ctx.clock()
  if (proof === 'session') {
    const session = (await listSessions(reads, account.id)).find(({ id }) => id === credentialId)
    return session === undefined || !isSessionLive(session, account.role, now)
  }
  if (proof !== 'token') return false
  const token = (await listApiTokens(reads, account.id)).find(({ id }) => id === credentialId)
  return token === undefined || token.expiresAt <= now
}

export const hasSameSight = async (ctx: Context, viewer: AccountViewer): Promise<boolean> =>
  (await findCurrentSight(ctx, viewer).catch(() => undefined)) === sightOf(viewer)
