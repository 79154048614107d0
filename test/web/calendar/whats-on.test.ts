// Quick choices of the calendar: today, this weekend, the next 7 days; and the marks in search results.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOfWhatsOn, type WhatsOn } from '../../../src/contract/calendar-link.ts'
import { dayOf } from '../../../src/domain/time/instant.ts'
import { formatDate } from '../../../src/domain/time/text.ts'
import {
  assertPresentable,
  browserTest,
  gridReady,
  showView,
  takenOver,
  withBrowser,
} from '../../support/browser/browser.ts'

const daysFrom = (choice: WhatsOn, today: string): [string, string] => {
  const [first, next] = daysOfWhatsOn(choice, dayOf(Date.parse(today)))
  return [formatDate(first), formatDate(next)]
}

test('this weekend is the coming Saturday and Sunday, or what is left of it', () => {
  // Friday, Saturday, Sunday, Monday.
  assert.deepEqual(daysFrom('weekend', '2026-07-10'), ['2026-07-11', '2026-07-13'])
  assert.deepEqual(daysFrom('weekend', '2026-07-11'), ['2026-07-11', '2026-07-13'])
  assert.deepEqual(daysFrom('weekend', '2026-07-12'), ['2026-07-12', '2026-07-13'])
  assert.deepEqual(daysFrom('weekend', '2026-07-13'), ['2026-07-18', '2026-07-20'])
  assert.deepEqual(daysFrom('today', '2026-07-12'), ['2026-07-12', '2026-07-13'])
  assert.deepEqual(daysFrom('week', '2026-12-28'), ['2026-12-28', '2027-01-04'])
})

browserTest('one press lists what is on today, this weekend or in the next 7 days, at an address of its own', () =>
  withBrowser(async ({ world, address, visitor }) => {
    // Today is Friday 10 July.
    for (const [title, day] of [
      ['Friday film', '10'],
      ['Saturday market', '11'],
      ['Sunday walk', '12'],
      ['Tuesday choir', '14'],
      ['Friday week', '17'],
    ] as const)
      await world.writer.creates({
        ...{ title, start: `2026-07-${day}T18:00`, end: `2026-07-${day}T19:00` },
        ...{ visibility: 'public', category: day === '12' ? 'Outdoors' : 'Other' },
      })
    const page = await visitor()
    await page.goto(`${address}/?view=month&date=2026-12-01`)
    await gridReady(page)
    const whatsOn = page.getByRole('navigation', { name: 'What’s on' })
    const titles = () => page.locator('.cal-name').allTextContents()
    for (const [name, when, heading, found] of [
      ['Today', 'today', 'Today: Friday 10 July 2026', ['Friday film']],
      ['This weekend', 'weekend', /^This weekend: 11\s?–\s?12 July 2026$/, ['Saturday market', 'Sunday walk']],
      [
        'Next 7 days',
        'week',
        /^Next 7 days: 10\s?–\s?16 July 2026$/,
        ['Friday film', 'Saturday market', 'Sunday walk', 'Tuesday choir'],
      ],
    ] as const) {
      await whatsOn.getByRole('link', { name }).click()
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await gridReady(page)
      assert.equal(new URL(page.url()).search, `?when=${when}`)
      assert.deepEqual(await titles(), found)
      assert.equal(await whatsOn.locator('[aria-current="true"]').innerText(), name)
    }
    await assertPresentable(page, 'calendar-whats-on')
    // A category stays, and a link in a message shows the same.
    await page.getByLabel('Category').selectOption('Outdoors')
    await page.getByText('Saturday market').first().waitFor({ state: 'detached' })
    assert.deepEqual(await titles(), ['Sunday walk'])
    await page.reload()
    await gridReady(page)
    assert.deepEqual(await titles(), ['Sunday walk'])
    assert.equal(new URL(page.url()).search, '?when=week&category=Outdoors')
    await page.getByRole('button', { name: /^Sunday walk/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.waitForURL('**/?when=week&category=Outdoors')
    // Any view or period leaves the choice, and Back returns to it.
    await showView(page, 'Month')
    assert.equal(new URL(page.url()).search, '?view=month&category=Outdoors')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: /^Next 7 days/ }).waitFor()
    await page.getByRole('button', { name: 'Later' }).click()
    await page.getByRole('heading', { level: 1, name: '10 August – 9 September 2026' }).waitFor()
    await page.goto(`${address}/?when=never`)
    await takenOver(page)
    await page.getByText('so today is shown instead').waitFor()
  }),
)

browserTest('results of a search mark what was found, in the description too', () =>
  withBrowser(async ({ world, address, visitor }) => {
    const at = { start: '2026-07-14T19:00', end: '2026-07-14T20:00', visibility: 'public' }
    await world.writer.creates({ ...at, title: 'Café of the choirs', location: 'Choir room' })
    await world.writer.creates({ ...at, title: 'Lecture', description: `${'Long ago. '.repeat(30)}The choir sings.` })
    await world.writer.creates({ ...at, title: 'Quiz', category: 'Choral', location: 'Hall', status: 'cancelled' })
    const page = await visitor()
    await page.goto(`${address}/?q=CHOI`)
    await page.locator('#app').getByText('2 dates were found from today on.').waitFor()
    const marks = page.locator('#app .found mark')
    assert.deepEqual((await marks.allTextContents()).sort(), ['Choi', 'choi', 'choi'])
    const lecture = page.locator('#app .found li', { hasText: 'Lecture' })
    assert.match(await lecture.innerText(), /… .*Long ago\. The choir sings\.$/)
    await assertPresentable(page, 'calendar-search-marks')
    await page.getByLabel('Search').fill('cafe chor')
    await page.getByText('No dates were found from today on.').waitFor()
    await page.getByLabel('Search').fill('chor')
    await page.getByText('1 date was found from today on.').waitFor()
    await page.getByRole('link', { name: 'Quiz (cancelled)', exact: true }).waitFor()
    assert.ok((await page.locator('.found .cal-unseen').boundingBox())!.width <= 1)
    assert.deepEqual(await page.locator('.found li').allInnerTexts(), [
      'Quiz\n(cancelled)\nTuesday 14 July 2026, 19:00 to 20:00\nHall\nChoral',
    ])
  }),
)
