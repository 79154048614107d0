// Checks the mail server: connection, encryption and login; sends a test mail if one is asked for.
import type { Config } from '../../config.ts'
import { describeFailedMail, failedMailValues } from '../../mail/describe-outcome.ts'
import { sendTestMail, verifyTransport } from '../../mail/transport.ts'
import { type Finding, finding } from '../finding.ts'

/** A server that works greets within seconds. */
const SILENCE_MS = 5_000

const ADVICE = 'Check smtp_url and smtp_tls. Mails wait in the database and are sent when it works.'

export async function checkMail(config: Config): Promise<Finding[]> {
  if (!config.smtp)
    return [
      finding('mail_to_files', 'no mail server is set: mails are written to files', {
        values: {},
        advice: 'Set smtp_url for public use.',
      }),
    ]
  const outcome = await verifyTransport(config, { silenceMs: SILENCE_MS })
  const problem = describeFailedMail(outcome, config)
  if (problem) return [finding('mail_failing', problem, { advice: ADVICE, values: failedMailValues(outcome, config) })]
  const { host, port, user, isEncrypted } = config.smtp
  const how = `${isEncrypted ? 'over TLS' : 'without encryption'}${user ? ' and accepts the login' : ''}`
  return [
    finding('mail_ok', `the mail server ${host}:${port} answers ${how}`, {
      values: { server: `${host}:${port}`, is_encrypted: isEncrypted, has_login: Boolean(user) },
    }),
  ]
}

export async function checkSending(config: Config, to: string): Promise<Finding[]> {
  const outcome = await sendTestMail(config, to)
  const problem = describeFailedMail(outcome, config)
  if (problem) return [finding('mail_not_sent', problem, { advice: ADVICE, values: failedMailValues(outcome, config) })]
  const where = outcome.result === 'sent' && outcome.file ? 'was written to a file' : 'was handed to the mail server'
  return [finding('mail_sent', `a test mail ${where}`)]
}
