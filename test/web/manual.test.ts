// The API manual in a browser: length, accessibility, search, forms for public reads, copying.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  assertLegibleByNight,
  assertPresentable,
  browserTest,
  withBrowser,
} from '../support/browser/browser.ts'
import { byRunLength } from '../support/measure/run-length.ts'

const DOCS = '/api-root/calendar/v1/docs'

/** Of 800 px at a width of 1,280 px. */
const MAX_SCREENS = 22

/** Checking them takes some seconds each; the next test has one of each kind. */
const CHECKS_ALL = byRunLength(false, true)

browserTest('no page of the manual is longer than 22 screens', () =>
  withBrowser(async ({ address, visitor }) => {
    const page = await visitor({ height: 800 })
    await page.goto(`${address}${DOCS}`)
    const links = await page
      .locator('nav.pages a')
      .evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href))
    assert.ok(links.length > 10)
    for (const link of [...links, `${address}${DOCS}/search?q=event`]) {
      await page.goto(link)
      const pixels = await page.evaluate<number>('document.documentElement.scrollHeight')
      assert.ok(pixels <= MAX_SCREENS * 800, `${link} has ${pixels / 800} screens`)
      if (CHECKS_ALL) await assertAccessible(page)
    }
  }),
)

browserTest('overview, a group, results and error codes are accessible, by day and by night, on every width', () =>
  withBrowser(async ({ address, visitor }) => {
    const page = await visitor()
    for (const [name, path] of Object.entries({
      overview: '',
      group: '/public',
      search: '/search?q=list',
      errors: '/errors',
    })) {
      await page.goto(`${address}${DOCS}${path}`)
      await assertPresentable(page, `manual-${name}`)
      await assertLegibleByNight(page, `manual-${name}`)
    }
  }),
)

const results = (page: Page) => page.getByRole('list', { name: 'Results of the search' }).getByRole('link')

browserTest('the search shows results while typing, and works by keyboard', () =>
  withBrowser(async ({ address, visitor }) => {
    const page = await visitor()
    await page.goto(`${address}${DOCS}`)
    const field = page.getByRole('searchbox', { name: 'Search the manual' })
    await field.pressSequentially('delete an event')
    await results(page).first().waitFor()
    await assertAccessible(page)
    await assertLegibleByNight(page, 'manual-live-search')
    await page.keyboard.press('Escape')
    await results(page).first().waitFor({ state: 'hidden' })
    await field.fill('create an event')
    await results(page).first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${address}${DOCS}/events#createEvent`)
    await field.fill('xyzzy')
    await page.getByText('Nothing found').waitFor()
  }),
)

browserTest('without JavaScript the search is a page of results, and no form for requests is shown', () =>
  withBrowser(async ({ address, visitor }) => {
    const context = await (await visitor()).context().browser()!.newContext({ javaScriptEnabled: false })
    try {
      const page = await context.newPage()
      await page.goto(`${address}${DOCS}/public`)
      assert.equal(await page.getByRole('button', { name: 'Send' }).count(), 0)
      assert.equal(await page.getByRole('button', { name: /^Copy/ }).count(), 0)
      await page.getByRole('searchbox').fill('remove exception')
      await page.getByRole('button', { name: 'Search' }).click()
      await page.waitForURL(`${address}${DOCS}/search?q=remove+exception`)
      await page
        .getByRole('main')
        .getByRole('link', { name: /^Remove an exception/ })
        .first()
        .click()
      await page.waitForURL(`${address}${DOCS}/occurrences#deleteException`)
    } finally {
      await context.close()
    }
  }),
)

browserTest('a public read is sent from the page without credentials, and its response is shown', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    const times = { start: '2026-07-14T19:00', end: '2026-07-14T20:00' }
    await world.writer.creates({ ...times, title: 'Choir', visibility: 'public' })
    await world.writer.creates({ ...times, title: 'Heimlich', visibility: 'private' })
    const page = await signedIn('admin@example.org', { expected: /404.*\/public\/events\/none/ })
    await page.goto(`${address}${DOCS}/public`)
    const list = page.locator('#listPublicEvents form')
    await list.getByRole('textbox', { name: 'from' }).fill('2026-07-01')
    await list.getByRole('combobox', { name: 'view' }).selectOption('month')
    const sent = page.waitForRequest((request) => request.url().includes('/public/events?'))
    await list.getByRole('button', { name: 'Send' }).click()
    const request = await sent
    assert.equal(new URL(request.url()).search, '?from=2026-07-01&view=month')
    const headers = await request.allHeaders()
    assert.equal(headers.cookie ?? headers.authorization, undefined)
    const body = list.getByRole('region', { name: /^Body of the response/ })
    await list.getByRole('status').getByText(/^200/).waitFor()
    assert.match(
      await body.innerText(),
      /"title": "Choir"[\s\S]*"title": "Private Event"|"title": "Private Event"[\s\S]*"title": "Choir"/,
    )
    assert.match(await list.innerText(), /x-request-id/)
    await assertPresentable(page, 'manual-try-it')
    await assertLegibleByNight(page, 'manual-try-it')
    const read = page.locator('#getPublicEvent form')
    await read.getByRole('button', { name: 'Send' }).click()
    assert.equal(await read.getByRole('status').innerText(), '', 'the id is required')
    await read.getByRole('textbox', { name: 'event_id' }).fill('none')
    await page.keyboard.press('Enter')
    await read.getByRole('status').getByText(/^404/).waitFor()
    assert.match(await read.innerText(), /"code": "event_not_found"/)
  }),
)

browserTest('examples are copied with one press, and old links lead to the page of the operation', () =>
  withBrowser(async ({ address, visitor }) => {
    const page = await visitor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${address}${DOCS}#createEvent`)
    await page.waitForURL(`${address}${DOCS}/events#createEvent`)
    await page.getByRole('button', { name: 'Copy: createEvent, curl' }).click()
    await page.locator('#createEvent').getByRole('status').getByText('Copied').first().waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.ok(copied.startsWith(`curl -X POST '${address}/api-root/calendar/v1/events' \\\n`), copied)
  }),
)
