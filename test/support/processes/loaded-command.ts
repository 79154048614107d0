// Runs commands in a process that has loaded them already: starting one for each costs more than most commands take.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after } from 'node:test'
import type { CommandCall } from './command-host.ts'
import { type CommandResult, makeEnvironment } from './process.ts'

/** One for each time zone: a process keeps the zone it was started with. */
const hosts = new Map<string | undefined, ChildProcess>()
let last: Promise<unknown> = Promise.resolve()

/**
 * Like `runCommand`, for tests of a command's work and output. Whether and how the process exits is seen only in a
 * process of its own.
 */
export function runLoadedCommand(
  args: readonly string[],
  folder: string,
  settings: Record<string, string> = {},
  input = '',
): Promise<CommandResult> {
  const call: CommandCall = { args, folder, environment: makeEnvironment(settings), input }
  const result = last.then(() => sendCall(findHost(call.environment), call))
  last = result.catch(() => {})
  return result
}

function findHost(environment: Record<string, string>): ChildProcess {
  const known = hosts.get(environment.TZ)
  if (known?.connected) return known
  const started = fork(join(import.meta.dirname, 'command-host.ts'), {
    env: environment,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  hosts.set(environment.TZ, started)
  return started
}

async function sendCall(host: ChildProcess, call: CommandCall): Promise<CommandResult> {
  const wait = new AbortController()
  const ended = once(host, 'exit', { signal: wait.signal }).then(([code, signal]) => {
    throw new Error(`the process of the commands ended (${signal ?? code}) in: ${call.args.join(' ')}`)
  })
  const answered = once(host, 'message', { signal: wait.signal })
  host.send(call)
  try {
    const [result] = await Promise.race([answered, ended])
    return result as CommandResult
  } finally {
    wait.abort()
    await Promise.allSettled([answered, ended])
  }
}

after(async () => {
  for (const host of hosts.values()) {
    if (!host.connected) continue
    const ended = once(host, 'exit')
    host.disconnect()
    await ended
  }
})
