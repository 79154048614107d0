// First run in a browser: from the printed link to a new calendar.
import assert from 'node:assert/strict'
import { offerSetupCode } from '../../src/actions/accounts/accounts.ts'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import {
  assertAccessible,
  assertLegibleByNight,
  type BrowserWorld,
  browserTest,
  photograph,
  withBrowser,
} from '../support/browser/browser.ts'

const PASSWORD = 'seven quiet herons'

/** As at the very first start: there are no accounts. */
const withEmptyCalendar = (story: (stage: BrowserWorld) => Promise<void>, settings: Record<string, string> = {}) =>
  withBrowser(
    async (stage) => {
      const { storage } = stage.world.app.ctx
      await inTransaction(storage, (db) => db.deleteFrom('users').execute())
      await story(stage)
    },
    { settings },
  )

browserTest('the printed link creates the administrator, names the calendar and opens it', () =>
  withEmptyCalendar(async ({ world, address, visitor }) => {
    const code = await offerSetupCode(world.app.ctx)
    const page = await visitor({ expected: /422/, timezoneId: 'Europe/Vienna' })
    await page.goto(`${address}/setup#code=${code}`)
    await page.getByRole('heading', { name: 'Welcome to Daybook' }).waitFor()
    await assertAccessible(page)
    await assertLegibleByNight(page, 'setup-welcome')
    assert.equal(await page.getByLabel('Time zone').inputValue(), 'Europe/Vienna')
    await page.getByLabel('Email address').fill('first@example.org')
    await page.getByLabel('Your name').fill('The warden')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByLabel('Name of the calendar').fill('Riverside Hall')
    await page.getByLabel('The week begins on').selectOption('Sunday')
    await page.getByRole('button', { name: 'Set up the calendar' }).click()
    await page.getByRole('alert').filter({ hasText: 'Please check the marked fields.' }).waitFor()
    await page.getByText('This password is too short.').waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('autocomplete')), 'new-password')
    assert.equal(await page.getByLabel('Name of the calendar').inputValue(), 'Riverside Hall', 'nothing typed is lost')
    await assertAccessible(page)
    await photograph(page, 'setup')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    // A double click uses the code once.
    await page.getByRole('button', { name: 'Set up the calendar' }).evaluate((button: HTMLButtonElement) => {
      button.click()
      button.click()
    })
    await page.getByRole('heading', { name: 'Your calendar is ready' }).waitFor()
    await page.getByRole('link', { name: 'Riverside Hall' }).waitFor()
    assert.equal(await page.getByLabel('Just looking around?').inputValue(), 'npx daybook demo')
    await page.getByRole('link', { name: 'Administration' }).waitFor()
    await assertAccessible(page)
    await photograph(page, 'setup-ready')
    await page.getByRole('link', { name: 'Open the calendar' }).click()
    await page.waitForURL(`${address}/`)
    const { siteName, timezone, weekStart } = world.app.ctx.config
    assert.deepEqual([siteName, timezone, weekStart], ['Riverside Hall', 'Europe/Vienna', 6])
  }),
)

browserTest(
  'setup without a code says where to find one; with a wrong one, that it is wrong; afterwards, that it is done',
  () =>
    withEmptyCalendar(
      async ({ world, address, visitor }) => {
        const page = await visitor({ expected: /422/ })
        await page.goto(`${address}/setup`)
        await page.getByRole('heading', { name: 'This link is incomplete' }).waitFor()
        await page.getByText('/setup#code=…').waitFor()
        await assertAccessible(page)
        await photograph(page, 'setup-no-code')
        const other = await visitor({ expected: /422/ })
        await other.goto(`${address}/setup#code=0000-0000-0000-0000-0000-0000`)
        await other.getByLabel('Email address').fill('first@example.org')
        await other.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await other.getByLabel('Name of the calendar').fill('Somewhere else')
        await other.getByRole('button', { name: 'Set up the calendar' }).click()
        await other.getByText('The code in this link is wrong, has already been used, or has expired').waitFor()
        await assertAccessible(other)
        const code = await offerSetupCode(world.app.ctx)
        const third = await visitor()
        await third.goto(`${address}/setup#code=${code}`)
        await third.getByLabel('Email address').fill('first@example.org')
        await third.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await third.getByLabel('Name of the calendar').fill('Somewhere else')
        await third.getByRole('button', { name: 'Set up the calendar' }).click()
        await third.getByText('fixed this in the server’s settings: Name of the calendar.').waitFor()
        await page.goto(`${address}/setup#code=${code}`)
        await page.reload()
        await page.getByRole('heading', { name: 'This calendar is already set up' }).waitFor()
        await assertAccessible(page)
        await photograph(page, 'setup-done')
      },
      { DAYBOOK_SITE_NAME: 'Town', DAYBOOK_URL_SLUG: 'town' },
    ),
)
