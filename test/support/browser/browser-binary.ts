// The browser binary of a test run: searched for and unpacked once, under a lock, in the folder of the run.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { waitFor } from '../measure/wait-for.ts'
import { type BrowserFound, findBrowser } from './find-browser.ts'

/** `npm test` sets the folder of the run; a file that is run alone has its own. */
export function runFolder(): string {
  if (process.env.TEST_RUN_FOLDER) return process.env.TEST_RUN_FOLDER
  const folder = mkdtempSync(join(tmpdir(), 'daybook-run-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.env.TEST_RUN_FOLDER = folder
  return folder
}

/** The result that the run has already. */
export function readFoundBrowser(folder: string = runFolder()): BrowserFound | undefined {
  const note = resultFileIn(folder)
  return existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : undefined
}

const resultFileIn = (folder: string): string => join(folder, 'browser.json')

/** The first process searches; the others wait for its result. */
export async function requireBrowserBinary(
  folder: string = runFolder(),
  search: () => Promise<BrowserFound> = () => searchHere(folder),
): Promise<BrowserFound> {
  const note = resultFileIn(folder)
  if (!existsSync(note) && hasLock(folder)) {
    const found = await search().catch((error): BrowserFound => ({ reason: String(error) }))
    writeFileSync(`${note}.new`, JSON.stringify(found))
    renameSync(`${note}.new`, note)
  }
  await waitFor('another process finds a browser', () => existsSync(note))
  return readFoundBrowser(folder)!
}

/** For a file that is run without the runner: the search takes turns of an event loop, and the file cannot wait. */
export function searchOutside(folder: string = runFolder()): BrowserFound {
  const code = `import(${JSON.stringify(import.meta.url)}).then((binary) => binary.requireBrowserBinary())`
  const env = { ...process.env, TEST_RUN_FOLDER: folder }
  execFileSync(process.execPath, ['-e', code], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  return readFoundBrowser(folder)!
}

function hasLock(folder: string): boolean {
  try {
    mkdirSync(join(folder, 'browser.lock'))
    return true
  } catch {
    return false
  }
}

const searchHere = (folder: string): Promise<BrowserFound> =>
  findBrowser({
    platform: process.platform,
    arch: process.arch,
    env: process.env,
    unpackPackage: () => unpackPackage(join(folder, 'browser')),
    canRun,
  })

/** The package unpacks into the temporary folder of its process, so it gets a folder of its own. */
async function unpackPackage(target: string): Promise<string> {
  mkdirSync(target)
  const code = `import(${JSON.stringify(import.meta.resolve('@sparticuz/chromium'))})
    .then((chromium) => chromium.default.executablePath())
    .then((path) => process.stdout.write(path))`
  const env = { ...process.env, TMPDIR: target }
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', code], { env })
  return stdout
}

/** On Windows Chrome opens a window when asked for its version. */
const canRun = (path: string): boolean =>
  process.platform === 'win32' || spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 60_000 }).status === 0
