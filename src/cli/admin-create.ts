// `daybook admin create`: creates an approved account, also while the service runs.
import { createApprovedAccount } from '../actions/accounts/accounts.ts'
import { ROLES, type Role } from '../domain/account/account.ts'
import { readEmail } from '../domain/email.ts'
import { failField } from '../errors.ts'
import { type Command, NO_TERMINAL, readPassword, UsageError, writeLine } from './command.ts'
import { requireNewPassword } from './prompt.ts'
import { withContext } from './with-context.ts'

export const adminCreate: Command = {
  usage: `Usage: daybook admin create --email E [--name N] [--role admin|writer|reader] [--password-stdin]

Creates an approved account. Asks for the password (12 to 128 characters), or reads it
from standard input with --password-stdin. Works while the service is running.`,
  options: {
    email: { type: 'string' },
    name: { type: 'string' },
    role: { type: 'string' },
    'password-stdin': { type: 'boolean' },
  },
  async act({ email, name, role = 'admin', 'password-stdin': fromStandardInput }) {
    if (typeof email !== 'string') throw new UsageError('--email is required')
    if (!ROLES.includes(role as Role)) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`)
    if (!readEmail(email)) failField('/email', 'invalid_format')
    const password = fromStandardInput ? await readPassword() : await requireNewPassword(NO_TERMINAL)
    const displayName = typeof name === 'string' ? name : undefined
    const account = await withContext((ctx) =>
      createApprovedAccount(ctx, { email, password, displayName }, role as Role),
    )
    writeLine(`${account.email} is now ${account.role === 'admin' ? 'an administrator' : `a ${account.role}`}.`)
  },
}
