// Connections reset before they are accepted: they have no remote address, and their requests are not handled.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import type { Server, Socket } from 'node:net'
import { test } from 'node:test'
import { loadConfig } from '../../../src/config.ts'
import type { SocketRefusal } from '../../../src/http/connections/broken-request.ts'
import { createConnectionGuard } from '../../../src/http/connections/connection-limiter.ts'
import { CONNECTION_LIMITS } from '../../../src/http/connections/connection-limits.ts'
import type { RequestScheduler } from '../../../src/http/connections/request-scheduler.ts'
import { listen } from '../../support/http/socket.ts'
import { withWorld } from '../../support/world.ts'

const CONNECTIONS = 3
const VISITOR = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' }

/** As a proxy does whose own client disconnected: sends each request on a connection and resets it at once. */
const RESETS = `
  const { connect } = require('node:net')
  const [, port, requests] = process.argv
  for (const request of JSON.parse(requests)) {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(request, () => socket.resetAndDestroy()))
    socket.on('error', () => {})
  }`

/** The event loop of the service is blocked meanwhile, so that it accepts connections that are reset already. */
function sendAndReset(port: number, requests: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, ['-e', RESETS, String(port), JSON.stringify(requests)])
  assert.equal(status, 0, String(stderr))
}

test('F56: a credential that a proxy sent on a connection it reset is neither reported nor revoked', () =>
  withWorld(
    'sqlite',
    async ({ app, admin, signIn }) => {
      const port = await listen(app)
      const { cookie, get } = await signIn('reader@example.org')
      const lines = Object.entries({ host: 'calendar.example.org', cookie, ...VISITOR }).map((line) => line.join(': '))
      const request = `GET ${app.site.base}/events HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
      const closed: Promise<unknown>[] = []
      let accepted = 0
      let handled = 0
      const { server } = app.server
      server.on('request', () => {
        handled += 1
      })
      const allAccepted = new Promise<void>((resolve) =>
        server.on('connection', (socket: Socket) => {
          accepted += 1
          closed.push(once(socket, 'close').catch(() => {}))
          if (accepted === CONNECTIONS) resolve()
        }),
      )
      sendAndReset(port, Array(CONNECTIONS).fill(request))
      await allAccepted
      await Promise.all(closed)
      await app.flushTraces()
      assert.deepEqual((await admin.get('/admin/audit?action=credentials_in_clear')).body.data, [])
      assert.equal(handled, 0)
      assert.equal((await get('/events', VISITOR)).status, 200)
    },
    {
      settings: {
        DAYBOOK_PUBLIC_URL: 'https://calendar.example.org',
        DAYBOOK_TRUST_PROXY: '127.0.0.1',
        DAYBOOK_REVOKE_EXPOSED_CREDENTIALS: 'on',
      },
    },
  ))

test('a connection whose address is not known is closed when it is accepted, over TLS after the handshake too', () => {
  const refusal = {} as SocketRefusal
  const scheduler = {} as RequestScheduler
  const config = loadConfig({}, '/nowhere')
  for (const event of ['connection', 'secureConnection']) {
    const tls = event === 'connection' ? {} : { tls: { certificate: '', key: '', certificatePath: '', keyPath: '' } }
    const server = new EventEmitter() as Server
    createConnectionGuard({ ...config, ...tls }, CONNECTION_LIMITS, refusal, scheduler, { isDraining: false })(server)
    const isClosed = (remoteAddress: string | undefined): boolean => {
      const destroy = function (this: { destroyed: boolean }): void {
        this.destroyed = true
      }
      const socket = Object.assign(new EventEmitter(), { remoteAddress, destroyed: false, destroy })
      server.emit(event, socket)
      return socket.destroyed
    }
    assert.equal(isClosed(undefined), true, event)
    assert.equal(isClosed('192.0.2.1'), false, event)
  }
})
