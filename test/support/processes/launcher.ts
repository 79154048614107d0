// The real launcher in its own process, with the service or command it runs below it.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitFor, withDeadline } from '../measure/wait-for.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

export interface LaunchedProcess {
  launcher: ChildProcess
  output(): string
  /** Of the process that the launcher started, where it could not become that process. */
  findPid(): Promise<number>
  hasChild(): boolean
  /** The launcher and its child have both ended, and closed what they inherited. */
  ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Kills what a failed test has left. */
  stop(): void
}

/** Where `stdin` is an open file, it stays open when the launcher has ended; a pipe would be closed with it. */
export interface LaunchOptions {
  stdin?: number | 'pipe'
  script?: 'daybook.mjs' | 'task.mjs' | 'dev.mjs'
  /** The installation; this checkout unless another is named. */
  root?: string
  /** The Node that runs the launcher: the pinned one, or another of the machine, which may lack `process.execve`. */
  node?: LauncherNode
}

export type LauncherNode = 'pinned' | 'other' | 'other without execve'

const OTHER_NODE = 'process.execPath = "/usr/bin/other-node"'
const PRELOADS: Record<LauncherNode, string[]> = {
  pinned: [],
  other: preload(OTHER_NODE),
  'other without execve': preload(`${OTHER_NODE}; process.execve = undefined`),
}

function preload(code: string): string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
}

export function launch(
  args: string[],
  folder: string,
  settings: Record<string, string>,
  { stdin = 'pipe', script = 'daybook.mjs', root = ROOT, node = 'pinned' }: LaunchOptions = {},
): LaunchedProcess {
  requireInstalled()
  const launcher = spawn(process.execPath, [...PRELOADS[node], join(root, 'bin', script), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, DAYBOOK_PORT: '0', DAYBOOK_HOST: '127.0.0.1', ...settings },
    stdio: [stdin, 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [launcher.stdout, launcher.stderr]) stream!.on('data', (chunk) => (output += chunk))
  let pid: number | undefined
  const closed = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    launcher.once('close', (code, signal) => resolve({ code, signal })),
  )
  let hasEnded = false
  void closed.then(() => {
    hasEnded = true
  })
  return {
    launcher,
    output: () => output,
    async findPid() {
      pid ??= await waitFor('the launched process is there', () => findChild(launcher.pid!))
      return pid
    },
    hasChild: () => findChild(launcher.pid!) !== undefined,
    ended: () => withDeadline(`launcher and process have ended, after ${output}`, closed),
    stop() {
      if (hasEnded) return
      launcher.kill('SIGKILL')
      if (pid) process.kill(pid, 'SIGKILL')
    },
  }
}

function findChild(parent: number): number | undefined {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = stdout.trim().split('\n')
  const row = rows.map((line) => line.trim().split(/\s+/).map(Number)).find(([, ppid]) => ppid === parent)
  return row?.[0]
}

/** With packages that do not match the lock, the launcher would install its own set and remove the test tools. */
export function requireInstalled(): void {
  const lock = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex')
  const marker = join(ROOT, 'node_modules', '.daybook-installed')
  const installed = existsSync(marker) ? readFileSync(marker, 'utf8') : ''
  assert.equal(installed, `${lock} all`, 'run this by `npm test`, which installs what the lock says')
}
