// One letter over one SMTP conversation, and what it means when the other side says no or nothing.
import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Config } from '../config.ts'
import type { Smtp } from '../setting-values.ts'
import { composeMail, domainOf } from './compose.ts'
import type { SendOutcome, Transport } from './send-outcome.ts'

/** A server that says nothing for this long is given up. */
const SILENCE_MS = 10_000

/** One that says something, but too slowly, is given up after so many silences. */
const PATIENCE = 6

/** All replies of one conversation have some kilobytes. nodemailer limits the length of a reply, not their number. */
const MAX_REPLY_BYTES = 64 * 1_024

/** What it is allowed for the message itself, which it may look through before it answers: RFC 5321 §4.5.3.2.6. */
const PATIENCE_FOR_MESSAGE = 9

/** No try takes longer than this. */
export const LONGEST_TRY_MS = (PATIENCE + PATIENCE_FOR_MESSAGE) * SILENCE_MS

/** Told to stop, we still wait this long to hear whether the message was taken. */
const LAST_WORD_MS = 5_000

interface Talk {
  options: SMTPConnection.Options
  smtp: Smtp
  silenceMs: number
  stop: AbortSignal | undefined
}

export function createSmtpTransport(config: Config, smtp: Smtp, silenceMs: number = SILENCE_MS): Transport {
  const talk = { options: connectionOptions(config, smtp, silenceMs), smtp, silenceMs }
  return {
    verify: (stop) => converse({ ...talk, stop }),
    async send(letter, stop) {
      const bytes = await composeMail(config, letter, 'for_a_server')
      return converse({ ...talk, stop }, { from: config.mailFrom, to: letter.to, bytes })
    },
  }
}

/** STARTTLS is asked for whatever the server offers, so that nobody on the way can talk us out of it. */
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

interface Post {
  from: string
  to: string
  bytes: Buffer
}

/** How far it has come: a mail whose message was begun may have arrived, whatever is heard afterwards. */
type SmtpStage = 'opening' | 'envelope' | 'message'

/** Connects, signs in and hands over the post, if there is any. Ends in an outcome whatever happens. */
async function converse({ options, smtp, silenceMs, stop }: Talk, post?: Post): Promise<SendOutcome> {
  // Loaded with the first mail: many services send none, and it is a good part of what a start would load.
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
      stop?.removeEventListener('abort', breakOff)
      resolve(error ? outcomeOf(error, stage) : { result: 'sent' })
      // Closing says 'end' once more, which by now means nothing.
      if (error) {
        connection.close()
        queue._responseQueue = []
      } else connection.quit()
    }
    limitReplies(queue, () => end({ code: 'ERESPONSE' }))
    const breakOff = (): void => (stage === 'message' ? giveUpIn(LAST_WORD_MS) : end({ code: STOPPED }))
    const beginMessage = (): void => {
      stage = 'message'
      if (connection._socket) connection._socket.setTimeout(0)
      giveUpIn(PATIENCE_FOR_MESSAGE * silenceMs)
    }
    const handOver = (): void => {
      stage = 'envelope'
      if (post) connection.send({ from: post.from, to: [post.to] }, messageOf(post.bytes, beginMessage), end)
      else end(null)
    }
    if (stop?.aborted) return end({ code: STOPPED })
    stop?.addEventListener('abort', breakOff)
    giveUpIn(PATIENCE * silenceMs)
    connection.on('error', end)
    connection.once('end', () => end({ code: 'ECONNECTION' }))
    connection.connect((error) => {
      if (error) return end(error)
      if (!smtp.user) return handOver()
      // Asked for even where it is not offered: a mail is never sent as somebody else than configured.
      const credentials = { user: smtp.user, pass: smtp.password }
      connection.login({ ...credentials, credentials }, (failure) => (failure ? end(failure) : handOver()))
    })
  })
}

/** Where nodemailer keeps the lines it received. A closed connection still takes them one by one, an event-loop turn each. */
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

/** Read from only when the server has said that it will take the message. */
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

/** Answers that speak of the session and not of this mail: out of order, sign in first, encrypt first. */
const ABOUT_THE_SESSION = new Set([503, 530, 534, 535, 538])

/**
 * Only a clear no to this recipient or these words is final. Whatever goes wrong before the mail is handed over, the
 * sender's own address included, is about the server or the settings, and waits for somebody to put it right.
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
