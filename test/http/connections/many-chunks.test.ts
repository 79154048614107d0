// Chunked bodies of one octet a chunk: read whole, in short turns, in little memory.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { davOf } from '../../support/http/dav.ts'
import { getRaw, listen, sendRaw } from '../../support/http/socket.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { basicOf, withWorld } from '../../support/world.ts'

const CONNECTIONS = 10
const CHUNKS = 60_000
const CHUNK = '1\r\nx\r\n'
const HEAD = 'GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'

/** Answered at once; the rest of its body is read and dropped. */
function sendChunks(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.resume()
  socket.write(HEAD)
  socket.write(CHUNK.repeat(CHUNKS))
  return socket
}

test('very many chunks are parsed in short turns, and other connections are answered between them', () =>
  withWorld('sqlite', async ({ app }) => {
    const port = await listen(app)
    let received: Socket[] = []
    app.server.server.on('connection', (socket) => received.push(socket))
    await assertShortTurns('chunks', { ms: 60 }, async () => {
      received = []
      const sockets = Array.from({ length: CONNECTIONS }, () => sendChunks(port))
      const { head } = await getRaw(port, '/healthz')
      assert.match(head, /^HTTP\/1.1 200 /)
      const bytes = CONNECTIONS * CHUNK.length * CHUNKS
      await waitFor('all is read', () => received.reduce((sum, { bytesRead }) => sum + bytesRead, 0) > bytes)
      for (const socket of sockets) socket.destroy()
    })
  }))

test('a body in chunks of one octet is read whole', () =>
  withWorld('sqlite', async ({ app, writer }) => {
    const port = await listen(app)
    const text = eventText('chunks', `DESCRIPTION:${'Ünïcode '.repeat(500)}`)
    const octets = [...Buffer.from(text)].map((octet) => Buffer.from([octet]))
    const chunks = octets.flatMap((octet) => [Buffer.from('1\r\n'), octet, Buffer.from('\r\n')])
    const head =
      `PUT ${MAIN}chunks.ics HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basicOf('writer@example.org')}\r\n` +
      'Content-Type: text/calendar\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
    const answer = await sendRaw(port, Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('0\r\n\r\n')]))
    assert.match(answer.head, /^HTTP\/1.1 201 /)
    assert.equal((await davOf(writer).get(`${MAIN}chunks.ics`)).text, text)
  }))
