// The calendar in a browser: viewing, searching and navigating, by mouse, keyboard and on a phone.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  assertLegibleByNight,
  type BrowserWorld,
  browserTest,
  gridReady,
  photograph,
  printReady,
  showView,
  takenOver,
  withBrowser,
} from '../support/browser/browser.ts'
import { readPdfText } from '../support/browser/pdf-text.ts'
import type { World } from '../support/world.ts'

const VIEWS = ['Month', 'Week', 'Day', 'List', 'Year'] as const

/** A summer calendar of a village, with events of every kind. */
async function fill({ writer }: World): Promise<void> {
  const events = [
    ['Choir practice', '2026-07-07T19:30', '2026-07-07T21:00', 'Music', 'FREQ=WEEKLY;BYDAY=TU', 'Village hall'],
    ['Repair café', '2026-07-04T10:00', '2026-07-04T13:00', 'Community', 'FREQ=MONTHLY;BYDAY=1SA', 'Workshop'],
    ['Walking group', '2026-07-02T10:30', '2026-07-02T12:00', 'Outdoors', 'FREQ=WEEKLY;INTERVAL=2', 'Green'],
    ['Market', '2026-07-11T08:30', '2026-07-11T12:30', 'Community', 'FREQ=WEEKLY', 'Square'],
    ['Film night', '2026-07-10T20:00', '2026-07-10T22:30', 'Film', null, 'Village hall'],
    ['Dance', '2026-07-11T20:00', '2026-07-12T00:00', 'Music', null, 'Village hall'],
    ['Parish council', '2026-07-14T18:00', '2026-07-14T19:30', 'Meetings', null, 'Room 2'],
    ['Toddler group', '2026-07-14T09:30', '2026-07-14T11:00', 'Families', 'FREQ=WEEKLY', 'Hall'],
    ['Story time', '2026-07-14T14:00', '2026-07-14T14:45', 'Families', null, 'Library'],
    ['Allotment evening', '2026-07-14T17:00', '2026-07-14T18:00', 'Outdoors', null, 'Allotments'],
  ] as const
  for (const [title, start, end, category, rrule, location] of events)
    await writer.creates({ title, start, end, category, rrule, location, visibility: 'public' })
  await writer.creates({
    title: 'Summer fair',
    start: '2026-07-17',
    end: '2026-07-20',
    all_day: true,
    visibility: 'public',
  })
  await writer.creates({
    title: 'canary-title',
    location: 'canary-place',
    category: 'canary-category',
    description: 'canary-words',
    start: '2026-07-15T10:00',
    end: '2026-07-15T11:30',
    visibility: 'private',
  })
}

browserTest('every view, in light and dark colours, is accessible', () =>
  withBrowser(async ({ world, address, visitor }: BrowserWorld) => {
    await fill(world)
    const page = await visitor()
    await page.goto(address)
    for (const view of VIEWS) {
      await showView(page, view)
      await photograph(page, `calendar-${view.toLowerCase()}`)
      // Twelve months are alike, and checking each is slow: only July is checked.
      await page.locator('[role="listitem"]:has(> .cal-month:not([data-date="2026-07"]))').evaluateAll((months) => {
        for (const month of months) month.remove()
      })
      await assertAccessible(page)
      // The other views have the colours of the month.
      if (view === 'Month' || view === 'Year') await assertLegibleByNight(page, `calendar-${view.toLowerCase()}`)
    }
  }),
)

browserTest('the address has the view, day and event, can be bookmarked and shared, and works with Back', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await fill(world)
    const page = await visitor({ expected: /404/ })
    await page.goto(`${address}/?view=week&date=2026-07-14`)
    await page.getByRole('heading', { level: 1, name: /^13\s?–\s?19 July 2026$/ }).waitFor()
    await page.getByRole('button', { name: 'Next week' }).click()
    await page.getByRole('heading', { level: 1, name: /^20\s?–\s?26 July 2026$/ }).waitFor()
    assert.equal(new URL(page.url()).search, '?view=week&date=2026-07-21')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: /^13\s?–\s?19 July 2026$/ }).waitFor()
    await page.getByRole('button', { name: /^Choir practice, Tuesday 14 July 2026, 19:30 to 21:00, repeats/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Choir practice' })
    await dialog.getByText('every Tuesday').waitFor()
    await photograph(page, 'calendar-event')
    await assertAccessible(page)
    await page.reload()
    await dialog.getByText('every Tuesday').waitFor()
    const file = await dialog.getByRole('link', { name: 'Add to my calendar' }).getAttribute('href')
    assert.match(await (await page.request.get(new URL(file!, address).href)).text(), /SUMMARY:Choir practice/)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).search, '?view=week&date=2026-07-14')
    // Closing goes back in history: the event is reached by Forward.
    await page.goForward()
    await dialog.getByRole('button', { name: 'Close' }).evaluate((close: HTMLElement) => {
      // A double click is one step back.
      close.click()
      close.click()
    })
    await dialog.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).search, '?view=week&date=2026-07-14')
    await page.goto(`${address}/?view=week&date=2026-07-14&event=none`)
    await page.getByRole('dialog', { name: 'Event' }).getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/?view=week&date=2026-07-14')
    await page.goBack()
    await gridReady(page)
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.getByLabel('Go to date').fill('2026-11-01')
    await page.getByRole('heading', { level: 1, name: '26 October – 1 November 2026' }).waitFor()
    await page.getByRole('button', { name: 'Today' }).click()
    await page.getByRole('heading', { level: 1, name: /^6\s?–\s?12 July 2026$/ }).waitFor()
  }),
)

browserTest('the grid shows the last chosen view, however fast it changes and while responses arrive', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await fill(world)
    const page = await visitor()
    await page.goto(`${address}/?view=month&date=2026-07-14`)
    await gridReady(page)
    await page.evaluate(async (views) => {
      const reallyFetch = fetch
      let answer: (() => void) | undefined
      globalThis.fetch = async (...asked) => {
        const response = await reallyFetch(...asked)
        const body = await response.text()
        await new Promise<void>((resolve) => {
          answer = resolve
        })
        return new Response(body, response)
      }
      for (let presses = 1; presses <= 12; presses++) {
        const view = views[presses % views.length]!
        for (const button of document.querySelectorAll('button')) if (button.textContent === view) button.click()
        answer?.()
        answer = undefined
        while (!answer) await new Promise(requestAnimationFrame)
      }
      answer!()
    }, VIEWS)
    await gridReady(page)
    await page.getByRole('button', { name: /^Parish council, Tuesday 14 July 2026/ }).waitFor()
  }),
)

browserTest('navigation stops at the first and last year, in both directions', () =>
  withBrowser(async ({ address, visitor }) => {
    const page = await visitor()
    await page.goto(`${address}/?view=year&date=2036-12-31`)
    assert.equal(await page.getByRole('button', { name: 'Next year' }).isDisabled(), true)
    await page.goto(`${address}/?view=month&date=2021-01-15`)
    await page.getByRole('button', { name: 'Next month' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Previous month' }).isDisabled(), true)
    await page.getByText('There are no events in this period.').waitFor()
    for (const odd of ['date=2037-01-01', 'date=2020-12-31', 'date=2026-02-30', 'date=soon', 'view=century']) {
      await page.goto(`${address}/?${odd}`)
      await gridReady(page)
      await page.getByText('so today is shown instead').waitFor()
      await page.getByRole('heading', { level: 1, name: 'July 2026' }).waitFor()
    }
  }),
)

browserTest('P2: visitors see the time of a private event, and nothing more', () =>
  withBrowser(async ({ world, address, visitor, signedIn }) => {
    await fill(world)
    const page = await visitor()
    const received: Promise<string>[] = []
    // A stream does not end, and has tokens alone.
    page.on('response', (response) => {
      if (!response.url().includes('/stream')) received.push(response.text().catch(() => ''))
    })
    await page.goto(`${address}/?date=2026-07-15`)
    for (const view of [...VIEWS, 'Day'] as const) {
      await showView(page, view)
      received.push(page.content())
    }
    await page
      .getByRole('button', { name: 'Private Event, Wednesday 15 July 2026, 10:00 to 11:30', exact: true })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Private Event' })
    await dialog.getByText('The details are private.').waitFor()
    await page.reload()
    await dialog.getByText('Wednesday 15 July 2026, 10:00 to 11:30').waitFor()
    assert.equal(await dialog.getByRole('link').count(), 0)
    received.push(page.content())
    const answers = await Promise.all(received)
    assert.ok(
      answers.some((text) => text.includes('Choir practice')),
      'public words are looked at',
    )
    assert.deepEqual(
      answers.filter((text) => /canary/i.test(text)),
      [],
    )
    const reader = await signedIn('reader@example.org')
    await reader.goto(`${address}/?view=day&date=2026-07-15`)
    await reader.getByRole('button', { name: /^canary-title, .*canary-place, private$/ }).click()
    await reader.getByText('only people who are signed in').waitFor()
    assert.equal(await reader.getByRole('link', { name: 'Edit' }).count(), 0)
  }),
)

browserTest(
  'words and categories narrow it down, descriptions carry links and nothing else, and one press subscribes',
  () =>
    withBrowser(async ({ world, address, visitor }) => {
      await fill(world)
      await world.writer.creates({
        title: 'Lecture <b>night</b>',
        description: 'See https://example.org/talks?a=1&b=2. <img src=x onerror=alert(1)>\njavascript:alert(1)',
        url: 'https://example.org/lecture',
        start: '2026-07-22T19:00',
        end: '2026-07-22T20:00',
        visibility: 'public',
      })
      const page = await visitor()
      await page.goto(`${address}/?view=list&date=2026-07-01`)
      await gridReady(page)
      await page.getByLabel('Category').selectOption('Families')
      await page.waitForURL(/category=Families/)
      await page.getByText('Parish council').first().waitFor({ state: 'detached' })
      await page.getByText('Toddler group').first().waitFor()
      await page.getByLabel('Category').selectOption('')
      await page.getByLabel('Search').fill('lectu')
      await page.waitForURL(/q=lectu/)
      await page.getByText('1 date was found from today on.').waitFor()
      await page.getByRole('link', { name: 'Lecture <b>night</b>' }).click()
      const dialog = page.getByRole('dialog', { name: 'Lecture <b>night</b>' })
      await dialog.getByRole('link').first().waitFor()
      const links = await dialog.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
      assert.deepEqual(links.slice(0, 2), ['https://example.org/lecture', 'https://example.org/talks?a=1&b=2'])
      assert.equal(await dialog.locator('img').count(), 0)
      await dialog.getByRole('button', { name: 'Close' }).click()
      await page.getByLabel('Search').fill('nosuchword')
      await page.getByText('No dates were found from today on.').waitFor()
      await page.goto(`${address}/?view=list&date=2026-07-01&q=${'🎵'.repeat(200)}%00&category=${'b'.repeat(5_000)}`)
      await takenOver(page)
      await page.getByText('No dates were found from today on.').waitFor()
      assert.equal(await page.getByLabel('Search').inputValue(), '🎵'.repeat(100))
      await page.goto(`${address}/?view=list&date=2026-07-01&q=%00lecture%20`)
      await takenOver(page)
      await page.getByRole('link', { name: /^Lecture/ }).waitFor()

      await page.getByRole('button', { name: 'Subscribe' }).click()
      const subscribing = page.getByRole('dialog', { name: 'Subscribe to this calendar' })
      const feed = await subscribing.getByLabel('Or copy this address').inputValue()
      assert.match(await (await page.request.get(feed)).text(), /^BEGIN:VCALENDAR/)
      const apple = await subscribing.getByRole('link', { name: 'Apple Calendar' }).getAttribute('href')
      assert.equal(apple, feed.replace('http:', 'webcal:'))
      for (const name of ['Google Calendar', 'Outlook.com'])
        assert.ok(
          (await subscribing.getByRole('link', { name }).getAttribute('href'))!.includes(
            encodeURIComponent('/calendar.ics'),
          ),
        )
      await photograph(page, 'calendar-subscribe')
      await assertAccessible(page)
    }),
)

browserTest(
  'by keyboard: one tab stop for all days, arrows between them, also into the next month, Enter opens the day',
  () =>
    withBrowser(async ({ world, address, visitor, signedIn }) => {
      await fill(world)
      const page = await visitor()
      await page.goto(`${address}/?view=month&date=2026-07-14`)
      await gridReady(page)
      assert.equal(await page.locator('[role="gridcell"] .cal-link[tabindex="0"]').count(), 1)
      await page.getByRole('link', { name: 'Tuesday 14 July 2026' }).focus()
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
      for (const [key, day] of [
        ['ArrowRight', 'Wednesday 15 July 2026'],
        ['ArrowDown', 'Wednesday 22 July 2026'],
        ['Home', 'Monday 20 July 2026'],
        ['End', 'Sunday 26 July 2026'],
      ] as const) {
        await page.keyboard.press(key)
        assert.equal(await focused(), day)
      }
      await page.keyboard.press('PageDown')
      await page.getByRole('heading', { level: 1, name: 'August 2026' }).waitFor()
      await page.waitForFunction(
        () => document.activeElement?.getAttribute('aria-label') === 'Wednesday 26 August 2026',
      )
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Wednesday 26 August 2026' }).waitFor()
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Wednesday 26 August 2026')
      await page.goto(`${address}/?view=year&date=2026-07-14`)
      await page.getByRole('link', { name: 'Tuesday 14 July 2026, 5 events' }).waitFor()
      await page.getByRole('link', { name: 'September', exact: true }).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'September 2026' }).waitFor()
      assert.equal(new URL(page.url()).search, '?view=month&date=2026-09-01')
      const writer = await signedIn('writer@example.org', { height: 1300 })
      const dragging = writer.waitForResponse(/interaction/)
      await writer.goto(`${address}/?view=month&date=2026-07-14`)
      await dragging
      await writer.getByRole('button', { name: /^Choir practice, Tuesday 7 July 2026, .* repeats every Tue/ }).waitFor()
      await writer.getByRole('link', { name: 'New event' }).first().waitFor()
      await writer.getByRole('button', { name: /^Parish council/ }).click()
      assert.match((await writer.getByRole('link', { name: 'Edit' }).getAttribute('href'))!, /\/event\/edit\?id=\w+$/)
      assert.match((await writer.getByRole('link', { name: 'Duplicate' }).getAttribute('href'))!, /\/event\/new\?copy=/)
      await writer.getByRole('link', { name: 'Edit' }).click()
      await writer.getByRole('button', { name: 'Cancel' }).click()
      await writer.waitForURL('**/?view=month&date=2026-07-14')
      await gridReady(writer)
      assert.equal(await writer.getByRole('dialog').count(), 0)
    }),
)

browserTest('times are in the calendar’s zone, or in the visitor’s where that differs', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await fill(world)
    const page = await visitor({ timezoneId: 'America/New_York' })
    await page.goto(`${address}/?view=day&date=2026-07-10`)
    await gridReady(page)
    const zones = page.getByLabel('Times in')
    assert.equal(await zones.locator(':checked').innerText(), 'Europe/London (calendar)')
    await page.getByRole('button', { name: /^Film night, Friday 10 July 2026, 20:00 to 22:30/ }).click()
    await page.getByRole('dialog').getByText('(Europe/London)').waitFor()
    await page.keyboard.press('Escape')
    const above = (await page.locator('.cal-view').boundingBox())!.y - (await zones.boundingBox())!.y
    assert.ok(above > 0 && above < 60, 'the zone is beside the times')
    await zones.selectOption('America/New_York (yours)')
    await page.getByRole('button', { name: /^Film night, Friday 10 July 2026, 15:00 to 17:30/ }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: /^Film night, Friday 10 July 2026, 15:00 to 17:30/ }).click()
    await page.getByRole('dialog').getByText('(America/New_York)').waitFor()
  }),
)

browserTest('a search looks from today on over all years, counts and pages its results, and past ones on request', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await fill(world)
    const on = (title: string, date: string, more = {}) =>
      world.writer.creates({ title, start: `${date}T19:00`, end: `${date}T20:00`, visibility: 'public', ...more })
    await on('Ball of the choir', '2034-02-11', { category: 'Balls' })
    await on('Choir trip', '2023-05-06')
    await on('Choir supper', '2026-06-06')
    await on('Lido', '2023-01-01', { rrule: 'FREQ=DAILY;COUNT=1053' })
    const page = await visitor()
    await page.goto(`${address}/?view=month&date=2026-12-20`)
    await gridReady(page)
    await page.getByLabel('Search').fill('choir')
    // Each Tuesday after today until the end of 2036, and the ball.
    await page.getByText('548 dates were found from today on.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Search: choir' }).waitFor()
    const found = page.locator('.found li')
    assert.equal(await found.first().innerText(), 'Choir practice\nTuesday 14 July 2026, 19:30 to 21:00\nVillage hall')
    await photograph(page, 'calendar-search')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Show more (50 of 548)' }).click()
    await page.getByRole('button', { name: 'Show more (100 of 548)' }).waitFor()
    assert.equal(await found.nth(50).locator('a:focus').count(), 1, 'the keyboard goes on at the first new result')
    await page.getByLabel('Search').fill('ball')
    await page.getByText('1 date was found from today on.').waitFor()
    await page.getByText('Saturday 11 February 2034').waitFor()
    await page.getByLabel('Search').fill('choir')
    await page.getByRole('button', { name: 'Search past dates' }).click()
    await page.getByText('3 dates were found before today.').waitFor()
    assert.deepEqual(await found.locator('a').allInnerTexts(), ['Choir practice', 'Choir supper', 'Choir trip'])
    await found.getByRole('link', { name: 'Choir supper' }).click()
    await page.getByRole('dialog', { name: 'Choir supper' }).getByRole('button', { name: 'Close' }).click()
    await page.getByText('3 dates were found before today.').waitFor()
    // The last page of the past has three of them.
    await page.getByLabel('Search').fill('lido')
    await page.getByRole('button', { name: 'Search past dates' }).click()
    await page.getByRole('button', { name: 'Show more (53 of 1,053)' }).waitFor()
    assert.match(await found.first().innerText(), /^Lido\nTuesday 18 November 2025/)
    // Another text is another search.
    await page.getByLabel('Search').fill('ball')
    await page.getByText('1 date was found from today on.').waitFor()
    // A view leaves the search, and an empty period of a category offers one.
    await showView(page, 'Month')
    assert.equal(new URL(page.url()).search, '?view=month&date=2026-12-20')
    await page.getByLabel('Category').selectOption('Balls')
    await page.getByRole('button', { name: 'Search all dates' }).click()
    await page.getByText('1 date was found from today on.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Search: Balls' }).waitFor()
    await page.getByRole('button', { name: 'Search past dates' }).click()
    await page.getByText('No dates were found before today.').waitFor()
    await page.getByLabel('Category').selectOption('Film')
    await page.getByText('1 date was found from today on.').waitFor()
    await page.getByLabel('Category').selectOption('')
    await page.getByRole('heading', { level: 1, name: 'December 2026' }).waitFor()
  }),
)

/** Weeks whose events overflow their row. */
const rowsOverrun = (page: Page): Promise<string[]> =>
  page.locator('.cal-row').evaluateAll((rows) =>
    rows.flatMap((row) => {
      const bottoms = [...row.querySelectorAll('.cal-event, .cal-more')].map(
        (one) => one.getBoundingClientRect().bottom,
      )
      const isOver = Math.max(0, ...bottoms) > row.getBoundingClientRect().bottom + 1
      return isOver ? [row.querySelector('[data-date]')!.getAttribute('data-date')!] : []
    }),
  )

/** Whether the field to pick a date is at least as wide as it would be with all the room. */
const hasRoomForDate = (page: Page): Promise<boolean> =>
  page.getByLabel('Go to date').evaluate((field: HTMLInputElement) => {
    const free = field.cloneNode() as HTMLInputElement
    free.style.width = 'max-content'
    free.style.position = 'absolute'
    field.after(free)
    const wanted = free.offsetWidth
    free.remove()
    return field.offsetWidth >= wanted
  })

browserTest('a phone shows a list first, without horizontal scrolling; print shows everything and no buttons', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await fill(world)
    const page = await visitor({ width: 390, height: 844 })
    await page.goto(address)
    await page.getByRole('heading', { level: 1, name: '10 July – 9 August 2026' }).waitFor()
    for (const width of [320, 390])
      for (const view of VIEWS) {
        await page.setViewportSize({ width, height: 800 })
        await showView(page, view)
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok(over <= 0, `${view} at ${width} is ${over} px too wide`)
        if (view !== 'Month') continue
        assert.deepEqual(await rowsOverrun(page), [], `at ${width} days run into those below`)
        assert.ok(await hasRoomForDate(page), `at ${width} the date is under its icon`)
      }
    await page.getByRole('button', { name: 'Week', exact: true }).click()
    await page.getByRole('link', { name: 'Saturday 11 July 2026', exact: true }).waitFor()
    await page.locator('.cal-list .cal-time').nth(3).waitFor()
    const hours = await page.locator('.cal-time').allTextContents()
    assert.deepEqual(hours, ['19:30–21:00', '20:00–22:30', '08:30–12:30', '20:00–00:00'])
    assert.equal(
      await page.locator('.cal-name').evaluateAll((all) => all.some((one) => one.scrollWidth > one.clientWidth)),
      false,
    )

    // The width at which months side by side are narrowest, on a tablet and on paper.
    await page.setViewportSize({ width: 768, height: 900 })
    await showView(page, 'Year')
    await page.locator('.cal-link[data-points]').first().waitFor()
    const days = page.locator('.cal-link[data-points]')
    const broken = await days.evaluateAll((all) => all.filter((one) => one.scrollHeight > one.clientHeight).length)
    assert.equal(broken, 0, 'numbers of days are broken in two')
    await showView(page, 'Week')

    await page.setViewportSize({ width: 1280, height: 900 })
    await page.locator('.timeGridWeek').waitFor()
    await page.getByRole('button', { name: 'Month', exact: true }).click()
    await page.locator('.cal-more').first().waitFor()
    await printReady(page)
    const onPaper = readPdfText(await page.pdf())
      .join(' ')
      .replace(/\s+/g, ' ')
    for (const name of ['Toddler group', 'Story time', 'Allotment evening', 'Parish council', 'Choir practice'])
      assert.ok(onPaper.includes(name), `${name} is not in: ${onPaper}`)
    // On each of its three days.
    assert.equal(onPaper.split('Summer fair').length - 1, 3, onPaper)
    assert.match(onPaper, /20:00 Dance/)
    await page.locator('.cal-printed').waitFor({ state: 'detached' })
    await page.emulateMedia({ media: 'print' })
    // The event that printing sends; emulating print media alone does not.
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    assert.equal(await page.locator('button, input, select, nav a, .cal-more').filter({ visible: true }).count(), 0)
    await photograph(page, 'calendar-print')
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await page.emulateMedia({ media: 'screen' })
    await page.locator('.cal-more').first().waitFor()
  }),
)

browserTest('without the service the page says so, keeps what was shown, and tries again', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await fill(world)
    const page = await visitor({ expected: /ERR_FAILED|ERR_INTERNET_DISCONNECTED/ })
    await page.goto(`${address}/?view=month&date=2026-07-14`)
    await takenOver(page)
    await page.getByText('Film night').first().waitFor()
    await page.route('**/public/events?*', (route) => route.abort())
    await page.getByRole('button', { name: 'Next month' }).click()
    await page.getByRole('alert').getByText('cannot be reached').waitFor()
    await page.unroute('**/public/events?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: /^Choir practice, Tuesday 11 August 2026/ }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)

    // It reloads by itself when the connection comes back.
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Next month' }).click()
    await page.getByRole('alert').getByText('cannot be reached').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: /^Choir practice, Tuesday 8 September 2026/ }).waitFor()
  }),
)
