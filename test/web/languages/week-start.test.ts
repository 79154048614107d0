// First day of the week in the browser: as sent and as the app shows it the same, by language or fixed.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { type BrowserWorld, browserTest, gridReady, takenOver, withBrowser } from '../../support/browser/browser.ts'
import { withOtherSite } from '../../support/browser/other-site.ts'

/** Columns of the month, as drawn. */
const headsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.cal [role=columnheader]')].map((head) => head.textContent!.trim()),
  )

async function readMonth({ address, visitor }: BrowserWorld, locale: string) {
  const plain = await visitor({ locale, hasScripts: false })
  await plain.goto(`${address}/?view=month&date=2026-07-01`)
  const page = await visitor({ locale })
  await page.addInitScript(`
    globalThis.shifted = 0
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) globalThis.shifted += value
    }).observe({ type: 'layout-shift', buffered: true })
  `)
  await page.goto(`${address}/?view=month&date=2026-07-01`)
  await gridReady(page)
  await takenOver(page)
  const sent = await plain
    .locator('.cal-head th')
    .evaluateAll((heads) => heads.map((head) => head.getAttribute('abbr')))
  return { sent, heads: await headsOf(page), shift: await page.evaluate<number>('globalThis.shifted'), page }
}

browserTest('American readers see weeks from Sunday on, German ones from Monday, and nothing moves', () =>
  withBrowser(async (stage) => {
    const american = await readMonth(stage, 'en-US')
    assert.equal(american.sent[0], 'Sunday')
    assert.match(american.heads[0]!, /^Sun/)
    assert.ok(american.shift < 0.05, `${american.shift}`)
    await american.page.goto(`${stage.address}/?view=week&date=2026-07-15`)
    await american.page.getByRole('heading', { level: 1, name: /^July 12\W+18, 2026$/ }).waitFor()
    const german = await readMonth(stage, 'de-DE')
    assert.equal(german.sent[0], 'Montag')
    assert.match(german.heads[0]!, /^Mo/)
    assert.ok(german.shift < 0.05, `${german.shift}`)
    await german.page.goto(`${stage.address}/?view=week&date=2026-07-15`)
    await german.page.getByRole('heading', { level: 1, name: /^13\.\W+19\. Juli 2026$/ }).waitFor()
  }),
)

browserTest('a fixed first day of the week wins over the language', () =>
  withBrowser(
    async (stage) => {
      const german = await readMonth(stage, 'de-DE')
      assert.equal(german.sent[0], 'Samstag')
      assert.match(german.heads[0]!, /^Sa/)
    },
    { settings: { DAYBOOK_WEEK_START: 'saturday' } },
  ),
)

browserTest('the calendar on another site begins the week as the language of its page does', () =>
  withBrowser(async ({ address, visitor }) => {
    const script = `<script type="module" src="${address}/embed.js"></script>`
    for (const [lang, first] of [
      ['en-US', /^Sun/],
      ['de', /^Mo/],
    ] as const)
      await withOtherSite(
        `${script}<daybook-calendar lang="${lang}" view="month"></daybook-calendar>`,
        async (origin) => {
          const page = await visitor({ hosts: [origin] })
          await page.goto(origin)
          await page.getByRole('columnheader').filter({ hasText: first }).waitFor()
          assert.match(await page.getByRole('columnheader').first().innerText(), first)
        },
      )
  }),
)
