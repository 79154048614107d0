// `daybook setup`: asks for and checks settings, writes daybook.json, creates the administrator.
import { basename, join } from 'node:path'
import { openContext } from '../boot.ts'
import { type Config, configPath, readConfigFile } from '../config.ts'
import type { Context } from '../context.ts'
import { START_COMMAND } from '../installation.ts'
import { type Command, writeLine } from './command.ts'
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

Asks for the settings that are not given, checks that they work, writes daybook.json and
creates the administrator. Answers can also be piped in, one per line. Settings that are
already in daybook.json, or were chosen in a browser, are kept and offered as defaults.
Nothing is written unless everything is in order.

  --test-mail        send a test mail to the administrator
  --password-stdin   read the password from standard input, and ask nothing else
  --yes              ask nothing: use the default for everything that is not given`,
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

async function setUp(dialog: SetupDialog): Promise<void> {
  const path = configPath()
  requireEmail(dialog)
  const known = readConfigFile(path, false) as Answers
  requireWritable(path)
  greet(dialog.prompt)
  const answers = await askSettings(known, dialog, await findInForce(known, dialog))
  const config = configOf(answers)
  const ctx = await openContext(config).catch((error) => Promise.reject(explainOpening(error, config)))
  try {
    await finish(ctx, path, answers, dialog)
  } finally {
    await ctx.storage.close()
  }
}

/** The file is written last: until then any failure leaves the old one unchanged. */
async function finish(ctx: Context, path: string, settings: Answers, dialog: SetupDialog): Promise<void> {
  const email = await askAdministrator(ctx, dialog)
  const answers = await offerMail(ctx, email, settings, dialog)
  if (email) await makeAdministrator({ ...ctx, config: configOf(answers) }, email, dialog)
  writeSettings(path, answers)
  writeLine(`Wrote ${basename(path)}: ${summaryOf(configOf(answers))}.`)
  writeLine(`Start the calendar with: ${START_COMMAND}`)
}

async function offerMail(
  ctx: Context,
  email: string | undefined,
  answers: Answers,
  dialog: SetupDialog,
): Promise<Answers> {
  const to = email ?? (await findAdministrator(ctx))
  if (to) return tryMail(to, answers, dialog)
  if (dialog.flags['test-mail']) throw new Error('--test-mail: there is no address to send it to; give --email too')
  return answers
}

function greet(prompt: Prompt | undefined): void {
  if (prompt?.isTerminal) writeLine('Press Enter to accept the value in brackets; type a hyphen to leave it empty.\n')
}

const summaryOf = (config: Config): string =>
  [
    `“${config.siteName}” at ${config.publicUrl.origin}/${config.urlSlug}`,
    `times in ${config.timezone}`,
    config.databaseUrl ? 'events in PostgreSQL' : `events in ${join(config.dataDir, 'daybook.db')}`,
    config.smtp ? `mail through ${config.smtp.host}` : `mails as files in ${join(config.dataDir, 'mail')}`,
  ].join(', ')
