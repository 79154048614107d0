// `daybook admin grant`: the last resort when nobody is left who can let people in.
import { findAccount } from '../actions/accounts.ts'
import { grantAdministration } from '../actions/change-user.ts'
import type { Context } from '../context.ts'
import { type Command, readPassword, say, WrongUsage } from './command.ts'
import { requireNewPassword } from './prompt.ts'
import { withContext } from './with-context.ts'

export const adminGrant: Command = {
  usage: `Usage: daybook admin grant --email E [--password-stdin]

Makes an account that exists an administrator who can act at once: approved, and with
its address taken as proven. Where nobody has proven the address before, somebody else
may have chosen the password: then a new one is asked for, or read from standard input
with --password-stdin, and everything that let anybody in before ends. Works while the
service is running.`,
  options: { email: { type: 'string' }, 'password-stdin': { type: 'boolean' } },
  async act({ email, 'password-stdin': fromStandardInput }) {
    if (typeof email !== 'string') throw new WrongUsage('--email is needed')
    const given = fromStandardInput ? await readPassword() : undefined
    const user = await withContext(async (ctx) =>
      grantAdministration(ctx, email, given ?? (await askIfUnproven(ctx, email))),
    )
    say(`${user.email} is now an administrator.`)
  },
}

const UNPROVEN = 'nobody has proven this address, so the password may be a stranger’s'

async function askIfUnproven(ctx: Context, email: string): Promise<string | undefined> {
  const account = await findAccount(ctx, email)
  if (!account || account.emailVerified) return undefined
  if (process.stdin.isTTY) say(`Choose a new password: ${UNPROVEN}.`)
  return requireNewPassword(`${UNPROVEN}: give it a new one with --password-stdin`)
}
