// `daybook admin grant`: makes an existing account an administrator, if no other one is left.
import { needsNewPassword } from '../actions/accounts/accounts.ts'
import { grantAdministration } from '../actions/accounts/change-account.ts'
import type { Context } from '../context.ts'
import { type Command, readPassword, UsageError, writeLine } from './command.ts'
import { requireNewPassword } from './prompt.ts'
import { withCalendar } from './with-context.ts'

export const adminGrant: Command = {
  usage: `Usage: daybook admin grant --email E [--password-stdin]

Makes an existing account an administrator who can act at once: approves it and marks
its address as verified. If the address was never verified, or the account was requested
more than once, another person may have chosen the password. The command then asks for a
new one, or reads it from standard input with --password-stdin, and revokes everything
that gave access before. Works while the service is running.`,
  options: { email: { type: 'string' }, 'password-stdin': { type: 'boolean' } },
  async act({ email, 'password-stdin': fromStandardInput }) {
    if (typeof email !== 'string') throw new UsageError('--email is required')
    const given = fromStandardInput ? await readPassword() : undefined
    const user = await withCalendar(async (ctx) =>
      grantAdministration(ctx, email, given ?? (await askIfNeeded(ctx, email))),
    )
    writeLine(`${user.email} is now an administrator.`)
  },
}

const REASON = 'another person may have chosen the current one'

async function askIfNeeded(ctx: Context, email: string): Promise<string | undefined> {
  if (!(await needsNewPassword(ctx, email))) return undefined
  if (process.stdin.isTTY) writeLine(`Choose a new password, because ${REASON}.`)
  return requireNewPassword(`the account needs a new password, because ${REASON}: set one with --password-stdin`)
}
