// Keyboard shortcuts of the calendar: what they do, where they do nothing, and how they are switched off.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  assertLegibleByNight,
  assertPresentable,
  browserTest,
  gridReady,
  withBrowser,
} from '../../support/browser/browser.ts'

const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor()

browserTest('single keys go to today, to the next and the previous period, to the search and to a new event', () =>
  withBrowser(async ({ address, visitor, signedIn }) => {
    const page = await visitor()
    await page.goto(`${address}/?view=month&date=2026-09-15`)
    await gridReady(page)
    await page.keyboard.press('ArrowRight')
    await heading(page, 'October 2026')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await heading(page, 'August 2026')
    await page.keyboard.press('t')
    await heading(page, 'July 2026')
    // A visitor adds nothing.
    await page.keyboard.press('n')
    await page.keyboard.press('/')
    await page.waitForFunction(() => document.activeElement?.matches('input[type="search"]'))
    await page.keyboard.type('ttn/?')
    assert.equal(await page.getByLabel('Search').inputValue(), 'ttn/?')
    await heading(page, 'Search: ttn/?')
    await page.goto(`${address}/?view=month&date=2026-07-14`)
    await gridReady(page)
    // On a day the arrows move to another day.
    await page.getByRole('link', { name: 'Tuesday 14 July 2026' }).press('ArrowRight')
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'Wednesday 15 July 2026',
    )
    await heading(page, 'July 2026')
    await page.keyboard.press('Control+ArrowRight')
    await heading(page, 'July 2026')

    const phone = await visitor({ width: 390, height: 844 })
    await phone.goto(address)
    await gridReady(phone)
    await phone.keyboard.press('/')
    await phone.waitForFunction(() => document.activeElement?.matches('input[type="search"]'))

    const writer = await signedIn('writer@example.org')
    await writer.goto(`${address}/?view=week&date=2026-07-20`)
    await gridReady(writer)
    await writer.keyboard.press('n')
    await writer.waitForURL('**/event/new?start=2026-07-20')
  }),
)

browserTest('a sheet lists the shortcuts and switches them off, also for the next visit', () =>
  withBrowser(async ({ address, visitor }) => {
    const page = await visitor()
    await page.goto(`${address}/?view=month&date=2026-07-14`)
    await gridReady(page)
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.getByText('Previous or next period').waitFor()
    await assertPresentable(page, 'calendar-shortcuts')
    await assertLegibleByNight(page, 'calendar-shortcuts')
    // A dialog is about something else.
    await page.keyboard.press('ArrowRight')
    await sheet.getByLabel('Use these single keys').uncheck()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.reload()
    await gridReady(page)
    for (const key of ['ArrowRight', 'n', '/', '?']) await page.keyboard.press(key)
    await page.getByRole('heading', { level: 1, name: 'July 2026' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await sheet.getByLabel('Use these single keys').check()
    await sheet.getByRole('button', { name: 'Close' }).click()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('heading', { level: 1, name: 'August 2026' }).waitFor()
  }),
)

browserTest('hours are named cells in a week and a day, with the events in them, and arrows go beyond the period', () =>
  withBrowser(async ({ world, address, visitor }) => {
    const at = { start: '2026-07-14T10:00', end: '2026-07-14T11:30', visibility: 'public' }
    await world.writer.creates({ ...at, title: 'Choir' })
    const page = await visitor()
    await page.goto(`${address}/?view=week&date=2026-07-14`)
    await gridReady(page)
    const hours = page.getByRole('grid', { name: /^Times of day/ })
    // They are added once the page can be used.
    await hours.waitFor({ state: 'attached' })
    assert.equal(await hours.locator('[tabindex="0"]').count(), 1)
    assert.equal(await hours.getByRole('gridcell').count(), 7 * 26)
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await hours.getByRole('gridcell', { name: 'Tuesday 14 July, 09:00' }).focus()
    for (const [key, name] of [
      ['ArrowDown', 'Tuesday 14 July, 09:30'],
      ['ArrowDown', 'Tuesday 14 July, 10:00, Choir'],
      ['ArrowLeft', 'Monday 13 July, 10:00'],
      ['End', 'Monday 13 July, 20:30'],
      ['Home', 'Monday 13 July, 08:00'],
    ] as const) {
      await page.keyboard.press(key)
      assert.equal(await focused(), name)
    }
    // The cell is where the hour is.
    const cell = (await hours.getByRole('gridcell', { name: 'Tuesday 14 July, 10:00, Choir' }).boundingBox())!
    const event = (await page.getByRole('button', { name: /^Choir/ }).boundingBox())!
    assert.ok(Math.abs(cell.y - event.y) < 3 && Math.abs(cell.x - event.x) < 5, JSON.stringify([cell, event]))
    await page.keyboard.press('ArrowLeft')
    await heading(page, /^6\s?–\s?12 July 2026$/)
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Sunday 12 July, 08:00')
    await page.keyboard.press('PageDown')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Sunday 19 July, 08:00')
    await assertAccessible(page)
    // For a reader Enter opens the day.
    await page.keyboard.press('Enter')
    await heading(page, 'Sunday 19 July 2026')
    await gridReady(page)
    await hours.getByRole('gridcell', { name: 'Sunday 19 July, 12:00' }).waitFor()
    // The cells let the mouse through.
    await page.goBack()
    await page.getByRole('button', { name: /^Choir/ }).click()
    await page.getByRole('dialog', { name: 'Choir' }).waitFor()
  }),
)
