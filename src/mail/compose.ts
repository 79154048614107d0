// Composes a mail as bytes; its headers hold only configuration, its id and the stored address.
import type { Config } from '../config.ts'
import type { Instant } from '../domain/time/instant.ts'
import type { Message } from './layout.ts'

export interface AddressedMessage {
  /** Permanent id of the mail: a retry has the same Message-ID, so that mailboxes can detect a duplicate. */
  id: string
  /** The stored address, never one as submitted. */
  to: string
  /** The current name of the calendar. */
  senderName: string
  message: Message
  writtenAt: Instant
}

/** In a file the text stays readable; mail servers require short lines of plain ASCII. */
export type MessageForm = 'for_a_server' | 'for_a_reader'

export async function composeMail(
  config: Config,
  { id, to, senderName, message, writtenAt }: AddressedMessage,
  form: MessageForm,
): Promise<Buffer> {
  const part = (type: string, content: string) =>
    form === 'for_a_server' ? { content } : { raw: readablePart(type, content) }
  // Loaded with the first mail, not at startup.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  return new MailComposer({
    // Objects and not strings, so that an address is never parsed as a list, a name or a group.
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
