// A real SMTP server on this machine: it stores what it receives, or fails in the chosen way.
import { randomInt } from 'node:crypto'
import type { Socket } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { DEADLINE_MS, waitFor } from '../measure/wait-for.ts'

export interface ReceivedMail {
  /** The envelope. */
  from: string
  to: string[]
  raw: string
  /** The plain text, decoded. */
  text: string
  html: string
  /** Whether the connection was encrypted. */
  isSecure: boolean
}

export type Mode =
  | 'accept'
  /** Nothing listens on the port. */
  | 'refuse'
  /** Accepts the connection and sends nothing. */
  | 'silent'
  /** Accepts the connection and closes it. */
  | 'hang_up'
  /** 554 instead of a greeting. */
  | 'closed_for_us'
  /** 451 for every recipient. */
  | 'greylist'
  /** 550 for every recipient. */
  | 'reject'
  /** 554 after the whole message. */
  | 'reject_content'
  /** 550 for our own address. */
  | 'reject_sender'
  /** Greets, and then does not answer in time. */
  | 'slow'
  /** Stores the message and closes the connection without a response. */
  | 'drop'

export interface MailServer {
  url: string
  port: number
  mails: ReceivedMail[]
  readonly mode: Mode
  /** How many connections there have been. */
  readonly connections: number
  become(mode: Mode): Promise<void>
  /** Resolves when so many have arrived. */
  waitFor(count: number): Promise<ReceivedMail[]>
  stop(): Promise<void>
}

export interface MailServerOptions {
  mode?: Mode
  /** Offers STARTTLS, with this certificate. */
  tls?: { key: string; certificate: string }
  /** With TLS from the first byte. */
  isImplicitTls?: boolean
  /** The only account that may send. */
  login?: { user: string; password: string }
  /** Called when a whole message has arrived, before it is answered. */
  beforeAnswer?: (mail: ReceivedMail) => void | Promise<void>
}

/** Below the ephemeral ports, so that no other process takes the port while the server is down. */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_000]

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  let mode: Mode = options.mode ?? 'accept'
  let connections = 0
  let port = 0
  const answerWith = (code: number) => Object.assign(new Error('no'), { responseCode: code })
  const pause = () => (mode === 'slow' ? delay(DEADLINE_MS, undefined, { ref: false }) : Promise.resolve())

  const make = (): SMTPServer => {
    const server = new SMTPServer({
      logger: false,
      disableReverseLookup: true,
      closeTimeout: 1,
      authOptional: options.login === undefined,
      secure: options.isImplicitTls ?? false,
      disabledCommands: options.tls ? [] : ['STARTTLS'],
      allowInsecureAuth: true,
      ...(options.tls ? { key: options.tls.key, cert: options.tls.certificate } : {}),
      onConnect(_session, done) {
        if (mode === 'silent') return
        if (mode === 'closed_for_us') return done(answerWith(554))
        done()
      },
      onAuth({ username, password }, _session, done) {
        const isRight = username === options.login?.user && password === options.login?.password
        done(null, isRight ? { user: username } : {})
      },
      onMailFrom: async (_address, _session, done) => {
        await pause()
        done(mode === 'reject_sender' ? answerWith(550) : null)
      },
      onRcptTo: async (_address, _session, done) => {
        await pause()
        if (mode === 'greylist') done(answerWith(451))
        else done(mode === 'reject' ? answerWith(550) : null)
      },
      onData: async (stream, session, done) => {
        const mail = await receive(stream, session).catch(() => undefined)
        if (!mail) return
        await pause()
        if (mode === 'reject_content') return done(answerWith(554))
        mails.push(mail)
        await options.beforeAnswer?.(mail)
        if (mode === 'drop') return dropConnection(server, session)
        done()
      },
    })
    server.on('error', () => {})
    server.server.on('connection', (socket) => {
      connections += 1
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      if (mode === 'hang_up') socket.destroy()
    })
    return server
  }
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }

  let server: SMTPServer | undefined
  const open = async (): Promise<void> => {
    server = make()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    server.server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
    await promise
  }
  const close = async (): Promise<void> => {
    const closing = server
    server = undefined
    if (!closing) return
    const { promise, resolve } = Promise.withResolvers<void>()
    closing.close(resolve)
    closeAll()
    await promise
  }

  await waitFor('a port for the mail server', async () => {
    port = randomInt(FIRST_PORT, LAST_PORT)
    return open().then(
      () => true,
      (error) => error.code !== 'EADDRINUSE' && Promise.reject(error),
    )
  })
  if (mode === 'refuse') await close()
  return {
    url: `${options.isImplicitTls ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    port,
    mails,
    get mode() {
      return mode
    },
    get connections() {
      return connections
    },
    async become(next) {
      mode = next
      if (next === 'refuse') await close()
      else if (!server) await open()
    },
    async waitFor(count) {
      return waitFor(`${count} mails arrive`, () => mails.length >= count && mails)
    },
    stop: close,
  }
}

function dropConnection({ connections }: SMTPServer, { id }: SMTPServerSession): void {
  for (const connection of connections) if (connection.session.id === id) connection.close()
}

async function receive(stream: SMTPServerDataStream, { envelope, secure }: SMTPServerSession): Promise<ReceivedMail> {
  const raw = await readAll(stream)
  return {
    from: envelope.mailFrom ? envelope.mailFrom.address : '',
    to: envelope.rcptTo.map(({ address }) => address),
    raw,
    text: partOf(raw, 'text/plain'),
    html: partOf(raw, 'text/html'),
    isSecure: secure,
  }
}

/** The settings of a service that sends to this server. */
export const mailSettings = (server: MailServer): Record<string, string> => ({
  DAYBOOK_SMTP_URL: server.url,
  DAYBOOK_SMTP_TLS: 'off',
})

/** The mails to one address. */
export const mailsTo = (server: MailServer, address: string): ReceivedMail[] =>
  server.mails.filter(({ to }) => to.includes(address))

/** The link with the token. */
export function linkIn({ text }: Pick<ReceivedMail, 'text'>): string {
  const link = /https?:\/\/\S+#t=\S+/.exec(text)?.[0]
  if (!link) throw new Error(`there is no link with a token in:\n${text}`)
  return link
}

export const tokenIn = (mail: Pick<ReceivedMail, 'text'>): string => linkIn(mail).split('#t=')[1]!

/** Names and unfolded values, in their order. */
export function headersOf(raw: string): [string, string][] {
  const [head = ''] = raw.split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]/g, ' ').split('\r\n')
  return lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
}

/** One part of a multipart mail, decoded. */
export function partOf(raw: string, type: string): string {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1]
  const parts = boundary ? raw.split(`--${boundary}`).slice(1, -1) : [raw]
  const part = parts.map((text) => text.replace(/^\r\n/, '')).find((text) => text.includes(`Content-Type: ${type}`))
  if (part === undefined) return ''
  const encoding = headersOf(part).find(([name]) => name === 'Content-Transfer-Encoding')?.[1]
  const body = part.slice(part.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, '')
  return decode(body, encoding).replaceAll('\r\n', '\n')
}

function decode(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
