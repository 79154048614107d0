// End-to-end test in the browser: setup, registration, approval, editing, and what visitors see.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { offerSetupCode } from '../../src/actions/accounts/accounts.ts'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import { type BrowserWorld, browserTest, showView, withBrowser } from '../support/browser/browser.ts'
import { withOtherSite } from '../support/browser/other-site.ts'
import { linkIn, type MailServer, mailSettings, mailsTo, startMailServer } from '../support/http/mail-server.ts'
import { tabTo } from './tab-to.ts'

const WARDEN = 'warden@example.org'
const SINGER = 'singer@example.org'
const PASSWORD = 'seven quiet herons'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

browserTest('the calendar is set up, edited by several people and read by visitors', async () => {
  const mail = await startMailServer()
  try {
    await withBrowser(
      async (stage) => {
        await inTransaction(stage.world.app.ctx.storage, (db) => db.deleteFrom('users').execute())
        const warden = await setUp(stage)
        const singer = await join(stage, warden, mail)
        await writeSeries(singer)
        await leaveOutAndBringBack(stage, singer)
        await disagree(stage, singer, warden)
        await assertMasked(stage, singer)
        await visitAdminPages(stage, warden)
        await checkEmbedding(stage)
      },
      { settings: { ...mailSettings(mail), DAYBOOK_URL_SLUG: 'town' } },
    )
  } finally {
    await mail.stop()
  }
})

/** The printed link; the administrator chooses the name, the zone and the week. */
async function setUp({ world, address, visitor }: BrowserWorld): Promise<Page> {
  const page = await visitor({ timezoneId: 'Europe/Vienna', expected: /status of 412/ })
  await page.goto(`${address}/setup#code=${await offerSetupCode(world.app.ctx)}`)
  await page.getByLabel('Email address').fill(WARDEN)
  await page.getByLabel('Your name').fill('Warden')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Name of the calendar').fill('Riverside Hall')
  assert.equal(await page.getByLabel('Time zone').inputValue(), 'Europe/Vienna')
  await page.getByLabel('The week begins on').selectOption('Sunday')
  await button(page, 'Set up the calendar').click()
  await page.getByRole('link', { name: 'Open the calendar' }).click()
  await page.waitForURL(`${address}/`)
  await page.getByText('Times in Europe/Vienna').waitFor()
  await page.getByRole('link', { name: 'Riverside Hall' }).waitFor()
  await page.getByRole('columnheader').first().waitFor()
  const [first] = await page.getByRole('columnheader').allInnerTexts()
  assert.match(first!, /^Sun/)
  return page
}

/** Requested, verified by a button, shown in the count, approved with a mail, signed in. */
async function join({ world, address, visitor }: BrowserWorld, warden: Page, mail: MailServer): Promise<Page> {
  const page = await visitor({ timezoneId: 'Pacific/Kiritimati', expected: /status of 403/ })
  await page.goto(address)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: /Request one/ }).click()
  await page.getByLabel('Name', { exact: true }).fill('Singer')
  await page.getByLabel('Email address').fill(SINGER)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Message to the administrator').fill('We sing </script><b>on Tuesdays</b>')
  await button(page, 'Send my request').click()
  await heading(page, 'Check your email').waitFor()
  await world.app.deliverMail()
  const link = linkIn(mailsTo(mail, SINGER)[0]!)
  assert.ok(link.startsWith(`${address}/verify#t=`))
  await page.goto(link)
  await button(page, 'Verify my address').click()
  await page.getByText('An administrator will review your request').waitFor()

  await warden.reload()
  await warden.getByRole('link', { name: 'Administration (1 request waiting)' }).click()
  const request = warden.getByRole('listitem').filter({ hasText: SINGER })
  await request.getByText('We sing </script><b>on Tuesdays</b>').waitFor()
  assert.ok(await request.getByLabel('Tell them by email').isChecked())
  await button(warden, 'Approve: Singer').click()
  await warden.getByText('Singer has been approved.').waitFor()
  await warden.getByRole('link', { name: 'Administration', exact: true }).waitFor()
  await world.app.deliverMail()
  assert.equal(mailsTo(mail, SINGER).length, 2, 'the singer is mailed')

  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email address').fill(SINGER)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'My account' }).waitFor()
  await page.waitForURL(`${address}/`)
  return page
}

/** A browser without British English orders days and hours differently; there the value is set. */
async function typeInto(page: Page, name: string, keys: string, value: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.type(keys)
  const field = page.getByLabel(name)
  if ((await field.inputValue()) !== value) await field.fill(value)
}

/** Creates a series by keyboard alone, from the calendar back to the calendar. */
async function writeSeries(page: Page): Promise<void> {
  await tabTo(page, 'New event')
  await page.keyboard.press('Enter')
  await heading(page, 'New event').waitFor()
  await tabTo(page, 'Title')
  await page.keyboard.type('Choir canary')
  await typeInto(page, 'Start date', '14072026', '2026-07-14')
  await typeInto(page, 'Start time', '1930', '19:30')
  await typeInto(page, 'End time', '2100', '21:00')
  await tabTo(page, 'Repeats')
  await page.keyboard.type('Every week')
  await page.getByText('Repeats every Tuesday.').waitFor()
  await tabTo(page, 'Place')
  await page.keyboard.type('Vault canary')
  await tabTo(page, 'Save')
  await page.keyboard.press('Enter')
  await page.getByText('Saved.').waitFor()
  await page.getByRole('button', { name: /^Choir canary, Tuesday 14 July 2026, 19:30 to 21:00/ }).waitFor()
}

async function leaveOutAndBringBack({ address }: BrowserWorld, page: Page): Promise<void> {
  const second = page.getByRole('button', { name: /^Choir canary, Tuesday 21 July 2026/ })
  await second.click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('button', { name: /^This date only/ }).click()
  await button(page, 'Delete this date').click()
  await page.getByText('The date has been removed from the series.').waitFor()
  await page.goto(`${address}/?view=month&date=2026-07-14`)
  await page
    .getByRole('button', { name: /^Choir canary, Tuesday 28 July 2026/ })
    .first()
    .waitFor()
  assert.equal(await second.count(), 0)
  await page
    .getByRole('button', { name: /^Choir canary, Tuesday 28 July 2026/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('button', { name: /All dates: every Tuesday/ }).click()
  await heading(page, 'Removed dates').waitFor()
  await button(page, 'Restore Tue 21 July 2026, 19:30').click()
  await page.getByText('The date has been restored.').waitFor()
  await page.goto(`${address}/?view=month&date=2026-07-14`)
  await second.waitFor()
}

/** Two edits at once; the second author sees both versions and chooses. */
async function disagree({ world, address }: BrowserWorld, singer: Page, warden: Page): Promise<void> {
  const { id } = (await world.as(WARDEN, PASSWORD).get('/events?q=canary&expand=false')).body.data[0]
  for (const page of [singer, warden]) {
    await page.goto(`${address}/event/edit?id=${id}`)
    await page.getByLabel('Title').waitFor()
  }
  await singer.getByLabel('Place').fill('Chapel canary')
  await button(singer, 'Save').click()
  await singer.getByText('Saved.').waitFor()
  await warden.getByLabel('Title').fill('Great choir canary')
  await warden.getByLabel('Place').fill('Cellar canary')
  await button(warden, 'Save').click()
  await heading(warden, 'Someone else changed this event').waitFor()
  await warden
    .getByRole('group', { name: /^Place/ })
    .getByRole('radio', { name: /Theirs Chapel canary/ })
    .check()
  await button(warden, 'Save my choice').click()
  await warden.getByText('Saved.').waitFor()
  const both = (await world.as(WARDEN, PASSWORD).get(`/events/${id}`)).body.data
  assert.deepEqual([both.title, both.location], ['Great choir canary', 'Chapel canary'])
}

/** No private text is in anything that a visitor receives. */
async function assertMasked({ address, visitor }: BrowserWorld, singer: Page): Promise<void> {
  const stranger = await visitor({ timezoneId: 'America/Los_Angeles' })
  const received: Promise<string>[] = []
  // A stream does not end, and has tokens alone.
  stranger.on('response', (response) => {
    if (!response.url().includes('/stream')) received.push(response.text().catch(() => ''))
  })
  await stranger.goto(`${address}/?view=month&date=2026-07-14`)
  for (const view of ['Month', 'Week', 'List', 'Year', 'Day'] as const) {
    await showView(stranger, view)
    received.push(stranger.content())
  }
  await stranger.getByRole('button', { name: 'Private Event, Tuesday 14 July 2026, 19:30 to 21:00' }).click()
  await stranger.getByRole('dialog', { name: 'Private Event' }).getByText('The details are private.').waitFor()
  received.push(stranger.content())
  const texts = await Promise.all(received)
  assert.ok(texts.some((text) => text.includes('Private Event')))
  assert.deepEqual(
    texts.filter((text) => /canary/i.test(text)),
    [],
  )
  await singer.goto(`${address}/?view=day&date=2026-07-14`)
  await singer.getByRole('button', { name: /^Great choir canary, .*Chapel canary/ }).waitFor()
}

async function visitAdminPages({ address }: BrowserWorld, warden: Page): Promise<void> {
  await warden.goto(`${address}/admin`)
  for (const name of ['People', 'Import and export', 'Diagnostics', 'Audit trail', 'Settings']) {
    await warden.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name }).click()
    await heading(warden, name).waitFor()
  }
  await warden.goBack()
  await heading(warden, 'Audit trail').waitFor()
  await warden.getByRole('listitem').filter({ hasText: 'Singer' }).first().waitFor()
}

async function checkEmbedding({ address, visitor }: BrowserWorld): Promise<void> {
  const markup = `<script type="module" src="${address}/embed.js"></script><daybook-upcoming></daybook-upcoming>`
  const policy = `default-src 'none'; script-src ${address}/; connect-src ${address}/; img-src data:`
  await withOtherSite(
    markup,
    async (origin) => {
      const page = await visitor({ hosts: [origin], timezoneId: 'America/Los_Angeles' })
      await page.goto(origin)
      const first = page.locator('daybook-upcoming').getByRole('listitem').first()
      await first.getByText('Private Event').waitFor()
      assert.match(await first.innerText(), /Tue 14 Jul 2026, 19:30/)
      assert.doesNotMatch(await page.locator('daybook-upcoming').evaluate((e) => e.shadowRoot!.innerHTML), /canary/i)
      assert.deepEqual(await page.context().cookies(), [])
    },
    policy,
  )
}
