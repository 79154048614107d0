// Test mail of `daybook setup`, and its failures in plain words.
import type { Config } from '../../config.ts'
import type { SendOutcome } from '../../mail/send-outcome.ts'
import { sendTestMail } from '../../mail/transport.ts'
import { writeLine } from '../command.ts'
import { type Answers, askMailSettings, configOf, type SetupDialog } from './settings.ts'

/** Sends one if requested; after a failure on a terminal the mail settings are asked again and may change. */
export async function tryMail(to: string, settings: Answers, { flags, prompt }: SetupDialog): Promise<Answers> {
  let answers = settings
  for (;;) {
    const config = configOf(answers)
    if (!flags['test-mail']) {
      if (!prompt || !config.smtp) return answers
      const usual = prompt.isTerminal ? 'yes' : 'no'
      const wish = (await prompt.ask(`Send a test mail to ${to}, yes or no [${usual}]: `)) || usual
      if (!/^y/i.test(wish)) return answers
    }
    const outcome = await sendTestMail(config, to)
    const problem = problemIn(outcome, config)
    if (!problem) {
      writeLine(
        outcome.result === 'sent' && outcome.file ? `A test mail is in ${outcome.file}.` : `A test mail is on its way.`,
      )
      return answers
    }
    if (flags['test-mail'] || !prompt?.isTerminal) throw new Error(`the test mail was not sent: ${problem}`)
    prompt.say(`The test mail was not sent: ${problem}.`)
    answers = await askMailSettings(answers, prompt)
  }
}

/** Transport error codes in plain words. */
const PROBLEMS: Record<string, string> = {
  EAUTH: 'the mail server refused the user name or the password',
  EDNS: 'there is no host of that name',
  ENOTFOUND: 'there is no host of that name',
  ECONNECTION: 'no connection could be made',
  ECONNREFUSED: 'nothing answers there',
  ESOCKET: 'nothing answers there',
  ETIMEDOUT: 'it did not answer in time',
  ETLS: 'it does not offer encryption (set smtp_tls to off to send without)',
}

/** ESOCKET covers both cases if the connection is encrypted. */
const UNTRUSTED = 'nothing answers there, or its certificate is not trusted'

export function problemIn(outcome: SendOutcome, { smtp }: Config): string | undefined {
  if (outcome.result === 'sent') return undefined
  const where = smtp ? `${smtp.host}:${smtp.port}` : 'the folder for mails'
  const [code = '', reply] = outcome.cause.split(' ')
  const known = code === 'ESOCKET' && smtp?.isEncrypted ? UNTRUSTED : PROBLEMS[code]
  if (known) return `${where}: ${known}`
  if (outcome.result === 'refused') return `${where} does not accept mail for that address (${reply ?? code})`
  return `${where} did not accept the mail (${outcome.cause})`
}
