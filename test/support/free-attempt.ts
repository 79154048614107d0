// An attempt to sign in that no rate limit counts.
import type { Attempt } from '../../src/actions/access/sign-in.ts'

export const FREE_ATTEMPT: Attempt = {
  network: '192.0.2.1',
  consume: async () => {},
  refund: async () => {},
  failed: async () => {},
  countRepeat: async () => {},
}
