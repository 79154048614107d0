// Finds a Chromium for tests and screenshots: CHROME_PATH, the npm package on x64 Linux, then a browser of the machine.
import { existsSync } from 'node:fs'
import { posix, win32 } from 'node:path'

export interface BrowserSearch {
  platform: NodeJS.Platform
  arch: string
  env: Readonly<Record<string, string | undefined>>
  /** Unpacks the npm package and returns the path of its binary. */
  unpackPackage(): Promise<string>
  exists?(path: string): boolean
  /** Whether the binary runs on this machine. */
  canRun(path: string): boolean
}

export type BrowserFound = { path: string } | { path?: undefined; reason: string }

export const HOW_TO_GET_A_BROWSER =
  'install Chromium or Google Chrome, or set CHROME_PATH to the binary of one, and run this again'

/** A path that was set by hand is used or refused, never silently replaced by another. */
export async function findBrowser({ platform, arch, env, ...search }: BrowserSearch): Promise<BrowserFound> {
  const { exists = existsSync, canRun, unpackPackage } = search
  const isUsable = (path: string): boolean => exists(path) && canRun(path)
  const named = env.CHROME_PATH
  if (named) return isUsable(named) ? { path: named } : { reason: `CHROME_PATH is ${named}, which does not run` }
  if (platform === 'linux' && arch === 'x64') {
    const path = await unpackPackage().catch(() => '')
    if (path && isUsable(path)) return { path }
  }
  const path = listUsualPlaces(platform, env).find(isUsable)
  return path ? { path } : { reason: `no Chromium was found for ${platform}-${arch}` }
}

/** The headless shell first: it has no window to draw, so the tests take half the time in it. */
const HEADLESS_NAMES = ['chromium-headless-shell', 'chrome-headless-shell']
const LINUX_NAMES = [
  ...HEADLESS_NAMES,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]
const MAC_APPS = ['Google Chrome', 'Chromium']
const WINDOWS_PROGRAMS = ['Google\\Chrome\\Application\\chrome.exe', 'Chromium\\Application\\chrome.exe']

function listUsualPlaces(platform: NodeJS.Platform, env: BrowserSearch['env']): string[] {
  if (platform === 'win32') {
    const roots = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA]
    return roots.flatMap((root) => (root ? WINDOWS_PROGRAMS.map((program) => win32.join(root, program)) : []))
  }
  const onPath = (env.PATH ?? '').split(':').filter(Boolean)
  const folders = [...new Set([...onPath, '/usr/bin', '/usr/local/bin', '/opt/google/chrome', '/snap/bin'])]
  const binaries = LINUX_NAMES.flatMap((name) => folders.map((folder) => posix.join(folder, name)))
  if (platform !== 'darwin') return binaries
  const homes = ['/', ...(env.HOME ? [env.HOME] : [])]
  const apps = MAC_APPS.flatMap((app) => homes.map((home) => posix.join(home, 'Applications', `${app}.app`)))
  return [...apps.map((app) => `${app}/Contents/MacOS/${posix.basename(app, '.app')}`), ...binaries]
}
