// sd_notify with a real datagram socket: READY, WATCHDOG while ready, STOPPING. Needs systemd-notify and Python.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { waitFor } from '../support/measure/wait-for.ts'
import { launch } from '../support/processes/launcher.ts'
import { makePlace } from '../support/storage/engines.ts'

/** Node has no such sockets. Prints each message on a line; a passed descriptor is closed, which ends the barrier. */
const LISTENER = `import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('listening', flush=True)
while True:
    for line in s.recv(4096).decode().splitlines():
        print(line, flush=True)`

const WATCHDOG_MS = 400

const hasPrograms = ['systemd-notify', 'python3'].every((name) => spawnSync(name, ['--version']).status === 0)

function listen(path: string): { process: ChildProcess; messages(): string[] } {
  const listener = spawn('python3', ['-c', LISTENER, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  listener.stdout.on('data', (chunk) => (text += chunk))
  return { process: listener, messages: () => text.split('\n').slice(0, -1) }
}

/** A schema that this version does not know. */
function breakSchema(folder: string): void {
  const database = new DatabaseSync(join(folder, 'daybook.db'), { timeout: 5_000 })
  database.exec(`update migrations set name = 'unknown' where name = (select max(name) from migrations)`)
  database.close()
}

test('systemd hears of readiness, of life while the service is ready, and of a stop', {
  skip: hasPrograms ? false : 'needs systemd-notify and python3',
}, async () => {
  const place = await makePlace('sqlite')
  const socket = join(place.folder, 'notify')
  const manager = listen(socket)
  const heard = (state: string): number => manager.messages().filter((message) => message === state).length
  try {
    await waitFor('the socket is there', () => heard('listening') === 1)
    const launched = launch(['start'], place.folder, {
      ...place.settings,
      NOTIFY_SOCKET: socket,
      WATCHDOG_USEC: `${WATCHDOG_MS * 1_000}`,
    })
    try {
      await waitFor('two rounds of the watchdog', () => heard('WATCHDOG=1') >= 2)
      assert.equal(heard('READY=1'), 1)
      assert.ok(manager.messages().indexOf('READY=1') < manager.messages().indexOf('WATCHDOG=1'))
      breakSchema(place.settings.DAYBOOK_DATA_DIR!)
      const readyz = new URL('/readyz', /API +(\S+)/.exec(launched.output())![1]!)
      await waitFor('the service is not ready', async () => (await fetch(readyz)).status === 503)
      const before = heard('WATCHDOG=1')
      await delay(4 * WATCHDOG_MS)
      assert.ok(heard('WATCHDOG=1') <= before + 1, 'one may have been under way')
      launched.launcher.kill('SIGTERM')
      assert.equal((await launched.ended()).code, 0)
      const messages = manager.messages().filter((message) => message !== 'BARRIER=1')
      assert.equal(messages.filter((message) => message === 'STOPPING=1').length, 1)
      assert.ok(messages.lastIndexOf('WATCHDOG=1') <= messages.indexOf('STOPPING=1') + 1)
    } finally {
      launched.stop()
      await launched.ended()
    }
  } finally {
    manager.process.kill()
    await place.remove()
  }
})
