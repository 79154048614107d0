// Who is asking, by email and password. Proven credentials are remembered for a while, as a keyed hash.
import type { Context } from '../context.ts'
import type { Account } from '../domain/account/account.ts'
import { readEmail } from '../domain/account/credentials.ts'
import type { Instant } from '../domain/time/instant.ts'
import { keyedHash, newKey, verifyPassword } from '../secrets.ts'
import { findCredentialByEmailKey } from '../storage/accounts.ts'
import type { CalendarState } from './state.ts'

const REMEMBERED_MS = 5 * 60_000
const MAX_REMEMBERED = 10_000

interface Proven {
  account: Account
  emailKey: string
  passwordHash: string
  /** The account was last looked at when the people's counter stood here. */
  accountsRevision: number
  until: Instant
}

/** A try at a password is paid for before it is made, and given back when it was right. */
export interface Attempt {
  spend(): Promise<void>
  giveBack(): Promise<void>
}

export interface SignIn {
  /** The account whose password this is; undefined when there is none. The proof is remembered under the text it came as. */
  withPassword(
    state: CalendarState,
    sent: string,
    email: string,
    password: string,
    attempt: Attempt,
  ): Promise<Account | undefined>
  /** Whose credentials this text was proven to be a moment ago. */
  remembered(state: CalendarState, sent: string): Promise<Account | undefined>
  /** What failures of one address are counted under; the same for addresses nobody has. */
  emailKeyOf(email: string): string
}

export function makeSignIn(ctx: Context): SignIn {
  // A key of this process alone: the memory below is of no use to anyone who reads it elsewhere.
  const key = newKey()
  const proven = new Map<string, Proven>()
  const nameOf = (sent: string): string => keyedHash(key, sent)

  async function remembered(state: CalendarState, sent: string): Promise<Account | undefined> {
    const name = nameOf(sent)
    const entry = proven.get(name)
    if (!entry || entry.until <= ctx.clock()) {
      proven.delete(name)
      return undefined
    }
    if (entry.accountsRevision === state.accountsRevision) return entry.account
    // Somebody's account changed since: this one counts as proven only while its password is still the same.
    const now = await findCredentialByEmailKey(ctx.storage.reads, entry.emailKey)
    if (now?.passwordHash !== entry.passwordHash) {
      proven.delete(name)
      return undefined
    }
    proven.set(name, { ...entry, account: now.account, accountsRevision: state.accountsRevision })
    return now.account
  }

  async function prove(
    state: CalendarState,
    name: string,
    email: string,
    password: string,
  ): Promise<Account | undefined> {
    const emailKey = readEmail(email)?.key
    const credential = emailKey ? await findCredentialByEmailKey(ctx.storage.reads, emailKey) : undefined
    if (!(await verifyPassword(password, credential?.passwordHash)) || !credential) return undefined
    if (proven.size >= MAX_REMEMBERED) proven.clear()
    proven.set(name, {
      account: credential.account,
      emailKey: emailKey!,
      passwordHash: credential.passwordHash,
      accountsRevision: state.accountsRevision,
      until: ctx.clock() + REMEMBERED_MS,
    })
    return credential.account
  }

  async function tryOnce(attempt: Attempt, proof: () => Promise<Account | undefined>): Promise<Account | undefined> {
    await attempt.spend()
    const account = await proof()
    if (account) await attempt.giveBack()
    return account
  }

  /** A client that opens many connections at once has its password hashed once. */
  const proving = new Map<string, Promise<Account | undefined>>()
  const withPassword: SignIn['withPassword'] = (state, sent, email, password, attempt) => {
    const name = nameOf(sent)
    const known = proving.get(name)
    if (known) return known
    const proof = tryOnce(attempt, () => prove(state, name, email, password)).finally(() => proving.delete(name))
    proving.set(name, proof)
    return proof
  }

  return { remembered, withPassword, emailKeyOf: (email) => keyedHash(key, readEmail(email)?.key ?? email) }
}
