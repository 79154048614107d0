// What is seen of the calendar without scrolling: month in a window, first event on a phone, headings of days, words.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import {
  assertPresentable,
  browserTest,
  gridReady,
  showView,
  takenOver,
  withBrowser,
} from '../../support/browser/browser.ts'
import type { World } from '../../support/world.ts'

/** Each day of the weeks around August 2026, which needs six rows, has six events. */
async function fill({ writer }: World): Promise<void> {
  for (const [hour, title] of Object.entries({
    '08': 'Swim',
    10: 'Market',
    12: 'Lunch',
    14: 'Bridge',
    18: 'Choir',
    20: 'Film',
  }))
    await writer.creates({
      ...{ title, start: `2026-07-27T${hour}:00`, end: `2026-07-27T${hour}:45` },
      ...{ rrule: 'FREQ=DAILY;COUNT=42', visibility: 'public' },
    })
}

const bottomOf = async (page: Page, selector: string): Promise<number> => {
  const { y, height } = (await page.locator(selector).boundingBox())!
  return y + height
}

browserTest(
  'a month of six weeks fits a window of 1280 × 800, with today, and the rest of a day is behind a link',
  () =>
    withBrowser(async ({ world, address, visitor }) => {
      await fill(world)
      world.clock.at = Date.parse('2026-08-31T10:00:00Z')
      const page = await visitor({ width: 1280, height: 800 })
      await page.goto(address)
      await gridReady(page)
      await page.locator('.cal-more').nth(41).waitFor()
      const bottom = await bottomOf(page, '.cal-frame')
      assert.ok(bottom <= 800, `the month ends ${bottom} px below the top`)
      // Below it are only legend and choice of language.
      const { scrollHeight } = await page.evaluate(() => ({ scrollHeight: document.documentElement.scrollHeight }))
      assert.ok(scrollHeight <= 850, `the page is ${scrollHeight} px high`)
      assert.equal(await page.locator('.cal-row').count(), 6)
      assert.ok((await bottomOf(page, '.cal-cell.today')) <= 800)
      // Each day shows two events and the number of the others.
      const today = page.locator('.cal-cell.today .cal-name').filter({ visible: true })
      assert.deepEqual(await today.allTextContents(), ['Swim', 'Market'])
      assert.equal(await page.locator('.cal-cell.today .cal-more').innerText(), '4 more')
      const cut = await page.locator('.cal-row').evaluateAll(
        (rows) =>
          rows.filter((row) => {
            const parts = [...row.querySelectorAll('.cal-event, .cal-more')]
            return parts.some((part) => part.getBoundingClientRect().bottom > row.getBoundingClientRect().bottom + 1)
          }).length,
      )
      assert.equal(cut, 0, 'events run into the week below')
      await page.locator('.cal-cell.today .cal-more').click()
      await page.getByRole('heading', { level: 1, name: 'Monday 31 August 2026' }).waitFor()
      // Other windows: it grows with them, and in a low one a day still has an event.
      await showView(page, 'Month')
      await page.setViewportSize({ width: 1600, height: 1300 })
      await today.nth(5).waitFor()
      await page.setViewportSize({ width: 1280, height: 500 })
      await today.nth(1).waitFor({ state: 'detached' })
      assert.deepEqual(await today.allTextContents(), ['Swim'])
    }),
)

browserTest('on a phone the first event is within the upper third, and search and category open below a button', () =>
  withBrowser(async ({ world, address, visitor, signedIn }) => {
    await fill(world)
    world.clock.at = Date.parse('2026-08-04T10:00:00Z')
    const visit = { width: 390, height: 844 }
    for (const [page, views] of [
      [await visitor(visit), ['', '?view=list', '?view=month', '?view=week', '?when=weekend']],
      // A choice of zones takes a line more.
      [await visitor({ ...visit, timezoneId: 'America/Argentina/Buenos_Aires' }), ['', '?when=today']],
      // The navigation of writers takes a second line.
      [await signedIn('writer@example.org', visit), ['', '?view=list', '?view=week']],
    ] as const)
      for (const view of views) {
        await page.goto(`${address}/${view}`)
        await gridReady(page)
        const { y } = (await page.locator('.cal-event').first().boundingBox())!
        assert.ok(y <= 844 / 3, `${view || 'the first page'} has its first event at ${y}`)
      }
    const page = await visitor(visit)
    await page.goto(address)
    await gridReady(page)
    assert.equal(await page.getByLabel('Search').isVisible(), false)
    await page.getByRole('button', { name: 'Search and filter' }).click()
    await page.getByLabel('Search').fill('choir')
    await page.getByText('dates were found from today on').waitFor()
    await assertPresentable(page, 'calendar-phone-search')
    await page.reload()
    await takenOver(page)
    assert.equal(await page.getByLabel('Search').inputValue(), 'choir')
    assert.equal(await page.getByLabel('Search').isVisible(), true)
  }),
)

browserTest('the day of a list stays at the top while its events scroll', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await fill(world)
    const page = await visitor({ width: 390, height: 400 })
    await page.goto(`${address}/?view=list&date=2026-07-27`)
    await gridReady(page)
    const choir = page.getByRole('button', { name: /^Choir, Wednesday 29 July/ })
    await choir.evaluate((event) => scrollTo(0, event.getBoundingClientRect().top + scrollY - 150))
    const head = page.locator('.cal-list-head', { hasText: 'Wednesday 29 July' })
    assert.equal((await head.boundingBox())!.y, 0)
    const seen = await head.evaluate((one) => one.contains(document.elementFromPoint(60, 10)))
    assert.equal(seen, true, 'it is above the events')
  }),
)

browserTest('in a week words are broken at spaces, and what has no room is cut with a sign', () =>
  withBrowser(async ({ world, address, visitor }) => {
    const titles = ['Badminton for beginners', 'Planning committee', 'Antidisestablishmentarianism talk']
    for (const title of titles)
      await world.writer.creates({ title, start: '2026-07-08T10:00', end: '2026-07-08T13:00', visibility: 'public' })
    const page = await visitor()
    await page.goto(`${address}/?view=week&date=2026-07-08`)
    await gridReady(page)
    const broken = await page.locator('.cal-column .cal-name').evaluateAll((names) =>
      names.flatMap((name) => {
        const text = name.firstChild as Text
        return [...text.data.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1 ? [word] : []
        })
      }),
    )
    assert.deepEqual(broken, [])
    const long = page.locator('.cal-name', { hasText: 'Antidis' })
    assert.equal(await long.evaluate((one) => getComputedStyle(one).textOverflow), 'ellipsis')
    assert.ok(await long.evaluate((one) => one.scrollWidth > one.clientWidth && one.clientWidth < 100))
  }),
)
