// sd_notify with a real datagram socket: READY, WATCHDOG while the database can be read, STOPPING. Needs systemd-notify and Python.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { DEADLINE_MS, waitFor } from '../support/measure/wait-for.ts'
import { type LaunchedProcess, launch } from '../support/processes/launcher.ts'
import { type EmptyDatabase, makeReadyPlace } from '../support/storage/engines.ts'
import { openWorld } from '../support/world.ts'

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
  const database = new DatabaseSync(join(folder, 'daybook.db'), { timeout: DEADLINE_MS })
  database.exec(`update migrations set name = 'unknown' where name = (select max(name) from migrations)`)
  database.close()
}

/** A service under a service manager, with the messages it sends. */
interface Supervised {
  launched: LaunchedProcess
  place: EmptyDatabase
  messages(): string[]
  heard(state: string): number
  /** Waits for this many more rounds of the watchdog. */
  hearWatchdog(rounds: number): Promise<void>
  readyz(): Promise<Response>
}

/** `prepare` is called before the service starts, and what it returns at the end. */
async function withSupervised(
  story: (supervised: Supervised) => Promise<void>,
  prepare: (place: EmptyDatabase) => () => void = () => () => {},
): Promise<void> {
  const place = await makeReadyPlace('sqlite')
  // With an administrator.
  await (await openWorld('sqlite', place)).app.close()
  const socket = join(place.folder, 'notify')
  const manager = listen(socket)
  const heard = (state: string): number => manager.messages().filter((message) => message === state).length
  const clean = prepare(place)
  try {
    await waitFor('the socket is there', () => heard('listening') === 1)
    const launched = launch(['start'], place.folder, {
      ...place.settings,
      NOTIFY_SOCKET: socket,
      WATCHDOG_USEC: `${WATCHDOG_MS * 1_000}`,
    })
    try {
      await story({
        launched,
        place,
        heard,
        messages: manager.messages,
        async hearWatchdog(rounds) {
          const before = heard('WATCHDOG=1')
          await waitFor('rounds of the watchdog', () => heard('WATCHDOG=1') >= before + rounds)
        },
        readyz: () => fetch(new URL('/readyz', /API +(\S+)/.exec(launched.output())![1]!)),
      })
    } finally {
      launched.stop()
      await launched.ended()
    }
  } finally {
    clean()
    manager.process.kill()
    await place.remove()
  }
}

const options = { skip: hasPrograms ? false : 'needs systemd-notify and python3' }

test('systemd hears of readiness, of life while the database can be read, and of a stop', options, () =>
  withSupervised(async ({ launched, place, messages, heard, hearWatchdog, readyz }) => {
    await hearWatchdog(2)
    assert.equal(heard('READY=1'), 1)
    assert.ok(messages().indexOf('READY=1') < messages().indexOf('WATCHDOG=1'))
    breakSchema(place.settings.DAYBOOK_DATA_DIR!)
    await waitFor('the service is not ready', async () => (await readyz()).status === 503)
    const before = heard('WATCHDOG=1')
    await delay(4 * WATCHDOG_MS)
    assert.ok(heard('WATCHDOG=1') <= before + 1, 'one may have been under way')
    launched.launcher.kill('SIGTERM')
    assert.equal((await launched.ended()).code, 0)
    const told = messages().filter((message) => message !== 'BARRIER=1')
    assert.equal(told.filter((message) => message === 'STOPPING=1').length, 1)
    assert.ok(told.lastIndexOf('WATCHDOG=1') <= told.indexOf('STOPPING=1') + 1)
  }),
)

/** Another connection takes the write lock; the returned function releases it. */
function holdWriteLock({ settings }: EmptyDatabase): () => void {
  const database = new DatabaseSync(join(settings.DAYBOOK_DATA_DIR!, 'daybook.db'), { timeout: DEADLINE_MS })
  database.exec('begin immediate')
  return () => database.close()
}

const readyzReason = async (readyz: Supervised['readyz']): Promise<string | undefined> => {
  const { error } = (await (await readyz()).json()) as { error?: { details: { reason: string } } }
  return error?.details.reason
}

test('F54: a service that can read but not write stays alive for systemd', options, () =>
  withSupervised(async ({ place, hearWatchdog, readyz }) => {
    await hearWatchdog(1)
    const release = holdWriteLock(place)
    try {
      await waitFor('writes fail', async () => (await readyzReason(readyz)) === 'locked')
      await hearWatchdog(3)
      assert.equal(await readyzReason(readyz), 'locked')
    } finally {
      release()
    }
  }),
)

test('F54: a service that is started while it cannot write is ready for systemd', options, () =>
  withSupervised(async ({ hearWatchdog, heard, readyz }) => {
    await hearWatchdog(1)
    assert.equal(heard('READY=1'), 1)
    await waitFor('writes fail', async () => (await readyzReason(readyz)) === 'locked')
    await hearWatchdog(3)
  }, holdWriteLock),
)
