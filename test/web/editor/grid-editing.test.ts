// Editing on the calendar grid: dragging, resizing and selecting, for writers.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import {
  assertLegibleByNight,
  assertPresentable,
  browserTest,
  gridReady,
  photograph,
  showView,
  withBrowser,
} from '../../support/browser/browser.ts'

/** Dragging loads after the calendar; the live region announces when days can be edited. */
async function openMonth(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/?view=month&date=2026-07-14`)
  await canWrite(page)
}

const canWrite = async (page: Page): Promise<void> => {
  await page.getByText('Enter to add an event').waitFor({ state: 'attached' })
  await gridReady(page)
}

const day = (page: Page, date: string): Locator => page.locator(`.cal-view [data-date="${date}"]`).last()

const event = (page: Page, name: RegExp): Locator => page.getByRole('button', { name })

interface Point {
  x: number
  y: number
}

async function middleOf(place: Locator): Promise<Point> {
  const { x, y, width, height } = (await place.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

async function dragBetween(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 6, from.y + 6)
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
}

const drag = async (page: Page, what: Locator, where: Locator): Promise<void> => {
  await what.waitFor()
  await dragBetween(page, await middleOf(what), await middleOf(where))
}

browserTest('writers drag events and single dates, undo it, and overwrite no newer version; others cannot', () =>
  withBrowser(async ({ world, address, signedIn, visitor }) => {
    const read = async (path: string) => (await world.writer.get(path)).body.data
    // Eleven in Berlin is ten in London, the zone of the calendar.
    const times = { start: '2026-07-14T11:00', end: '2026-07-14T12:00', timezone: 'Europe/Berlin' }
    const talk = await world.writer.creates({ title: 'Talk', ...times, visibility: 'public' })
    const walk = await world.writer.creates({
      ...{ title: 'Walk', start: '2026-07-16', end: '2026-07-18', all_day: true },
      ...{ visibility: 'private', status: 'cancelled' },
    })
    const weekly = { start: '2026-07-14T19:30', end: '2026-07-14T21:00', rrule: 'FREQ=WEEKLY;BYDAY=TU' }
    const choir = await world.writer.creates({ title: 'Choir', ...weekly, visibility: 'public' })
    const page = await signedIn('writer@example.org', { expected: /412/ })
    // With the change stream the page would have the newer version.
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'EventSource'))
    const undo = () => page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await openMonth(page, address)
    await assertPresentable(page, 'grid-month')
    await assertLegibleByNight(page, 'grid-month')

    await drag(page, event(page, /^Talk, Tuesday 14/), day(page, '2026-07-15'))
    await event(page, /^Talk, Wednesday 15 July 2026, 10:00 to 11:00/).waitFor()
    const moved = await read(`/events/${talk.id}`)
    assert.deepEqual([moved.start, moved.timezone], ['2026-07-15T11:00:00+02:00', 'Europe/Berlin'])
    await page.keyboard.press('Control+z')
    await event(page, /^Talk, Tuesday 14 July 2026, 10:00/).waitFor()
    assert.equal((await read(`/events/${talk.id}`)).end, talk.end)
    await page.getByText('Moved back.').waitFor()
    const { version } = await read(`/events/${talk.id}`)
    await world.admin.patch(`/events/${talk.id}`, { title: 'Debate', version })
    await drag(page, event(page, /^Talk/), day(page, '2026-07-09'))
    await page.getByText('Someone else has changed this event.').waitFor()
    await event(page, /^Debate, Tuesday 14 July/).waitFor()

    await drag(page, event(page, /^Walk, .*private/), day(page, '2026-07-22'))
    await event(page, /^Walk, \w+ 22/).waitFor()
    const walked = await read(`/events/${walk.id}`)
    assert.deepEqual([walked.end_date, walked.status, walked.visibility], ['2026-07-24', 'cancelled', 'private'])

    const date = `/events/${choir.id}/occurrences/20260721T193000`
    const dialog = page.getByRole('dialog', { name: 'Move this event' })
    const choirTo = (to: string) => drag(page, event(page, /^Choir, Tuesday 21 July/), day(page, to))
    await choirTo('2026-07-24')
    await dialog.waitFor()
    await assertPresentable(page, 'grid-move')
    await assertLegibleByNight(page, 'grid-move')
    await page.keyboard.press('Escape')
    await choirTo('2026-07-24')
    await dialog.getByRole('button', { name: 'This date only' }).click()
    await event(page, /^Choir, Friday 24 July 2026, 19:30/).waitFor()
    assert.equal((await read(date)).start, '2026-07-24T19:30:00+01:00')
    await undo()
    await event(page, /^Choir, Tuesday 21 July/).waitFor()
    assert.deepEqual((await read(`/events/${choir.id}`)).exceptions, [])
    await choirTo('2026-07-22')
    await dialog.getByRole('button', { name: 'All dates' }).click()
    await event(page, /^Choir, Wednesday 29 July/).waitFor()
    const series = await read(`/events/${choir.id}`)
    assert.deepEqual([series.start, series.rrule], ['2026-07-15T19:30:00+01:00', 'FREQ=WEEKLY;BYDAY=WE'])

    // Exceptions dropped when the second Tuesday becomes the third Wednesday are restored by undo.
    const monthly = { start: '2026-07-14T08:00', end: '2026-07-14T09:00', rrule: 'FREQ=MONTHLY;BYDAY=2TU' }
    const { id } = await world.writer.creates({ title: 'Board', ...monthly, exdates: ['20260811T080000'] })
    const september = `/events/${id}/occurrences/20260908T080000`
    await world.writer.patch(
      september,
      { title: 'Board at lunch', start: '2026-09-08T12:00', end: '2026-09-08T13:00' },
      {
        'if-match': (await read(september)).etag,
      },
    )
    const { exceptions } = await read(`/events/${id}`)
    await openMonth(page, address)
    await drag(page, event(page, /^Board, Tuesday 14/), day(page, '2026-07-15'))
    await dialog.getByRole('button', { name: 'All dates' }).click()
    await page.getByText('Moved. 2 changed or removed dates no longer fit the series and were dropped.').waitFor()
    assert.equal((await read(`/events/${id}`)).rrule, 'FREQ=MONTHLY;BYDAY=3WE')
    await undo()
    await event(page, /^Board, Tuesday 14/).waitFor()
    await page.getByText('Moved back.').last().waitFor()
    const back = await read(`/events/${id}`)
    assert.deepEqual([back.rrule, back.exceptions], [monthly.rrule, exceptions])
    // So are dates with hours of their own, after all were made all-day for a moment.
    await showView(page, 'Week')
    await drag(page, event(page, /^Board, Tuesday 14/), page.locator('.cal-cell[data-date="2026-07-14"]'))
    await dialog.getByRole('button', { name: 'All dates' }).click()
    await event(page, /^Board, Tuesday 14 July 2026, all day/).waitFor()
    const givenBack = page.waitForResponse(
      (answer) => answer.request().method() === 'PATCH' && answer.url().includes('/occurrences/'),
    )
    await undo()
    await givenBack
    assert.deepEqual((await read(`/events/${id}`)).exceptions, exceptions)

    for (const other of [await signedIn('reader@example.org'), await visitor()]) {
      await other.goto(`${address}/?view=month&date=2026-07-14`)
      await drag(other, event(other, /^Debate/), day(other, '2026-07-09'))
      await drag(other, day(other, '2026-07-28'), day(other, '2026-07-30'))
      assert.equal(new URL(other.url()).pathname, '/')
      assert.equal(await event(other, /^Debate, Tuesday 14 July/).count(), 1)
    }
    assert.equal((await read(`/events/${talk.id}`)).start, talk.start)
  }),
)

/** From the quick form to the one with everything. */
const moreOptions = (page: Page): Promise<void> =>
  page.getByRole('dialog', { name: 'New event' }).getByRole('button', { name: 'More options' }).click()

browserTest('an event is resized, a selection or tap creates an event, and saving returns to the same view', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    const times = { start: '2026-07-14T10:00', end: '2026-07-14T11:00' }
    const talk = await world.writer.creates({ title: 'Talk', ...times, visibility: 'private' })
    await world.writer.creates({ ...times, title: 'Off', status: 'cancelled', visibility: 'public' })
    const page = await signedIn('writer@example.org', { hasTouch: true })
    await openMonth(page, address)
    await drag(page, day(page, '2026-07-20'), day(page, '2026-07-21'))
    await moreOptions(page)
    await page.waitForURL('**/event/new?start=2026-07-20&end=2026-07-22&all_day=1')
    assert.equal(await page.getByLabel('End date').inputValue(), '2026-07-21')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await canWrite(page)

    await showView(page, 'Week')
    await page.getByRole('heading', { level: 1, name: /^13\s?–\s?19 July 2026$/ }).waitFor()
    await assertPresentable(page, 'grid-week')
    await assertLegibleByNight(page, 'grid-week')
    await page.locator('.timeGridWeek').waitFor()
    const { x, y, width, height } = (await event(page, /^Talk/).boundingBox())!
    await dragBetween(page, { x: x + width / 2, y: y + height - 2 }, { x: x + width / 2, y: y + height * 2 - 4 })
    await event(page, /^Talk, Tuesday 14 July 2026, 10:00 to 12:00/).waitFor()
    assert.equal((await world.writer.get(`/events/${talk.id}`)).body.data.end, '2026-07-14T12:00:00+01:00')

    const column = await middleOf(day(page, '2026-07-16'))
    await dragBetween(page, { x: column.x, y: y + 4 }, { x: column.x, y: y + height * 1.5 - 4 })
    await moreOptions(page)
    await page.waitForURL('**/event/new?start=2026-07-16*')
    assert.equal(await page.getByLabel('Start time').inputValue(), '10:00')
    assert.equal(await page.getByLabel('End time').inputValue(), '11:30')
    await page.reload()
    await page.getByLabel('Title').fill('Tea')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await event(page, /^Tea, Thursday 16 July 2026, 10:00 to 11:30/).waitFor()
    assert.equal(new URL(page.url()).search, '?view=week&date=2026-07-14')

    await showView(page, 'Day')
    await photograph(page, 'grid-day')
    const lane = (await page.locator('.cal-lane').boundingBox())!
    await page.touchscreen.tap(lane.x + lane.width / 2, lane.y + 8)
    await moreOptions(page)
    await page.waitForURL('**/event/new?start=2026-07-14T08*')
    assert.equal(await page.getByLabel('End time').inputValue(), '09:00')
    await page.goBack()
    await event(page, /^Talk/).tap()
    await page.getByRole('dialog', { name: 'Talk' }).waitFor()
  }),
)
