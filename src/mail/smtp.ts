// One letter over one SMTP conversation, and what it means when the other side says no or nothing.
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Config, Smtp } from '../config.ts'
import { composeMail, domainOf } from './compose.ts'
import type { Outcome, Transport } from './transport.ts'

/** A server that says nothing for this long is given up. */
const SILENCE_MS = 10_000

/** One that says something, but too slowly, is given up while this node still holds the claim on the mail. */
const PATIENCE = 6

export function makeSmtpTransport(config: Config, smtp: Smtp, silenceMs: number = SILENCE_MS): Transport {
  const options = connectionOptions(config, smtp, silenceMs)
  const patienceMs = PATIENCE * silenceMs
  return {
    verify: () => converse(options, smtp, patienceMs),
    async send(letter) {
      const bytes = await composeMail(config, letter, 'for_a_server')
      return converse(options, smtp, patienceMs, { from: config.mailFrom, to: letter.to, bytes })
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

/** Connects, signs in and hands over the post, if there is any. Ends in an outcome whatever happens. */
function converse(options: SMTPConnection.Options, smtp: Smtp, patienceMs: number, post?: Post): Promise<Outcome> {
  const connection = new SMTPConnection(options)
  let isHandingOver = false
  return new Promise<Outcome>((resolve) => {
    const deadline = setTimeout(() => end({ code: 'ETIMEDOUT' }), patienceMs)
    const end = (error: SmtpError | null | undefined): void => {
      clearTimeout(deadline)
      resolve(error ? outcomeOf(error, isHandingOver) : { result: 'sent' })
      // Closing says 'end' once more, which by now means nothing.
      if (error) connection.close()
      else connection.quit()
    }
    const handOver = (): void => {
      isHandingOver = post !== undefined
      if (post) connection.send({ from: post.from, to: [post.to] }, post.bytes, end)
      else end(null)
    }
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

export interface SmtpError {
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
export function outcomeOf({ code, responseCode, command }: SmtpError, isHandingOver: boolean): Outcome {
  const cause = responseCode ? `${code ?? 'smtp'} ${responseCode}` : (code ?? 'unknown')
  if (!isHandingOver) return { result: 'unreachable', problem: 'unreachable', cause }
  if (responseCode === undefined) {
    if (code === 'EENVELOPE' || code === 'EMESSAGE') return { result: 'refused', problem: 'refused', cause }
    return { result: 'deferred', problem: 'interrupted', cause, mayHaveArrived: true }
  }
  const isAboutMail = command === 'RCPT TO' || command === 'DATA'
  const isFinal = isAboutMail && responseCode >= 500 && !ABOUT_THE_SESSION.has(responseCode)
  return isFinal
    ? { result: 'refused', problem: `refused_${responseCode}`, cause }
    : { result: 'deferred', problem: `deferred_${responseCode}`, cause }
}
