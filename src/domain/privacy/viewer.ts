// Who asks, and what that lets them see and do. One table; everything not in it is refused.

import { fail } from '../../errors.ts'
import { type Account, type Role, standingProblem } from '../account/account.ts'

export type Verb = 'read_full' | 'write' | 'administer'

/** Nobody in particular, or a person whose credentials were proven. */
export type Viewer = { kind: 'anonymous' } | { kind: 'account'; account: Account }

/** How much of an event is shown. */
export type Sight = 'public' | 'full'

export const ANONYMOUS: Viewer = { kind: 'anonymous' }

const RIGHTS: Record<Role, readonly Verb[]> = {
  reader: ['read_full'],
  writer: ['read_full', 'write'],
  admin: ['read_full', 'write', 'administer'],
}

export function mayDo(viewer: Viewer, verb: Verb): boolean {
  if (viewer.kind === 'anonymous' || standingProblem(viewer.account)) return false
  return RIGHTS[viewer.account.role].includes(verb)
}

/** Registration is open to anyone, so having an account shows nothing: only approved people see full events. */
export const sightOf = (viewer: Viewer): Sight => (mayDo(viewer, 'read_full') ? 'full' : 'public')

export function requireAccess(viewer: Viewer, verb: Verb): asserts viewer is Extract<Viewer, { kind: 'account' }> {
  if (viewer.kind === 'anonymous') fail('authentication_required')
  const problem = standingProblem(viewer.account)
  if (problem) fail(problem)
  if (!mayDo(viewer, verb)) fail('insufficient_capability')
}
