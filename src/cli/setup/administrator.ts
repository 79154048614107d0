// The administrator that `daybook setup` makes, unless there is one.
import { createApprovedAccount } from '../../actions/accounts.ts'
import { listUsers } from '../../actions/users.ts'
import type { Context } from '../../context.ts'
import { readEmail } from '../../domain/account/credentials.ts'
import { OPERATOR } from '../../domain/privacy/viewer.ts'
import { AppError } from '../../errors.ts'
import { readStandardInput, say } from '../command.ts'
import { explain } from '../explain.ts'
import { askPassword, type Prompt } from '../prompt.ts'
import type { Asking } from './settings.ts'

export async function findAdministrator(ctx: Context): Promise<string | undefined> {
  const wanted = { role: 'admin', approvalState: 'approved', text: undefined, order: 'created_at' } as const
  const { users } = await listUsers(ctx, OPERATOR, { ...wanted, page: 1, perPage: 1 })
  return users[0]?.email
}

/** Whom to make an administrator; undefined for nobody. */
export async function askAdministrator(ctx: Context, { flags, prompt }: Asking): Promise<string | undefined> {
  if (typeof flags.email === 'string') {
    if (!readEmail(flags.email)) throw new Error('--email: must be an email address')
    return flags.email
  }
  const known = await findAdministrator(ctx)
  if (known) say(`There is an administrator already: ${known}.`)
  if (known || !prompt) return undefined
  for (;;) {
    const typed = await prompt.ask('Administrator’s email (empty for later): ')
    if (typed === '') return undefined
    if (readEmail(typed)) return typed
    if (!prompt.isTerminal) throw new Error('email: must be an email address')
    prompt.say('That will not do: must be an email address.')
  }
}

export async function makeAdministrator(ctx: Context, email: string, { flags, prompt }: Asking): Promise<void> {
  for (;;) {
    const password = flags['password-stdin'] ? await readStandardInput() : await askForPassword(prompt)
    try {
      const account = await createApprovedAccount(ctx, { email, password }, 'admin')
      say(`${account.email} is now an administrator.`)
      return
    } catch (error) {
      if (!(error instanceof AppError) || !prompt?.isTerminal) throw error
      prompt.say(explain(error))
      if (error.code === 'validation_failed') continue
      prompt.say(`To make that account an administrator: npx daybook admin grant --email ${email}`)
      return
    }
  }
}

const QUESTION = 'Password (12 characters or more): '

/** On a terminal twice, because nobody sees what they type; a line that is piped in is what it is. */
async function askForPassword(prompt: Prompt | undefined): Promise<string> {
  if (!prompt) return askPassword(QUESTION)
  for (;;) {
    const password = await prompt.askHidden(QUESTION)
    if (!prompt.isTerminal || (await prompt.askHidden('The same once more: ')) === password) return password
    prompt.say('The two are not the same.')
  }
}
