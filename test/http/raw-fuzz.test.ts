// F31: fuzzes the running service with raw bytes, odd targets, every method and broken bodies; it must survive.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { createRandom, makeRawRequest, type RawRequest } from '../support/http/raw-requests.ts'
import { type RawResponse, readResponses } from '../support/http/read-responses.ts'
import { byRunLength } from '../support/measure/run-length.ts'
import { withDeadline } from '../support/measure/wait-for.ts'
import { type Service, startService } from '../support/processes/process.ts'
import { makeReadyPlace } from '../support/storage/engines.ts'

const CONNECTIONS = byRunLength(1_200, 60_000)
const AT_ONCE = 32

/** Sends one, ends the connection as given, and resolves with all that came back when the connection is closed. */
function exchange(port: number, { bytes, ending }: RawRequest): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: ending !== 'wait' })
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (ending === 'half-close-late') socket.end()
    })
    // Allowed here: the server may close while the client still writes.
    socket.on('error', () => {})
    socket.on('end', () => socket.end())
    socket.on('close', () => resolve(Buffer.concat(chunks)))
    socket.write(bytes, () => {
      if (ending === 'half-close') socket.end()
      if (ending === 'reset') socket.resetAndDestroy()
    })
  })
}

function checkResponse(response: RawResponse, shown: string): void {
  const { status, headers, body, isComplete } = response
  assert.ok(status < 500, `${status} for ${shown}`)
  assert.ok(headers.get('x-request-id'), `an answer that does not come from the service: ${status} for ${shown}`)
  if (status < 400 || !isComplete || body === '') return
  const type = headers.get('content-type') ?? ''
  if (type.startsWith('application/json')) assert.match(JSON.parse(body).error.code, /^[a-z_]+$/, shown)
  else assert.match(type, /^(?:text\/html|application\/xml); charset=utf-8$/, shown)
}

/** These were refused by the router before any hook ran, and ended the process. */
const overlong = (root: string): RawRequest[] =>
  ['/%61ssets/', '/assets/', '/%61pi-root/', '/%63aldav/calendars/main/', '/caldav/principals/'].flatMap((prefix) =>
    ['GET', 'HEAD', 'QUERY'].map((method) => ({
      bytes: Buffer.from(
        `${method} ${root}${prefix}${'a'.repeat(256)} HTTP/1.1\r\nhost: localhost\r\naccept: text/html\r\nconnection: close\r\n\r\n`,
      ),
      methods: [method],
      ending: 'wait' as const,
    })),
  )

async function fuzz(service: Service, root: string, seed: number): Promise<Map<number, number>> {
  const random = createRandom(seed)
  const port = Number(new URL(service.url).port)
  const statuses = new Map<number, number>()
  const fixed = overlong(root)
  let left = CONNECTIONS
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const request = fixed.pop() ?? makeRawRequest(random, root)
      const shown = `${JSON.stringify(request.bytes.toString('latin1').slice(0, 400))} (${request.ending})`
      const answer = await withDeadline(`an answer or the end of the connection for ${shown}`, exchange(port, request))
      const responses = readResponses(answer, request.methods)
      for (const response of responses) {
        checkResponse(response, shown)
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      }
      if (request.ending === 'wait' && request.methods[0] !== 'CONNECT')
        assert.ok(responses.length > 0, `no answer to ${shown}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return statuses
}

for (const [name, slug] of [
  ['at the root of a host', ''],
  ['under a slug', 'daybook'],
] as const) {
  test(`no bytes on a socket end the service, ${name}`, async (context) => {
    const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
    context.diagnostic(`FUZZ_SEED=${seed}`)
    const place = await makeReadyPlace('sqlite')
    const settings = { DAYBOOK_RATE_LIMITS: 'off', ...(slug ? { DAYBOOK_URL_SLUG: slug } : {}) }
    const service = await startService(place.folder, { ...place.settings, ...settings })
    try {
      const root = slug ? `/${slug}` : ''
      const statuses = await fuzz(service, root, seed).catch((error) => {
        error.message = `FUZZ_SEED=${seed}: ${error.message}\n${service.output().slice(-2_000)}`
        throw error
      })
      for (const status of [200, 400, 404, 405]) assert.ok(statuses.get(status), `never ${status}: ${[...statuses]}`)
      const answer = await fetch(`${service.base}/public/events`)
      assert.equal(answer.status, 200, 'it answers an ordinary request')
      assert.doesNotMatch(
        service.output(),
        /uncaughtException|unhandledRejection|a request failed/,
        `FUZZ_SEED=${seed}`,
      )
    } finally {
      assert.equal(await service.kill(), 0, 'it was alive and ends as it should')
      await place.remove()
    }
  })
}
