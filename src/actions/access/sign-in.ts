// Authenticates a request by session, API token, app password, or email and account password.
import type { Context } from '../../context.ts'
import type { ApprovalState } from '../../domain/account/account.ts'
import { isSessionLive, sessionEndsAt } from '../../domain/account/session.ts'
import { readEmail } from '../../domain/email.ts'
import { type AccountViewer, createAccountViewer } from '../../domain/privacy/viewer.ts'
import { isAhead } from '../../domain/time/instant.ts'
import { currentClient, currentPath, runForClient } from '../../scheduling/current-client.ts'
import { hashSecret, verifyPassword } from '../../secrets.ts'
import { type AccountWithHash, findAccountByEmailKey } from '../../storage/accounts/accounts.ts'
import { findApiToken, findAppPassword } from '../../storage/accounts/credentials.ts'
import { findSession } from '../../storage/accounts/sessions.ts'
import { createDurationSampler, type DurationSampler } from '../accounts/duration-sampler.ts'
import type { CalendarState } from '../maintenance/revision-reader.ts'
import type { SentCredentials } from './authorization.ts'
import {
  createCredentialCache,
  isCachedRefusal,
  type RefusedCredential,
  type VerifiedCredential,
} from './credential-cache.ts'
import { findPendingUse, recordUse } from './last-used.ts'

const CACHED_MS = 5 * 60_000
/** How long the same wrong credential is refused from the cache, without another check. */
const REFUSED_MS = 15 * 60_000
/** How often the last use of an active session is recorded. */
const SEEN_MS = 60_000

/** Rate limit of one password attempt: consumed before the check and refunded when the password is correct. */
export interface Attempt {
  /** The network of the client. */
  network: string
  consume(): Promise<void>
  refund(): Promise<void>
  /** Called after a failure, with the id of the account if the address has one. */
  failed(accountId?: string): Promise<void>
  /** Counts the same wrong credential sent again: a request, but no new guess. */
  countRepeat(): Promise<void>
}

/** No attempts are counted for sessions: a session secret cannot be guessed. */
const NO_ATTEMPT: Attempt = {
  network: '',
  consume: async () => {},
  refund: async () => {},
  failed: async () => {},
  countRepeat: async () => {},
}

/**
 * For a credential that this network sent before and that must be checked again because the account has changed. It
 * counts like a cached one: otherwise the counter of guesses would show that the address has an account.
 */
const repeated = (attempt: Attempt): Attempt => ({
  ...NO_ATTEMPT,
  network: attempt.network,
  consume: attempt.countRepeat,
})

export interface SignIn {
  /** By a credential that was verified before and needs no check now; synchronous. Undefined: authenticate as usual. */
  findVerified(state: CalendarState, sent: SentCredentials): AccountViewer | undefined
  withSession(state: CalendarState, secret: string): Promise<AccountViewer | undefined>
  withToken(state: CalendarState, token: string, attempt: Attempt): Promise<AccountViewer | undefined>
  /** HTTP Basic: an app password, or the account's own password where the configuration allows it. */
  withBasic(state: CalendarState, shown: EmailAndPassword, attempt: Attempt): Promise<AccountViewer | undefined>
}

export interface EmailAndPassword {
  email: string
  password: string
}

export function createSignIn(ctx: Context): SignIn {
  const cache = createCredentialCache(ctx)
  // Delays cached refusals: a password change drops them, and a slower answer would reveal that change.
  const durations = createDurationSampler()

  async function findOrProve(
    state: CalendarState,
    name: string,
    attempt: Attempt,
    verify: (attempt: Attempt) => Promise<VerifiedCredential | RefusedCredential | undefined>,
    imitated?: DurationSampler,
  ): Promise<AccountViewer | undefined> {
    const begunAt = performance.now()
    const { network } = attempt
    const known = await cache.find(state, name, network)
    if (!known) return cache.prove(state, name, network, () => verify(attempt))
    if (!isCachedRefusal(known)) return known
    const { isCurrent, refusedAt } = known
    if (!isCurrent) return cache.prove(state, name, network, () => verify(repeated(attempt)), refusedAt)
    await attempt.countRepeat()
    await imitated?.imitate(begunAt)
    return undefined
  }

  return {
    findVerified: (state, sent) =>
      cache.findCurrent(state, sent.scheme === 'bearer' ? tokenName(sent.token) : basicName(sent)),
    withSession: (state, secret) =>
      findOrProve(state, `session ${secret}`, NO_ATTEMPT, () => proveSession(ctx, secret)),
    withToken: (state, token, attempt) =>
      findOrProve(
        state,
        tokenName(token),
        attempt,
        async (made) => (await proveToken(ctx, token)) ?? refuseToken(made),
      ),
    withBasic: (state, shown, attempt) =>
      findOrProve(
        state,
        basicName(shown),
        attempt,
        async (made) => (await proveAppPassword(ctx, shown)) ?? proveBasic(ctx, shown, made, durations),
        durations,
      ),
  }
}

/** Names of credentials in the cache. */
const tokenName = (token: string): string => `token ${token}`
const basicName = ({ email, password }: EmailAndPassword): string => `basic ${email}\n${password}`

/** The account with this email and password; undefined when they do not match. Unknown addresses cost the same work. */
export async function findByPassword(
  ctx: Context,
  shown: EmailAndPassword,
  attempt: Attempt,
): Promise<AccountWithHash | undefined> {
  const { owner, isRight } = await tryPassword(ctx, shown, attempt)
  return isRight ? owner : undefined
}

async function tryPassword(
  ctx: Context,
  { email, password }: EmailAndPassword,
  attempt: Attempt,
  durations?: DurationSampler,
): Promise<{ owner: AccountWithHash | undefined; isRight: boolean }> {
  await attempt.consume()
  const begunAt = performance.now()
  const owner = await findOwner(ctx, readEmail(email)?.key)
  // An attempt that finds the hash queue full was not a guess, so it is refunded.
  const isRight = await runForEmail(email, () => verifyPassword(password, owner?.passwordHash)).catch(async (error) => {
    await attempt.refund()
    throw error
  })
  if (isRight) await attempt.refund()
  else await attempt.failed(owner?.account.id)
  if (!isRight) durations?.add(performance.now() - begunAt)
  return { owner, isRight }
}

/** The client has no account yet, so the address stands for it in queues, whether or not it has an account. */
const runForEmail = <T>(email: string, work: () => T): T =>
  runForClient({ ...currentClient(), path: [...currentPath(), `sign-in ${emailKeyOf(email)}`] }, work)

/**
 * Registration does not reveal whether an address has an account, and signing in with the password just chosen must not
 * either. So an account request whose address was never verified is treated as unknown, even after it was rejected.
 */
const isAnswered = ({ config }: Context, { account }: AccountWithHash): boolean =>
  !config.requireVerifiedEmail ||
  account.emailVerified ||
  !(['pending_approval', 'rejected'] as ApprovalState[]).includes(account.approvalState)

/** The key that attempts are counted under; an address that cannot be parsed belongs to no account but still counts. */
export const emailKeyOf = (email: string): string => readEmail(email)?.key ?? email.slice(0, 254)

async function findOwner(ctx: Context, emailKey: string | undefined): Promise<AccountWithHash | undefined> {
  const found = emailKey === undefined ? undefined : await findAccountByEmailKey(ctx.storage.reads, emailKey)
  return found && isAnswered(ctx, found) ? found : undefined
}

async function proveBasic(
  ctx: Context,
  shown: EmailAndPassword,
  attempt: Attempt,
  durations: DurationSampler,
): Promise<VerifiedCredential | RefusedCredential> {
  const { owner, isRight } = await tryPassword(ctx, shown, attempt, durations)
  const emailKey = readEmail(shown.email)?.key
  if (!owner || !isRight || !ctx.config.basicPasswords) return refusalOfPassword(ctx, emailKey, owner?.passwordHash)
  // Hashing is slow, so the account and its password are read again afterwards.
  return (
    (await provenBy(passwordCheck(ctx, emailKey, owner.passwordHash), CACHED_MS)) ??
    refusalOfPassword(ctx, emailKey, owner.passwordHash)
  )
}

const passwordCheck = (ctx: Context, emailKey: string | undefined, passwordHash: string) => async () => {
  const now = await findOwner(ctx, emailKey)
  if (now?.passwordHash !== passwordHash) return undefined
  return createAccountViewer(now.account, ctx.config.requireVerifiedEmail, { proof: 'password', passwordHash })
}

const refusalOfPassword = (
  ctx: Context,
  emailKey: string | undefined,
  passwordHash: string | undefined,
): RefusedCredential => ({
  forMs: REFUSED_MS,
  recheck: async () => (await findOwner(ctx, emailKey))?.passwordHash === passwordHash,
})

/** Runs the check now and returns its result with the check itself; undefined when it fails. */
async function provenBy(
  recheck: VerifiedCredential['recheck'],
  forMs: number,
): Promise<VerifiedCredential | undefined> {
  const accountViewer = await recheck()
  return accountViewer && { viewer: accountViewer, recheck, forMs }
}

/** App passwords are random: the lookup needs no slow hash, and a match does not count as a guess. */
async function proveAppPassword(
  ctx: Context,
  { email, password }: EmailAndPassword,
): Promise<VerifiedCredential | undefined> {
  const plain = plainAppPassword(password)
  if (plain === undefined) return undefined
  const recheck = appPasswordCheck(ctx, readEmail(email)?.key, hashSecret(plain))
  const proven = await provenBy(recheck, CACHED_MS)
  if (proven) recordUse(ctx, 'app_passwords', proven.viewer.credentialId!)
  return proven
}

const appPasswordCheck = (ctx: Context, emailKey: string | undefined, hash: string) => async () => {
  const found = await findAppPassword(ctx.storage.reads, hash)
  if (!found || readEmail(found.account.email)?.key !== emailKey) return undefined
  const shown = { proof: 'app_password', credentialId: found.credential.id } as const
  return createAccountViewer(found.account, ctx.config.requireVerifiedEmail, shown)
}

/** Normalises an app password before hashing: case, hyphens and spaces are ignored. Undefined when it cannot be one. */
export function plainAppPassword(text: string): string | undefined {
  const plain = text.toLowerCase().replace(/[\s-]/g, '')
  return /^[0-9a-v]{24}$/.test(plain) ? plain : undefined
}

async function proveToken(ctx: Context, token: string): Promise<VerifiedCredential | undefined> {
  const hash = hashSecret(token)
  const found = await findLivingToken(ctx, hash)
  if (!found) return undefined
  recordUse(ctx, 'api_tokens', found.credential.id)
  return provenBy(tokenCheck(ctx, hash), Math.min(found.credential.expiresAt - ctx.clock(), CACHED_MS))
}

/** One that was made while the clock was ahead would outlive the longest validity. */
async function findLivingToken(ctx: Context, hash: string) {
  const found = await findApiToken(ctx.storage.reads, hash)
  const now = ctx.clock()
  return found && found.credential.expiresAt > now && !isAhead(found.credential.createdAt, now) ? found : undefined
}

const tokenCheck = (ctx: Context, hash: string) => async () => {
  const found = await findLivingToken(ctx, hash)
  if (!found) return undefined
  const { id, scopes } = found.credential
  return createAccountViewer(found.account, ctx.config.requireVerifiedEmail, {
    proof: 'token',
    credentialId: id,
    scopes,
  })
}

/** Tokens are random, so one that was refused is never issued later and the refusal needs no recheck. */
async function refuseToken(attempt: Attempt): Promise<RefusedCredential> {
  await attempt.consume()
  await attempt.failed()
  return { forMs: REFUSED_MS, recheck: async () => true }
}

/** Reads the session and records its use once a minute; in between, the cache answers. */
async function proveSession(ctx: Context, secret: string): Promise<VerifiedCredential | undefined> {
  const hash = hashSecret(secret)
  const found = await findLivingSession(ctx, hash)
  if (!found) return undefined
  const now = ctx.clock()
  // A use that was recorded while the clock was ahead is corrected.
  if (Math.abs(now - found.session.lastSeenAt) >= SEEN_MS) recordUse(ctx, 'sessions', found.session.id)
  const endsAt = sessionEndsAt({ ...found.session, lastSeenAt: now }, found.account.role)
  return provenBy(sessionCheck(ctx, hash), Math.min(endsAt - now, SEEN_MS))
}

/** Reads twice before giving up: a pending use may have been written after the first read and be pending no more. */
const findLivingSession = async (ctx: Context, hash: string) =>
  (await readLivingSession(ctx, hash)) ?? readLivingSession(ctx, hash)

async function readLivingSession(ctx: Context, hash: string) {
  const found = await findSession(ctx.storage.reads, hash)
  if (!found) return undefined
  // A use that is not written yet counts too.
  const lastSeenAt = findPendingUse(ctx, 'sessions', found.session.id) ?? found.session.lastSeenAt
  const session = { ...found.session, lastSeenAt }
  return isSessionLive(session, found.account.role, ctx.clock()) ? { ...found, session } : undefined
}

const sessionCheck = (ctx: Context, hash: string) => async () => {
  const found = await findLivingSession(ctx, hash)
  if (!found) return undefined
  const shown = { proof: 'session', credentialId: found.session.id } as const
  return createAccountViewer(found.account, ctx.config.requireVerifiedEmail, shown)
}
