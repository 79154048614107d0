// Calendar programs that keep a copy of the calendar: tsdav, vdirsyncer and python-caldav, with one interface.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { createDAVClient, type DAVCollection, type DAVObject } from 'tsdav'

/** What the program has after it has synchronised. */
export interface SyncedObject {
  text: string
  /** Undefined where the program does not show it. */
  etag: string | undefined
}

export interface SyncClient {
  sync(): Promise<SyncedObject[]>
  close(): Promise<void>
}

export interface SyncAccount {
  /** The address of the service. */
  origin: string
  email: string
  password: string
  /** An empty folder for the program. */
  folder: string
}

export interface SyncProgram {
  name: string
  /** Why it cannot be run here; undefined if it can. */
  missing: string | undefined
  open(account: SyncAccount): Promise<SyncClient>
}

/** Debian installs for its own Python. */
const PYTHON = '/usr/bin/python3'

const isRunning = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0

export const SYNC_PROGRAMS: readonly SyncProgram[] = [
  { name: 'tsdav', missing: undefined, open: openTsdav },
  {
    name: 'vdirsyncer',
    missing: isRunning('vdirsyncer', '--version')
      ? undefined
      : 'vdirsyncer is not installed: apt-get install vdirsyncer',
    open: openVdirsyncer,
  },
  {
    name: 'python-caldav',
    missing: isRunning(PYTHON, '-c', 'import caldav')
      ? undefined
      : 'python3-caldav is not installed: apt-get install python3-caldav',
    open: openPythonCaldav,
  },
]

async function openTsdav({ origin, email, password }: SyncAccount): Promise<SyncClient> {
  const client = await createDAVClient({
    serverUrl: origin,
    credentials: { username: email, password },
    authMethod: 'Basic',
    defaultAccountType: 'caldav',
  })
  const [calendar] = await client.fetchCalendars()
  // From the beginning: without a token everything is new.
  let known: DAVCollection = { ...calendar!, objects: [] }
  delete known.syncToken
  return {
    async sync() {
      known = await client.smartCollectionSync({
        collection: { ...known, objectMultiGet: client.calendarMultiGet },
        method: 'webdav',
      })
      return (known.objects as DAVObject[]).map(({ data, etag }) => ({ text: String(data), etag }))
    },
    close: async () => {},
  }
}

const run = promisify(execFile)

async function openVdirsyncer({ origin, email, password, folder }: SyncAccount): Promise<SyncClient> {
  const here = join(folder, 'here')
  mkdirSync(here)
  const config = join(folder, 'config')
  writeFileSync(
    config,
    `[general]
status_path = "${join(folder, 'status')}"
[pair both]
a = "here"
b = "there"
collections = ["main"]
conflict_resolution = "b wins"
[storage here]
type = "filesystem"
path = "${here}"
fileext = ".ics"
[storage there]
type = "caldav"
url = "${origin}/"
username = "${email}"
password = "${password}"
`,
  )
  const env = { ...process.env, VDIRSYNCER_CONFIG: config }
  mkdirSync(join(here, 'main'))
  await run('vdirsyncer', ['discover'], { env })
  return {
    async sync() {
      await run('vdirsyncer', ['sync'], { env })
      const folder = join(here, 'main')
      const files = readdirSync(folder).filter((name) => name.endsWith('.ics'))
      return files.map((name) => ({ text: readFileSync(join(folder, name), 'utf8'), etag: undefined }))
    },
    close: async () => {},
  }
}

/** Synchronises once for each line it reads, and answers with a line of JSON. */
const SCRIPT = `
import json, sys
import caldav
from caldav.elements import dav
base, email, password = sys.argv[1:4]
[calendar] = caldav.DAVClient(url=base + "/", username=email, password=password).principal().calendars()
objects = None
for line in sys.stdin:
    if objects is None:
        objects = calendar.objects(load_objects=True)
    else:
        objects.sync()
    print(json.dumps([[o.data, o.props.get(dav.GetEtag.tag)] for o in objects]), flush=True)
`

async function openPythonCaldav({ origin, email, password }: SyncAccount): Promise<SyncClient> {
  const python = spawn(PYTHON, ['-c', SCRIPT, origin, email, password], { stdio: ['pipe', 'pipe', 'pipe'] })
  let problems = ''
  python.stderr.setEncoding('utf8').on('data', (text: string) => {
    problems += text
  })
  const ended = new Promise<void>((resolve) => python.once('close', () => resolve()))
  const lines = createInterface(python.stdout)[Symbol.asyncIterator]()
  return {
    async sync() {
      python.stdin.write('sync\n')
      const { value, done } = await lines.next()
      if (done) throw new Error(`python-caldav ended: ${problems}`)
      return (JSON.parse(value) as [string, string][]).map(([text, etag]) => ({ text, etag }))
    },
    async close() {
      python.stdin.end()
      await ended
    },
  }
}
