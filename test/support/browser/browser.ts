// A real browser with a running service; fails on console errors, blocked resources and requests to other hosts.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium as playwright,
} from 'playwright-core'
import { byRunLength } from '../measure/run-length.ts'
import { DEADLINE_MS, waitFor } from '../measure/wait-for.ts'
import { type Engine, makeReadyPlace } from '../storage/engines.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'
import { readFoundBrowser, searchOutside } from './browser-binary.ts'

export interface BrowserWorld {
  world: World
  /** The address of the service, with the slug. */
  address: string
  /** Another visitor at another computer: nothing is shared with the others. */
  visitor(options?: VisitorOptions): Promise<Page>
  /** The same, signed in already. */
  signedIn(email: string, options?: VisitorOptions): Promise<Page>
}

interface VisitorOptions {
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  timezoneId?: string
  locale?: string
  hasTouch?: boolean
  /** False for a browser without JavaScript. */
  hasScripts?: boolean
  /** Expected errors on the console with the path of their source, such as that of a refused request. */
  expected?: RegExp
  /** Other hosts that the test allows. */
  hosts?: readonly string[]
}

let browser: Promise<Browser> | undefined

/**
 * One for the whole process: opening it takes longer than most tests. Not with the package's own arguments, which
 * switch off site isolation and put everything into one process; without the sandbox, since tests may run as root. Its
 * own fields format dates by the language it was started in, whatever a page sets.
 */
function openBrowser(executablePath: string): Promise<Browser> {
  browser ??= playwright.launch({
    executablePath,
    args: ['--no-sandbox'],
    env: { ...process.env, LANG: 'en_GB.UTF-8', LANGUAGE: 'en_GB' },
  })
  return browser
}

after(async () => (await browser)?.close())

/**
 * Not awaited: a module that waits is evaluated after the later ones of its batch that do not. The costs of its tests
 * would count as those of another file, and hooks would run while it still waits.
 */
const binary = readFoundBrowser() ?? searchOutside()

/** Without a browser the test is skipped: `npm test` counts it and says how to get one. */
export function browserTest(name: string, story: () => Promise<void>): void {
  test(name, { skip: binary.path === undefined && binary.reason }, story)
}

/** In a `browserTest` only. */
export async function withBrowser(
  story: (stage: BrowserWorld) => Promise<void>,
  { engine = 'sqlite', ...options }: WorldOptions & { engine?: Engine } = {},
): Promise<void> {
  if (binary.path === undefined) throw new Error(binary.reason)
  const place = await makeReadyPlace(engine)
  const { port, handTo, close: closePort } = await openPort()
  const origin = `http://localhost:${port}`
  const settings = { DAYBOOK_PUBLIC_URL: origin, DAYBOOK_PORT: String(port), ...options.settings }
  const world = await openWorld(engine, place, { ...options, settings })
  const opened: { context: BrowserContext; isQuiet(): void }[] = []
  const slug = options.settings?.DAYBOOK_URL_SLUG
  const address = slug ? `${origin}/${slug}` : origin
  const visitor = async (visit: VisitorOptions = {}, storageState?: BrowserContextOptions['storageState']) => {
    const context = await (await openBrowser(binary.path)).newContext({
      viewport: { width: visit.width ?? 1280, height: visit.height ?? 900 },
      colorScheme: visit.colorScheme ?? 'light',
      timezoneId: visit.timezoneId ?? 'Europe/London',
      locale: visit.locale ?? 'en-GB',
      hasTouch: visit.hasTouch ?? false,
      javaScriptEnabled: visit.hasScripts ?? true,
      reducedMotion: 'reduce',
      ...(storageState ? { storageState } : {}),
    })
    context.setDefaultTimeout(DEADLINE_MS)
    const page = await context.newPage()
    await page.clock.setSystemTime(world.clock.at)
    opened.push({ context, isQuiet: watch(page, origin, visit) })
    return page
  }
  try {
    await world.app.server.ready()
    handTo((socket) => world.app.server.server.emit('connection', socket))
    await story({
      world,
      address,
      visitor,
      async signedIn(email, visit) {
        const { cookie } = await world.signIn(email)
        const [name = '', value = ''] = cookie.split('=')
        return visitor(visit, {
          cookies: [
            {
              name,
              value,
              domain: 'localhost',
              path: '/',
              httpOnly: true,
              secure: false,
              sameSite: 'Lax',
              expires: -1,
            },
          ],
          origins: [{ origin, localStorage: [{ name: `daybook${slug ? `/${slug}` : ''}:signed-in`, value: '1' }] }],
        })
      },
    })
    for (const { isQuiet } of opened) isQuiet()
  } finally {
    for (const { context } of opened) await context.close()
    await closePort()
    await world.app.close()
    await place.remove()
  }
}

/** Returns a check that nothing failed unnoticed: no error, nothing blocked by the CSP, no request to another host. */
function watch(page: Page, origin: string, { expected, hosts = [] }: VisitorOptions): () => void {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    const { url } = message.location()
    const target = URL.canParse(url) ? new URL(url).pathname + new URL(url).search : ''
    if (message.type() !== 'error' || expected?.test(`${message.text()} ${target}`)) return
    complaints.push(`console: ${message.text()} (${url})`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    const isKnown = url.origin === origin || url.protocol === 'data:' || url.protocol === 'blob:'
    if (!isKnown && !hosts.includes(url.origin)) complaints.push(`asked ${url.origin}`)
  })
  return () => assert.deepEqual(complaints, [])
}

const axe = readFileSync(join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8')

interface Checker {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>
}

/** All rules of axe-core up to WCAG 2.2 AA, and its best practices. */
export const assertAccessible = (page: Page): Promise<void> => check(page, {})

/** The same page in the other colour scheme: of all axe-core rules, only contrast can have changed. */
export async function assertLegibleByNight(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await check(page, { runOnly: ['color-contrast', 'link-in-text-block'] })
  await photograph(page, `${name}-dark`)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Accessible, and with nothing beyond the edge of the narrowest phone. */
export async function assertPresentable(page: Page, name: string): Promise<void> {
  await assertAccessible(page)
  await photograph(page, name)
  const before = page.viewportSize()!
  await page.setViewportSize({ width: 320, height: 700 })
  // The grid follows the window in a later frame.
  await waitFor(
    `${name} as wide as the window`,
    () => page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
    { deadlineMs: 10_000 },
  )
  await page.setViewportSize(before)
}

async function check(page: Page, options: object): Promise<void> {
  // Injected by the test, not by the page: its CSP stays unchanged.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const found = await page.evaluate(async (chosen) => {
    const { axe: checker } = globalThis as unknown as { axe: Checker }
    // Passed rules are many and not needed.
    const { violations } = await checker.run({ ...chosen, resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => `${n.html} ${n.failureSummary}`).join(' | ')}`)
  }, options)
  assert.deepEqual(found, [], page.url())
}

/** Waits until the app has replaced the calendar page that the service sent; both are in the document before. */
export const takenOver = (page: Page): Promise<void> => page.locator('#served').waitFor({ state: 'detached' })

/**
 * Waits until the calendar has everything requested. A new request makes it unready at once, so earlier content is
 * never taken for the new.
 */
export const gridReady = (page: Page): Promise<void> => page.locator('.cal-frame.ready').waitFor()

/** Waits until the code that makes the printed programme is loaded; a print before that is the screen. */
export const printReady = (page: Page): Promise<void> => page.locator('[data-prints]').waitFor()

export async function showView(page: Page, name: 'Month' | 'Week' | 'Day' | 'List' | 'Year'): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('button', { name, exact: true, pressed: true }).waitFor()
  await gridReady(page)
}

const SHOTS = join(import.meta.dirname, '..', '..', 'shots')

/** Screenshots are compared with nothing, and each page takes four: only on request, and in the long run. */
const TAKES_SHOTS = process.env.TEST_SHOTS === '1' || byRunLength(false, true)

/** Screenshots on a phone and on a desktop. */
export async function photograph(page: Page, name: string): Promise<void> {
  if (!TAKES_SHOTS) return
  mkdirSync(SHOTS, { recursive: true })
  const before = page.viewportSize()!
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    await page.screenshot({ path: join(SHOTS, `${name}-${width}.png`), fullPage: true })
  }
  await page.setViewportSize(before)
}

/**
 * Reserves a port. The address must be known before the service is built, because links contain it; so connections are
 * accepted here and passed to the service, and no other process can take the port in between.
 */
async function openPort() {
  let receive: ((socket: Socket) => void) | undefined
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)))
    receive?.(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    handTo(receiver: (socket: Socket) => void): void {
      receive = receiver
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
