// The service as a real process: reached over a socket, ended by its id.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { waitFor } from '../measure/wait-for.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** The bundle, as `npm start` runs it: loading the sources costs more than most commands take. */
const { findMain } = createRequire(import.meta.url)(join(ROOT, 'bin', 'launcher.mjs')) as { findMain(): string }
export const MAIN = findMain()
const LAUNCHER = join(ROOT, 'bin', 'daybook.mjs')

export interface Service {
  url: string
  base: string
  pid: number
  output(): string
  /** Closes the reading end of its standard error. */
  closeLog(): void
  kill(signal?: NodeJS.Signals): Promise<number | null>
}

export async function startService(folder: string, settings: Record<string, string>): Promise<Service> {
  const child = spawn(process.execPath, [MAIN, 'start'], {
    cwd: folder,
    env: makeEnvironment({ DAYBOOK_PORT: '0', DAYBOOK_HOST: '127.0.0.1', ...settings }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const ended = endOf(child)
  process.once('exit', () => child.kill('SIGKILL'))
  await waitFor(
    'the service listens or ends',
    () => output.includes('Stop with Ctrl+C') || child.exitCode !== null || child.signalCode !== null,
    { everyMs: 25 },
  )
  const base = /API +(\S+)/.exec(output)?.[1]
  if (!base) {
    child.kill('SIGKILL')
    throw new Error(`the service did not start:\n${output}`)
  }
  return {
    url: new URL(base).origin,
    base,
    pid: child.pid!,
    output: () => output,
    closeLog: () => void child.stderr.destroy(),
    async kill(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

const endOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('exit', (code) => resolve(code)))

export interface CommandResult {
  code: number | null
  stdout: string
  stderr: string
}

export const runCommand = (
  args: string[],
  folder: string,
  settings: Record<string, string> = {},
  input: string | Buffer = '',
): CommandResult => runScript([MAIN, ...args], folder, settings, input)

/** Without the right of root to use every file; undefined where that cannot be given up. */
export function runUnprivileged(
  args: string[],
  folder: string,
  settings: Record<string, string> = {},
): CommandResult | undefined {
  if (process.getuid?.() !== 0) return runCommand(args, folder, settings)
  const { status, stdout, stderr, error } = spawnSync(
    'setpriv',
    ['--bounding-set=-all', '--inh-caps=-all', process.execPath, MAIN, ...args],
    { cwd: folder, env: makeEnvironment(settings), encoding: 'utf8' },
  )
  return error ? undefined : { code: status, stdout, stderr }
}

/** The same through the launcher, as `npx daybook` runs it. */
export const runLaunchedCommand = (
  args: string[],
  folder: string,
  settings: Record<string, string> = {},
  input = '',
): CommandResult => runScript([LAUNCHER, ...args], folder, settings, input)

function runScript(
  args: string[],
  folder: string,
  settings: Record<string, string>,
  input: string | Buffer,
): CommandResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: makeEnvironment(settings),
    input,
    encoding: 'utf8',
  })
  return { code: status, stdout, stderr }
}

/** The same while this process continues, for commands that talk to a server of the test. */
export async function runCommandBeside(
  args: string[],
  folder: string,
  settings: Record<string, string> = {},
  input = '',
): Promise<CommandResult> {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder, env: makeEnvironment(settings) })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk) => (output[name] += chunk))
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, ...output }
}

/** Compiled once for all test processes, as `npm start` does. */
const NODE_COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'compiled')

/** No setting of the tester's environment reaches the service. */
export function makeEnvironment(settings: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(process.env as Record<string, string>).filter(
    ([name]) => !name.startsWith('DAYBOOK_') && !name.startsWith('NODE_'),
  )
  return { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE, ...settings }
}
