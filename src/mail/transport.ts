// Selects the mail transport: SMTP if a server is configured, else files.
import type { Config } from '../config.ts'
import { readEmail } from '../domain/email.ts'
import type { Instant } from '../domain/time/instant.ts'
import { requireZone } from '../domain/time/zone.ts'
import { createFileTransport } from './files.ts'
import { linksOf } from './links.ts'
import { type MailSite, writeMessage } from './messages.ts'
import type { SendOutcome, Transport } from './send-outcome.ts'
import { createSmtpTransport } from './smtp.ts'

export interface TransportOptions {
  /** How long a mail server may be silent. */
  silenceMs?: number
}

export function createTransport(config: Config, { silenceMs }: TransportOptions = {}): Transport {
  const transport = config.smtp ? createSmtpTransport(config, config.smtp, silenceMs) : createFileTransport(config)
  return {
    verify: transport.verify,
    // Every stored address was validated by `readEmail`; one that no longer passes is never put into a header.
    send: async (letter, stop) =>
      readEmail(letter.to)?.address === letter.to
        ? transport.send(letter, stop)
        : { result: 'refused', problem: 'refused_address', cause: 'address' },
  }
}

export const mailSiteOf = (config: Config): MailSite => ({
  name: config.siteName,
  links: linksOf(config),
  zone: requireZone(config.timezone),
})

export const verifyTransport = (config: Config, options?: TransportOptions): Promise<SendOutcome> =>
  createTransport(config, options).verify()

/** Sends a test mail during setup. */
export function sendTestMail(config: Config, to: string, now: Instant = Date.now()): Promise<SendOutcome> {
  const message = writeMessage(mailSiteOf(config), { kind: 'test' }, config.language)
  return createTransport(config).send({ id: `test-${now}`, to, senderName: config.siteName, message, writtenAt: now })
}
