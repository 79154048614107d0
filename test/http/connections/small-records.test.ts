// TLS records of one octet: read whole, in short turns.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { davOf } from '../../support/http/dav.ts'
import { withTls } from '../../support/http/tls.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { basicOf } from '../../support/world.ts'

const CONNECTIONS = 8
const RECORDS = 3_000

interface HeldConnection {
  secured: TLSSocket
  /** Sends all records made since the handshake. */
  send(): void
}

/** Its records are kept until they are sent together. */
async function openHeld(port: number): Promise<HeldConnection> {
  const plain: Socket = connectPlain(port, '127.0.0.1').on('error', () => {})
  const records: Buffer[] = []
  let isHeld = false
  const transport = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      if (isHeld) records.push(chunk)
      else plain.write(chunk)
      done()
    },
    destroy(error, done) {
      plain.destroy()
      done(error)
    },
  })
  plain.on('data', (chunk) => transport.push(chunk)).on('close', () => transport.push(null))
  const secured = connect({ socket: transport, rejectUnauthorized: false }).on('error', () => {})
  await once(secured, 'secureConnect')
  isHeld = true
  return { secured, send: () => void plain.write(Buffer.concat(records.splice(0))) }
}

async function writeSmall(secured: TLSSocket, pieces: Iterable<string | Buffer>): Promise<void> {
  for (const piece of pieces) await new Promise((resolve) => secured.write(piece, resolve))
}

const KINDS: Record<string, { head: string; piece: string }> = {
  chunks: {
    head: 'POST /nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n',
    piece: '1\r\nx\r\n',
  },
  body: { head: `POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${RECORDS}\r\n\r\n`, piece: 'x' },
  header: { head: 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ', piece: 'x' },
  'empty lines': { head: '', piece: '\r\n' },
}

for (const [name, { head, piece }] of Object.entries(KINDS))
  test(`very many small records are parsed in short turns: ${name}`, () =>
    withTls(async (port, { app }) => {
      let received: Socket[] = []
      app.server.server.on('secureConnection', (socket) => received.push(socket))
      let held: HeldConnection[] = []
      const prepare = async (): Promise<void> => {
        for (const { secured } of held) secured.destroy()
        received = []
        held = []
        while (held.length < CONNECTIONS) held.push(await openHeld(port))
        for (const { secured } of held) {
          if (head) secured.write(head)
          await writeSmall(secured, Array(RECORDS).fill(piece))
        }
      }
      const readAll = async (): Promise<void> => {
        for (const { send } of held) send()
        const bytes = head.length + RECORDS * piece.length
        await waitFor('all is read', () => received.every((socket) => socket.destroyed || socket.bytesRead >= bytes))
      }
      await assertShortTurns(name, { share: 0.6 }, readAll, prepare)
      for (const { secured } of held) secured.destroy()
    }))

test('a request in records of one octet is read whole, and the connection is used again', () =>
  withTls(async (port, { writer }) => {
    const text = eventText('octets', `DESCRIPTION:${'Ünïcode '.repeat(200)}`)
    const head =
      `PUT ${MAIN}octets.ics HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basicOf('writer@example.org')}\r\n` +
      `Content-Type: text/calendar\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n`
    const octets = [...Buffer.from(head + text)].map((octet) => Buffer.from([octet]))
    const { secured, send } = await openHeld(port)
    let answers = ''
    secured.setEncoding('utf8').on('data', (part: string) => (answers += part))
    await writeSmall(secured, octets)
    send()
    await waitFor('an answer', () => answers.includes('\r\n\r\n'))
    assert.match(answers, /^HTTP\/1.1 201 /)
    await writeSmall(secured, [...'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'])
    send()
    await waitFor('the second answer', () => secured.destroyed || secured.readableEnded)
    assert.match(answers, /HTTP\/1.1 200 OK/)
    assert.equal((await davOf(writer).get(`${MAIN}octets.ics`)).text, text)
  }))
