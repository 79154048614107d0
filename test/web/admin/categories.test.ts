// Categories in a browser: added, adopted, ordered by keyboard, renamed; a legend that filters by several.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import {
  assertLegibleByNight,
  assertPresentable,
  browserTest,
  gridReady,
  withBrowser,
} from '../../support/browser/browser.ts'

/** In light and dark colours. */
async function check(page: Page, name: string): Promise<void> {
  await assertPresentable(page, name)
  await assertLegibleByNight(page, name)
}

const at = { start: '2026-07-14T19:00', end: '2026-07-14T21:00', visibility: 'public' }

const namesIn = (page: Page): Promise<string[]> => page.locator('ol.categories strong').allInnerTexts()

browserTest('an administrator adopts all categories of events at once, and the health page says that this is due', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    const { writer, admin } = world
    for (const category of ['Music', 'Art', 'MUSIC', 'Music']) await writer.creates({ title: 'X', category, ...at })
    const page = await signedIn('admin@example.org', { expected: /409/ })
    await page.goto(`${address}/admin/health`)
    await page.getByText('3 categories of events are shown without a colour.').waitFor()
    await page.goto(`${address}/admin/categories`)
    await check(page, 'admin-categories-free')
    await page.getByRole('button', { name: 'Adopt all' }).click()
    await page.getByText('All of them have been adopted.').waitFor()
    await page.locator('ol.categories li').nth(1).waitFor()
    assert.deepEqual(await namesIn(page), ['Music', 'Art'])
    assert.equal(await page.getByText('Other categories in use').count(), 0)
    const colors = (await admin.get('/categories')).body.data.map(({ color }: { color: string }) => color)
    assert.equal(new Set(colors).size, 2)
  }),
)

browserTest('an administrator adopts, adds, orders, renames and deletes categories', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    const { writer, admin } = world
    const { id } = await writer.creates({ title: 'Choir', category: 'Music', ...at })
    const page = await signedIn('admin@example.org', { expected: /409/ })
    await page.goto(`${address}/admin/categories`)
    await page.getByRole('button', { name: 'Adopt Music', exact: true }).click()
    await page.getByText('“Music” has been adopted.').waitFor()
    await page.getByRole('button', { name: 'Add a category' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('music')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('There is already a category with this name.').waitFor()
    await dialog.getByLabel('Name').fill('Board')
    await dialog.getByLabel('Colour').fill('#ffd400')
    await dialog.getByLabel('Description').fill('Meetings of the committee')
    await dialog.getByLabel('Internal').check()
    await check(page, 'admin-categories-add')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.locator('ol.categories li').nth(1).waitFor()
    assert.deepEqual(await namesIn(page), ['Music', 'Board'])
    const up = page.getByRole('button', { name: 'Move Board up' })
    await up.focus()
    await page.keyboard.press('Enter')
    await page.getByText('“Board” is now number 1.').waitFor()
    await page.locator('ol.categories li').first().getByText('Board', { exact: true }).waitFor()
    assert.deepEqual(await namesIn(page), ['Board', 'Music'])
    assert.equal(await up.evaluate((button) => button === document.activeElement), true)
    await check(page, 'admin-categories')
    await page.getByRole('button', { name: 'Edit Music' }).click()
    await dialog.getByLabel('Name').fill('Tunes')
    await dialog.getByText('The event that has it will get the new name.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Tunes” has been saved.').waitFor()
    assert.equal((await admin.get(`/events/${id}`)).body.data.category, 'Tunes')
    await page.getByRole('button', { name: 'Delete Board' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“Board” has been deleted.').waitFor()
    await page.locator('ol.categories li').nth(1).waitFor({ state: 'detached' })
    assert.deepEqual(await namesIn(page), ['Tunes'])
    // The form suggests it.
    await page.goto(`${address}/event/new`)
    await page.locator('datalist option[value="Tunes"]').waitFor({ state: 'attached' })
  }),
)

browserTest('events have the colours of their categories, and the legend filters by several', () =>
  withBrowser(async ({ world, address, visitor }) => {
    const { writer, admin } = world
    await writer.creates({ title: 'Choir', category: 'Music', ...at })
    await writer.creates({ title: 'Painting', category: 'Art, old', ...at })
    await writer.creates({ title: 'Football', category: 'Sport', ...at })
    await writer.creates({
      title: 'Meeting',
      category: 'Board',
      ...at,
      start: '2026-07-15T19:00',
      end: '2026-07-15T21:00',
    })
    await admin.post('/admin/categories', { name: 'Music', color: '#b02a2a', description: 'Choirs and bands' })
    await admin.post('/admin/categories', { name: 'Art, old', color: '#2f7a3d' })
    await admin.post('/admin/categories', { name: 'Board', visibility: 'internal' })
    const page = await visitor()
    await page.goto(`${address}/?view=month&date=2026-07-14`)
    await gridReady(page)
    const legend = page.getByRole('region', { name: 'Categories' })
    await legend.getByRole('button', { name: 'Music' }).waitFor()
    assert.deepEqual(await legend.getByRole('listitem').allInnerTexts(), ['Music', 'Art, old', 'Sport'])
    const inkOf = (title: string) =>
      page
        .locator('.cal-event', { hasText: title })
        .first()
        .evaluate((event) => getComputedStyle(event).borderInlineStartColor)
    const neutral = await inkOf('Football')
    assert.equal(await inkOf('Choir'), 'rgb(176, 42, 42)')
    assert.notEqual(await inkOf('Painting'), neutral)
    assert.equal(await inkOf('Meeting'), neutral)
    assert.equal(
      await page
        .locator('.cal-event', { hasText: 'Choir' })
        .first()
        .textContent()
        .then((text) => /Music/.test(text!)),
      true,
    )
    await check(page, 'calendar-legend')
    await legend.getByRole('button', { name: 'Music' }).click()
    await page.waitForURL(/category=Music/)
    await legend.getByRole('button', { name: 'Art, old' }).click()
    await page.waitForURL(/category=Music&category=Art%2C\+old/)
    await page.locator('.cal-event', { hasText: 'Football' }).waitFor({ state: 'detached' })
    assert.equal(await page.locator('.cal-event', { hasText: 'Choir' }).count(), 1)
    assert.equal(await page.locator('.cal-event', { hasText: 'Painting' }).count(), 1)
    await check(page, 'calendar-legend-chosen')
    await page.reload()
    await gridReady(page)
    assert.equal(await page.locator('.cal-event', { hasText: 'Football' }).count(), 0)
    assert.equal(await page.getByLabel('Category').locator('option:checked').innerText(), '2 categories')
    await legend.getByRole('button', { name: 'Show all' }).click()
    await page.locator('.cal-event', { hasText: 'Football' }).first().waitFor()
    assert.equal(new URL(page.url()).searchParams.has('category'), false)
  }),
)
