// A letter as the bytes of a mail: a fixed set of headers, none of which holds anything but the configuration and the stored address.
import type { Config } from '../config.ts'
import type { Instant } from '../domain/time/instant.ts'
import type { Message } from './layout.ts'

export interface Letter {
  /** Names the mail for good: a second try has the same Message-ID, so that mailboxes can tell it is the same. */
  id: string
  /** As stored; never as somebody submitted it. */
  to: string
  /** The name of the calendar, as it is now. */
  senderName: string
  message: Message
  writtenAt: Instant
}

/** For people who open the file the text is left as it is; mail servers are owed short lines of plain ASCII. */
export type MessageForm = 'for_a_server' | 'for_a_reader'

export async function composeMail(
  config: Config,
  { id, to, senderName, message, writtenAt }: Letter,
  form: MessageForm,
): Promise<Buffer> {
  const part = (type: string, content: string) =>
    form === 'for_a_server' ? { content } : { raw: readablePart(type, content) }
  // Loaded with the first mail, not with the service.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  return new MailComposer({
    // Objects and not text: nothing is ever read out of an address as a list, a name or a group.
    from: { name: senderName, address: config.mailFrom },
    to: { name: '', address: to },
    subject: message.subject,
    messageId: `<${id}@${domainOf(config.mailFrom)}>`,
    date: new Date(writtenAt),
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: part('plain', message.text),
    html: part('html', message.html),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

const readablePart = (type: string, content: string): string =>
  `Content-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${content.replaceAll('\n', '\r\n')}`
