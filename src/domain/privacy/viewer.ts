// Viewers and their rights: which verbs a role and a credential allow. Anything else is refused.

import { type ErrorCode, fail } from '../../errors.ts'
import { type Account, findStandingProblem } from '../account/account.ts'
import { hasRight, type Scope, VERB_OF, type Verb } from './rights.ts'

/** The kind of credential that a viewer was authenticated with. */
export type ProofKind = 'session' | 'password' | 'app_password' | 'token'

export interface AccountViewer {
  kind: 'account'
  account: Account
  proof: ProofKind
  /** The session, app password or token that was used. */
  credentialId: string | undefined
  /** Why the account may not act although it is authenticated; undefined when it may. */
  standing: ErrorCode | undefined
  /** Scopes of a token. */
  scopes: readonly Scope[]
  /** The hash when the password was checked; a changed password ends requests made with it. */
  passwordHash: string | undefined
}

/** Anonymous, an authenticated account, or the operator who runs commands on the machine. */
export type Viewer = { kind: 'anonymous' } | Actor
export type Actor = AccountViewer | { kind: 'operator' }

/** How much of an event is shown. */
export type Sight = 'public' | 'full'

export const ANONYMOUS: Viewer = { kind: 'anonymous' }
export const OPERATOR: Actor = { kind: 'operator' }

export interface ShownCredential {
  proof: ProofKind
  credentialId?: string | undefined
  scopes?: readonly Scope[]
  passwordHash?: string | undefined
}

export const createAccountViewer = (
  account: Account,
  needsVerifiedEmail: boolean,
  shown: ShownCredential,
): AccountViewer => ({
  kind: 'account',
  account,
  proof: shown.proof,
  credentialId: shown.credentialId,
  standing: findStandingProblem(account, needsVerifiedEmail),
  scopes: shown.scopes ?? [],
  passwordHash: shown.passwordHash,
})

/**
 * A credential may allow less than its account: an app password only the calendar, a token only its scopes, and neither
 * can create new credentials.
 */
function isInReach({ proof, scopes }: AccountViewer, verb: Verb): boolean {
  if (proof === 'session' || proof === 'password') return true
  if (proof === 'app_password') return verb === 'read_full' || verb === 'write'
  return scopes.some((scope) => VERB_OF[scope] === verb)
}

/** Why the verb is refused; undefined when it is allowed. */
function refusalOf(viewer: Viewer, verb: Verb): ErrorCode | undefined {
  if (viewer.kind === 'operator') return undefined
  if (viewer.kind === 'anonymous') return 'authentication_required'
  if (viewer.standing) return viewer.standing
  if (!hasRight(viewer.account.role, verb)) return verb === 'administer' ? 'admin_required' : 'insufficient_capability'
  if (isInReach(viewer, verb)) return undefined
  return viewer.proof === 'token' ? 'token_scope_insufficient' : 'insufficient_capability'
}

export const mayDo = (viewer: Viewer, verb: Verb): boolean => refusalOf(viewer, verb) === undefined

/**
 * Registration is open to anyone, so an account alone shows nothing: only approved ones see full events. This holds for
 * every response, also to a write: a token that may write but not read gets the public view of the event it wrote.
 */
export const sightOf = (viewer: Viewer): Sight => (mayDo(viewer, 'read_full') ? 'full' : 'public')

export function requireAccess(viewer: Viewer, ...verbs: readonly Verb[]): asserts viewer is Actor {
  for (const verb of verbs) {
    const refusal = refusalOf(viewer, verb)
    if (refusal) fail(refusal)
  }
}

/** The account recorded as the author of a change; null for the operator. */
export const actorIdOf = (author: Actor): string | null => (author.kind === 'account' ? author.account.id : null)
