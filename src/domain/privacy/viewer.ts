// Who asks, and what that lets them see and do. One table; everything not in it is refused.

import { type ErrorCode, fail } from '../../errors.ts'
import { type Account, type Role, standingProblem } from '../account/account.ts'

/** `own_account` is what people do to their own sign-in: passwords, sessions, tokens. */
export type Verb = 'read_full' | 'write' | 'administer' | 'own_account'

export const SCOPES = ['events:read', 'events:write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** By what somebody proved who they are. */
export type ProofKind = 'session' | 'password' | 'app_password' | 'token'

export interface AccountViewer {
  kind: 'account'
  account: Account
  proof: ProofKind
  /** The session, app password or token that was shown. */
  credentialId: string | undefined
  /** Why they may not act although they are who they say; undefined when they may. */
  standing: ErrorCode | undefined
  /** How far a token reaches. */
  scopes: readonly Scope[]
  /** As it was when the password was shown; a changed one ends what was asked with it. */
  passwordHash: string | undefined
}

/** Nobody in particular, a person whose credentials were proven, or whoever runs commands on the machine itself. */
export type Viewer = { kind: 'anonymous' } | Author
export type Author = AccountViewer | { kind: 'operator' }

/** How much of an event is shown. */
export type Sight = 'public' | 'full'

export const ANONYMOUS: Viewer = { kind: 'anonymous' }
export const OPERATOR: Author = { kind: 'operator' }

export interface ShownCredential {
  proof: ProofKind
  credentialId?: string | undefined
  scopes?: readonly Scope[]
  passwordHash?: string | undefined
}

export const personOf = (account: Account, needsVerifiedEmail: boolean, shown: ShownCredential): AccountViewer => ({
  kind: 'account',
  account,
  proof: shown.proof,
  credentialId: shown.credentialId,
  standing: standingProblem(account, needsVerifiedEmail),
  scopes: shown.scopes ?? [],
  passwordHash: shown.passwordHash,
})

const RIGHTS: Record<Role, readonly Verb[]> = {
  reader: ['read_full', 'own_account'],
  writer: ['read_full', 'write', 'own_account'],
  admin: ['read_full', 'write', 'administer', 'own_account'],
}

/** What each scope lets a token do, as far as its owner may. */
export const VERB_OF: Record<Scope, Verb> = { 'events:read': 'read_full', 'events:write': 'write', admin: 'administer' }

/**
 * What was shown may reach less far than the person: a device's password is for the calendar alone, a token for what it
 * was made for, and neither can make itself new credentials.
 */
function isInReach({ proof, scopes }: AccountViewer, verb: Verb): boolean {
  if (proof === 'session' || proof === 'password') return true
  if (proof === 'app_password') return verb === 'read_full' || verb === 'write'
  return scopes.some((scope) => VERB_OF[scope] === verb)
}

/** Why not, or undefined when they may. */
function refusalOf(viewer: Viewer, verb: Verb): ErrorCode | undefined {
  if (viewer.kind === 'operator') return undefined
  if (viewer.kind === 'anonymous') return 'authentication_required'
  if (viewer.standing) return viewer.standing
  if (!RIGHTS[viewer.account.role].includes(verb))
    return verb === 'administer' ? 'admin_required' : 'insufficient_capability'
  if (isInReach(viewer, verb)) return undefined
  return viewer.proof === 'token' ? 'token_scope_insufficient' : 'insufficient_capability'
}

export const mayDo = (viewer: Viewer, verb: Verb): boolean => refusalOf(viewer, verb) === undefined

/**
 * Registration is open to anyone, so having an account shows nothing: only approved people see full events. It holds for
 * every answer, also to a write: a token that may write and not read gets what the public sees of the event it wrote.
 */
export const sightOf = (viewer: Viewer): Sight => (mayDo(viewer, 'read_full') ? 'full' : 'public')

export function requireAccess(viewer: Viewer, verb: Verb): asserts viewer is Author {
  const refusal = refusalOf(viewer, verb)
  if (refusal) fail(refusal)
}

/** Whose name a change carries; the operator has none. */
export const authorId = (author: Author): string | null => (author.kind === 'account' ? author.account.id : null)
