// Adding an event on the calendar: the quick form at a day or an hour, and what is seen after saving.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import {
  assertLegibleByNight,
  assertPresentable,
  browserTest,
  gridReady,
  withBrowser,
} from '../../support/browser/browser.ts'

const WRITER = 'writer@example.org'

const quick = (page: Page) => page.getByRole('dialog', { name: 'New event' })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

/** Adding by a press or by Enter works once the code for writers is loaded. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.locator('.cal-frame.ready').waitFor()
  await page
    .getByRole('grid', { name: /Enter to add an event/ })
    .or(page.getByText('Enter to add an event'))
    .waitFor({ state: 'attached' })
}

browserTest(
  'a press on a day asks for title and time, saves, and shows the event marked, and first in a full day',
  () =>
    withBrowser(async ({ world, address, signedIn }) => {
      for (let hour = 8; hour < 18; hour++)
        await world.writer.creates({
          title: `Course ${hour}`,
          start: `2026-07-14T${hour}:00`.replace('T8', 'T08').replace('T9', 'T09'),
          end: `2026-07-14T18:00`,
          visibility: 'public',
        })
      const page = await signedIn(WRITER, { expected: /status of 422/ })
      await open(page, `${address}/?view=month&date=2026-07-14`)
      const cell = page.locator('.cal-view [role="gridcell"][data-date="2026-07-14"]')
      const { x, y } = (await cell.boundingBox())!
      await page.mouse.click(x + 8, y + 8)
      await quick(page).getByText('Tuesday 14 July 2026').waitFor()
      await quick(page).getByText('The public will see only that the time is taken.').waitFor()
      assert.equal(await page.getByLabel('Title').evaluate((field) => field === document.activeElement), true)
      assert.equal(await page.getByLabel('All day').isChecked(), true)
      await assertPresentable(page, 'calendar-quick')
      await assertLegibleByNight(page, 'calendar-quick')

      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByLabel('Title').and(page.locator('[aria-invalid="true"]')).waitFor()
      await page.keyboard.type('Tea')
      // What was typed is not lost by a press beside it.
      await page.mouse.click(4, 400)
      await page.getByLabel('All day').uncheck()
      await page.getByLabel('Start time').fill('19:30')
      assert.equal(await page.getByLabel('End time').inputValue(), '20:30')
      const box = (await quick(page).boundingBox())!
      assert.ok(box.y >= 0 && box.y + box.height <= 900, 'the longer form stays within the window')
      await page.keyboard.press('Enter')
      await page.getByText('Saved.').waitFor()
      const tea = page.getByRole('button', { name: /^Tea, Tuesday 14 July 2026, 19:30 to 20:30/ })
      await tea.and(page.locator('.cal-saved')).waitFor()
      assert.equal(await tea.evaluate((event) => getComputedStyle(event).animationName), 'none', 'nothing moves')
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      assert.equal(await tea.evaluate((event) => getComputedStyle(event).animationName), 'saved')
      await page.locator('.cal-saved').waitFor({ state: 'detached' })
      assert.equal(await tea.count(), 1)
    }),
)

browserTest(
  'by keyboard: Enter on a day or an hour opens the quick form, Escape closes it, and the focus returns',
  () =>
    withBrowser(async ({ world, address, signedIn }) => {
      const page = await signedIn(WRITER)
      await open(page, `${address}/?view=month&date=2026-07-14`)
      await page.getByRole('link', { name: 'Tuesday 14 July 2026' }).press('Enter')
      await quick(page).waitFor()
      await page.keyboard.type('Half a title')
      await page.keyboard.press('Escape')
      await quick(page).waitFor({ state: 'detached' })
      assert.equal(await focused(page), 'Tuesday 14 July 2026')

      await open(page, `${address}/?view=week&date=2026-07-14`)
      const hours = page.getByRole('grid', { name: /^Times of day/ })
      await hours.getByRole('gridcell', { name: 'Tuesday 14 July, 09:00', exact: true }).press('ArrowDown')
      assert.equal(await focused(page), 'Tuesday 14 July, 09:30')
      await page.keyboard.press('Enter')
      await quick(page).getByText('Tuesday 14 July 2026').waitFor()
      await page.keyboard.press('Escape')
      assert.equal(await focused(page), 'Tuesday 14 July, 09:30')
      await page.keyboard.press('Enter')
      await quick(page).waitFor()
      await page.keyboard.type('Early')
      assert.equal(await page.getByLabel('End time').inputValue(), '10:30')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: /^Early, Tuesday 14 July 2026, 09:30 to 10:30/ }).waitFor()
      await hours.getByRole('gridcell', { name: 'Tuesday 14 July, 09:30, Early', exact: true }).waitFor()
      const [made] = (await world.writer.get('/events?q=early')).body.data
      assert.deepEqual([made.start, made.visibility], ['2026-07-14T09:30:00+01:00', 'private'])
    }),
)

browserTest('“More options” opens the form with what was typed, which is not lost by leaving it', () =>
  withBrowser(async ({ address, signedIn }) => {
    // Three in the afternoon there is eight in the evening in London, the zone of the calendar.
    const page = await signedIn(WRITER, { timezoneId: 'America/New_York' })
    await page.goto(address)
    await page.getByLabel('Times in').selectOption('America/New_York (yours)')
    await open(page, `${address}/?view=day&date=2026-07-14`)
    await page.getByRole('gridcell', { name: 'Tuesday 14 July, 15:00', exact: true }).press('Enter')
    await quick(page).getByText('Times are local times in Europe/London.').waitFor()
    assert.equal(await page.getByLabel('Start time').inputValue(), '20:00')
    await page.keyboard.type('Film')
    await page.getByLabel('End time').fill('22:30')
    await page.getByRole('button', { name: 'More options' }).click()
    await page.getByRole('heading', { level: 1, name: 'New event' }).waitFor()
    const values = ['Title', 'Start date', 'Start time', 'End time'].map((name) => page.getByLabel(name).inputValue())
    assert.deepEqual(await Promise.all(values), ['Film', '2026-07-14', '20:00', '22:30'])
    assert.equal(new URL(page.url()).search.includes('Film'), false, 'a title is not in an address')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Stay here' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('button', { name: /^Film, Tuesday 14 July 2026, 15:00 to 17:30/ })
      .and(page.locator('.cal-saved'))
      .waitFor()
    // The next new event is empty.
    await page.getByRole('link', { name: 'New event' }).first().click()
    assert.equal(await page.getByLabel('Title').inputValue(), '')
  }),
)

browserTest('a saved event is scrolled into view in a list and in a week', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    for (let day = 10; day < 31; day++)
      for (const hour of ['09', '12', '15'])
        await world.writer.creates({
          title: 'Stall',
          start: `2026-07-${day}T${hour}:00`,
          end: `2026-07-${day}T${hour}:30`,
          visibility: 'public',
        })
    for (const [view, width] of [
      ['list', 390],
      ['week', 1280],
    ] as const) {
      const page = await signedIn(WRITER, { width, height: 500 })
      await page.goto(`${address}/?view=${view}&date=2026-07-10`)
      await gridReady(page)
      await page.goto(`${address}/event/new?start=2026-07-12T20:00`)
      await page.getByLabel('Title').fill(`Late ${view}`)
      await page.getByRole('button', { name: 'Save' }).click()
      const late = page.getByRole('button', { name: new RegExp(`^Late ${view}`) })
      await late.and(page.locator('.cal-saved')).waitFor()
      const { y, height } = (await late.boundingBox())!
      assert.ok(y > 0 && y + height <= 500, `in the ${view} it is at ${y}`)
    }
  }),
)
