// Who is asking, by what they show: an email with a password, a device's own password, an API token or a session.
import type { Context } from '../../context.ts'
import type { ApprovalState } from '../../domain/account/account.ts'
import { readEmail } from '../../domain/account/credentials.ts'
import { sessionEndsAt } from '../../domain/account/session.ts'
import { type AccountViewer, personOf } from '../../domain/privacy/viewer.ts'
import { hashSecret, verifyPassword } from '../../secrets.ts'
import { type AccountWithHash, findCredentialByEmailKey } from '../../storage/accounts/accounts.ts'
import { findApiToken, findAppPassword } from '../../storage/accounts/credentials.ts'
import { findSession } from '../../storage/accounts/sessions.ts'
import { createDurationSampler, type DurationSampler } from '../accounts/duration-sampler.ts'
import type { CalendarState } from '../maintenance/revision-reader.ts'
import { createCredentialCache, isCachedRefusal, type Proven, type Refused } from './credential-cache.ts'
import { findPendingUse, noteUse } from './last-used.ts'

const REMEMBERED_MS = 5 * 60_000
/** How long the same wrong text is refused without being tried. */
const REFUSED_MS = 15 * 60_000
/** A session that is used is written down as used this often. */
const SEEN_MS = 60_000

/** A try at a password is paid for before it is made, and given back when it was right. */
export interface Attempt {
  /** Of the client that tries. */
  network: string
  spend(): Promise<void>
  giveBack(): Promise<void>
  /** Told of a failure, and of whose account it was, if anyone's. */
  failed(accountId?: string): Promise<void>
  /** The same wrong text again: a visit, but no new guess. */
  again(): Promise<void>
}

/** A session is found or not; its secret is not guessed. */
const NO_ATTEMPT: Attempt = {
  network: '',
  spend: async () => {},
  giveBack: async () => {},
  failed: async () => {},
  again: async () => {},
}

/**
 * A text that this network sent before, which must be checked again because the account has changed. It counts as one
 * that need not be: otherwise the counter of guesses would show that the address has an account.
 */
const repeated = (attempt: Attempt): Attempt => ({ ...NO_ATTEMPT, network: attempt.network, spend: attempt.again })

export interface SignIn {
  withSession(state: CalendarState, secret: string): Promise<AccountViewer | undefined>
  withToken(state: CalendarState, token: string, attempt: Attempt): Promise<AccountViewer | undefined>
  /** HTTP Basic: the password of a device, or of the account itself where that is allowed. */
  withBasic(state: CalendarState, shown: EmailAndPassword, attempt: Attempt): Promise<AccountViewer | undefined>
}

export interface EmailAndPassword {
  email: string
  password: string
}

export function createSignIn(ctx: Context): SignIn {
  const memory = createCredentialCache(ctx)
  // A refusal is forgotten when the password of the address has changed: without a pause its time would show that.
  const durations = createDurationSampler()

  async function recall(
    state: CalendarState,
    name: string,
    attempt: Attempt,
    way: (attempt: Attempt) => Promise<Proven | Refused | undefined>,
    imitated?: DurationSampler,
  ): Promise<AccountViewer | undefined> {
    const begunAt = performance.now()
    const { network } = attempt
    const known = await memory.find(state, name, network)
    if (!known) return memory.prove(state, name, network, () => way(attempt))
    if (!isCachedRefusal(known)) return known
    const { isCurrent, refusedAt } = known
    if (!isCurrent) return memory.prove(state, name, network, () => way(repeated(attempt)), refusedAt)
    await attempt.again()
    await imitated?.imitate(begunAt)
    return undefined
  }

  return {
    withSession: (state, secret) => recall(state, `session ${secret}`, NO_ATTEMPT, () => proveSession(ctx, secret)),
    withToken: (state, token, attempt) =>
      recall(state, `token ${token}`, attempt, async (made) => (await proveToken(ctx, token)) ?? refuseToken(made)),
    withBasic: (state, shown, attempt) =>
      recall(
        state,
        `basic ${shown.email}\n${shown.password}`,
        attempt,
        async (made) => (await proveAppPassword(ctx, shown)) ?? proveBasic(ctx, shown, made, durations),
        durations,
      ),
  }
}

/** The account whose password this is; undefined when it is nobody's. Unknown addresses cost the same work. */
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
  await attempt.spend()
  const begunAt = performance.now()
  const owner = await findOwner(ctx, readEmail(email)?.key)
  // Whoever meets a full queue has not guessed.
  const isRight = await verifyPassword(password, owner?.passwordHash).catch(async (error) => {
    await attempt.giveBack()
    throw error
  })
  if (isRight) await attempt.giveBack()
  else await attempt.failed(owner?.account.id)
  if (!isRight) durations?.add(performance.now() - begunAt)
  return { owner, isRight }
}

/**
 * Registering tells nobody whether an address has an account; signing in with the password just chosen must not either.
 * So a request whose address was never proven is answered as if it were not there, also once it is rejected.
 */
const isAnswered = ({ config }: Context, { account }: AccountWithHash): boolean =>
  !config.requireVerifiedEmail ||
  account.emailVerified ||
  !(['pending_approval', 'rejected'] as ApprovalState[]).includes(account.approvalState)

/** What an address is counted under; one that cannot be read is nobody's, but is still counted. */
export const emailKeyOf = (email: string): string => readEmail(email)?.key ?? email.slice(0, 254)

async function findOwner(ctx: Context, emailKey: string | undefined): Promise<AccountWithHash | undefined> {
  const found = emailKey === undefined ? undefined : await findCredentialByEmailKey(ctx.storage.reads, emailKey)
  return found && isAnswered(ctx, found) ? found : undefined
}

async function proveBasic(
  ctx: Context,
  shown: EmailAndPassword,
  attempt: Attempt,
  durations: DurationSampler,
): Promise<Proven | Refused> {
  const { owner, isRight } = await tryPassword(ctx, shown, attempt, durations)
  const emailKey = readEmail(shown.email)?.key
  if (!owner || !isRight || !ctx.config.basicPasswords) return refusalOfPassword(ctx, emailKey, owner?.passwordHash)
  // The hash took long: the account and its password are read again.
  return (
    (await provenBy(passwordCheck(ctx, emailKey, owner.passwordHash), REMEMBERED_MS)) ??
    refusalOfPassword(ctx, emailKey, owner.passwordHash)
  )
}

const passwordCheck = (ctx: Context, emailKey: string | undefined, passwordHash: string) => async () => {
  const now = await findOwner(ctx, emailKey)
  if (now?.passwordHash !== passwordHash) return undefined
  return personOf(now.account, ctx.config.requireVerifiedEmail, { proof: 'password', passwordHash })
}

const refusalOfPassword = (ctx: Context, emailKey: string | undefined, passwordHash: string | undefined): Refused => ({
  forMs: REFUSED_MS,
  recheck: async () => (await findOwner(ctx, emailKey))?.passwordHash === passwordHash,
})

/** What a check finds now, with the check itself; undefined when it finds nothing. */
async function provenBy(recheck: Proven['recheck'], forMs: number): Promise<Proven | undefined> {
  const person = await recheck()
  return person && { person, recheck, forMs }
}

/** A device's password is random: looking it up takes no slow hash, and finding it is no guess to be counted. */
async function proveAppPassword(ctx: Context, { email, password }: EmailAndPassword): Promise<Proven | undefined> {
  const plain = plainAppPassword(password)
  if (plain === undefined) return undefined
  const recheck = appPasswordCheck(ctx, readEmail(email)?.key, hashSecret(plain))
  const proven = await provenBy(recheck, REMEMBERED_MS)
  if (proven) noteUse(ctx, 'app_passwords', proven.person.credentialId!)
  return proven
}

const appPasswordCheck = (ctx: Context, emailKey: string | undefined, hash: string) => async () => {
  const found = await findAppPassword(ctx.storage.reads, hash)
  if (!found || readEmail(found.account.email)?.key !== emailKey) return undefined
  const shown = { proof: 'app_password', credentialId: found.credential.id } as const
  return personOf(found.account, ctx.config.requireVerifiedEmail, shown)
}

/** As it is hashed; typed by hand, so case, hyphens and spaces do not matter. Undefined when it cannot be one. */
export function plainAppPassword(text: string): string | undefined {
  const plain = text.toLowerCase().replace(/[\s-]/g, '')
  return /^[0-9a-v]{24}$/.test(plain) ? plain : undefined
}

async function proveToken(ctx: Context, token: string): Promise<Proven | undefined> {
  const hash = hashSecret(token)
  const found = await findLivingToken(ctx, hash)
  if (!found) return undefined
  noteUse(ctx, 'api_tokens', found.credential.id)
  return provenBy(tokenCheck(ctx, hash), Math.min(found.credential.expiresAt - ctx.clock(), REMEMBERED_MS))
}

async function findLivingToken(ctx: Context, hash: string) {
  const found = await findApiToken(ctx.storage.reads, hash)
  return found && found.credential.expiresAt > ctx.clock() ? found : undefined
}

const tokenCheck = (ctx: Context, hash: string) => async () => {
  const found = await findLivingToken(ctx, hash)
  if (!found) return undefined
  const { id, scopes } = found.credential
  return personOf(found.account, ctx.config.requireVerifiedEmail, { proof: 'token', credentialId: id, scopes })
}

/** No token is ever made that was refused before: they are random. */
async function refuseToken(attempt: Attempt): Promise<Refused> {
  await attempt.spend()
  await attempt.failed()
  return { forMs: REFUSED_MS, recheck: async () => true }
}

/** Read, and noted as used, once a minute; in between it is remembered. */
async function proveSession(ctx: Context, secret: string): Promise<Proven | undefined> {
  const hash = hashSecret(secret)
  const found = await findLivingSession(ctx, hash)
  if (!found) return undefined
  const now = ctx.clock()
  if (now - found.session.lastSeenAt >= SEEN_MS) noteUse(ctx, 'sessions', found.session.id)
  const endsAt = sessionEndsAt({ ...found.session, lastSeenAt: now }, found.account.role)
  return provenBy(sessionCheck(ctx, hash), Math.min(endsAt - now, SEEN_MS))
}

/** Read twice before it is given up: a pending use may have been written after the first read, and be pending no more. */
const findLivingSession = async (ctx: Context, hash: string) =>
  (await readLivingSession(ctx, hash)) ?? readLivingSession(ctx, hash)

async function readLivingSession(ctx: Context, hash: string) {
  const found = await findSession(ctx.storage.reads, hash)
  if (!found) return undefined
  // A use counts also while it cannot be written.
  const lastSeenAt = findPendingUse(ctx, 'sessions', found.session.id) ?? found.session.lastSeenAt
  const session = { ...found.session, lastSeenAt }
  return sessionEndsAt(session, found.account.role) > ctx.clock() ? { ...found, session } : undefined
}

const sessionCheck = (ctx: Context, hash: string) => async () => {
  const found = await findLivingSession(ctx, hash)
  if (!found) return undefined
  const shown = { proof: 'session', credentialId: found.session.id } as const
  return personOf(found.account, ctx.config.requireVerifiedEmail, shown)
}
