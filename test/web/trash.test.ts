// The trash page in a browser: who may see it, restoring one, several and all of one device, and emptying it.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventText, MAIN } from '../caldav/support/events.ts'
import { assertLegibleByNight, assertPresentable, browserTest, withBrowser } from '../support/browser/browser.ts'
import { davOf } from '../support/http/dav.ts'
import type { World } from '../support/world.ts'

const WRITER = 'writer@example.org'

async function check(page: Page, name: string): Promise<void> {
  await assertPresentable(page, name)
  await assertLegibleByNight(page, name)
}

const titles = (page: Page): Promise<string[]> => page.locator('.trash-list h2').allTextContents()

const isThere = async ({ admin }: World, title: string): Promise<boolean> =>
  (await admin.get('/events')).body.data.some((event: { title: string }) => event.title === title)

/** Ten events of a phone that were deleted with it, one of which exists again, and two that were deleted otherwise. */
async function fillTrash(world: World): Promise<void> {
  const { signIn, as, admin, clock } = world
  const browser = await signIn(WRITER)
  const times = { start: '2026-07-14T19:30', end: '2026-07-14T21:00' }
  for (const [title, more] of [
    ['Choir', { rrule: 'FREQ=WEEKLY', visibility: 'public' }],
    ['Doctor', { visibility: 'private' }],
  ] as const) {
    const { id } = await browser.creates({ title, ...times, ...more })
    await browser.delete(`/events/${id}`)
  }
  clock.at += 3_600_000
  const phone = (await browser.post('/auth/app-passwords', { name: 'Phone' })).body.data
  const dav = davOf(as(WRITER, phone.password))
  const put = (i: number) => dav.put(`${MAIN}${i}.ics`, eventText(`e${i}@example.org`, `SUMMARY:Event ${i}`))
  for (let i = 0; i < 10; i++) {
    assert.equal((await put(i)).status, 201)
    await dav.delete(`${MAIN}${i}.ics`)
    clock.at += 1_000
  }
  await put(4)
  clock.at += 60_000
  const { id } = await admin.creates({ title: 'Old plan', start: '2026-07-20', end: '2026-07-23', all_day: true })
  await admin.delete(`/events/${id}`)
}

browserTest('writers restore one deleted event, several, and all that one device deleted', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    await fillTrash(world)
    const page = await signedIn(WRITER)
    await page.goto(address)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('heading', { name: 'Trash' }).waitFor()
    await page.getByRole('heading', { name: 'Doctor' }).waitFor()
    assert.equal((await titles(page)).length, 13)
    assert.equal((await titles(page))[0], 'Old plan')
    assert.equal(await page.getByRole('button', { name: /^Empty/ }).count(), 0, 'for administrators')
    await check(page, 'trash')

    await page.getByRole('button', { name: 'Restore: Choir' }).click()
    await page.getByText('The event has been restored.').waitFor()
    await page.getByRole('heading', { name: 'Choir' }).waitFor({ state: 'detached' })
    assert.ok(await isThere(world, 'Choir'))
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1')

    await page.getByLabel('Select: Doctor').check()
    await page.getByLabel('Select: Event 9').check()
    await page.getByRole('button', { name: 'Restore 2 selected' }).click()
    await page.getByText('2 events were restored.').waitFor()
    await page.getByRole('heading', { name: 'Doctor' }).waitFor({ state: 'detached' })
    assert.ok(await isThere(world, 'Doctor'))

    await page
      .getByRole('listitem')
      .filter({ hasText: 'Event 2' })
      .getByRole('button', { name: 'Everything “Phone” deleted since then' })
      .click()
    await page.getByText('Only events deleted with the app password “Phone”.').waitFor()
    assert.match(page.url(), /credential_id=\w+&since=2026-07-10T14%3A00/)
    assert.equal((await titles(page)).length, 9, 'the minute of Event 2 has the others too')
    await page.getByRole('button', { name: 'Restore all 9 of these…' }).click()
    await page.getByText('8 events will be restored for everyone.').waitFor()
    await page.getByText('One more stays in the trash, because it was created again meanwhile.').waitFor()
    await check(page, 'trash-restore-all')
    await page.getByRole('button', { name: 'Yes, restore 8' }).click()
    await page.getByText('8 events were restored. One is still in the trash').waitFor()
    for (const i of [0, 4, 8]) assert.ok(await isThere(world, `Event ${i}`))
    await page.getByRole('heading', { name: 'Event 8' }).waitFor({ state: 'detached' })
    assert.deepEqual(await titles(page), ['Event 4'])
    await page.getByText('The event was created again meanwhile.').waitFor()
    await check(page, 'trash-restored')
    world.clock.at += 1_000
    await page.getByRole('button', { name: 'Restore this version: Event 4' }).click()
    await page.getByText('The event has been restored.').last().waitFor()
    await page.getByRole('link', { name: 'Show all deleted events' }).click()
    await page.getByRole('heading', { name: 'Old plan' }).waitFor()
    assert.deepEqual(await titles(page), ['Event 4', 'Old plan'])
    await page.getByLabel('Deleted by').selectOption({ label: 'writer (you)' })
    await page.getByRole('heading', { name: 'Old plan' }).waitFor({ state: 'detached' })
    await page.getByLabel('Deleted since').fill('2026-07-11T00:00')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('The trash has no such events.').waitFor()
  }),
)

browserTest('administrators empty the trash after a question; readers and visitors see nothing of it', () =>
  withBrowser(async ({ world, address, visitor, signedIn }) => {
    await fillTrash(world)
    const stranger = await visitor()
    await stranger.goto(`${address}/trash`)
    await stranger.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor()
    const reader = await signedIn('reader@example.org')
    await reader.goto(`${address}/trash`)
    await reader.getByRole('heading', { name: 'Trash' }).waitFor()
    assert.equal(await reader.getByText('Doctor').count(), 0)
    assert.equal(await reader.getByRole('link', { name: 'Trash' }).count(), 0)

    const page = await signedIn('admin@example.org')
    await page.goto(`${address}/trash`)
    await page.getByRole('button', { name: 'Empty the trash…' }).click()
    await page.getByText('All 13 events in the trash will be deleted for good.').waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Cancel')
    await check(page, 'trash-empty')
    await page.getByRole('button', { name: 'Yes, empty the trash' }).click()
    await page.getByText('The trash is empty.').waitFor()
    assert.deepEqual((await world.admin.get('/trash')).body.data, [])
  }),
)
