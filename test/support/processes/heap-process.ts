// The service in its own process, with a clock that can be moved and a heap that can be written to a file.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import v8 from 'node:v8'
import { type App, buildApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { countConnections } from '../http/socket.ts'
import { waitFor } from '../measure/wait-for.ts'

export interface HeapProcess {
  port: number
  /** Moves its clock forward. */
  advance(ms: number): Promise<void>
  writeHeap(path: string): Promise<void>
  stop(): Promise<void>
}

type HeapCommand = { advance: number } | { snapshot: string } | { stop: true }

export async function startHeapProcess(
  folder: string,
  settings: Record<string, string>,
  now: number,
): Promise<HeapProcess> {
  const child = fork(import.meta.filename, [folder, `${now}`], { env: { ...process.env, ...settings } })
  const ended = once(child, 'exit')
  const kill = (): boolean => child.kill('SIGKILL')
  process.once('exit', kill)
  const answer = async (): Promise<unknown> => {
    const [message] = await Promise.race([
      once(child, 'message'),
      ended.then(() => Promise.reject(new Error('the process has ended'))),
    ])
    return message
  }
  const send = async (command: HeapCommand): Promise<void> => {
    child.send(command)
    await answer()
  }
  const port = (await answer()) as number
  return {
    port,
    advance: (ms) => send({ advance: ms }),
    writeHeap: (path) => send({ snapshot: path }),
    async stop() {
      child.send({ stop: true })
      await ended
      process.removeListener('exit', kill)
    },
  }
}

if (process.argv[1] === import.meta.filename) await serve(process.argv[2]!, Number(process.argv[3]))

async function serve(folder: string, now: number): Promise<void> {
  let at = now
  const app = await buildApp(loadConfig(process.env, folder), { clock: () => at })
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.addresses()[0]
  process.on('message', async (command: HeapCommand) => {
    if ('stop' in command) {
      await app.close()
      process.exit(0)
    }
    if ('advance' in command) at += command.advance
    else await writeSnapshot(app, command.snapshot)
    process.send?.(true)
  })
  process.send?.(typeof address === 'object' ? address.port : 0)
}

/** An open connection keeps its last request: the file is written when the server has seen all of them close. */
async function writeSnapshot(app: App, path: string): Promise<void> {
  await waitFor('all connections to close', async () => (await countConnections(app)) === 0)
  // A connection is uncounted before its `close` event, after which the request can be collected.
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  // Collects garbage first, so that only what is reachable is written.
  v8.writeHeapSnapshot(path)
}
