// SMTP transport: one mail per connection, with timeouts; classifies replies as final or temporary.
import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Config } from '../config.ts'
import type { Smtp } from '../setting-values.ts'
import { composeMail, domainOf } from './compose.ts'
import type { SendOutcome, Transport } from './send-outcome.ts'

/** A server that sends nothing for this long is given up. */
const SILENCE_MS = 10_000

/** A server that answers too slowly is given up after this many such timeouts. */
const SESSION_SILENCES = 6

/** All replies of one connection have some kilobytes. nodemailer limits the length of a reply, not their number. */
const MAX_REPLY_BYTES = 64 * 1_024

/** Timeouts allowed for the message itself, which the server may scan before it answers: RFC 5321 §4.5.3.2.6. */
const MESSAGE_SILENCES = 9

/** No attempt takes longer than this. */
export const MAX_ATTEMPT_MS = (SESSION_SILENCES + MESSAGE_SILENCES) * SILENCE_MS

/** After a stop, how long to wait for the confirmation of the message. */
const STOP_GRACE_MS = 5_000

interface SmtpSession {
  options: SMTPConnection.Options
  smtp: Smtp
  silenceMs: number
  stop: AbortSignal | undefined
}

export function createSmtpTransport(config: Config, smtp: Smtp, silenceMs: number = SILENCE_MS): Transport {
  const session = { options: connectionOptions(config, smtp, silenceMs), smtp, silenceMs }
  return {
    verify: (stop) => runSession({ ...session, stop }),
    async send(letter, stop) {
      const bytes = await composeMail(config, letter, 'for_a_server')
      return runSession({ ...session, stop }, { from: config.mailFrom, to: letter.to, bytes })
    },
  }
}

/** STARTTLS is required whatever the server offers, so that an attacker on the way cannot strip it. */
const connectionOptions = (config: Config, smtp: Smtp, silenceMs: number): SMTPConnection.Options => ({
  host: smtp.host,
  port: smtp.port,
  name: domainOf(config.mailFrom),
  secure: smtp.isImplicitTls,
  requireTLS: smtp.isEncrypted && !smtp.isImplicitTls,
  ignoreTLS: !smtp.isEncrypted,
  tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
  connectionTimeout: silenceMs,
  greetingTimeout: silenceMs,
  socketTimeout: silenceMs,
  dnsTimeout: silenceMs,
})

interface OutgoingMail {
  from: string
  to: string
  bytes: Buffer
}

/** How far the attempt got: once the message was begun it may have arrived, whatever follows. */
type SmtpStage = 'opening' | 'envelope' | 'message'

/** Connects, signs in and sends the mail, if there is one. Always resolves with an outcome. */
async function runSession({ options, smtp, silenceMs, stop }: SmtpSession, mail?: OutgoingMail): Promise<SendOutcome> {
  // Loaded with the first mail: many services send none, and it is a large part of the startup time.
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const connection = new Connection(options)
  const queue = connection as unknown as ReplyQueue
  let stage: SmtpStage = 'opening'
  return new Promise<SendOutcome>((resolve) => {
    let deadline: NodeJS.Timeout | undefined
    const giveUpIn = (ms: number): void => {
      clearTimeout(deadline)
      deadline = setTimeout(() => end({ code: 'ETIMEDOUT' }), ms)
    }
    const end = (error: SmtpError | null | undefined): void => {
      clearTimeout(deadline)
      stop?.removeEventListener('abort', abort)
      resolve(error ? outcomeOf(error, stage) : { result: 'sent' })
      // Closing emits 'end' once more, which is ignored.
      if (error) {
        connection.close()
        queue._responseQueue = []
      } else connection.quit()
    }
    limitReplies(queue, () => end({ code: 'ERESPONSE' }))
    const abort = (): void => (stage === 'message' ? giveUpIn(STOP_GRACE_MS) : end({ code: STOPPED }))
    const beginMessage = (): void => {
      stage = 'message'
      if (connection._socket) connection._socket.setTimeout(0)
      giveUpIn(MESSAGE_SILENCES * silenceMs)
    }
    const sendMail = (): void => {
      stage = 'envelope'
      if (mail) connection.send({ from: mail.from, to: [mail.to] }, messageOf(mail.bytes, beginMessage), end)
      else end(null)
    }
    if (stop?.aborted) return end({ code: STOPPED })
    stop?.addEventListener('abort', abort)
    giveUpIn(SESSION_SILENCES * silenceMs)
    connection.on('error', end)
    connection.once('end', () => end({ code: 'ECONNECTION' }))
    connection.connect((error) => {
      if (error) return end(error)
      if (!smtp.user) return sendMail()
      // Attempted even if not offered: a mail is never sent under another login than configured.
      const credentials = { user: smtp.user, pass: smtp.password }
      connection.login({ ...credentials, credentials }, (failure) => (failure ? end(failure) : sendMail()))
    })
  })
}

/** Internals of nodemailer: the received lines. A closed connection still processes them, one per event-loop turn. */
interface ReplyQueue {
  _responseQueue: string[]
  _onData(chunk: Buffer): void
}

function limitReplies(queue: ReplyQueue, onExcess: () => void): void {
  const read = queue._onData.bind(queue)
  let bytes = 0
  queue._onData = (chunk) => {
    bytes += chunk.length
    if (bytes > MAX_REPLY_BYTES) onExcess()
    else read(chunk)
  }
}

/** Read only after the server has accepted DATA. */
const messageOf = (bytes: Buffer, onBegin: () => void): Readable =>
  new Readable({
    read() {
      onBegin()
      this.push(bytes)
      this.push(null)
    },
  })

const STOPPED = 'ESTOPPED'

interface SmtpError {
  code?: string | undefined
  responseCode?: number | undefined
  command?: string | undefined
}

/** Replies about the session and not about this mail: bad sequence, authentication required, encryption required. */
const ABOUT_THE_SESSION = new Set([503, 530, 534, 535, 538])

/**
 * Only a clear refusal of this recipient or this message is final. Any failure before that, including one of the sender
 * address, concerns the server or the settings and is retried until an administrator fixes it.
 */
function outcomeOf({ code, responseCode, command }: SmtpError, stage: SmtpStage): SendOutcome {
  const cause = responseCode ? `${code ?? 'smtp'} ${responseCode}` : (code ?? 'unknown')
  if (code === STOPPED) return { result: 'stopped', problem: 'stopped', cause }
  if (stage === 'opening') return { result: 'unreachable', problem: 'unreachable', cause }
  if (responseCode === undefined) {
    if (code === 'EENVELOPE' || code === 'EMESSAGE') return { result: 'refused', problem: 'refused', cause }
    const mayHaveArrived = stage === 'message' ? { mayHaveArrived: true } : {}
    return { result: 'deferred', problem: 'interrupted', cause, ...mayHaveArrived }
  }
  const isAboutMail = command === 'RCPT TO' || command === 'DATA'
  const isFinal = isAboutMail && responseCode >= 500 && !ABOUT_THE_SESSION.has(responseCode)
  return isFinal
    ? { result: 'refused', problem: `refused_${responseCode}`, cause }
    : { result: 'deferred', problem: `deferred_${responseCode}`, cause }
}
