// Times in the event editor, what it says about them, and how a saved event is shown and deleted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { type EventValues, newValues, withAllDay, withStart } from '../../../web/pages/editor/form/event-values.ts'
import { repeatOf } from '../../../web/pages/editor/form/repeat.ts'
import { assertLegibleByNight, assertPresentable, browserTest, withBrowser } from '../../support/browser/browser.ts'
import type { Json } from '../../support/http/api-response.ts'

const WRITER = 'writer@example.org'

/** Tuesday 14 July 2026, 10:00 to 11:00. */
const tuesday = (more: Partial<EventValues> = {}): EventValues => ({
  ...newValues({
    ...{ start: '2026-07-14T10:00', end: '2026-07-14T11:00', isAllDay: false },
    ...{ timezone: 'Europe/London', visibility: 'public', now: 0 },
  }),
  ...more,
})

const endOf = ({ endDate, endTime }: EventValues): string => `${endDate} ${endTime}`

test('a moved start takes the end with it, and never leaves it before the start', () => {
  assert.equal(endOf(withStart(tuesday(), { startTime: '23:30' })), '2026-07-15 00:30')
  assert.equal(endOf(withStart(tuesday({ endTime: '10:00' }), { startTime: '12:00' })), '2026-07-14 12:00')
  // The end was entered first: it stays where it is, if the start is not after it.
  const early = tuesday({ endDate: '2026-07-05' })
  assert.equal(endOf(withStart(early, { startDate: '2026-07-03' })), '2026-07-05 11:00')
  assert.equal(endOf(withStart(early, { startDate: '2026-07-20' })), '2026-07-20 11:00')
  assert.equal(endOf(withStart({ ...early, allDay: true }, { startDate: '2026-07-04' })), '2026-07-05 11:00')
  assert.equal(endOf(withStart({ ...early, allDay: true }, { startDate: '2026-07-20' })), '2026-07-20 11:00')
  // A start that was not a time before it moved.
  assert.equal(endOf(withStart(tuesday({ startTime: '' }), { startTime: '23:00' })), '2026-07-15 00:00')
})

test('while the end is not a time, a moved start takes its date and the repetition with it', () => {
  const weekly = tuesday({ endTime: '', repeat: repeatOf('FREQ=WEEKLY;BYDAY=TU', '2026-07-14', 'Europe/London') })
  const moved = withStart(weekly, { startDate: '2026-07-15' })
  assert.equal(endOf(moved), '2026-07-15 ')
  assert.deepEqual(moved.repeat.weekdays, [2])
  assert.equal(endOf(withStart(tuesday({ endDate: '' }), { startDate: '2026-07-15' })), ' 11:00')
})

test('an event of whole days that gets hours again does not end before its start', () => {
  const night = tuesday({ startTime: '22:00', endTime: '02:00' })
  assert.equal(endOf(withAllDay({ ...night, allDay: true }, false)), '2026-07-15 02:00')
  assert.equal(endOf(withAllDay(night, true)), '2026-07-14 02:00')
  assert.equal(endOf(withAllDay(tuesday({ allDay: true }), false)), '2026-07-14 11:00')
})

const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click()

browserTest('a time that a clock change skips is named before it is saved, and the event keeps its length', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    const page = await signedIn(WRITER)
    await page.goto(`${address}/event/new`)
    await page.getByLabel('Title').fill('Night watch')
    await page.getByLabel('Start date').fill('2027-03-28')
    await page.getByLabel('Start time').fill('00:30')
    await page.getByLabel('End time').fill('00:50')
    assert.equal(await page.locator('.gap').count(), 0)
    await page.getByLabel('End time').fill('01:30')
    await page.getByText('It will be saved as Sun 28 March 2027, 00:30 to Sun 28 March 2027, 02:30.').waitFor()
    await page.getByLabel('Start time').fill('01:30')
    assert.equal(await page.getByLabel('End time').inputValue(), '02:30')
    await page.getByText('In Europe/London the clocks go forward on this day').waitFor()
    await page.getByText('It will be saved as Sun 28 March 2027, 02:30 to Sun 28 March 2027, 03:30.').waitFor()
    await page.getByLabel('Repeats').selectOption('Every week')
    const dates = page.locator('.to-come li')
    assert.deepEqual((await dates.allTextContents()).slice(0, 2), [
      'Sun 28 March 2027, 02:30',
      'Sun 4 April 2027, 01:30',
    ])
    await assertPresentable(page, 'editor-clock-gap')
    await assertLegibleByNight(page, 'editor-clock-gap')
    await save(page)
    await page.getByText('Saved.').waitFor()
    const { data } = (await world.writer.get('/events?from=2027-03-28&to=2027-04-04')).body
    assert.deepEqual(
      data.map(({ start, end }: Json) => [start, end]),
      [
        ['2027-03-28T02:30:00+01:00', '2027-03-28T03:30:00+01:00'],
        ['2027-04-04T01:30:00+01:00', '2027-04-04T02:30:00+01:00'],
      ],
    )
  }),
)

browserTest(
  'an end before the start is on the next day, a corrected field is no longer marked, and what is saved is linked',
  () =>
    withBrowser(async ({ world, address, signedIn }) => {
      const page = await signedIn(WRITER, { expected: /status of 422/ })
      await page.goto(`${address}/event/new?start=2026-07-14`)
      await page.getByLabel('Start time').fill('22:00')
      const [endDate, endTime] = [page.getByLabel('End date'), page.getByLabel('End time')]
      // Typed digit by digit, 23:30 may begin with 02.
      await endTime.fill('02:00')
      assert.equal(await endDate.inputValue(), '2026-07-15')
      await endTime.fill('23:30')
      assert.equal(await endDate.inputValue(), '2026-07-14')
      await endTime.fill('01:30')
      await page.getByText('On the next day.').waitFor()
      await save(page)
      const notice = page.getByText('Please check the marked fields.')
      await notice.waitFor()
      const title = page.getByLabel('Title')
      assert.equal(await title.getAttribute('aria-invalid'), 'true')
      await title.fill('Dance')
      assert.equal(await title.getAttribute('aria-invalid'), 'false')
      assert.equal(await notice.isVisible(), false)
      await assertPresentable(page, 'editor-next-day')
      await save(page)
      await page.getByRole('link', { name: 'Show the event' }).click()
      const dialog = page.getByRole('dialog', { name: 'Dance' })
      await dialog.getByText('Tuesday 14 July 2026, 22:00 to Wednesday 15 July 2026, 01:30').waitFor()
      await assertPresentable(page, 'saved-event')
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await dialog.getByText('“Dance” will be deleted for everyone.').waitFor()
      const focused = () => page.evaluate(() => document.activeElement?.textContent)
      assert.equal(await focused(), 'Cancel')
      await page.keyboard.press('Enter')
      assert.equal(await focused(), 'Delete')
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Yes, delete it' }).click()
      await page.getByText('Deleted.').waitFor()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: /^Dance, / }).waitFor({ state: 'detached' })

      const times = { start: '2026-07-14T19:30', end: '2026-07-14T21:00' }
      const { id } = await world.writer.creates({ title: 'Choir', ...times, rrule: 'FREQ=WEEKLY' })
      await page.goto(`${address}/?view=month&date=2026-07-14&event=${id}&at=20260721T193000`)
      const choir = page.getByRole('dialog', { name: 'Choir' })
      await choir.getByRole('button', { name: 'Delete' }).click()
      await choir.getByRole('button', { name: 'Delete this date' }).click()
      const second = page.getByRole('button', { name: /^Choir, Tuesday 21 July/ })
      await second.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Undo' }).click()
      await second.click()
      await choir.getByRole('button', { name: 'Delete' }).click()
      await choir.getByRole('button', { name: 'Delete the whole series' }).click()
      assert.equal(await focused(), 'Cancel')
      await assertPresentable(page, 'delete-series')
      await assertLegibleByNight(page, 'delete-series')
      await choir.getByRole('button', { name: 'Yes, delete it' }).click()
      await second.waitFor({ state: 'detached' })
      assert.equal((await world.writer.get(`/events/${id}`)).status, 404)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('The event has been restored.').waitFor()
      await second.waitFor()
      assert.equal((await world.writer.get(`/events/${id}`)).body.data.rrule, 'FREQ=WEEKLY')
    }),
)
