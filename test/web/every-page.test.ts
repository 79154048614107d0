// Every page in each language: nothing wider than the window or cut off, and accessible by day and by night.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { PAGES } from '../../src/contract/site.ts'
import { LANGUAGES, type Language } from '../../src/domain/languages.ts'
import { assertAccessible, assertLegibleByNight, browserTest, withBrowser } from '../support/browser/browser.ts'
import { byRunLength } from '../support/measure/run-length.ts'
import type { World } from '../support/world.ts'
import { listMisfits } from './languages/pseudo-locale.ts'

const WIDTHS = [320, 390, 1280]

/** German has the longest words. */
const TRIED = byRunLength<readonly Language[]>(['de'], LANGUAGES)

const DAY = '2026-07-07'

const VIEWS = ['month', 'week', 'day', 'list', 'year'].map((view) => `/?view=${view}&date=${DAY}`)

/** Complete without a script. */
const SERVED = [...VIEWS, '/?when=weekend', '/?q=choir', '/?q=nothing', '/?view=list&category=Music&category=Sport']

const WITHOUT_SCRIPT = [...SERVED, '/sign-in', '/nowhere']

const PUBLIC = [
  ...SERVED,
  ...['/setup', '/sign-in', '/register', '/verify', '/forgot-password', '/reset-password', '/reset-password#t=none'],
  ...['/embed', '/event/new', '/account', '/admin', '/nowhere'],
]

/** With an account that may do everything. */
const SIGNED_IN = [
  ...PAGES.filter((path) => /^\/(account|admin|trash|event\/new)/.test(path)),
  ...[`/event/edit?id=ID`, `/event/history?id=ID`, '/event/edit?id=ID&at=20260714T193000'],
]

const EVENTS = ['/events/ID', '/events/ID/20260714T193000', '/events/ID/20260721T193000', '/events/HIDDEN']

async function fill({ writer, admin }: World): Promise<(path: string) => string> {
  const long = 'Nachbarschaftsflohmarkt'
  const choir = await writer.creates({
    ...{ title: `${long} und Chorprobe`, start: '2026-07-07T19:30', end: '2026-07-07T21:00', category: 'Music' },
    ...{ rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=9', location: `${long} 12, 12345 Musterstadt`, visibility: 'public' },
    ...{ description: `Bring https://example.org/${'x'.repeat(120)}`, url: `https://example.org/${'y'.repeat(120)}` },
  })
  await writer.patch(`/events/${choir.id}/occurrences/20260721T193000`, { status: 'cancelled', version: 1 })
  await writer.creates({ title: long, start: '2026-07-01', end: '2026-07-25', all_day: true, visibility: 'public' })
  const hidden = await writer.creates({ title: 'Geheim', start: `${DAY}T10:00`, end: `${DAY}T11:00` })
  const gone = await writer.creates({ title: long, start: `${DAY}T12:00`, end: `${DAY}T13:00` })
  await writer.delete(`/events/${gone.id}`, { 'if-match': gone.etag ?? '"1"' })
  await admin.post('/admin/categories', { name: 'Music', color: '#b5460f', description: `${long} im Saal` })
  return (path) => path.replace('ID', choir.id).replace('HIDDEN', hidden.id)
}

const FITS = 'document.documentElement.scrollWidth <= innerWidth'

const PATIENCE_MS = 10_000

/** Complete: it has its heading, and nothing of it is being loaded. */
async function visit(page: Page, address: string): Promise<void> {
  // Two addresses that differ in the fragment alone are one page.
  await page.goto('about:blank')
  await page.goto(address)
  await page.locator('main h1').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('.busy, .cal-frame.loading, #served'))
}

async function assertFits(page: Page, name: string, hasScripts = true): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    // The grid follows the window a moment later; what never fits is named below.
    if (hasScripts) await page.waitForFunction(FITS, undefined, { timeout: PATIENCE_MS }).catch(() => {})
    assert.deepEqual(await listMisfits(page), [], `${name} at ${width} px`)
  }
}

browserTest('the pages that are tried are all there are', async () => {
  const tried = new Set([...PUBLIC, ...SIGNED_IN].map((path) => path.replace(/[?#].*/, '')))
  assert.deepEqual(
    PAGES.filter((path) => !tried.has(path)),
    [],
  )
})

for (const language of TRIED)
  browserTest(`in ${language}, every page fits a phone and a window`, () =>
    withBrowser(async ({ world, address, visitor, signedIn }) => {
      const pathOf = await fill(world)
      const options = { locale: language, expected: /status of (401|403|404)/ }
      const bare = await visitor({ ...options, hasScripts: false })
      for (const path of [...WITHOUT_SCRIPT, ...EVENTS.map(pathOf)]) {
        await bare.goto(`${address}${path}`)
        await assertFits(bare, `${path} without scripts`, false)
      }
      const anyone = await visitor(options)
      for (const path of [...PUBLIC, ...EVENTS.map(pathOf)]) {
        await visit(anyone, `${address}${path}`)
        await assertFits(anyone, path)
      }
      const admin = await signedIn('admin@example.org', options)
      for (const path of SIGNED_IN.map(pathOf)) {
        await visit(admin, `${address}${path}`)
        await assertFits(admin, path)
      }
    }),
  )

for (const language of TRIED)
  browserTest(`in ${language}, every page is accessible by day and by night`, () =>
    withBrowser(async ({ world, address, visitor, signedIn }) => {
      const pathOf = await fill(world)
      const options = { width: 390, locale: language, expected: /status of (401|403|404)/ }
      for (const [page, paths] of [
        [await visitor(options), [...PUBLIC, ...EVENTS.map(pathOf)]],
        [await signedIn('admin@example.org', options), SIGNED_IN.map(pathOf)],
      ] as const)
        for (const path of paths) {
          await visit(page, `${address}${path}`)
          await assertAccessible(page)
          await assertLegibleByNight(page, `every-${language}${path.replace(/[^a-z]+/gi, '-')}`)
        }
    }),
  )
