// Pages from right to left, and in a language that is 40% longer: nothing is wider than the window or cut off.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { assertAccessible, browserTest, gridReady, photograph, withBrowser } from '../../support/browser/browser.ts'
import type { World } from '../../support/world.ts'
import { listMisfits, PSEUDO_LOCALES, speak } from './pseudo-locale.ts'

const WIDTHS = [320, 390, 1280]

async function assertFits(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()!
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    assert.deepEqual(await listMisfits(page), [], `${name} at ${width} px`)
  }
  await page.setViewportSize(before)
  await photograph(page, name)
}

const fill = ({ writer }: World) =>
  writer.creates({
    title: 'Choir practice',
    start: '2026-07-07T19:30',
    end: '2026-07-07T21:00',
    rrule: 'FREQ=WEEKLY;BYDAY=TU',
    location: 'Village hall',
    category: 'Music',
    visibility: 'public',
  })

const PUBLIC = [
  '/?view=list&date=2026-07-07',
  '/?view=week&date=2026-07-07',
  '/sign-in',
  '/register',
  '/forgot-password',
  '/embed',
  '/nowhere',
]

const SIGNED_IN = [
  '/account',
  '/account/app-passwords',
  '/account/feeds',
  '/account/tokens',
  '/account/sessions',
  '/event/new',
  '/trash',
  '/admin',
  '/admin/people',
  '/admin/health',
  '/admin/diagnostics',
  '/admin/audit',
  '/admin/transfer',
  '/admin/rewind',
  '/admin/settings',
]

/** Complete: it has its heading, and nothing of it is being loaded. */
async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.locator('main h1').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('.busy, .cal-frame.loading'))
}

for (const locale of PSEUDO_LOCALES) {
  browserTest(`the calendar and the public pages fit in ${locale}`, () =>
    withBrowser(async ({ world, address, visitor }) => {
      await fill(world)
      const page = await visitor({ expected: /nowhere/ })
      await speak(page, locale)
      await page.goto(`${address}/?view=month&date=2026-07-07`)
      await gridReady(page)
      assert.equal(await page.getByText('Skip to content').count(), 0, 'the words were replaced')
      assert.equal(
        await page.evaluate(() => getComputedStyle(document.body).direction),
        locale === 'ar' ? 'rtl' : 'ltr',
      )
      await assertFits(page, `${locale}-month`)
      await page.locator('.cal-event').first().click()
      await page.getByRole('dialog').waitFor()
      await assertFits(page, `${locale}-event-dialog`)
      for (const path of PUBLIC) {
        await visit(page, `${address}${path}`)
        await assertFits(page, `${locale}${path.replace(/[^a-z]+/g, '-')}`)
      }
    }),
  )

  browserTest(`the pages of accounts and administrators fit in ${locale}`, () =>
    withBrowser(async ({ world, address, signedIn }) => {
      await fill(world)
      const page = await signedIn('admin@example.org')
      await speak(page, locale)
      for (const path of SIGNED_IN) {
        await visit(page, `${address}${path}`)
        await assertFits(page, `${locale}${path.replace(/[^a-z]+/g, '-')}`)
      }
    }),
  )
}

browserTest(
  'from right to left, the arrow on the left leads to the next day, and the calendar begins on the right',
  () =>
    withBrowser(async ({ world, address, visitor }) => {
      await fill(world)
      const page = await visitor()
      await speak(page, 'ar')
      await page.goto(`${address}/?view=month&date=2026-07-07`)
      await gridReady(page)
      const cell = (date: string) => page.locator(`[role="gridcell"][data-date="${date}"]`)
      const [monday, tuesday] = [await cell('2026-07-06').boundingBox(), await cell('2026-07-07').boundingBox()]
      assert.ok(monday!.x > tuesday!.x, 'Monday is right of Tuesday')
      await cell('2026-07-07').locator('.cal-link').focus()
      await page.keyboard.press('ArrowLeft')
      assert.equal(
        await page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-date]')?.dataset.date),
        '2026-07-08',
      )
      await assertAccessible(page)
    }),
)
