// Which requests may share a read with others of their turn: those that no other is due with on their connection.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { test } from 'node:test'
import { arrivedAlone, trackInFlight } from '../../../src/http/connections/in-flight.ts'
import { BoundedIncomingMessage } from '../../../src/http/connections/request-headers.ts'

/** Sends the bytes on one connection and returns, for each request, its path and whether it arrived alone. */
async function seenOf(bytes: string[], isAnsweredAtOnce = true): Promise<string[]> {
  const seen: string[] = []
  const waiting: ServerResponse[] = []
  const expected = bytes.join('').split('GET').length - 1
  const server = createServer({ IncomingMessage: BoundedIncomingMessage }, (request, response) => {
    trackInFlight(request, response)
    seen.push(`${request.url} ${arrivedAlone(request) ? 'alone' : 'not alone'}`)
    if (isAnsweredAtOnce) response.end('x')
    else if (waiting.push(response) === expected) for (const one of waiting) one.end('x')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  try {
    for (const part of bytes) {
      socket.write(part)
      await once(socket, 'data')
    }
    return seen
  } finally {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  }
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`

test('a request after the response to the one before is alone', async () => {
  assert.deepEqual(await seenOf([get('/1'), get('/2')]), ['/1 alone', '/2 alone'])
})

test('a request that was sent before the response is not alone, however soon the other is answered', async () => {
  for (const isAnsweredAtOnce of [true, false])
    assert.deepEqual(await seenOf([get('/1') + get('/2')], isAnsweredAtOnce), ['/1 alone', '/2 not alone'])
})

test('a request without a connection is not alone: it may be made in any turn', () => {
  assert.equal(arrivedAlone(new IncomingMessage(new Socket())), false)
})
