// Refuses to create or delete calendars: 403 with the missing privilege.
import { fail } from '../../errors.ts'
import type { DavPaths } from '../paths.ts'

/**
 * RFC 4791 §5.3.1.1 and RFC 5689 §3 require the reason. It needs the privilege `bind` on the home, which no account
 * has; `current-user-privilege-set` says the same beforehand, so clients need not offer it.
 */
export const refuseNewCollection = (paths: DavPaths): never =>
  fail('insufficient_capability', { href: paths.home, privilege: 'bind' })

export const refuseRemoval = (paths: DavPaths): never =>
  fail('insufficient_capability', { href: paths.home, privilege: 'unbind' })
