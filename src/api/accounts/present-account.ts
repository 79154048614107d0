// Presenters of an account to its owner: profile, sessions, app passwords and API tokens.
import type { ApiToken, StoredAppPassword } from '../../actions/accounts/credentials.ts'
import type { OwnSession } from '../../actions/accounts/sessions.ts'
import type { Account } from '../../domain/account/account.ts'
import type { AccountViewer } from '../../domain/privacy/viewer.ts'
import { formatUtc } from '../../domain/time/text.ts'
import { AUTH_WORDS } from '../../http/guard/viewer.ts'

export const presentOwnAccount = (account: Account) => ({
  id: account.id,
  email: account.email,
  display_name: account.displayName,
  role: account.role,
  approval_state: account.approvalState,
  email_verified: account.emailVerified,
  language: account.language ?? null,
})

export const presentSignIn = (
  { account, proof, scopes }: AccountViewer,
  session?: { csrfToken: string; endsAt: number | undefined },
) => ({
  user: presentOwnAccount(account),
  auth: AUTH_WORDS[proof],
  ...(proof === 'token' ? { scopes } : {}),
  ...(session ? { csrf_token: session.csrfToken } : {}),
  ...(session?.endsAt ? { expires_at: formatUtc(session.endsAt) } : {}),
})

export const presentSession = (session: OwnSession, current: string | undefined) => ({
  id: session.id,
  current: session.id === current,
  remembered: session.isRemembered,
  created_at: formatUtc(session.createdAt),
  last_seen_at: formatUtc(session.lastSeenAt),
  expires_at: formatUtc(session.endsAt),
  client_net: session.clientNet,
  user_agent: session.userAgent,
})

export const presentAppPassword = ({ id, name, createdAt, lastUsedAt }: StoredAppPassword) => ({
  id,
  name,
  created_at: formatUtc(createdAt),
  last_used_at: lastUsedAt === null ? null : formatUtc(lastUsedAt),
})

export const presentToken = (token: ApiToken) => ({
  ...presentAppPassword(token),
  scopes: token.scopes,
  last_four: token.lastFour,
  expires_at: formatUtc(token.expiresAt),
})
