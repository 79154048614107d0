// Requires the account's password for changes that a stolen session or token must not suffice for.
import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/privacy/viewer.ts'
import { fail, failField } from '../../errors.ts'
import { type Attempt, findByPassword } from './sign-in.ts'

export interface PasswordConfirmation {
  /** The field `current_password` of the request. */
  currentPassword: string | undefined
  createAttempt(email: string): Attempt
}

/** A request that signs in by its password has shown it. */
export async function confirmPassword(
  ctx: Context,
  viewer: Viewer,
  { currentPassword: sent, createAttempt }: PasswordConfirmation,
): Promise<void> {
  if (viewer.kind !== 'account' || viewer.proof === 'password') return
  if (viewer.proof !== 'session') fail('insufficient_capability')
  if (!sent) failField('/current_password', 'required')
  const { email } = viewer.account
  const owner = await findByPassword(ctx, { email, password: sent }, createAttempt(email))
  if (!owner) failField('/current_password', 'not_allowed')
}
