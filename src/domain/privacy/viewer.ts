// Who asks, and what that lets them see and do. One table; everything not in it is refused.

import { fail } from '../../errors.ts'
import { type Account, type Role, standingProblem } from '../account/account.ts'

export type Verb = 'read_full' | 'write' | 'administer'

/** Nobody in particular, a person whose credentials were proven, or whoever runs commands on the machine itself. */
export type Viewer = { kind: 'anonymous' } | Author
export type Author = { kind: 'account'; account: Account } | { kind: 'operator' }

/** How much of an event is shown. */
export type Sight = 'public' | 'full'

export const ANONYMOUS: Viewer = { kind: 'anonymous' }
export const OPERATOR: Author = { kind: 'operator' }

const RIGHTS: Record<Role, readonly Verb[]> = {
  reader: ['read_full'],
  writer: ['read_full', 'write'],
  admin: ['read_full', 'write', 'administer'],
}

export function mayDo(viewer: Viewer, verb: Verb): boolean {
  if (viewer.kind === 'operator') return true
  if (viewer.kind === 'anonymous' || standingProblem(viewer.account)) return false
  return RIGHTS[viewer.account.role].includes(verb)
}

/** Registration is open to anyone, so having an account shows nothing: only approved people see full events. */
export const sightOf = (viewer: Viewer): Sight => (mayDo(viewer, 'read_full') ? 'full' : 'public')

export function requireAccess(viewer: Viewer, verb: Verb): asserts viewer is Author {
  if (viewer.kind === 'anonymous') fail('authentication_required')
  const problem = viewer.kind === 'account' && standingProblem(viewer.account)
  if (problem) fail(problem)
  if (!mayDo(viewer, verb)) fail('insufficient_capability')
}

/** Whose name a change carries; the operator has none. */
export const authorId = (author: Author): string | null => (author.kind === 'account' ? author.account.id : null)
