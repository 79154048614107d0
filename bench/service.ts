// Starts and stops the measured processes: the service and the bare server, each in its own process.
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PreparedAnswer } from './bare/bare-server.ts'

const { memoryOptions } = (await import(join(import.meta.dirname, '..', 'bin', 'memory-options.mjs'))) as {
  memoryOptions(command: string): { variables: Record<string, string>; flags: string[] }
}

export interface Running {
  port: number
  pid: number
  stop(): Promise<void>
}

export interface RunningService extends Running {
  /** From spawning the process to the first 200 of the list. */
  startMs: number
}

export interface RunningBareServer extends Running {
  prepare(answer: PreparedAnswer): Promise<void>
}

const ROOT = join(import.meta.dirname, '..')
const MAIN = join(ROOT, 'src', 'main.ts')
const LAUNCHER = join(ROOT, 'bin', 'daybook.mjs')
const BUNDLE = join(ROOT, 'dist', 'main.cjs')
const START_LIMIT_MS = 30_000

export const ADMIN = { email: 'bench@example.org', password: 'a password only for load tests' }
export const AUTHORISATION = `Basic ${Buffer.from(`${ADMIN.email}:${ADMIN.password}`).toString('base64')}`
export const EVENTS_PATH = '/api-root/calendar/v1/events'
export const PUBLIC_PATH = '/api-root/calendar/v1/public'

/** Settings of the service under load; `env` has the location of its data. */
const environment = (env: Record<string, string>): Record<string, string> => ({
  NODE_NO_WARNINGS: '1',
  // As `npm start` sets it.
  NODE_COMPILE_CACHE: join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'),
  DAYBOOK_HOST: '127.0.0.1',
  DAYBOOK_RATE_LIMITS: 'off',
  DAYBOOK_LOG_LEVEL: 'silent',
  ...env,
})

export function makeAdmin(env: Record<string, string>): void {
  execFileSync(process.execPath, [MAIN, 'admin', 'create', '--email', ADMIN.email, '--password-stdin'], {
    env: environment(env),
    cwd: env.DAYBOOK_DATA_DIR,
    input: ADMIN.password,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
}

/** `checkout` is `npm start` without npm: the launcher checks what is installed and built, and becomes the service. */
export type StartedFrom = 'checkout' | 'bundle'

export async function startService(
  env: Record<string, string>,
  firstQuery: string,
  from: StartedFrom = 'checkout',
): Promise<RunningService> {
  const port = await freePort()
  const { variables, flags } = memoryOptions('start')
  const begun = performance.now()
  const child = spawn(process.execPath, from === 'checkout' ? [LAUNCHER, 'start'] : [...flags, BUNDLE, 'start'], {
    env: { ...(from === 'bundle' ? variables : {}), ...environment(env), DAYBOOK_PORT: `${port}` },
    cwd: env.DAYBOOK_DATA_DIR,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  endWithUs(child)
  await waitUntilAnswered(`http://127.0.0.1:${port}${EVENTS_PATH}?${firstQuery}`, child)
  return { port, pid: child.pid!, startMs: performance.now() - begun, stop: () => end(child) }
}

async function waitUntilAnswered(url: string, child: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + START_LIMIT_MS
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`the service ended at start with code ${child.exitCode}`)
    const status = await statusOf(url)
    if (status === 200) return
    if (status !== undefined) throw new Error(`the service answered ${status} at start`)
    await delay(5)
  }
  throw new Error('the service did not answer in time')
}

async function statusOf(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url)
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}

export async function startBareServer(): Promise<RunningBareServer> {
  const { child, running } = await startFork('bare/bare-server.ts')
  return {
    ...running,
    async prepare(answer) {
      child.send(answer)
      await once(child, 'message')
    },
  }
}

export const startBareFeed = async (database: string): Promise<Running> =>
  (await startFork('bare/bare-feed.ts', database)).running

/** `prepare` gives it the response that it builds anew for each request. */
export async function startBareMonth(
  database: string,
  from: number,
  to: number,
): Promise<Running & { prepare(answer: string): Promise<void> }> {
  const { child, running } = await startFork('bare/bare-month.ts', database, `${from}`, `${to}`)
  return {
    ...running,
    async prepare(answer) {
      child.send(answer)
      await once(child, 'message')
    },
  }
}

/** A file of this folder that prints the port it listens on. */
async function startFork(file: string, ...args: string[]): Promise<{ child: ChildProcess; running: Running }> {
  const child = fork(join(import.meta.dirname, file), args, { execArgv: [] })
  endWithUs(child)
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { child, running: { port, pid: child.pid!, stop: () => end(child) } }
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** An interrupted run leaves no process behind. */
export function endWithUs(child: ChildProcess): void {
  const kill = (): void => void child.kill('SIGKILL')
  process.on('exit', kill)
  child.once('exit', () => process.off('exit', kill))
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
