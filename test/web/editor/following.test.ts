// This and following dates in the browser: edited in the form, dragged on the grid and deleted, with Undo.
import assert from 'node:assert/strict'
import { assertLegibleByNight, assertPresentable, browserTest, withBrowser } from '../../support/browser/browser.ts'
import { button, choir, dragTo, event, openMonth, saved, stored, WRITER } from './choir.ts'

const WHOLE = { rrule: 'FREQ=WEEKLY', start: '2026-07-14T19:30:00+01:00' }

browserTest('this and following dates are edited in the form, with the rule that is left', () =>
  withBrowser(async (stage) => {
    const { world, address, signedIn } = stage
    const { id } = await world.writer.creates({ ...choir, rrule: 'FREQ=WEEKLY;COUNT=5' })
    const page = await signedIn(WRITER, { expected: /409/ })
    await page.goto(`${address}/event/edit?id=${id}&at=20260728T193000`)
    await page.getByRole('heading', { name: 'This event repeats' }).waitFor()
    await assertPresentable(page, 'editor-which')
    await assertLegibleByNight(page, 'editor-which')
    await page.getByRole('button', { name: /^This and following dates/ }).click()
    await page.getByRole('heading', { name: 'Edit this and following dates' }).waitFor()
    assert.equal(await page.getByLabel('Start date').inputValue(), '2026-07-28')
    await page.getByText('Repeats every Tuesday, 3 times.').waitFor()
    for (const label of ['All day', 'Date to add', 'Public'])
      assert.equal(await page.getByLabel(label).count(), 0, label)
    await page.getByLabel('Place').fill('Small hall')
    await page.getByLabel('Start time').fill('20:00')
    await assertPresentable(page, 'editor-following')
    await button(page, 'Save').click()
    await saved(page)
    const { data } = (await world.writer.get(`/events/${id}/occurrences?from=2026-07-01&to=2026-08-31`)).body
    assert.deepEqual(
      data.map((one: { start: string; location: string }) => [one.start.slice(5, 16), one.location]),
      [
        ['07-14T19:30', 'Main hall'],
        ['07-21T19:30', 'Main hall'],
        ['07-28T20:00', 'Small hall'],
        ['08-04T20:00', 'Small hall'],
        ['08-11T20:00', 'Small hall'],
      ],
    )
    assert.equal((await stored(stage, id)).version, 2)

    const daily = await world.writer.creates({ ...choir, title: 'Open house', rrule: 'FREQ=DAILY' })
    await page.goto(`${address}/event/edit?id=${daily.id}&at=20310101T193000&scope=following`)
    await page.getByLabel('Place').fill('Small hall')
    await button(page, 'Save').click()
    await page.getByText('More than 1,000 dates would have to be changed one by one.').waitFor()
  }),
)

browserTest('this and following dates are dragged and deleted, and Undo restores the version before', () =>
  withBrowser(async (stage) => {
    const { world, address, signedIn } = stage
    const { id } = await world.writer.creates(choir)
    const page = await signedIn(WRITER, { expected: /422/ })
    const rule = async () => {
      const { rrule, start } = await stored(stage, id)
      return { rrule, start }
    }
    await openMonth(page, address)
    await dragTo(page, /^Town choir, Tuesday 21 July/, '2026-07-22')
    const dialog = page.getByRole('dialog', { name: 'Move this event' })
    await dialog.waitFor()
    await assertPresentable(page, 'grid-move')
    await dialog.getByRole('button', { name: 'This and following dates' }).click()
    await event(page, /^Town choir, Wednesday 29 July/).waitFor()
    await event(page, /^Town choir, Tuesday 14 July/).waitFor()
    assert.equal((await stored(stage, id)).rrule, 'FREQ=WEEKLY;BYDAY=WE')
    await page.keyboard.press('Control+z')
    await page.getByText('Moved back.').waitFor()
    await event(page, /^Town choir, Tuesday 21 July/).waitFor()
    assert.deepEqual(await rule(), { ...WHOLE, rrule: choir.rrule })

    // The Wednesday after each second Tuesday has no rule: the rule of the new day is sent.
    const monthly = { ...choir, title: 'Board', start: '2026-06-09T08:00', end: '2026-06-09T09:00' }
    const board = await world.writer.creates({ ...monthly, rrule: 'FREQ=MONTHLY;BYDAY=2TU' })
    await openMonth(page, address)
    await dragTo(page, /^Board, Tuesday 14 July/, '2026-07-15')
    await dialog.getByRole('button', { name: 'This and following dates' }).click()
    await event(page, /^Board, Wednesday 15 July/).waitFor()
    const moved = (await world.writer.get(`/events/${board.id}/occurrences?from=2026-06-01&to=2026-09-30`)).body.data
    assert.deepEqual(
      moved.map((one: { start: string }) => one.start.slice(5, 10)),
      ['06-09', '07-15', '08-19', '09-16'],
    )

    await event(page, /^Town choir, Tuesday 21 July/).click()
    await button(page, 'Delete').click()
    await page.getByText('What do you want to delete?').waitFor()
    await assertPresentable(page, 'event-delete')
    await button(page, 'Delete this and following dates').click()
    await page.getByText('This date and all later ones have been removed.').waitFor()
    await event(page, /^Town choir, Tuesday 21 July/).waitFor({ state: 'detached' })
    assert.match((await stored(stage, id)).rrule, /UNTIL=20260714/)
    await button(page, 'Undo').last().click()
    await page.getByText('The dates have been restored.').waitFor()
    await event(page, /^Town choir, Tuesday 21 July/).waitFor()
    assert.deepEqual(await rule(), { ...WHOLE, rrule: choir.rrule })

    await page.goto(`${address}/event/edit?id=${id}&at=20260714T193000&scope=following`)
    await button(page, 'Delete this and following dates').click()
    await saved(page, 'This date and all later ones have been removed.')
    assert.equal((await world.writer.get(`/events/${id}`)).status, 404)
    await button(page, 'Undo').last().click()
    await page.getByText('The event has been restored.').waitFor()
    assert.deepEqual(await rule(), { ...WHOLE, rrule: choir.rrule })
  }),
)
