// Requests without a body over a real socket: whatever type they state, each is answered.
import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { listen, sendRaw } from '../support/http/socket.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { basicOf, withWorld } from '../support/world.ts'

const API = '/api-root/calendar/v1'
const PATHS = ['/', '/nowhere', `${API}/nowhere`, `${API}/events`, `${API}/events/x`, '/caldav/calendars/main/x.ics']
const TYPES = ['application/json', 'text/calendar', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense']
/** These open a tunnel or another protocol. */
const OTHER_PROTOCOLS = ['CONNECT']

forEachEngine('a request that states a type and has no body is answered, by every method and path', (engine) =>
  withWorld(engine, async ({ app }) => {
    const port = await listen(app)
    const authorization = basicOf('writer@example.org')
    for (const method of METHODS.filter((name) => !OTHER_PROTOCOLS.includes(name)))
      await Promise.all(
        PATHS.flatMap((path) =>
          TYPES.map(async (type) => {
            const head = `host: localhost\r\nauthorization: ${authorization}\r\nconnection: close\r\ncontent-type: ${type}`
            const { status } = await sendRaw(port, `${method} ${path} HTTP/1.1\r\n${head}\r\n\r\n`)
            assert.ok(status >= 200 && status < 500, `${status} to ${method} ${path} as ${type}`)
          }),
        ),
      )
  }),
)
