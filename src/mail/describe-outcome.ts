// Describes in plain words why a mail could not be sent, for the operator.
import type { Config } from '../config.ts'
import type { SendOutcome } from './send-outcome.ts'

/** By error code of the transport. */
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

/** The same for pages, which say it in the reader's language. */
export function failedMailValues(outcome: SendOutcome, { smtp }: Config): Record<string, string> {
  if (outcome.result === 'sent') return {}
  const [code = '', reply = ''] = outcome.cause.split(' ')
  const where = smtp ? `${smtp.host}:${smtp.port}` : ''
  if (code === 'ESOCKET' && smtp?.isEncrypted) return { where, reason: 'EUNTRUSTED', cause: outcome.cause }
  if (code in PROBLEMS) return { where, reason: code, cause: outcome.cause }
  return { where, reason: outcome.result === 'refused' ? 'refused' : '', cause: reply || outcome.cause }
}

export function describeFailedMail(outcome: SendOutcome, { smtp }: Config): string | undefined {
  if (outcome.result === 'sent') return undefined
  const where = smtp ? `${smtp.host}:${smtp.port}` : 'the folder for mails'
  const [code = '', reply] = outcome.cause.split(' ')
  const known = code === 'ESOCKET' && smtp?.isEncrypted ? UNTRUSTED : PROBLEMS[code]
  if (known) return `${where}: ${known}`
  if (outcome.result === 'refused') return `${where} does not accept mail for that address (${reply ?? code})`
  return `${where} did not accept the mail (${outcome.cause})`
}
