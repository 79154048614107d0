// Creates the administrator in `daybook setup`, unless there is one.
import { createApprovedAccount, findAccount, needsNewPassword } from '../../actions/accounts/accounts.ts'
import { listAccounts } from '../../actions/accounts/manage-accounts.ts'
import type { Context } from '../../context.ts'
import { type Account, findStandingProblem } from '../../domain/account/account.ts'
import { readEmail } from '../../domain/email.ts'
import { OPERATOR } from '../../domain/privacy/viewer.ts'
import { AppError } from '../../errors.ts'
import { COMMAND } from '../../installation.ts'
import { NO_TERMINAL, readPassword, writeLine } from '../command.ts'
import { explain } from '../explain.ts'
import { askNewPassword, type Prompt, requireNewPassword } from '../prompt.ts'
import type { SetupDialog } from './settings.ts'

export async function findAdministrator(ctx: Context): Promise<string | undefined> {
  const wanted = { role: 'admin', approvalState: 'approved', text: undefined, order: 'created_at' } as const
  const { users } = await listAccounts(ctx, OPERATOR, { ...wanted, page: 1, perPage: 1 })
  return users[0]?.email
}

export function requireEmail({ flags }: SetupDialog): void {
  if (typeof flags.email === 'string' && !readEmail(flags.email)) throw new Error('--email: must be an email address')
}

/** The email of the new administrator; undefined for none. */
export async function askAdministrator(ctx: Context, { flags, prompt }: SetupDialog): Promise<string | undefined> {
  if (typeof flags.email === 'string') return flags.email
  const known = await findAdministrator(ctx)
  if (known) writeLine(`There is already an administrator: ${known}.`)
  if (known || !prompt) return undefined
  for (;;) {
    const typed = await prompt.ask('Administrator’s email (empty for later): ')
    if (typed === '') return undefined
    if (readEmail(typed)) return typed
    if (!prompt.isTerminal) throw new Error('email: must be an email address')
    prompt.say('That is not an email address.')
  }
}

/** If the address already has an account, says so and leaves it unchanged. */
export async function makeAdministrator(ctx: Context, email: string, { flags, prompt }: SetupDialog): Promise<void> {
  const known = await findAccount(ctx, email)
  if (known) return printKnownAccount(ctx, email, known)
  for (;;) {
    const password = flags['password-stdin'] ? await readPassword() : await askForPassword(prompt)
    try {
      const account = await createApprovedAccount(ctx, { email, password }, 'admin')
      writeLine(`${account.email} is now an administrator.`)
      return
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'validation_failed' || !prompt?.isTerminal) throw error
      prompt.say(explain(error))
    }
  }
}

const askForPassword = (prompt: Prompt | undefined): Promise<string> =>
  prompt ? askNewPassword(prompt) : requireNewPassword(NO_TERMINAL)

async function printKnownAccount(ctx: Context, email: string, account: Account): Promise<void> {
  writeLine(`There is already an account for ${email}; it stays as it is.`)
  if (account.role === 'admin' && !findStandingProblem(account, ctx.config.requireVerifiedEmail)) return
  writeLine(`To make it an administrator: ${COMMAND} admin grant --email ${email}`)
  if (await needsNewPassword(ctx, email))
    writeLine('This asks for a new password, because another person may have chosen the current one.')
}
