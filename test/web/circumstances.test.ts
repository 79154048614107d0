// Adverse conditions in a browser: captive portals, very long words, print, distant time zones.
import assert from 'node:assert/strict'
import { browserTest, gridReady, showView, withBrowser } from '../support/browser/browser.ts'

browserTest('a response that is not from the service counts as none, on every page', () =>
  withBrowser(async ({ address, signedIn }) => {
    const page = await signedIn('admin@example.org', { expected: /EventSource/ })
    const isData = ({ pathname }: URL) => pathname.startsWith('/api-root/') && !pathname.endsWith('/auth/session')
    await page.route(isData, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Please pay first</h1>' }))
    for (const path of ['/', '/admin', '/admin/people', '/admin/audit', '/account/tokens']) {
      await page.goto(address + path)
      await page.getByRole('alert').getByText('The server cannot be reached right now.').waitFor()
    }
  }),
)

browserTest('a double click sends one decision', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    await world.addPerson('ann@example.org', 'writer', 'pending_approval')
    const page = await signedIn('admin@example.org')
    const pressTwice = (name: string) =>
      page.getByRole('button', { name, exact: true }).evaluate((button: HTMLButtonElement) => {
        button.click()
        button.click()
      })
    await page.goto(`${address}/admin`)
    await pressTwice('Approve: ann')
    await page.getByText('ann has been approved.').waitFor()
    await page.getByRole('button', { name: 'Approve: ann' }).waitFor({ state: 'detached' })
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1', 'the keyboard goes on from the top')
    await page.goto(`${address}/admin/people`)
    await page.getByRole('button', { name: 'Manage ann' }).click()
    await pressTwice('Suspend')
    await page.getByText('ann: Suspended.').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
  }),
)

browserTest('a very long word wraps, on this site and on others', () =>
  withBrowser(async ({ world, address, visitor }) => {
    const word = '<i>'.padEnd(150, 'W')
    await world.writer.creates({
      title: word,
      location: word,
      visibility: 'public',
      start: '2026-07-14T19:00',
      end: '2026-07-14T20:00',
    })
    const page = await visitor({ width: 320, height: 640 })
    await page.goto(`${address}/embed`)
    await page.locator('daybook-upcoming').getByText(word).first().waitFor()
    await page.locator('daybook-calendar').getByRole('button', { name: /^<i>/ }).waitFor()
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320)
  }),
)

browserTest('print is on white, though the screen was dark', () =>
  withBrowser(async ({ address, visitor }) => {
    const page = await visitor({ colorScheme: 'dark' })
    await page.goto(address)
    await gridReady(page)
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    assert.equal(await background(), 'rgb(18, 22, 28)')
    await page.emulateMedia({ media: 'print' })
    assert.equal(await background(), 'rgb(251, 250, 247)')
  }),
)

for (const timezoneId of ['Pacific/Kiritimati', 'America/Los_Angeles'])
  browserTest(`seen from ${timezoneId}, no day shifts: over midnight, over several days, when clocks change`, () =>
    withBrowser(async ({ world, address, visitor, signedIn }) => {
      const on = (title: string, start: string, end: string, more = {}) =>
        world.writer.creates({ title, start, end, visibility: 'public', ...more })
      const { id } = await on('Fair', '2026-10-24', '2026-10-26', { all_day: true })
      await on('Night', '2026-10-24T23:00', '2026-10-25T03:30')
      await on('Class', '2026-10-23T09:00', '2026-10-23T10:00', { rrule: 'FREQ=DAILY;COUNT=5' })
      const page = await visitor({ timezoneId })
      await page.goto(`${address}/?view=month&date=2026-10-25`)
      for (const [view, names] of [
        ['Day', ['Fair, Saturday 24 October 2026 to Sunday 25 October 2026, all day']],
        ['Week', ['Night, Saturday 24 October 2026, 23:00 to Sunday 25 October 2026, 03:30']],
        ['List', ['Class, Sunday 25 October 2026, 09:00 to 10:00', 'Class, Tuesday 27 October 2026, 09:00 to 10:00']],
      ] as const) {
        await showView(page, view)
        for (const name of names) await page.getByRole('button', { name }).first().waitFor()
      }
      await showView(page, 'Year')
      await page.getByRole('link', { name: 'Sunday 25 October 2026, 3 events' }).waitFor()
      await page.getByRole('link', { name: 'Monday 26 October 2026, 1 event' }).waitFor()
      const writer = await signedIn('writer@example.org', { timezoneId })
      await writer.goto(`${address}/event/edit?id=${id}`)
      assert.equal(await writer.getByLabel('Start date').inputValue(), '2026-10-24')
      assert.equal(await writer.getByLabel('End date').inputValue(), '2026-10-25')
    }),
  )
