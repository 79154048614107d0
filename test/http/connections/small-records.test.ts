// TLS records of one octet: read whole, in short turns.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { davOf } from '../../support/http/dav.ts'
import { type HeldConnection, openHeld, writeSmall } from '../../support/http/held-connection.ts'
import { withTls } from '../../support/http/tls.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { basicOf } from '../../support/world.ts'

const CONNECTIONS = 8
const RECORDS = 3_000

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

test('small records on a connection that is closing, or whose response is not read, are read in short turns', () =>
  withTls(async (port, { app, writer }) => {
    const long = {
      start: '2026-07-14T09:00',
      end: '2026-07-14T10:00',
      description: 'x'.repeat(9_000),
      visibility: 'public',
    }
    for (let i = 0; i < 30; i++) await writer.creates({ title: `event ${i}`, ...long })
    const get = `GET ${app.site.base}/public/calendar.ics HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const body = `POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(80_000)}`
    for (const [name, head] of Object.entries({ closing: get.repeat(36), unread: get.repeat(14) + body })) {
      let held: HeldConnection[] = []
      const prepare = async (): Promise<void> => {
        for (const { secured } of held) secured.destroy()
        held = []
        while (held.length < CONNECTIONS) held.push(await openHeld(port))
        for (const { secured, send, stopReading } of held) {
          stopReading()
          await writeSmall(secured, [head])
          send()
          await writeSmall(secured, Array(RECORDS).fill('x'))
        }
        await getSecurely(port)
      }
      const sendAll = async (): Promise<void> => {
        for (const { send } of held) send()
        for (let i = 0; i < 20; i++) await getSecurely(port)
      }
      await assertShortTurns(name, { ms: 60 }, sendAll, prepare)
      for (const { secured } of held) secured.destroy()
    }
  }))

async function getSecurely(port: number): Promise<void> {
  const { secured, send } = await openHeld(port)
  let answer = ''
  secured.setEncoding('utf8').on('data', (part: string) => (answer += part))
  await writeSmall(secured, ['GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'])
  send()
  await waitFor('an answer', () => answer.includes('alive'))
  secured.destroy()
}

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
