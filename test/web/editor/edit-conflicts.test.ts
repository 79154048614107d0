// Concurrent edits in the browser: what another user has changed meanwhile is shown, and never overwritten unseen.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { assertLegibleByNight, assertPresentable, browserTest, withBrowser } from '../../support/browser/browser.ts'
import type { Json } from '../../support/http/api-response.ts'
import type { World } from '../../support/world.ts'
import { button, choir, saved, stored, WRITER } from './choir.ts'

browserTest(
  'of concurrent edits both versions are shown, chosen field by field; a deleted event can be created again',
  () =>
    withBrowser(async (stage) => {
      const { world, address, signedIn } = stage
      const { id } = await world.writer.creates({ ...choir, rrule: null })
      const one = await signedIn(WRITER, { expected: /412|404/ })
      const two = await signedIn('admin@example.org')
      for (const page of [one, two]) await page.goto(`${address}/event/edit?id=${id}`)
      await two.getByLabel('Place').fill('Church')
      await two.getByLabel('Title').fill('Church choir')
      await button(two, 'Save').click()
      await saved(two)

      await one.getByLabel('Title').fill('City choir')
      await one.getByLabel('Description').fill('Bring\nyour own cup')
      await button(one, 'Save').click()
      await one.getByRole('heading', { name: 'Someone else changed this event' }).waitFor()
      const title = one.getByRole('group', { name: /^Title/ })
      assert.ok(await title.getByRole('radio', { name: /Yours City choir/ }).isChecked())
      assert.ok(
        await one
          .getByRole('group', { name: /^Place/ })
          .getByRole('radio', { name: /Theirs Church/ })
          .isChecked(),
      )
      await assertPresentable(one, 'editor-conflict')
      await assertLegibleByNight(one, 'editor-conflict')
      await one.getByRole('link', { name: 'My account' }).click()
      await button(one, 'Stay here').click()
      await button(one, 'Back to the form').click()
      assert.equal(await one.getByLabel('Description').inputValue(), 'Bring\nyour own cup')
      await button(one, 'Save').click()
      await title.getByRole('radio', { name: /Theirs Church choir/ }).check()
      await button(one, 'Save my choice').click()
      await saved(one)
      const both = await stored(stage, id)
      assert.deepEqual([both.title, both.location, both.description], ['Church choir', 'Church', 'Bring\nyour own cup'])

      await one.goto(`${address}/event/edit?id=${id}`)
      await one.getByLabel('Title').fill('Last choir')
      await world.writer.delete(`/events/${id}`)
      await button(one, 'Save').click()
      await one.getByRole('heading', { name: 'This event was deleted' }).waitFor()
      await assertPresentable(one, 'editor-gone')
      await button(one, 'Create it again').click()
      await saved(one)
      const anew = (await world.writer.get('/events?q=last')).body.data[0]
      assert.deepEqual([anew.title, anew.description], ['Last choir', 'Bring\nyour own cup'])
    }),
)

browserTest(
  'a date taken out meanwhile comes back with what was written, and edits of single dates do not conflict',
  () =>
    withBrowser(async (stage) => {
      const { world, address, signedIn } = stage
      const { id } = await world.writer.creates(choir)
      const page = await signedIn(WRITER, { expected: /412|404/ })
      await page.goto(`${address}/event/edit?id=${id}&at=20260721T193000&scope=date`)
      await page.getByLabel('Title').fill('Open evening')
      await world.admin.delete(`/events/${id}/occurrences/20260721T193000`)
      await button(page, 'Save').click()
      await page.getByRole('heading', { name: 'This date was removed' }).waitFor()
      await button(page, 'Restore the date with my changes').click()
      await saved(page)
      const one = (await world.writer.get(`/events/${id}/occurrences/20260721T193000`)).body.data
      assert.equal(one.title, 'Open evening')

      await page.goto(`${address}/event/edit?id=${id}`)
      await page.getByLabel('Title').fill('City choir')
      await world.admin.delete(`/events/${id}/occurrences/20260728T193000`)
      await button(page, 'Save').click()
      await saved(page)
      const whole = await stored(stage, id)
      assert.deepEqual([whole.title, whole.exdates], ['City choir', ['20260728T193000']])
    }),
)

/** Another user restores a deleted date, if it is deleted, and edits it. */
async function editsDate({ admin }: World, id: string, key: string, changes: object): Promise<void> {
  const exception = `/events/${id}/exceptions/${key}`
  await admin.delete(exception)
  const path = `/events/${id}/occurrences/${key}`
  const { etag } = (await admin.get(path)).body.data
  assert.equal((await admin.patch(path, changes, { 'if-match': etag })).status, 200)
}

browserTest('a removed date that another user has restored and edited keeps that edit', () =>
  withBrowser(async (stage) => {
    const { world, address, signedIn } = stage
    const { id } = await world.writer.creates(choir)
    const page = await signedIn(WRITER, { expected: /412|404/ })
    const dateOf = async (key: string) => (await world.writer.get(`/events/${id}/occurrences/${key}`)).body.data

    // From the notice in the form.
    await page.goto(`${address}/event/edit?id=${id}&at=20260721T193000&scope=date`)
    await page.getByLabel('Title').fill('Open evening')
    await world.admin.delete(`/events/${id}/occurrences/20260721T193000`)
    await button(page, 'Save').click()
    await page.getByRole('heading', { name: 'This date was removed' }).waitFor()
    await editsDate(world, id, '20260721T193000', { location: 'Church' })
    await button(page, 'Restore the date with my changes').click()
    await page.getByRole('heading', { name: 'Someone else changed this event' }).waitFor()
    assert.equal((await dateOf('20260721T193000')).location, 'Church')
    await button(page, 'Save my choice').click()
    await saved(page)
    const both = await dateOf('20260721T193000')
    assert.deepEqual([both.title, both.location], ['Open evening', 'Church'])

    // By Undo after a deletion in the form, and in the details.
    await page.goto(`${address}/event/edit?id=${id}&at=20260728T193000&scope=date`)
    await button(page, 'Delete this date').click()
    await saved(page, 'The date has been removed from the series.')
    await editsDate(world, id, '20260728T193000', { location: 'Church' })
    await button(page, 'Undo').click()
    await page.getByText('Someone else has changed this in the meantime.').waitFor()
    assert.equal((await dateOf('20260728T193000')).location, 'Church')

    await page.goto(`${address}/?view=month&date=2026-08-04&event=${id}&at=20260804T193000`)
    const details = page.getByRole('dialog', { name: 'Town choir' })
    await details.getByRole('button', { name: 'Delete', exact: true }).click()
    await details.getByRole('button', { name: 'Delete this date', exact: true }).waitFor()
    await editsDate(world, id, '20260804T193000', { location: 'Church' })
    await details.getByRole('button', { name: 'Delete this date', exact: true }).click()
    await details.getByText('Someone else has changed this in the meantime.').waitFor()
    // The details show the newer version, which the second press deletes.
    await details.getByText('Church').waitFor()
    assert.equal((await dateOf('20260804T193000')).location, 'Church')
    await details.getByRole('button', { name: 'Delete this date', exact: true }).click()
    await page.getByText('The date has been removed from the series.').waitFor()
    await editsDate(world, id, '20260804T193000', { location: 'Garden' })
    await button(page, 'Undo').click()
    await page.getByText('Someone else has changed this in the meantime.').waitFor()
    assert.equal((await dateOf('20260804T193000')).location, 'Garden')
  }),
)

/** Saves a new event, which the server makes; its response is lost on the way. */
async function saveWithoutResponse(page: Page): Promise<void> {
  await page.route('**/events', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await button(page, 'Save').click()
  await page.getByRole('alert').getByText('The server cannot be reached right now.').waitFor()
  await page.unroute('**/events')
}

browserTest('a new event whose response was lost, and which another user has changed, is not overwritten', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    const page = await signedIn(WRITER, { expected: /ERR_FAILED|412/ })
    await page.goto(`${address}/event/new?start=2026-07-14T18:30:00Z&end=2026-07-14T20:00:00Z`)
    await page.getByLabel('Title').fill('Fair')
    await saveWithoutResponse(page)
    const [{ id, version }] = (await world.admin.get('/events?q=fair')).body.data
    assert.equal((await world.admin.patch(`/events/${id}`, { location: 'Church', version })).status, 200)
    await page.getByLabel('Title').fill('Spring fair')
    await button(page, 'Save').click()
    await page.getByRole('heading', { name: 'Someone else changed this event' }).waitFor()
    assert.equal((await world.admin.get(`/events/${id}`)).body.data.location, 'Church')
    // Also on the way by the form, with the version that the user has not seen in it.
    await button(page, 'Back to the form').click()
    await button(page, 'Save').click()
    await page.getByRole('heading', { name: 'Someone else changed this event' }).waitFor()
    assert.equal((await world.admin.get(`/events/${id}`)).body.data.location, 'Church')
    const place = page.getByRole('group', { name: /^Place/ })
    assert.ok(await place.getByRole('radio', { name: /Theirs Church/ }).isChecked())
    await button(page, 'Save my choice').click()
    await saved(page)
    const all = (await world.admin.get('/events')).body.data as Json[]
    assert.deepEqual(
      all.map(({ title, location }) => [title, location]),
      [['Spring fair', 'Church']],
    )
  }),
)

browserTest('a retry after a lost response makes no second event, whatever the server answers in between', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    const page = await signedIn(WRITER, { expected: /ERR_FAILED|503|409/ })
    await page.goto(`${address}/event/new?start=2026-07-14T18:30:00Z&end=2026-07-14T20:00:00Z`)
    await page.getByLabel('Title').fill('Fair')
    await saveWithoutResponse(page)
    const refusal = { error: { code: 'service_unavailable', message: '' } }
    await page.route('**/events', (route) => route.fulfill({ status: 503, json: refusal }))
    await page.getByLabel('Title').fill('Spring fair')
    await button(page, 'Save').click()
    await page.getByRole('alert').getByText('The server is busy.').waitFor()
    await page.unroute('**/events')
    await button(page, 'Save').click()
    await saved(page)
    const titles = async () => ((await world.admin.get('/events')).body.data as Json[]).map(({ title }) => title)
    assert.deepEqual(await titles(), ['Spring fair'])

    // An event that another user has deleted before the retry is created again only if the user says so.
    await page.goto(`${address}/event/new?start=2026-07-15T18:30:00Z&end=2026-07-15T20:00:00Z`)
    await page.getByLabel('Title').fill('Walk')
    await saveWithoutResponse(page)
    const [{ id }] = (await world.admin.get('/events?q=walk')).body.data
    assert.equal((await world.admin.delete(`/events/${id}`)).status, 204)
    await page.getByLabel('Title').fill('Long walk')
    await button(page, 'Save').click()
    await page.getByRole('heading', { name: 'This event was deleted' }).waitFor()
    assert.deepEqual(await titles(), ['Spring fair'])
    await button(page, 'Create it again').click()
    await saved(page)
    assert.deepEqual(await titles(), ['Spring fair', 'Long walk'])
  }),
)

browserTest('a date that another user deletes while its deletion is asked closes the details and says so', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    const { id } = await world.writer.creates(choir)
    const page = await signedIn(WRITER, { expected: /412|404/ })
    await page.goto(`${address}/?view=month&date=2026-07-21&event=${id}&at=20260721T193000`)
    const details = page.getByRole('dialog', { name: 'Town choir' })
    await details.getByRole('button', { name: 'Delete', exact: true }).click()
    await details.getByRole('button', { name: 'Delete this date', exact: true }).waitFor()
    await world.admin.delete(`/events/${id}/occurrences/20260721T193000`)
    await details.getByRole('button', { name: 'Delete this date', exact: true }).click()
    await page.getByText('This date is not part of the series.').waitFor()
    await details.waitFor({ state: 'detached' })
  }),
)

browserTest('a change of time that can drop a date which another user has changed is shown before it is saved', () =>
  withBrowser(async (stage) => {
    const { world, address, signedIn } = stage
    const { id } = await world.writer.creates(choir)
    const page = await signedIn(WRITER, { expected: /412/ })
    await page.goto(`${address}/event/edit?id=${id}`)
    await page.getByLabel('Repeats').selectOption('Every month')
    await editsDate(world, id, '20260728T193000', { location: 'Church' })
    await button(page, 'Save').click()
    await page.getByRole('heading', { name: 'Someone else changed this event' }).waitFor()
    await page.getByText('Single dates were changed as well: Tue 28 July 2026, 19:30.').waitFor()
    await assertPresentable(page, 'editor-conflict-dates')
    assert.equal((await stored(stage, id)).exceptions.length, 1)
    await button(page, 'Save my choice').click()
    await page.getByText(/^Saved/).waitFor()
    assert.equal((await stored(stage, id)).rrule, 'FREQ=MONTHLY;BYMONTHDAY=14')
  }),
)
