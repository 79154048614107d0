// The calendar on paper: the text of PDFs of month, week, list and event, in normal and large print.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import {
  assertLegibleByNight,
  assertPresentable,
  browserTest,
  gridReady,
  printReady,
  withBrowser,
} from '../../support/browser/browser.ts'
import { readPdfPages } from '../../support/browser/pdf-text.ts'
import type { World } from '../../support/world.ts'

const MARGIN = { top: '12mm', bottom: '12mm', left: '12mm', right: '12mm' }

/** The text of each page, without its number, which each must have. */
async function printed(page: Page): Promise<string[]> {
  const pages = readPdfPages(await page.pdf({ format: 'A4', margin: MARGIN }))
  return pages.map((runs, i) => {
    const text = runs.join(' ').replace(/\s+/g, ' ')
    const number = `${i + 1} / ${pages.length} `
    assert.ok(text.startsWith(number), `page ${i + 1} of ${pages.length}: ${text}`)
    return text.slice(number.length)
  })
}

async function fill({ writer }: World): Promise<void> {
  for (let hour = 9; hour < 16; hour++)
    await writer.creates({
      ...{ title: `Course${hour}`, start: `2026-07-07T${String(hour).padStart(2, '0')}:00` },
      ...{ end: `2026-07-07T${String(hour).padStart(2, '0')}:45`, rrule: 'FREQ=WEEKLY;COUNT=4' },
      ...{ visibility: 'public', category: hour < 12 ? 'Sports' : 'Music', location: 'Main hall' },
    })
  await writer.creates({
    ...{ title: 'Summer term', start: '2026-07-01', end: '2026-07-25', all_day: true },
    ...{ visibility: 'public', category: 'School' },
  })
  await writer.creates({
    title: 'Night walk',
    start: '2026-07-11T22:00',
    end: '2026-07-12T01:00',
    visibility: 'public',
  })
  await writer.creates({ title: 'canary', start: '2026-07-09T10:00', end: '2026-07-09T11:00', visibility: 'private' })
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await gridReady(page)
  await printReady(page)
}

/** Chooses the size in the dialog, and notes what is asked of the browser. */
async function choose(page: Page, size: 'Normal' | 'Large'): Promise<void> {
  await page.evaluate(() => Object.assign(globalThis, { print: () => document.body.classList.add('was-printed') }))
  await page.getByRole('button', { name: 'Print' }).click()
  const dialog = page.getByRole('dialog', { name: 'Print' })
  await dialog.getByLabel(size).check()
  await dialog.getByRole('button', { name: 'Print' }).click()
  await page.locator('.was-printed').waitFor()
  assert.equal(await dialog.count(), 0, 'the dialog is not on paper')
}

const count = (text: string, word: string): number => text.split(word).length - 1

browserTest('month, week and list are printed with title, every event and a legend, a long event once in a list', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await fill(world)
    const page = await visitor({ colorScheme: 'dark' })
    for (const [view, title] of [
      ['month', /^Daybook July 2026 Mon Tue/],
      ['week', /^Daybook 6\s?–\s?12 July 2026 Mon Tue/],
      ['list', /^Daybook 6 July\s–\s5 August 2026 Monday 6 July 2026/],
    ] as const) {
      await open(page, `${address}/?view=${view}&date=2026-07-06`)
      const text = (await printed(page)).join(' ')
      assert.match(text, title)
      for (let hour = 9; hour < 16; hour++)
        assert.equal(count(text, `Course${hour}`), view === 'week' ? 1 : 4, `Course${hour} in the ${view}: ${text}`)
      assert.match(text, /(Night walk|22:00–01:00)/)
      assert.match(text, /Music School Sports Private$/)
      assert.equal(count(text, 'School'), 1, 'one legend')
      assert.doesNotMatch(text, /canary| more\b|Subscribe|Search|What’s on/)
      assert.equal(count(text, 'Summer term'), { month: 24, week: 7, list: 1 }[view])
      if (view !== 'list') continue
      assert.match(text, /Summer term · Wednesday 1 July 2026 to Friday 24 July 2026, all day/)
      assert.equal(count(text, 'Night walk'), 1)
      assert.match(text, /09:00–09:45 Course9 · Main hall/)
    }
    // What was made for the paper is gone from the page.
    await page.locator('.cal-printed').waitFor({ state: 'detached' })
  }),
)

browserTest('large print is a list for every view, chosen before printing, without another request', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await fill(world)
    const page = await visitor()
    await open(page, `${address}/?view=month&date=2026-07-06`)
    await page.getByRole('button', { name: 'Print' }).click()
    await page.getByRole('dialog', { name: 'Print' }).waitFor()
    await assertPresentable(page, 'calendar-print-dialog')
    await assertLegibleByNight(page, 'calendar-print-dialog')
    await page.keyboard.press('Escape')
    const normal = await printed(page)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await choose(page, 'Large')
    const large = await printed(page)
    assert.deepEqual(asked, [])
    assert.ok(large.length > normal.length, `${large.length} pages`)
    const text = large.join(' ')
    assert.match(text, /^Daybook July 2026 Wednesday 1 July 2026 Summer term/)
    assert.equal(count(text, 'Course9'), 4)
    // It stays for printing by the browser’s own menu, and ends with the page.
    await page.getByRole('button', { name: 'Week' }).click()
    await gridReady(page)
    assert.match((await printed(page))[0]!, /Monday 6 July 2026 Summer term/)
    await choose(page, 'Normal')
    assert.match((await printed(page))[0]!, /Mon Tue Wed/)
    await page.emulateMedia({ media: 'print' })
    const size = async () => {
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
      const px = await page.locator('.cal-printed').evaluate((one) => parseFloat(getComputedStyle(one).fontSize))
      await page.evaluate(() => dispatchEvent(new Event('afterprint')))
      return px
    }
    const before = await size()
    await page.emulateMedia({ media: null })
    await choose(page, 'Large')
    await page.emulateMedia({ media: 'print' })
    assert.ok((await size()) >= 1.5 * before)
    assert.equal(await page.locator('.print-large').count(), 0)
  }),
)

browserTest('a year is printed as twelve months with dots, in normal and large print', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await fill(world)
    const page = await visitor()
    await open(page, `${address}/?view=year&date=2026-07-06`)
    const pages = await printed(page)
    assert.equal(pages.length, 1)
    const [text = ''] = pages
    assert.match(text, /^Daybook 2026 January Mon Tue Wed Thu Fri Sat Sun 1 2 3/)
    // A term, and on Tuesdays seven courses too; dots end at four.
    assert.match(text, /July Mon Tue Wed Thu Fri Sat Sun 1 • 2 • 3 • 4 • 5 • 6 • 7 •••• 8 • 9 •• 10 • 11 •• 12 ••/)
    assert.match(text, /December .* 30 31$/)
    assert.doesNotMatch(text, /Course|canary/)
    await choose(page, 'Large')
    assert.match((await printed(page)).join(' '), /July Mon .* 7 •••• 8/)
  }),
)

browserTest('an event and the manual have numbered pages too, dark on white', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await fill(world)
    const { id } = await world.writer.creates({ title: 'Fair', start: '2026-07-10T19:00', end: '2026-07-10T21:00' })
    const page = await visitor({ colorScheme: 'dark' })
    for (const path of [`/events/${id}`, '/api-root/calendar/v1/docs/public']) {
      await page.goto(`${address}${path}`)
      assert.ok((await printed(page)).length > 0)
      await page.emulateMedia({ media: 'print' })
      const ink = await page.locator('h1').evaluate((one) => getComputedStyle(one).color)
      assert.match(ink, /^rgb\(\d\d, \d\d, \d\d\)$/, 'dark on white')
      await page.emulateMedia({ media: null })
    }
  }),
)

browserTest('without JavaScript, a printed list has an event of many days once, with its span', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await fill(world)
    const page = await visitor({ hasScripts: false })
    await page.goto(`${address}/?view=list&date=2026-07-06`)
    assert.equal(await page.getByText('Summer term').filter({ visible: true }).count(), 19)
    assert.equal(await page.getByText('to Friday 24 July 2026').isVisible(), false)
    const text = (await printed(page)).join(' ')
    assert.equal(count(text, 'Summer term'), 1, text)
    assert.equal(count(text, 'Wednesday 1 July 2026 to Friday 24 July 2026, all day'), 1)
    assert.equal(count(text, 'Wednesday 8 July'), 0, 'nothing else is on that day')
  }),
)

browserTest('a first week that is longer than the rest of the page does not leave the title alone', () =>
  withBrowser(async ({ world, address, visitor }) => {
    for (let stall = 10; stall < 40; stall++)
      await world.writer.creates({
        ...{ title: `Stall ${stall}`, start: `2026-07-0${1 + (stall % 5)}T10:${stall}`, visibility: 'public' },
        ...{ end: `2026-07-0${1 + (stall % 5)}T12:00` },
      })
    const page = await visitor()
    await open(page, `${address}/?view=month&date=2026-07-01`)
    await choose(page, 'Large')
    assert.match((await printed(page))[0]!, /^Daybook July 2026 Wednesday 1 July 2026 .*Stall/)
  }),
)

browserTest('a page ends between weeks, never inside one', () =>
  withBrowser(async ({ world, address, visitor }) => {
    for (let week = 0; week < 5; week++)
      for (let stall = 10; stall < 28; stall++)
        await world.writer.creates({
          ...{ title: `Week${week} ${stall}`, start: `2026-07-${String(1 + 7 * week).padStart(2, '0')}T10:${stall}` },
          ...{ end: `2026-07-${String(1 + 7 * week).padStart(2, '0')}T12:00`, visibility: 'public' },
        })
    const page = await visitor()
    for (const view of ['month', 'list']) {
      await open(page, `${address}/?view=${view}&date=2026-07-01`)
      const pages = await printed(page)
      assert.ok(pages.length > 1)
      for (let week = 0; week < 5; week++) {
        const having = pages.filter((text) => text.includes(`Week${week} `))
        assert.equal(having.length, 1, `week ${week} of the ${view} is on ${having.length} pages`)
        assert.equal(count(having[0]!, `Week${week} `), 18)
      }
    }
  }),
)

browserTest('an open event is printed alone, with its address, and so is its page, dark on white', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await fill(world)
    const at = { start: '2026-07-10T19:00', end: '2026-07-10T21:00', visibility: 'public' }
    const film = await world.writer.creates({ ...at, title: 'Film night', description: 'Bring cushions.' })
    const page = await visitor({ colorScheme: 'dark' })
    await open(page, `${address}/?view=month&date=2026-07-06&event=${film.id}`)
    await page.getByText('Bring cushions.').waitFor()
    const pages = await printed(page)
    assert.equal(pages.length, 1)
    const [alone = ''] = pages
    assert.match(alone, /^Film night When Friday 10 July 2026, 19:00 to 21:00 .*Bring cushions\. Daybook: http/)
    assert.ok(alone.replaceAll(' ', '').endsWith(`/events/${film.id}`), alone)
    assert.doesNotMatch(alone, /Course|Print|Add to|×/)
    await page.getByRole('dialog').getByRole('button', { name: 'Print' }).click()
    await page.getByRole('dialog', { name: 'Print' }).waitFor()
    await page.goto(`${address}/events/${film.id}`)
    const [text] = await printed(page)
    assert.match(text!, /^Daybook Film night/)
    assert.match(text!, /Friday 10 July 2026, 19:00 to 21:00.*Bring cushions\./)
    await page.emulateMedia({ media: 'print' })
    const ink = await page.locator('h1').evaluate((one) => getComputedStyle(one).color)
    assert.equal(ink, 'rgb(28, 35, 48)')
  }),
)
