// Administration in a browser: who may see it, and each of its pages.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import { assertLegibleByNight, assertPresentable, browserTest, withBrowser } from '../support/browser/browser.ts'
import { PASSWORD } from '../support/world.ts'

/** In light and dark colours. */
async function check(page: Page, name: string): Promise<void> {
  await assertPresentable(page, name)
  await assertLegibleByNight(page, name)
}

const isFocused = (place: Locator): Promise<boolean> => place.evaluate((one) => one === document.activeElement)

browserTest('only administrators see the pages; others read why, and where to go', () =>
  withBrowser(async ({ address, visitor, signedIn }) => {
    const stranger = await visitor()
    await stranger.goto(`${address}/admin`)
    await stranger.getByText('Sign in as an administrator').waitFor()
    await stranger.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor()
    await check(stranger, 'admin-forbidden')
    const writer = await signedIn('writer@example.org')
    await writer.goto(`${address}/admin/people`)
    await writer.getByText('Your account does not have access to this page').waitFor()
    assert.equal(await writer.getByRole('link', { name: 'Administration' }).count(), 0)
  }),
)

browserTest('requests are decided, with a count of those that wait; accounts are managed', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    const first = await world.addPerson('choir@example.org', 'writer', 'pending_approval')
    await world.addPerson('allotments@example.org', 'writer', 'pending_approval', false)
    await world.addPerson('chess@example.org', 'writer', 'pending_approval')
    await inTransaction(world.app.ctx.storage, (db) =>
      db
        .updateTable('users')
        .set({
          request_message: 'We sing on Tuesdays <b>and</b> would like to enter it ourselves.',
          request_count: 3,
          last_requested_at: world.clock.at,
          was_asked_again: 1,
        })
        .where('id', '=', first)
        .execute(),
    )
    const page = await signedIn('admin@example.org', { expected: /409|412|422/ })
    await page.goto(`${address}/admin`)
    await page.getByText('We sing on Tuesdays <b>and</b>').waitFor()
    await page.getByText('Address not verified yet').waitFor()
    await page.getByText('No mail server is set, so nobody receives email').waitFor()
    await page.getByText('Requested 3 times, last 10 Jul 2026').waitFor()
    await page.getByText('If you approve it, that password stops working').waitFor()
    const way = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Administration/ })
    await way.filter({ hasText: '3 requests waiting' }).waitFor()
    await check(page, 'admin-requests')

    const choir = page.getByRole('listitem').filter({ hasText: 'choir@example.org' })
    await choir.getByLabel('Role').selectOption('reader')
    await choir.getByRole('button', { name: 'Approve: choir' }).click()
    await page.getByText('choir has been approved.').waitFor()
    await page.getByText('The password of choir no longer works. There is no mail server').waitFor()
    await way.filter({ hasText: '2 requests waiting' }).waitFor()
    const user = (await world.admin.get(`/admin/users/${first}`)).body.data
    assert.deepEqual([user.approval_state, user.role], ['approved', 'reader'])
    const mails = await world.app.ctx.storage.reads.selectFrom('outbox').select('kind').execute()
    assert.deepEqual(
      mails.map(({ kind }) => kind),
      ['set_password'],
    )

    for (const name of ['x1', 'x2']) await world.addPerson(`${name}@example.org`, 'writer', 'pending_approval', false)
    await page.reload()
    await page.getByRole('checkbox', { name: 'Select x1' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('checkbox', { name: 'Select x2' }).check()
    await check(page, 'admin-requests-selected')
    await page.getByRole('button', { name: 'Reject 2 selected requests' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Reject these 2 requests? No emails are sent.').waitFor()
    await check(page, 'admin-requests-sure')
    assert.equal(await isFocused(page.getByRole('button', { name: 'Cancel' })), true)
    await page.keyboard.press('Enter')
    assert.equal(await isFocused(page.getByRole('button', { name: 'Reject 2 selected requests' })), true)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Yes, reject' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('2 requests have been rejected.').waitFor()
    await page.getByText('x2@example.org').waitFor({ state: 'detached' })
    assert.equal((await world.admin.get('/admin/users?q=x&approval_state=rejected')).body.data.length, 2)

    const people = (await world.admin.get('/admin/users?q=chess')).body.data
    await world.admin.patch(`/admin/users/${people[0].id}`, { display_name: 'Chess club' })
    await page.getByRole('button', { name: 'Reject: chess' }).click()
    await page.getByText('Reject the request of chess? No email is sent.').waitFor()
    const cancel = page.getByRole('button', { name: 'Cancel' })
    assert.equal(await isFocused(cancel), true, 'the question has the focus')
    await page.keyboard.press('Enter')
    const rejectChess = page.getByRole('button', { name: 'Reject: chess' })
    assert.equal(await isFocused(rejectChess), true, 'the button that asked has it back')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Yes, reject' }).click()
    await page.getByText('Someone else has just changed chess').waitFor()
    await page.getByRole('heading', { name: 'Chess club' }).waitFor()
    const chess = page.getByRole('listitem').filter({ hasText: 'Chess club' })
    assert.equal(await chess.getByLabel('Tell them by email').count(), 0, 'there is no mail server')
    await page.getByRole('button', { name: 'Reject: Chess club' }).click()
    await page.getByRole('button', { name: 'Yes, reject' }).click()
    await page.getByText('Chess club has been rejected.').waitFor()
    await page.getByText('Chess club', { exact: true }).waitFor({ state: 'detached' })
    assert.equal(await isFocused(page.getByRole('heading', { level: 1 })), true, 'the keyboard goes on at the heading')
    await page.getByRole('button', { name: 'Approve: allotments' }).click()
    await page.getByText('No one is waiting.').waitFor()

    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    await page.getByText('choir@example.org').waitFor()
    await check(page, 'admin-people')
    await page.getByLabel('Search').fill('admin')
    await page.getByText('choir@example.org').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Manage admin' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Role').selectOption('reader')
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await dialog.getByText('This is the last administrator who can sign in.').waitFor()
    await check(page, 'admin-person')
    await page.keyboard.press('Escape')
    await page.getByLabel('Search').fill('')
    await page.getByLabel('State').selectOption('approved')
    // The earlier list stays until the new one is loaded, with its accounts as they were.
    const manage = async (name: string, state = 'Approved') => {
      const person = page.getByRole('listitem').filter({ hasText: `· ${state}` })
      await person.getByRole('button', { name: `Manage ${name}` }).click()
      return page.getByRole('dialog')
    }
    const suspending = await manage('writer')
    await suspending.getByRole('button', { name: 'Suspend' }).click()
    await page.getByText('writer: Suspended.').waitFor()
    await page.getByLabel('State').selectOption('suspended')
    await (await manage('writer', 'Suspended')).getByRole('button', { name: 'Reinstate' }).click()
    await page.getByText('writer: Approved.').waitFor()
    await page.getByLabel('State').selectOption('')
    await (await manage('reader')).getByRole('button', { name: 'End all sessions' }).click()
    await page.getByText('reader has been signed out everywhere.').waitFor()
    const raising = await manage('reader')
    await raising.getByLabel('Role').selectOption('admin')
    const password = raising.getByLabel('Your own password')
    await password.fill('not the password')
    await raising.getByRole('button', { name: 'Change role' }).click()
    await raising.getByText('This is not your own password.').waitFor()
    await check(page, 'admin-raising')
    await password.fill(PASSWORD)
    await raising.getByRole('button', { name: 'Change role' }).click()
    await page.getByText('reader: the role is now').waitFor()
    const doomed = await manage('choir')
    await doomed.getByRole('button', { name: 'Delete', exact: true }).click()
    await doomed.getByText('Delete choir for good?').waitFor()
    assert.equal(await isFocused(doomed.getByRole('button', { name: 'Cancel' })), true)
    await page.keyboard.press('Enter')
    assert.equal(await isFocused(doomed.getByRole('button', { name: 'Delete', exact: true })), true)
    await page.keyboard.press('Enter')
    await doomed.getByRole('button', { name: 'Yes, delete' }).click()
    await page.getByText('choir has been deleted.').waitFor()
    await page.getByText('choir@example.org').waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Audit trail' }).click()
    await page.getByText('Deleted an account').nth(1).waitFor()
    await check(page, 'admin-audit')
    await page.getByLabel('What happened').selectOption('Changed an account')
    await page.getByText('state: Waiting → Approved').first().waitFor()
    await page.getByText('Changed an account by admin, about writer').first().waitFor()
    await page.getByLabel('What happened').selectOption('Calendar set up')
    await page.getByText('There are no entries of this kind.').waitFor()
  }),
)

browserTest('a file is previewed, then imported; diagnostics update live; settings are shown', () =>
  withBrowser(
    async ({ world, address, signedIn, visitor }) => {
      const page = await signedIn('admin@example.org', { expected: /422/ })
      await page.goto(`${address}/admin/transfer`)
      const input = page.getByLabel('Calendar file (.ics)')
      const file = (name: string, content: string | Buffer) => ({
        name,
        mimeType: 'text/calendar',
        buffer: Buffer.from(content),
      })
      await input.setInputFiles(file('large.ics', Buffer.alloc(10 * 1_024 * 1_024 + 1, 32)))
      await page.getByText('npx daybook import calendar.ics').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Preview the import' }).count(), 0)
      await input.setInputFiles(file('letter.ics', 'Dear all'))
      await page.getByRole('button', { name: 'Preview the import' }).click()
      await page.getByText('This is not a calendar file').waitFor()
      await input.setInputFiles(file('town.ics', CALENDAR))
      await page.getByRole('button', { name: 'Preview the import' }).click()
      await page.getByRole('heading', { name: 'What would happen' }).waitFor()
      await page.getByText('To-dos are not supported.').waitFor()
      assert.equal((await world.admin.get('/events')).body.data.length, 0, 'nothing is taken in yet')
      await check(page, 'admin-import')
      await page.getByRole('button', { name: 'Import 1 event' }).click()
      await page.getByText('The import is complete.').waitFor()
      assert.equal((await world.admin.get('/events')).body.data[0].title, 'Market')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download calendar.ics' }).click(),
      ])
      assert.equal(download.suggestedFilename(), 'calendar.ics')

      await page.getByRole('link', { name: 'Diagnostics' }).click()
      await page
        .getByRole('button', { name: /POST \/admin\/import/ })
        .first()
        .waitFor()
      await check(page, 'admin-diagnostics')
      const outside = await visitor({ expected: /404/ })
      await outside.goto(`${address}/`)
      await outside.evaluate((api) => fetch(`${api}/public/events/nosuch`), world.app.site.base)
      await page.getByRole('button', { name: /GET \/public\/events\/\{event_id\}/ }).waitFor()
      await page.getByLabel('Responses').selectOption('Refused (4xx)')
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText('Paused.').waitFor()
      await page.getByRole('button', { name: /GET \/public\/events\/\{event_id\}/ }).click()
      await page.getByRole('dialog').getByText('event_not_found').waitFor()
      await check(page, 'admin-trace')
      await page.keyboard.press('Escape')
      const size = page.viewportSize()!
      await page.setViewportSize({ width: 320, height: 700 })
      const clockLines = await page.locator('.traces time').evaluateAll((times) =>
        times.map(({ firstChild: text }) => {
          const clock = document.createRange()
          clock.setStart(text!, text!.textContent!.lastIndexOf(' ') + 1)
          clock.setEndAfter(text!)
          return clock.getClientRects().length
        }),
      )
      assert.ok(clockLines.length > 0 && clockLines.every((lines) => lines === 1), 'no clock time is broken in two')
      await page.setViewportSize(size)

      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByText('DAYBOOK_RATE_LIMITS').waitFor()
      await check(page, 'admin-settings')
      assert.doesNotMatch(await page.content(), /zqsecret/)
    },
    { settings: { DAYBOOK_SMTP_URL: 'smtps://zquser:zqsecret@localhost:9' } },
  ),
)

const CALENDAR = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//a test',
  ...['BEGIN:VEVENT', 'UID:market', 'DTSTAMP:20260101T000000Z', 'DTSTART:20260714T090000Z', 'DTEND:20260714T100000Z'],
  ...[
    'SUMMARY:Market',
    'END:VEVENT',
    'BEGIN:VTODO',
    'UID:todo',
    'SUMMARY:Buy stamps',
    'END:VTODO',
    'END:VCALENDAR',
    '',
  ],
].join('\r\n')

browserTest('an administrator sees what is wrong with the server, and checks again', () =>
  withBrowser(
    async ({ address, signedIn }) => {
      const page = await signedIn('admin@example.org')
      await page.goto(`${address}/admin`)
      await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Health' }).click()
      await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor()
      await page
        .getByRole('alert')
        .filter({ hasText: /\d problems? and \d warnings?\. What to do is below/ })
        .waitFor()
      const area = (name: string) =>
        page.locator('.findings > div').filter({ has: page.getByText(name, { exact: true }) })
      const mail = await area('Mail').textContent()
      assert.match(mail!, /Problem.*localhost:9: nothing answers there.*Check smtp_url/)
      assert.doesNotMatch(await page.content(), /zqsecret/)
      await area('Settings').getByText('rate_limits is off').waitFor()
      await area('Database').getByText('OK', { exact: true }).waitFor()
      await check(page, 'admin-health')
      await page.getByRole('button', { name: 'Check again' }).click()
      await page.getByText('Checked', { exact: false }).first().waitFor()
    },
    { settings: { DAYBOOK_SMTP_URL: 'smtps://zquser:zqsecret@localhost:9' } },
  ),
)
