// The calendar at the bare address and the page for unknown addresses, in a browser.
import assert from 'node:assert/strict'
import { assertAccessible, browserTest, photograph, withBrowser } from '../support/browser/browser.ts'

browserTest('the calendar opens at the bare address, and an unknown address says so and links there', () =>
  withBrowser(async ({ address, visitor }) => {
    const page = await visitor({ expected: /status of 404/ })
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await assertAccessible(page)
    await photograph(page, 'calendar')
    const nowhere = await page.goto(`${address}/nowhere/at-all?q=1`)
    assert.equal(nowhere?.status(), 404)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await assertAccessible(page)
    await photograph(page, 'nowhere')
    await page.getByRole('link', { name: 'Go to the calendar' }).click()
    await page.waitForURL(`${address}/`)
    await page.getByRole('columnheader').first().waitFor()
  }),
)

browserTest('without JavaScript, an unknown address says so, and other pages say what they need; both lead on', () =>
  withBrowser(async ({ address, visitor }) => {
    const page = await visitor({ hasScripts: false, locale: 'de-DE', height: 600, expected: /status of 404/ })
    for (const [path, heading, text] of [
      ['/nowhere', 'Seite nicht gefunden', /^Vielleicht enthält die Adresse einen Tippfehler/],
      ['/events/nothing', 'Diese Veranstaltung gibt es nicht', /^Vielleicht wurde sie gelöscht/],
      ['/sign-in', 'Daybook', /^Diese Seite braucht JavaScript/],
    ] as const) {
      await page.goto(`${address}${path}`)
      const { y } = (await page.getByRole('heading', { level: 1, name: heading }).boundingBox())!
      assert.ok(y < 200, `${path}: the heading is ${y} px below the top`)
      assert.match(await page.locator('main p').first().innerText(), text)
      await page.getByRole('link', { name: 'Zum Kalender' }).click()
      await page.waitForURL(`${address}/`)
    }
  }),
)
