// `daybook setup`: asks the few things a new calendar needs, writes daybook.json, makes the administrator.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApprovedAccount } from '../actions/accounts.ts'
import { loadConfig } from '../config.ts'
import { type Command, readStandardInput, say, withContext } from './command.ts'
import { ask, askPassword } from './prompt.ts'

/** Asked in this order; each is also a flag and a setting of the same name. */
const QUESTIONS = [
  { setting: 'site_name', question: 'Name of the calendar', fallback: 'Daybook' },
  { setting: 'timezone', question: 'Time zone', fallback: 'Europe/London' },
  { setting: 'public_url', question: 'Public address (empty while you try it out)', fallback: '' },
  { setting: 'url_slug', question: 'Path in front of everything (usually empty)', fallback: '' },
  { setting: 'database_url', question: 'PostgreSQL address (empty for a SQLite file)', fallback: '' },
] as const

const flagOf = (setting: string): string => setting.replaceAll('_', '-')

export const setup: Command = {
  name: 'setup',
  summary: 'answer a few questions: settings and administrator',
  usage: `Usage: daybook setup [--site-name N] [--timezone Z] [--public-url U] [--url-slug S]
                     [--database-url U] [--email E [--password-stdin]] [--yes]

Asks for what is not given, checks it, writes daybook.json and makes the administrator.
--yes takes the defaults for everything else and asks nothing.`,
  options: {
    ...Object.fromEntries(QUESTIONS.map(({ setting }) => [flagOf(setting), { type: 'string' as const }])),
    email: { type: 'string' },
    'password-stdin': { type: 'boolean' },
    yes: { type: 'boolean' },
  },
  async act(values) {
    const path = join(process.cwd(), 'daybook.json')
    const known: Record<string, unknown> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
    const answers: Record<string, unknown> = { ...known }
    for (const { setting, question, fallback } of QUESTIONS) {
      const given = values[flagOf(setting)]
      const current = String(known[setting] ?? fallback)
      const answer = typeof given === 'string' ? given : values.yes ? current : await ask(question, current)
      if (answer === '') delete answers[setting]
      else answers[setting] = answer
    }
    const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
    writeFileSync(path, `${JSON.stringify(answers, null, 2)}\n`, { mode: 0o600 })
    try {
      loadConfig()
    } catch (error) {
      // A wrong answer must not stay behind and stop the next start.
      if (before === undefined) writeFileSync(path, '{}\n')
      else writeFileSync(path, before)
      throw error
    }
    say('Wrote daybook.json.')
    await makeAdministrator(values)
    say('Start the calendar with: npm start')
  },
}

async function makeAdministrator(values: Record<string, string | boolean | undefined>): Promise<void> {
  const email =
    typeof values.email === 'string'
      ? values.email
      : values.yes
        ? ''
        : await ask('Administrator’s email (empty for later)', '')
  if (!email) return
  const password = values['password-stdin']
    ? await readStandardInput()
    : await askPassword('Password (12 characters or more): ')
  const account = await withContext((ctx) => createApprovedAccount(ctx, { email, password }, 'admin'))
  say(`${account.email} is now an administrator.`)
}
