// `daybook setup`: asks the few things a new calendar needs, tries them, writes daybook.json, makes the administrator.
import { basename, join } from 'node:path'
import { openContext } from '../boot.ts'
import { type Config, configPath, readConfigFile } from '../config.ts'
import type { Context } from '../context.ts'
import { type Command, say } from './command.ts'
import { explainOpening } from './explain.ts'
import { openPrompt, type Prompt } from './prompt.ts'
import { askAdministrator, findAdministrator, makeAdministrator, requireEmail } from './setup/administrator.ts'
import { requireWritable, writeSettings } from './setup/file.ts'
import { findInForce } from './setup/in-force.ts'
import { tryMail } from './setup/mail.ts'
import { type Answers, askSettings, configOf, SETTING_FLAGS, type SetupDialog } from './setup/settings.ts'

export const setup: Command = {
  usage: `Usage: daybook setup [--site-name N] [--timezone Z] [--public-url U] [--url-slug S]
                     [--database-url U] [--smtp-url U] [--smtp-tls on|off] [--mail-from E]
                     [--email E [--password-stdin]] [--test-mail] [--yes]

Asks for what is not given, tries whether it works, writes daybook.json and makes the
administrator. Answers may also be piped in, one a line. What daybook.json says already
is kept and offered as the default, and so is what was chosen in a browser. Nothing is
written unless everything is in order.

  --test-mail        send a mail to the administrator to see whether it arrives
  --password-stdin   read the password from standard input, and ask nothing else
  --yes              ask nothing: take the defaults for all that is not given`,
  options: {
    ...SETTING_FLAGS,
    email: { type: 'string' },
    'password-stdin': { type: 'boolean' },
    'test-mail': { type: 'boolean' },
    yes: { type: 'boolean' },
  },
  async act(flags) {
    const prompt = flags.yes || flags['password-stdin'] ? undefined : openPrompt()
    try {
      await setUp({ flags, prompt })
    } finally {
      prompt?.close()
    }
  },
}

async function setUp(asking: SetupDialog): Promise<void> {
  const path = configPath()
  requireEmail(asking)
  const known = readConfigFile(path, false) as Answers
  requireWritable(path)
  greet(asking.prompt)
  const answers = await askSettings(known, asking, await findInForce(known, asking))
  const config = configOf(answers)
  const ctx = await openContext(config).catch((error) => Promise.reject(explainOpening(error, config)))
  try {
    await finish(ctx, path, answers, asking)
  } finally {
    await ctx.storage.close()
  }
}

/** The file comes last: until then, whatever goes wrong leaves the old one as it was. */
async function finish(ctx: Context, path: string, settings: Answers, asking: SetupDialog): Promise<void> {
  const email = await askAdministrator(ctx, asking)
  const answers = await offerMail(ctx, email, settings, asking)
  if (email) await makeAdministrator({ ...ctx, config: configOf(answers) }, email, asking)
  writeSettings(path, answers)
  say(`Wrote ${basename(path)}: ${summaryOf(configOf(answers))}.`)
  say('Start the calendar with: npm start')
}

async function offerMail(
  ctx: Context,
  email: string | undefined,
  answers: Answers,
  asking: SetupDialog,
): Promise<Answers> {
  const to = email ?? (await findAdministrator(ctx))
  if (to) return tryMail(to, answers, asking)
  if (asking.flags['test-mail']) throw new Error('--test-mail: there is nobody to send it to; say --email too')
  return answers
}

function greet(prompt: Prompt | undefined): void {
  if (prompt?.isTerminal) say('Enter takes what stands in brackets; a hyphen empties it.\n')
}

const summaryOf = (config: Config): string =>
  [
    `“${config.siteName}” at ${config.publicUrl.origin}/${config.urlSlug}`,
    `times in ${config.timezone}`,
    config.databaseUrl ? 'events in PostgreSQL' : `events in ${join(config.dataDir, 'daybook.db')}`,
    config.smtp ? `mail through ${config.smtp.host}` : `mails as files in ${join(config.dataDir, 'mail')}`,
  ].join(', ')
