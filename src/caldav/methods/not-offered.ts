// What nobody may do here: make another calendar, or take away the one there is.
import { fail } from '../../errors.ts'
import type { DavPaths } from '../paths.ts'

/**
 * RFC 4791 §5.3.1.1 and RFC 5689 §3 want to hear why. Anybody would need the privilege to bind something into the home,
 * and nobody has it; `current-user-privilege-set` says the same beforehand, so programs need not offer it.
 */
export const refuseNewCollection = (paths: DavPaths): never =>
  fail('insufficient_capability', { href: paths.home, privilege: 'bind' })

export const refuseRemoval = (paths: DavPaths): never =>
  fail('insufficient_capability', { href: paths.home, privilege: 'unbind' })
