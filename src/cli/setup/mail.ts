// Test mail of `daybook setup`.
import { describeFailedMail } from '../../mail/describe-outcome.ts'
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
    const problem = describeFailedMail(outcome, config)
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
