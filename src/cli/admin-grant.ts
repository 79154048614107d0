// `daybook admin grant`: the last resort when nobody is left who can let people in.
import { grantAdministration } from '../actions/change-user.ts'
import { type Command, say, WrongUsage, withContext } from './command.ts'

export const adminGrant: Command = {
  name: 'admin grant',
  summary: 'make an existing account an administrator',
  usage: `Usage: daybook admin grant --email E

Makes an account that exists an administrator who can act at once: approved, and with
its address taken as proven. Works while the service is running.`,
  options: { email: { type: 'string' } },
  async act({ email }) {
    if (typeof email !== 'string') throw new WrongUsage('--email is needed')
    const user = await withContext((ctx) => grantAdministration(ctx, email))
    say(`${user.email} is now an administrator.`)
  },
}
