// The calendar page as the service sends it: usable without JavaScript, and replaced by the app without moving.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  assertLegibleByNight,
  assertPresentable,
  type BrowserWorld,
  browserTest,
  gridReady,
  takenOver,
  withBrowser,
} from '../../support/browser/browser.ts'

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]

async function plan({ world: { writer, admin } }: BrowserWorld): Promise<void> {
  const create = (event: object) => writer.creates({ visibility: 'public', ...event })
  await create({ title: 'Fair', start: '2026-07-12T10:00', end: '2026-07-12T12:00', category: 'Community' })
  await create({ title: 'Camp', start: '2026-07-16', end: '2026-07-21', all_day: true })
  await create({ title: 'Dance', start: '2026-07-17T22:00', end: '2026-07-18T02:00' })
  await create({ title: 'Doctor', start: '2026-07-17T09:00', end: '2026-07-17T10:00', visibility: 'private' })
  const choir = { title: 'Choir practice', start: '2026-07-07T19:30', end: '2026-07-07T21:00', location: 'Hall' }
  await create({ ...choir, rrule: 'FREQ=WEEKLY;COUNT=10' })
  await create({ title: 'Match', start: '2026-07-11T15:00', end: '2026-07-11T17:00', category: 'Sport' })
  await admin.post('/admin/categories', { name: 'Sport', color: '#b5460f' })
  for (let i = 0; i < 6; i++)
    await create({ title: `Talk ${i}`, start: `2026-07-22T1${i}:00`, end: `2026-07-22T1${i}:30` })
}

const headingOf = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText()

browserTest('without JavaScript, the calendar is read, searched and left by links and forms', () =>
  withBrowser(async (stage) => {
    await plan(stage)
    const page = await stage.visitor({ hasScripts: false })
    await page.goto(stage.address)
    assert.equal(await headingOf(page), 'July 2026')
    await page.getByRole('link', { name: 'Next month' }).click()
    assert.equal(await headingOf(page), 'August 2026')
    await page.getByRole('link', { name: 'Previous month' }).click()
    await page.getByRole('cell').getByRole('link', { name: '10:00 Fair' }).click()
    assert.equal(await headingOf(page), 'Fair')
    await page.goBack()
    await page.getByRole('link', { name: '14 July 2026' }).click()
    assert.equal(await headingOf(page), 'Tuesday 14 July 2026')
    await page.getByRole('link', { name: 'Year', exact: true }).click()
    await page.getByRole('link', { name: 'July', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Search' }).fill('choir')
    await page.getByRole('button', { name: 'Search' }).click()
    assert.equal(await headingOf(page), 'Search: choir')
    await page.getByText('9 dates were found from today on.').waitFor()
    await page.getByRole('link', { name: 'Choir practice' }).first().click()
    assert.equal(await headingOf(page), 'Choir practice')
    await page.goto(`${stage.address}/?view=list`)
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Community')
    await page.getByRole('button', { name: 'Search' }).click()
    assert.deepEqual(await page.getByRole('heading', { level: 2 }).allInnerTexts(), ['Sunday 12 July'])
    await page.getByLabel('Go to date').fill('2026-09-01')
    await page.getByRole('button', { name: 'Go', exact: true }).click()
    await page.getByText('There are no events of this category in this period.').waitFor()
    await page.getByRole('link', { name: 'Search all dates' }).click()
    assert.equal(await headingOf(page), 'Search: Community')
    await page.getByRole('link', { name: 'This weekend' }).click()
    assert.equal(await headingOf(page), 'This weekend: 11–12 July 2026')
    const legend = page.getByRole('region', { name: 'Categories' })
    await legend.getByRole('link', { name: 'Show all' }).click()
    await legend.getByRole('link', { name: 'Community' }).click()
    await legend.getByRole('link', { name: 'Sport' }).click()
    assert.equal(new URL(page.url()).search, '?when=weekend&category=Community&category=Sport')
    assert.equal(await page.getByRole('combobox', { name: 'Category' }).innerText(), '2 categories')
    const mark = legend.getByRole('link', { name: 'Sport' }).locator('.cal-mark')
    assert.equal(await mark.evaluate((shown) => getComputedStyle(shown).backgroundColor), 'rgb(181, 70, 15)')
    await legend.getByRole('link', { name: 'Community' }).click()
    assert.equal(new URL(page.url()).search, '?when=weekend&category=Sport')
    await page.setViewportSize(SIZES[1]!)
    await page.goto(stage.address)
    assert.match(await headingOf(page), /^10 July.*9 August 2026$/)
    assert.equal(await page.getByRole('searchbox', { name: 'Search' }).isVisible(), false)
    await page.getByRole('link', { name: 'Search and filter' }).click()
    await page.getByRole('searchbox', { name: 'Search' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Print' }).count(), 0, 'it would need a script')
    await page.getByRole('link', { name: 'Later' }).click()
    assert.match(await headingOf(page), /^10 August.*9 September 2026$/)
    await page.setViewportSize(SIZES[0]!)
    await page.goto(`${stage.address}/?view=month`)
    assert.equal(await page.getByText('Talk 3').isVisible(), false, 'the window has room for three')
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.getByText('Talk 3').isVisible(), true, 'paper has room')
    assert.equal(await legend.getByText('Sport').isVisible(), true)
  }),
)

browserTest('every view is accessible without the app, by day and by night, on every width', () =>
  withBrowser(async (stage) => {
    await plan(stage)
    const page = await stage.visitor({ expected: /Failed to load/ })
    await page.route('**/assets/*.js', (route) => route.abort())
    for (const query of [
      '',
      'view=month',
      'view=week',
      'view=day',
      'view=list',
      'view=year',
      'q=choir',
      'when=weekend',
      'view=month&category=Sport&category=Community',
      'view=century',
    ]) {
      const name = `served-${query.replace(/.*=/, '') || 'start'}`
      await page.setViewportSize(SIZES[0]!)
      await page.goto(`${stage.address}/?${query}`)
      await assertPresentable(page, name)
      await assertLegibleByNight(page, name)
      await page.setViewportSize(SIZES[1]!)
      await assertAccessible(page)
    }
  }),
)

/** The sum of all layout shifts since the page was opened. */
const shiftOf = (page: Page): Promise<number> => page.evaluate<number>('globalThis.shifted')

async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.shifted = 0
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) globalThis.shifted += value
    }).observe({ type: 'layout-shift', buffered: true })
  `)
}

const PARTS = [
  'h1',
  '.cal-ways > *',
  '.cal-steps > *',
  '.cal-views .button, .cal-views button',
  '.cal-whats-on a',
  '.cal-print',
  '.cal-keys',
  '.cal-filters select',
  '.cal-cell',
  '.cal-name',
  '.cal-more',
  '.cal-zone',
  '.found li',
  '.cal-legend li',
]

const QUERIES = [
  '',
  '?view=month',
  '?view=list',
  '?q=choir',
  '?when=week',
  '?view=month&category=Sport&category=Community',
  '?view=list&date=2027-03-01',
]

/** The app draws a grid where the service wrote a list: what surrounds it stays where it was, and its own edges do. */
const REDRAWN = [
  '?view=week',
  '?view=week&date=2026-07-17',
  '?view=week&date=2026-09-23',
  '?view=day',
  '?view=day&date=2026-07-16',
  '?view=day&date=2026-07-17',
  '?view=year',
]

const AROUND = [...PARTS.filter((part) => !/cell|name|more/.test(part)), '.cal']

/** Where the visible parts of the page are, by what they say. */
const placesOf = (page: Page, parts: readonly string[]): Promise<Record<string, number[]>> =>
  page.evaluate<Record<string, number[]>>(`(() => {
    const root = document.getElementById('served') ?? document.getElementById('app')
    const places = {}
    for (const part of ${JSON.stringify(parts)})
      for (const element of root.querySelectorAll(part)) {
        if (!element.checkVisibility()) continue
        const { x, y, height } = element.getBoundingClientRect()
        const name = part + (part === '.cal-name' ? ' ' + element.textContent : '')
        places[name] = [...(places[name] ?? []), Math.round(x), Math.round(y), Math.round(height)]
      }
    return places
  })()`)

browserTest('the app takes over every view and a search without moving anything', () =>
  withBrowser(async (stage) => {
    await plan(stage)
    for (const size of SIZES)
      for (const query of [...QUERIES, ...REDRAWN]) {
        const parts = REDRAWN.includes(query) ? AROUND : PARTS
        const page = await stage.visitor(size)
        await watchShifts(page)
        const held = Promise.withResolvers<void>()
        await page.route('**/public/events?**', (route) => held.promise.then(() => route.continue()))
        await page.goto(`${stage.address}/${query}`)
        await page.waitForRequest(/public\/events\?/).catch(() => {})
        const before = await placesOf(page, parts)
        held.resolve()
        await page.locator('#served').waitFor({ state: 'detached' })
        await page.locator(query.startsWith('?q') ? '.found' : '.cal-frame.ready').waitFor()
        const after = await placesOf(page, parts)
        for (const [name, places] of Object.entries(before)) {
          const moved = places.map((place, i) => Math.abs(place - (after[name]?.[i] ?? Number.NaN)))
          assert.ok(
            moved.every((by) => by <= 1),
            `${query} ${size.width} ${name}: ${places} became ${after[name]}`,
          )
        }
        const shifted = await shiftOf(page)
        assert.ok(shifted < 0.05, `${query} at ${size.width}: ${shifted}`)
        await page.close()
      }
  }),
)

browserTest('a text typed before the app takes over stays, with the focus, and is searched', () =>
  withBrowser(async (stage) => {
    await plan(stage)
    const page = await stage.visitor()
    const held = Promise.withResolvers<void>()
    await page.route('**/public/events?**', (route) => held.promise.then(() => route.continue()))
    await page.goto(stage.address)
    await page.locator('#served').getByRole('searchbox').fill('choir')
    held.resolve()
    await page.getByText('9 dates were found from today on.').waitFor()
    assert.equal(await page.getByRole('searchbox').inputValue(), 'choir')
    assert.equal(await page.evaluate<string>('document.activeElement.type'), 'search')
  }),
)

browserTest('what was opened and typed on a phone before the app takes over stays open, with the focus', () =>
  withBrowser(async (stage) => {
    await plan(stage)
    const page = await stage.visitor(SIZES[1])
    const held = Promise.withResolvers<void>()
    await page.route('**/public/events?**', (route) => held.promise.then(() => route.continue()))
    await page.goto(stage.address)
    await page.locator('#served').getByRole('link', { name: 'Search and filter' }).click()
    await page.locator('#served').getByRole('searchbox').focus()
    held.resolve()
    await takenOver(page)
    await page.getByRole('searchbox').waitFor()
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).type === 'search')
  }),
)

browserTest('a category chosen before the app takes over is applied', () =>
  withBrowser(async (stage) => {
    await plan(stage)
    const page = await stage.visitor()
    const held = Promise.withResolvers<void>()
    await page.route('**/public/events?**', (route) => held.promise.then(() => route.continue()))
    await page.goto(stage.address)
    await page.locator('#served').getByRole('combobox').selectOption('Community')
    held.resolve()
    await page.waitForURL(/category=Community/)
  }),
)

browserTest('a reader who is signed in sees the public page until the full one is there', () =>
  withBrowser(async (stage) => {
    await plan(stage)
    const page = await stage.signedIn('reader@example.org')
    const held = Promise.withResolvers<void>()
    await page.route('**/events?**', (route) => held.promise.then(() => route.continue()))
    await page.goto(stage.address)
    await page.locator('#served').getByRole('link', { name: '10:00 Fair' }).waitFor()
    await page.locator('#served').getByRole('link', { name: 'Sign in' }).waitFor({ state: 'hidden' })
    held.resolve()
    await gridReady(page)
    await page
      .getByRole('button', { name: /^Doctor, / })
      .first()
      .waitFor()
    assert.equal(await page.locator('#served').count(), 0)
  }),
)

browserTest('where the app cannot be loaded, the page of the service stays and its links work', () =>
  withBrowser(async (stage) => {
    await plan(stage)
    const page = await stage.visitor({ expected: /Failed to load/ })
    await page.route('**/assets/calendar-page*.js', (route) => route.abort())
    await page.goto(stage.address)
    await page.getByRole('link', { name: 'Next month' }).click()
    await page.getByRole('heading', { name: 'August 2026' }).waitFor()
    assert.equal(await page.locator('#served').count(), 1)
  }),
)

browserTest('where the app cannot load the events, the page of the service stays until it can', () =>
  withBrowser(async (stage) => {
    await plan(stage)
    const page = await stage.visitor({ expected: /Failed to load/ })
    const refused = page.waitForEvent('requestfailed', (request) => request.url().includes('/public/events?'))
    await page.route('**/api-root/**', (route) => route.abort())
    await page.goto(stage.address)
    await refused
    await page.locator('#app .cal-frame.failed').waitFor({ state: 'attached' })
    // The pages are exchanged sixty frames later at the latest.
    await page.evaluate(async () => {
      for (let i = 0; i < 90; i++) await new Promise((resolve) => requestAnimationFrame(resolve))
    })
    assert.equal(await page.locator('#served').count(), 1)
    await page.unroute('**/api-root/**')
    await page.evaluate("dispatchEvent(new Event('online'))")
    await takenOver(page)
    assert.equal(await page.getByRole('alert').count(), 0)
  }),
)

browserTest('a tab in the background, where no frame is drawn, is taken over too', () =>
  withBrowser(async (stage) => {
    await plan(stage)
    const page = await stage.visitor()
    await page.addInitScript('globalThis.requestAnimationFrame = () => 0')
    await page.goto(stage.address)
    await takenOver(page)
  }),
)
