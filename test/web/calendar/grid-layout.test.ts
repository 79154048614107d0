// Layout of the calendar grid: events over midnight, the line of the present time, and shifts while it loads.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { browserTest, gridReady, photograph, printReady, showView, withBrowser } from '../../support/browser/browser.ts'
import { readPdfPages, readPdfText } from '../../support/browser/pdf-text.ts'

/** Google’s limit for a good page: https://web.dev/articles/cls. */
const GOOD_SHIFT = 0.1

/** Sum of all layout shifts since the page was opened. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const all: { value: number }[] = []
    const observer = new PerformanceObserver((list) => void all.push(...(list.getEntries() as never[])))
    observer.observe({ type: 'layout-shift', buffered: true })
    Object.assign(globalThis, { shifts: () => [...all, ...(observer.takeRecords() as never[])] })
  })
  return () =>
    page.evaluate(async () => {
      // A shift is known after the frame that has it.
      for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
      const { shifts } = globalThis as unknown as { shifts(): { value: number }[] }
      return shifts().reduce((sum, { value }) => sum + value, 0)
    })
}

browserTest(
  'an event over midnight shows its hours, and on the second day its end, and the grid neither shifts nor hides a title',
  () =>
    withBrowser(async ({ world, address, visitor }) => {
      const on = (title: string, start: string, end: string, more = {}) =>
        world.writer.creates({ title, start, end, visibility: 'public', ...more })
      await on('Night', '2026-07-08T23:00', '2026-07-09T02:00')
      await on('Camp', '2026-07-15T10:00', '2026-07-17T18:00')
      for (const day of ['03', '07', '14', '21', '28'])
        for (let hour = 10; hour < 16; hour++)
          await on(`Course ${hour}`, `2026-07-${day}T${hour}:00`, `2026-07-${day}T${hour}:45`, { category: 'Courses' })
      // The clock stands at 13:00 in London.
      await on('Talk', '2026-07-10T12:30', '2026-07-10T13:30')

      for (const [view, width] of [
        ['month', 1280],
        ['month', 390],
        ['week', 1280],
        ['list', 390],
        ['year', 1280],
      ] as const) {
        const page = await visitor({ width, height: 850 })
        const readShift = await watchShifts(page)
        // In the week of the night the hours on screen grow, which moves them.
        await page.goto(`${address}/?view=${view}&date=2026-07-21`)
        await gridReady(page)
        await page.getByLabel('Category').getByText('Courses').waitFor({ state: 'attached' })
        const shift = await readShift()
        assert.ok(shift < GOOD_SHIFT, `${view} at ${width} px shifts by ${shift.toFixed(3)}`)
      }

      const page = await visitor()
      await page.goto(`${address}/?view=month&date=2026-07-10`)
      await gridReady(page)
      const texts = (name: RegExp) => page.getByRole('button', { name }).locator('.cal-chip').allTextContents()
      assert.deepEqual(await texts(/^Night/), ['23:00–02:00Night', 'until 02:00Night'])
      assert.deepEqual(await texts(/^Camp/), ['Wed 10:00 – Fri 18:00Camp'])
      await printReady(page)
      const onPaper = readPdfText(await page.pdf())
        .join(' ')
        .replace(/\s+/g, ' ')
      assert.match(onPaper, /23:00–02:00 Night .*until 02:00 Night/)
      const head = page.locator('.cal-head').first()
      assert.match(await head.evaluate((one) => getComputedStyle(one).backgroundColor), /^rgb\(/, 'events show through')
      await photograph(page, 'grid-over-midnight')
      await showView(page, 'Week')
      assert.deepEqual(await texts(/^Night/), ['23:00–02:00Night', 'until 02:00Night'])
      const isBehind = await page.locator('.cal-now').evaluate((line) => {
        const layer = line.parentElement!
        layer.style.setProperty('pointer-events', 'auto', 'important')
        const { top, left } = line.getBoundingClientRect()
        const stack = document.elementsFromPoint(left + 20, top)
        const event = stack.findIndex((one) => one.matches('.cal-event'))
        return event >= 0 && event < stack.indexOf(layer)
      })
      assert.equal(isBehind, true, 'the line of the present time is behind the event')
      await showView(page, 'List')
      assert.deepEqual(await texts(/^Camp/), Array(3).fill('Wed 10:00 – Fri 18:00Camp'))
    }),
)

browserTest('events before eight or over midnight move nothing when they arrive', () =>
  withBrowser(async ({ world, address, visitor, signedIn }) => {
    const on = (title: string, start: string, end: string) =>
      world.writer.creates({ title, start, end, visibility: 'public' })
    await on('Swim', '2026-07-08T05:30', '2026-07-08T06:30')
    await on('Night', '2026-07-22T23:00', '2026-07-23T02:00')
    for (const [view, date] of [
      ['week', '2026-07-08'],
      ['day', '2026-07-08'],
      ['week', '2026-07-22'],
      ['day', '2026-07-23'],
      // Nothing is early there.
      ['week', '2026-07-29'],
    ] as const)
      for (const page of [await visitor(), await signedIn('writer@example.org')]) {
        const readShift = await watchShifts(page)
        await page.goto(`${address}/?view=${view}&date=${date}`)
        await gridReady(page)
        assert.equal(await page.locator('.cal-hour').first().isVisible(), true)
        const shift = await readShift()
        assert.equal(shift, 0, `${view} of ${date}`)
      }
    const page = await signedIn('writer@example.org', { expected: /ERR_FAILED/ })
    await page.route('**/events?*', (route) => route.abort())
    await page.goto(`${address}/?view=week&date=2026-07-08`)
    await page.getByRole('alert').getByText('cannot be reached').waitFor()
    assert.equal(await page.getByText('08:00').isVisible(), true, 'without events the usual hours are shown')
  }),
)

/** How much wider the field would be with all the room. */
const missingWidth = (field: Locator): Promise<number> =>
  field.evaluate((select: HTMLElement) => {
    const free = select.cloneNode(true) as HTMLElement
    free.style.cssText = 'width: max-content; max-width: none; position: absolute'
    select.after(free)
    const missing = free.offsetWidth - select.offsetWidth
    free.remove()
    return missing
  })

browserTest('on a phone events over midnight are in line with others, and no choice is cut', () =>
  withBrowser(async ({ world, address, visitor, signedIn }) => {
    const on = (title: string, start: string, end: string) =>
      world.writer.creates({ title, start, end, visibility: 'public', category: 'Music' })
    await on('Choir', '2026-07-08T10:00', '2026-07-08T11:00')
    await on('Lunch', '2026-07-09T12:00', '2026-07-09T13:00')
    await on('Night', '2026-07-08T23:00', '2026-07-09T02:00')
    await world.addPerson('choir@example.org', 'writer', 'pending_approval')
    for (const width of [320, 390]) {
      const page = await visitor({ width, height: 850 })
      await page.goto(`${address}/?view=month&date=2026-07-10`)
      await gridReady(page)
      const leftOf = (title: string) =>
        page
          .locator('.cal-name', { hasText: title })
          .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)))
      assert.deepEqual(await leftOf('Night'), [...(await leftOf('Choir')), ...(await leftOf('Lunch'))], `at ${width}`)
      await page.getByRole('button', { name: 'Search and filter' }).click()
      await page.getByLabel('Category').getByText('Music').waitFor({ state: 'attached' })
      assert.ok((await missingWidth(page.getByLabel('Category'))) <= 0, `All categories is cut at ${width}`)
      await photograph(page, `grid-phone-${width}`)
      const admin = await signedIn('admin@example.org', { width, height: 850 })
      await admin.goto(`${address}/admin`)
      const cut: string[] = []
      if ((await missingWidth(admin.getByLabel('Role'))) > 0) cut.push('request')
      await admin.goto(`${address}/admin/people`)
      if ((await missingWidth(admin.getByLabel('Role'))) > 0) cut.push('filter')
      await admin.getByRole('button', { name: 'Manage writer' }).click()
      if ((await missingWidth(admin.getByRole('dialog').getByLabel('Role'))) > 0) cut.push('dialog')
      const open = admin.locator('main select:visible')
      for (const path of ['/account/feeds', '/account/tokens', '/admin/diagnostics', '/event/new', '/embed']) {
        await admin.goto(address + path)
        await open.first().waitFor()
        for (const select of await open.all()) {
          if ((await missingWidth(select)) > 0) cut.push(`${path} ${await select.innerText()}`)
        }
      }
      await admin.goto(`${address}/event/new`)
      await admin.getByLabel('Repeats').selectOption('Every week')
      const roomBeside = await admin.locator('.week span').evaluateAll((days) =>
        days.map((day) => {
          const text = document.createRange()
          text.selectNodeContents(day)
          return (day.getBoundingClientRect().width - text.getBoundingClientRect().width) / 2
        }),
      )
      if (Math.min(...roomBeside) < 2) cut.push(`days ${Math.min(...roomBeside)}`)
      assert.deepEqual(cut, [], `choices are cut at ${width}`)
    }
  }),
)

browserTest('a week of a printed month is on one page', () =>
  withBrowser(async ({ world, address, visitor }) => {
    for (const day of ['01', '08', '15', '22', '29'])
      for (let hour = 10; hour < 20; hour++)
        await world.writer.creates({
          title: `Course${day} ${hour}`,
          start: `2026-07-${day}T${hour}:00`,
          end: `2026-07-${day}T${hour}:45`,
          visibility: 'public',
        })
    const page = await visitor()
    await page.goto(`${address}/?view=month&date=2026-07-10`)
    await gridReady(page)
    await printReady(page)
    const pages = readPdfPages(await page.pdf({ format: 'A4' })).map((runs) => runs.join(' '))
    assert.ok(pages.length > 1, 'the month fits one page')
    for (const day of ['01', '08', '15', '22', '29']) {
      const having = pages.filter((text) => text.includes(`Course${day}`))
      assert.equal(having.length, 1, `the week of ${day} July is on ${having.length} pages`)
    }
  }),
)

browserTest('a printed week or day begins on the page of its title', () =>
  withBrowser(async ({ world, address, visitor }) => {
    const page = await visitor()
    // A week that fits one page, but not what the title leaves of it.
    for (let stall = 10; stall < 28; stall++)
      await world.writer.creates({
        title: `Stall ${stall} in the old market hall`,
        start: `2026-07-08T10:${stall}`,
        end: '2026-07-08T12:00',
        visibility: 'public',
      })
    await page.goto(`${address}/?view=week&date=2026-07-08`)
    await gridReady(page)
    await printReady(page)
    const pages = readPdfPages(await page.pdf({ format: 'A4' })).map((runs) => runs.join(' '))
    assert.equal(pages.length, 2)
    assert.match(pages[0]!, /Stall 10/)
    assert.match(pages[1]!, /Stall 27/)
  }),
)
