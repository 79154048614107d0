// `daybook admin grant`: makes an existing account an administrator, if no other one is left.
import { needsNewPassword } from '../actions/accounts/accounts.ts'
import { grantAdministration } from '../actions/accounts/change-user.ts'
import type { Context } from '../context.ts'
import { type Command, readPassword, say, WrongUsage } from './command.ts'
import { requireNewPassword } from './prompt.ts'
import { withContext } from './with-context.ts'

export const adminGrant: Command = {
  usage: `Usage: daybook admin grant --email E [--password-stdin]

Makes an account that exists an administrator who can act at once: approved, and with
its address taken as proven. Where the address was never proven, or the account was
requested more than once, another person may have chosen the password: then a new one is
asked for, or read from standard input with --password-stdin, and everything that gave
access before ends. Works while the service is running.`,
  options: { email: { type: 'string' }, 'password-stdin': { type: 'boolean' } },
  async act({ email, 'password-stdin': fromStandardInput }) {
    if (typeof email !== 'string') throw new WrongUsage('--email is needed')
    const given = fromStandardInput ? await readPassword() : undefined
    const user = await withContext(async (ctx) =>
      grantAdministration(ctx, email, given ?? (await askIfNeeded(ctx, email))),
    )
    say(`${user.email} is now an administrator.`)
  },
}

const REASON = 'the present one may be another person’s'

async function askIfNeeded(ctx: Context, email: string): Promise<string | undefined> {
  if (!(await needsNewPassword(ctx, email))) return undefined
  if (process.stdin.isTTY) say(`Choose a new password: ${REASON}.`)
  return requireNewPassword(`the account needs a new password, ${REASON}: give it one with --password-stdin`)
}
