// Settings in a browser: changing, resetting, refusals, the mail server with a test mail, what is fixed.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { assertLegibleByNight, assertPresentable, browserTest, withBrowser } from '../../support/browser/browser.ts'
import { startMailServer } from '../../support/http/mail-server.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { PASSWORD } from '../../support/world.ts'

/** In light and dark colours. */
async function check(page: Page, name: string): Promise<void> {
  await assertPresentable(page, name)
  await assertLegibleByNight(page, name)
}

/** The message of an earlier save may still be shown, so the answer is awaited as well. */
async function saveSection(page: Page, section: Locator, button = 'Save'): Promise<void> {
  const answered = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok())
  await section.getByRole('button', { name: button }).click()
  await answered
  await page.getByText('The settings were saved.').waitFor()
}

const sectionOf = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) })

browserTest('an administrator renames the calendar, resets it, and closes registration', () =>
  withBrowser(async ({ world, address, signedIn, visitor }) => {
    const page = await signedIn('admin@example.org', { expected: /412|422/ })
    await page.goto(`${address}/admin/settings`)
    const calendar = sectionOf(page, 'Calendar')
    const name = calendar.getByLabel('Name of the calendar', { exact: true })
    await name.fill('Riverside Hall')
    await calendar.getByLabel('The week begins on').selectOption('Sunday')
    await saveSection(page, calendar)
    await page.getByRole('banner').getByRole('link', { name: 'Riverside Hall' }).waitFor()
    assert.equal(await page.title(), 'Settings – Riverside Hall')
    assert.equal(new URL(page.url()).hash, '')
    assert.equal(world.app.ctx.config.weekStart, 6)
    await check(page, 'admin-settings-changed')

    await calendar.getByLabel('Time zone').fill('Mars/Olympus')
    await calendar.getByLabel('Sites that may show').fill('www.example.org')
    await calendar.getByRole('button', { name: 'Save' }).click()
    await calendar.getByText('There is no such time zone.').waitFor()
    await calendar.getByText('Each site needs an address such as').waitFor()
    await check(page, 'admin-settings-refused')
    await page.reload()

    await calendar.getByText('Default: Daybook').waitFor()
    await calendar.getByRole('button', { name: 'Reset: Name of the calendar' }).click()
    await page.getByRole('banner').getByRole('link', { name: 'Daybook' }).waitFor()
    assert.equal(await calendar.getByRole('button', { name: 'Reset: Name of the calendar' }).count(), 0)

    const accounts = sectionOf(page, 'Accounts')
    await accounts.getByLabel('When an account is requested').selectOption('send no mail')
    const { version } = (await world.admin.get('/admin/settings')).body.meta
    await world.admin.patch('/admin/settings', { backup_every: '6h', version })
    await accounts.getByRole('button', { name: 'Save' }).click()
    await accounts.getByText('Someone else has changed settings meanwhile').waitFor()
    const interval = page.getByLabel('How often a backup is made', { exact: true })
    await waitFor('the change of the other', async () => (await interval.inputValue()) === '6h')
    await saveSection(page, accounts)
    assert.equal(world.app.ctx.config.notifyAdmins, false)

    await accounts.getByLabel('Requests for accounts').selectOption('closed')
    await saveSection(page, accounts)
    const stranger = await visitor()
    await stranger.goto(`${address}/sign-in`)
    await stranger.getByRole('link', { name: 'Forgot' }).waitFor()
    assert.equal(await stranger.getByRole('link', { name: /account/i }).count(), 0)
    await stranger.goto(`${address}/register`)
    await stranger.getByText('This calendar accepts no requests for accounts').waitFor()
    await check(stranger, 'register-closed')
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByText('Changed a setting by admin (Requests for accounts: default → closed)').waitFor()
  }),
)

browserTest('an administrator sets a mail server, and another server needs the password again', async () => {
  const server = await startMailServer({ login: { user: 'post', password: 'zqsecret word' } })
  try {
    await withBrowser(async ({ world, address, signedIn }) => {
      const page = await signedIn('admin@example.org')
      await page.goto(`${address}/admin/settings`)
      const mail = sectionOf(page, 'Mail')
      await mail.getByRole('button', { name: 'Send me a test mail' }).click()
      await mail.getByText('the test mail was written to a file').waitFor()
      await mail.getByLabel('Mail server', { exact: true }).fill('127.0.0.1')
      await mail.getByLabel('Encryption').selectOption({ label: 'none, on the same machine or network only' })
      await mail.getByLabel('Port').fill(String(server.port))
      await mail.getByLabel(/^Login/).fill('post')
      await mail.getByLabel('Password', { exact: true }).fill('zqsecret word')
      await mail.getByRole('button', { name: 'Save' }).click()
      await mail.getByText('Enter your own password.').waitFor()
      const own = mail.getByLabel('Your own password')
      await own.fill(PASSWORD)
      assert.equal(await mail.getByRole('button', { name: 'Send me a test mail' }).isDisabled(), true)
      await saveSection(page, mail)
      await mail.getByRole('button', { name: 'Send me a test mail' }).click()
      await mail.getByText('The test mail to admin@example.org was accepted').waitFor()
      await server.waitFor(1)
      await check(page, 'admin-settings-mail')
      assert.doesNotMatch(await page.content(), /zqsecret/)
      assert.equal(await mail.getByLabel('Password', { exact: true }).inputValue(), '')

      await mail.getByLabel('Mail server', { exact: true }).fill('localhost')
      await mail.getByText('ends with this change. Enter it again.').waitFor()
      await own.fill(PASSWORD)
      await saveSection(page, mail)
      assert.equal(world.app.ctx.config.smtp?.password, '')
      await mail.getByRole('button', { name: 'Send me a test mail' }).click()
      await mail.getByText('The test mail was not sent').waitFor()
      await own.fill(PASSWORD)
      await saveSection(page, mail, 'Remove the mail server')
      assert.equal(world.app.ctx.config.smtp, undefined)
      assert.equal(await mail.getByLabel('Mail server', { exact: true }).inputValue(), '')
    })
  } finally {
    await server.stop()
  }
})

browserTest('what the operator has set is shown with its reason, and has no field', () =>
  withBrowser(
    async ({ address, signedIn }) => {
      const page = await signedIn('admin@example.org')
      await page.goto(`${address}/admin/settings`)
      const calendar = sectionOf(page, 'Calendar')
      await calendar.getByText('The operator has set it in the environment (DAYBOOK_SITE_NAME).').waitFor()
      assert.equal(await calendar.getByLabel('Name of the calendar').count(), 0)
      const mail = sectionOf(page, 'Mail')
      await mail.getByText('smtps://…@localhost:9').waitFor()
      assert.equal(await mail.getByLabel('Password', { exact: true }).count(), 0)
      const machine = sectionOf(page, 'On the server')
      await machine.getByText('DAYBOOK_RATE_LIMITS').waitFor()
      await machine.getByRole('heading', { name: 'Database: it has to be open' }).waitFor()
      await check(page, 'admin-settings-fixed')
      await page.setViewportSize({ width: 320, height: 700 })
      await assertPresentable(page, 'admin-settings-narrow')
    },
    { settings: { DAYBOOK_SITE_NAME: 'Town', DAYBOOK_SMTP_URL: 'smtps://zquser:zqsecret@localhost:9' } },
  ),
)
