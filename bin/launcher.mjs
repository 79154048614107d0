// Prepares a fresh clone before the pinned Node can run: packages, pages, processes. Written for any Node from 18 on.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const marker = join(modules, '.daybook-installed')

/**
 * The path of the pinned Node. It is spawned by path because a shell that has already found the machine's own `node`
 * keeps using that one, whatever npm put in front of PATH since.
 */
const ownNode = join(modules, '.bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** Installs the packages when they are missing or the lock has changed. `parts` is "run" (no test tools) or "all". */
export function ensureInstalled(parts) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const installed = existsSync(marker) ? readFileSync(marker, 'utf8').split(' ') : []
  if (installed[0] === lock && (installed[1] === 'all' || installed[1] === parts) && existsSync(ownNode)) return
  process.stderr.write('Installing Daybook and its own Node (once; takes about half a minute) …\n')
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...(parts === 'run' ? ['--omit=dev'] : [])]
  const npm = spawnSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) stop('npm ci did not succeed; its message is above.')
  if (!existsSync(ownNode)) stop(`There is no Node package for ${process.platform}-${process.arch} yet. See README.md.`)
  writeFileSync(marker, `${lock} ${parts}`)
}

/** Builds the pages for the browser when they are missing or one of their inputs has changed. */
export function ensureBuilt() {
  const dist = join(root, 'web', 'dist')
  const built = join(dist, '.built-from')
  const sources = sourcesHash()
  if (existsSync(built) && readFileSync(built, 'utf8') === sources) return
  process.stderr.write('Building the web pages (once; takes a few seconds) …\n')
  const { status } = spawnSync(ownNode, [join(root, 'web', 'build', 'build.ts')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  })
  if (status !== 0) stop('the web pages could not be built; the message is above.')
  writeFileSync(built, sources)
}

/** Inputs of the pages: their own sources, the rules they share with the server, and the packages. */
function sourcesHash() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const folder of ['web', 'src/contract', 'src/domain']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath ?? entry.path, entry.name)
      if (!entry.isFile() || path.startsWith(join(root, 'web', 'dist'))) continue
      hash.update(path.slice(root.length)).update(readFileSync(path))
    }
  }
  return hash.digest('hex')
}

/**
 * Runs a file of ours on the pinned Node, passes signals on, and ends with its exit code, or 128 and the number of the
 * signal that ended it. With `endsWithUs` it also ends when this process is killed: the channel between the two closes.
 * `variables` are for its environment; those that are set already win.
 */
export function runOnOwnNode(
  args,
  { name = 'the command', endsWithUs = false, reportsFailure = false, variables = {} } = {},
) {
  // V8 compile cache: with it the next start takes two thirds of the time.
  const cache = join(modules, '.cache', 'compiled')
  const env = { NODE_COMPILE_CACHE: cache, ...variables, ...process.env, NODE_NO_WARNINGS: '1' }
  const preload = endsWithUs ? ['--import', new URL('./end-with-launcher.mjs', import.meta.url).href] : []
  const stdio = endsWithUs ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit'
  const passedOn = new Set()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      passedOn.add(signal)
      child.kill(signal)
    })
  }
  // Spawned after the handlers are installed, so that an early signal is passed on too.
  const child = spawn(ownNode, [...preload, ...args], { stdio, env })
  child.on('error', ({ code }) => stop(`${ownNode} cannot be run: ${code}`))
  child.on('exit', (code, signal) => {
    if (signal && !passedOn.has(signal)) report(`${name} was ended by ${signal}`)
    else if (code && reportsFailure) report(`${name} ended with exit code ${code}`)
    process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1)
  })
}

const report = (message) => process.stderr.write(`daybook: ${message}\n`)

function stop(message) {
  process.stderr.write(`daybook: ${message}\n`)
  process.exit(1)
}
