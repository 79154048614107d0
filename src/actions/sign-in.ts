// Who is asking, by what they show: an email with a password, a device's own password, an API token or a session.
import type { Context } from '../context.ts'
import { readEmail } from '../domain/account/credentials.ts'
import { sessionEndsAt } from '../domain/account/session.ts'
import { type Person, personOf } from '../domain/privacy/viewer.ts'
import { hashSecret, verifyPassword } from '../secrets.ts'
import { type Credential, findCredentialByEmailKey } from '../storage/accounts.ts'
import { findApiToken, findAppPassword, touchCredential } from '../storage/credentials.ts'
import { findSession, touchSession } from '../storage/sessions.ts'
import { inTransaction } from '../storage/transaction.ts'
import { makeRemembered, type Proven } from './remembered.ts'
import type { CalendarState } from './state.ts'

const REMEMBERED_MS = 5 * 60_000
/** A session that is used is written down as used this often. */
const SEEN_MS = 60_000

/** A try at a password is paid for before it is made, and given back when it was right. */
export interface Attempt {
  spend(): Promise<void>
  giveBack(): Promise<void>
  /** Told of a failure, and of whose account it was, if anyone's. */
  failed(accountId?: string): Promise<void>
}

export interface SignIn {
  /** Whose credentials this text was proven to be a moment ago. */
  remembered(state: CalendarState, text: string): Promise<Person | undefined>
  /** The same wrong text, again. */
  wasRefused(state: CalendarState, text: string): boolean
  withSession(state: CalendarState, secret: string): Promise<Person | undefined>
  withToken(state: CalendarState, sent: string, token: string, attempt: Attempt): Promise<Person | undefined>
  /** HTTP Basic: the password of a device, or of the account itself where that is allowed. */
  withBasic(
    state: CalendarState,
    sent: string,
    email: string,
    password: string,
    attempt: Attempt,
  ): Promise<Person | undefined>
}

export function makeSignIn(ctx: Context): SignIn {
  const memory = makeRemembered(ctx)
  return {
    remembered: memory.find,
    wasRefused: memory.wasRefused,
    withSession: async (state, secret) =>
      (await memory.find(state, secret)) ?? memory.prove(state, secret, () => proveSession(ctx, secret)),
    withToken: (state, sent, token, attempt) =>
      memory.prove(state, sent, async () => (await proveToken(ctx, token)) ?? countFailure(attempt)),
    withBasic: (state, sent, email, password, attempt) =>
      memory.prove(
        state,
        sent,
        async () => (await proveAppPassword(ctx, email, password)) ?? proveBasic(ctx, email, password, attempt),
      ),
  }
}

/** The account whose password this is; undefined when it is nobody's. Unknown addresses cost the same work. */
export async function findByPassword(
  ctx: Context,
  email: string,
  password: string,
  attempt: Attempt,
): Promise<Credential | undefined> {
  await attempt.spend()
  const owner = await findCredentialByEmailKey(ctx.storage.reads, emailKeyOf(email))
  const isRight = await verifyPassword(password, owner?.passwordHash)
  if (isRight) await attempt.giveBack()
  else await attempt.failed(owner?.account.id)
  return isRight ? owner : undefined
}

/** What an address is counted and found under; one that cannot be read is nobody's, but is still counted. */
export const emailKeyOf = (email: string): string => readEmail(email)?.key ?? email.slice(0, 254)

async function proveBasic(
  ctx: Context,
  email: string,
  password: string,
  attempt: Attempt,
): Promise<Proven | undefined> {
  const owner = await findByPassword(ctx, email, password, attempt)
  if (!owner || !ctx.config.basicPasswords) return undefined
  const person = ({ account }: Credential): Person =>
    personOf(account, ctx.config.requireVerifiedEmail, { proof: 'password' })
  return {
    person: person(owner),
    until: ctx.clock() + REMEMBERED_MS,
    async recheck() {
      const now = await findCredentialByEmailKey(ctx.storage.reads, emailKeyOf(email))
      return now?.passwordHash === owner.passwordHash ? person(now) : undefined
    },
  }
}

/** A device's password is random: looking it up takes no slow hash, and finding it is no guess to be counted. */
async function proveAppPassword(ctx: Context, email: string, password: string): Promise<Proven | undefined> {
  const plain = plainAppPassword(password)
  if (plain === undefined) return undefined
  const find = async (): Promise<Person | undefined> => {
    const found = await findAppPassword(ctx.storage.reads, hashSecret(plain))
    if (!found || readEmail(found.account.email)?.key !== emailKeyOf(email)) return undefined
    const shown = { proof: 'app_password', credentialId: found.credential.id } as const
    return personOf(found.account, ctx.config.requireVerifiedEmail, shown)
  }
  const person = await find()
  if (person) await noteUse(ctx, 'app_passwords', person.credentialId!)
  return person && { person, recheck: find, until: ctx.clock() + REMEMBERED_MS }
}

/** As it is hashed; typed by hand, so case, hyphens and spaces do not matter. Undefined when it cannot be one. */
export function plainAppPassword(text: string): string | undefined {
  const plain = text.toLowerCase().replace(/[\s-]/g, '')
  return /^[0-9a-v]{24}$/.test(plain) ? plain : undefined
}

async function proveToken(ctx: Context, token: string): Promise<Proven | undefined> {
  let endsAt = 0
  const find = async (): Promise<Person | undefined> => {
    const found = await findApiToken(ctx.storage.reads, hashSecret(token))
    if (!found || found.credential.expiresAt <= ctx.clock()) return undefined
    const { id, scopes, expiresAt } = found.credential
    endsAt = expiresAt
    return personOf(found.account, ctx.config.requireVerifiedEmail, { proof: 'token', credentialId: id, scopes })
  }
  const person = await find()
  if (person) await noteUse(ctx, 'api_tokens', person.credentialId!)
  return person && { person, recheck: find, until: Math.min(endsAt, ctx.clock() + REMEMBERED_MS) }
}

/** Read, and written down as used, once a minute; in between it is remembered. */
async function proveSession(ctx: Context, secret: string): Promise<Proven | undefined> {
  const hash = hashSecret(secret)
  const find = async () => {
    const found = await findSession(ctx.storage.reads, hash)
    return found && sessionEndsAt(found.session, found.account.role) > ctx.clock() ? found : undefined
  }
  const person = (found: Awaited<ReturnType<typeof find>>): Person | undefined =>
    found &&
    personOf(found.account, ctx.config.requireVerifiedEmail, { proof: 'session', credentialId: found.session.id })
  const found = await find()
  if (!found) return undefined
  const now = ctx.clock()
  if (now - found.session.lastSeenAt >= SEEN_MS)
    await inTransaction(ctx.storage, (db) => touchSession(db, found.session.id, now))
  const endsAt = sessionEndsAt({ ...found.session, lastSeenAt: now }, found.account.role)
  return { person: person(found)!, until: Math.min(endsAt, now + SEEN_MS), recheck: async () => person(await find()) }
}

const noteUse = (ctx: Context, table: 'app_passwords' | 'api_tokens', id: string): Promise<void> =>
  inTransaction(ctx.storage, (db) => touchCredential(db, table, id, ctx.clock()))

async function countFailure(attempt: Attempt): Promise<undefined> {
  await attempt.spend()
  await attempt.failed()
}
