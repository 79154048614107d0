// Editing events in the browser: new ones, whole series and single dates.
import assert from 'node:assert/strict'
import { assertLegibleByNight, assertPresentable, browserTest, withBrowser } from '../../support/browser/browser.ts'
import type { Json } from '../../support/http/api-response.ts'
import { PASSWORD } from '../../support/world.ts'
import { tabTo } from '../tab-to.ts'
import { button, choir, saved, stored, WRITER } from './choir.ts'

browserTest('a series is created with its first dates shown, and is masked for visitors', () =>
  withBrowser(async (stage) => {
    const { world, address, signedIn } = stage
    await world.writer.creates({
      title: 'Before',
      start: '2026-07-01T10:00',
      end: '2026-07-01T11:00',
      category: 'Music',
    })
    const page = await signedIn(WRITER, { expected: /422/ })
    await page.goto(`${address}/event/new?start=2026-07-14T18:30:00Z&end=2026-07-14T20:00:00Z`)
    assert.equal(await page.getByLabel('Start time').inputValue(), '19:30')
    assert.equal(await page.getByLabel('End time').inputValue(), '21:00')
    assert.ok(await page.getByRole('radio', { name: /^Private/ }).isChecked())

    await button(page, 'Save').click()
    await page.getByRole('alert').getByText('Please check the marked fields.').waitFor()
    assert.ok(await page.getByLabel('Title').evaluate((field) => field === document.activeElement))
    await page.getByLabel('Title').fill('Town choir')
    await page.getByLabel('Start time').fill('20:00')
    assert.equal(await page.getByLabel('End time').inputValue(), '21:30')
    await page.getByLabel('Repeats').selectOption('Every week')
    await page.getByLabel('Repeat every … weeks').fill('2')
    await page.getByLabel('Ends').selectOption('On a date')
    await button(page, 'Save').click()
    await page.getByText('Choose the last day.').waitFor()
    assert.ok(await page.getByLabel('Last day').evaluate((field) => field === document.activeElement))
    await page.getByLabel('Last day').fill('2027-06-30')
    await page.getByText('Repeats every second Tuesday until 30 June 2027.').waitFor()
    const dates = page.locator('.to-come li')
    assert.deepEqual((await dates.allTextContents()).slice(0, 2), [
      'Tue 14 July 2026, 20:00',
      'Tue 28 July 2026, 20:00',
    ])
    await page.getByLabel('Start date').fill('')
    await page.getByLabel('Start date').fill('2026-07-15')
    await page.getByText('Repeats every second Wednesday until 30 June 2027.').waitFor()
    assert.equal(await page.getByLabel('End date').inputValue(), '2026-07-15')
    await page.getByLabel('Place').fill('Main hall')
    await page.getByLabel('Web address').fill('javascript:alert(1)')
    await button(page, 'Save').click()
    await page.getByText('Web addresses begin with http:// or https://.').waitFor()
    assert.ok(await page.getByLabel('Web address').evaluate((field) => field === document.activeElement))
    await assertPresentable(page, 'editor-problem')
    await assertLegibleByNight(page, 'editor-problem')
    await page.getByLabel('Web address').fill('https://example.org/choir')
    // A double click creates one event.
    await button(page, 'Save').evaluate((save: HTMLButtonElement) => {
      save.click()
      save.click()
    })
    await saved(page)

    const all = (await world.writer.get('/events')).body.data as Json[]
    const made = all.filter(({ title }) => title === 'Town choir')
    assert.equal(made.length, 1)
    assert.equal(made[0].rrule, 'FREQ=WEEKLY;INTERVAL=2;UNTIL=20270630T225959Z;BYDAY=WE')
    assert.equal(made[0].start, '2026-07-15T20:00:00+01:00')
    const seen = (await world.anonymous.get(`/events/${made[0].id}`)).body.data
    assert.equal(seen.title, 'Private Event')
    assert.equal(JSON.stringify(seen).includes('Main hall'), false)
  }),
)

browserTest('one date is edited, deleted and restored; the series stays whole', () =>
  withBrowser(async (stage) => {
    const { world, address, signedIn } = stage
    const { id } = await world.writer.creates(choir)
    const page = await signedIn(WRITER)
    await page.goto(`${address}/event/edit?id=${id}&at=20260721T193000`)
    await page.getByRole('heading', { name: 'This event repeats' }).waitFor()
    await page.getByText('All dates: every Tuesday.').waitFor()
    await assertPresentable(page, 'editor-which')
    await page.getByRole('button', { name: /^This date only/ }).click()
    await page.getByLabel('Place').fill('Small hall')
    await page.getByLabel('Start time').fill('20:00')
    await assertPresentable(page, 'editor-date')
    await button(page, 'Save').click()
    await saved(page)
    const one = (await world.writer.get(`/events/${id}/occurrences/20260721T193000`)).body.data
    assert.deepEqual(
      [one.location, one.start, one.end],
      ['Small hall', '2026-07-21T20:00:00+01:00', '2026-07-21T21:30:00+01:00'],
    )

    await page.goto(`${address}/event/edit?id=${id}&at=20260728T193000&scope=date`)
    await button(page, 'Delete this date').click()
    await saved(page, 'The date has been removed from the series.')
    await button(page, 'Undo').click()
    await page.getByText('The date has been restored.').waitFor()
    await page.getByRole('button', { name: /^Town choir, Tuesday 28 July/ }).waitFor()
    await page.goto(`${address}/event/edit?id=${id}&at=20260721T193000&scope=date`)
    await button(page, 'Delete this date').click()
    await button(page, 'Undo').click()
    await page.getByText('The date has been restored.').waitFor()
    const again = (await world.writer.get(`/events/${id}/occurrences/20260721T193000`)).body.data
    assert.deepEqual([again.location, again.start], ['Small hall', one.start], 'with what it had of its own')
    await page.goto(`${address}/event/edit?id=${id}&at=20260804T193000&scope=date`)
    await button(page, 'Delete this date').click()
    await saved(page, 'The date has been removed from the series.')
    assert.deepEqual((await stored(stage, id)).exdates, ['20260804T193000'])

    await page.goto(`${address}/event/edit?id=${id}`)
    await page.getByRole('heading', { name: 'Removed dates' }).waitFor()
    assert.equal((await page.locator('.to-come li').allTextContents()).join().includes('4 August'), false)
    await assertPresentable(page, 'editor-exceptions')
    await assertLegibleByNight(page, 'editor-exceptions')
    // Typed text stays while a date is restored, and can be saved after it.
    await page.getByLabel('Title').fill('City choir')
    await button(page, 'Restore Tue 4 August 2026, 19:30').click()
    await page.getByText('The date has been restored.').waitFor()
    assert.match((await page.evaluate(() => document.activeElement!.textContent))!, /^Changed dates/)
    await button(page, 'Undo the change to Tue 21 July 2026, 19:30').click()
    await page.getByText('The date follows the series again.').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Removed dates' }).count(), 0)
    await button(page, 'Save').click()
    await saved(page)
    const whole = await stored(stage, id)
    assert.deepEqual([whole.title, whole.rrule, whole.exceptions], ['City choir', 'FREQ=WEEKLY;BYDAY=TU', []])

    // The listed dates are those that saving creates: excluded and extra ones move with the start, and into a copy.
    const { version } = whole
    await world.writer.patch(`/events/${id}`, { exdates: ['20260721T193000'], rdates: ['20260724T193000'], version })
    await page.goto(`${address}/event/edit?id=${id}`)
    await page.getByLabel('Start time').fill('20:00')
    const ahead = ['Tue 14 July 2026, 20:00', 'Fri 24 July 2026, 20:00', 'Tue 28 July 2026, 20:00']
    assert.deepEqual((await page.locator('.to-come li').allTextContents()).slice(0, 3), ahead)
    await button(page, 'Save').click()
    await saved(page)
    const dates = (await world.writer.get('/events?from=2026-07-14&to=2026-07-31')).body.data as Json[]
    assert.deepEqual(
      dates.map(({ start }) => start.slice(0, 16)),
      ['2026-07-14T20:00', '2026-07-24T20:00', '2026-07-28T20:00'],
    )
    await page.goto(`${address}/event/new?copy=${id}`)
    await page.locator('.to-come').waitFor()
    assert.deepEqual((await page.locator('.to-come li').allTextContents()).slice(0, 3), ahead)
  }),
)

browserTest(
  'a rule the form cannot show is kept, a copy is a new event, and browsers without Temporal do as well',
  () =>
    withBrowser(async (stage) => {
      const { world, address, signedIn } = stage
      const rrule = 'FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR'
      const { id } = await world.writer.creates({
        ...choir,
        rrule,
        description: 'Two\nlines',
        exdates: ['20261113T193000'],
      })
      const page = await signedIn(WRITER)
      await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Temporal'))
      await page.goto(`${address}/event/edit?id=${id}`)
      assert.equal(
        await page.getByLabel('Rule', { exact: true }).inputValue(),
        rrule.replace(/(BYM.*);(BYD.*)/, '$1;$2'),
      )
      await page.getByText('Follows a custom rule.').waitFor()
      await page.getByLabel('Place').fill('Cellar')
      await button(page, 'Save').click()
      await saved(page)
      const kept = await stored(stage, id)
      assert.deepEqual([kept.rrule, kept.location, kept.description], [rrule, 'Cellar', 'Two\nlines'])

      await page.goto(`${address}/event/edit?id=${id}`)
      await page.getByRole('link', { name: 'Duplicate' }).click()
      await page.getByText('This is a copy of “Town choir”. Nothing is saved yet.').waitFor()
      await page.getByLabel('Title').fill('Second choir')
      await page.getByLabel('All day').check()
      await page.getByLabel('End date').fill('2026-07-16')
      await page.getByLabel('Repeats').selectOption('Every month')
      await page.getByLabel('On which day').selectOption('On the second Tuesday')
      await page.getByText('Extra dates').click()
      await page.getByLabel('Date to add').fill('2026-07-24')
      await button(page, 'Add a date').click()
      await page.getByText('Fri 24 July 2026', { exact: true }).first().waitFor()
      await page.getByRole('radio', { name: /^Private/ }).check()
      await button(page, 'Save').click()
      await page.getByText(/^Saved/).waitFor()
      const copy = (await world.writer.get('/events?q=second')).body.data[0]
      assert.deepEqual(
        [copy.start_date, copy.end_date, copy.rrule],
        ['2026-07-14', '2026-07-17', 'FREQ=MONTHLY;BYDAY=2TU'],
      )
      assert.deepEqual([copy.rdates, copy.visibility], [['20260724'], 'private'])
    }),
)

browserTest('unsaved work prompts, is there again after a reload, and survives a broken connection', () =>
  withBrowser(async (stage) => {
    const { world, address, signedIn } = stage
    const page = await signedIn(WRITER, { expected: /ERR_FAILED|status of (401|403)/ })
    page.on('dialog', (dialog) => dialog.accept())
    await page.goto(`${address}/event/new`)
    assert.equal(await page.getByLabel('Start time').inputValue(), '14:00')
    await page.getByLabel('Title').fill('Unfinished')
    await button(page, 'Cancel').click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await assertPresentable(page, 'editor-leave')
    await button(page, 'Stay here').click()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Unfinished')
    await page.reload()
    await page.getByText('You have an unsaved draft.').waitFor()
    await assertPresentable(page, 'editor-draft')
    assert.equal(await page.getByLabel('Title').inputValue(), '')
    await button(page, 'Continue with the draft').click()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Unfinished')
    assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes('Unfinished')), false)

    // The response is lost on its way: everything stays, and saving again creates no second event.
    await page.route('**/events', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await button(page, 'Save').click()
    await page.getByRole('alert').getByText('The server cannot be reached right now.').waitFor()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Unfinished')
    // Nor do later changes, or the same button again.
    await page.getByLabel('Place').fill('Attic')
    const lost = page.waitForEvent('requestfailed')
    await button(page, 'Save').click()
    await lost
    await page.getByRole('alert').getByText('The server cannot be reached right now.').waitFor()
    await page.unroute('**/events')
    await page.getByLabel('Title').fill('Finished')
    await button(page, 'Save').click()
    await saved(page)
    const made = (await world.writer.get('/events')).body.data as Json[]
    assert.deepEqual(
      made.map(({ title, location }) => [title, location]),
      [['Finished', 'Attic']],
    )

    // The session has ended meanwhile: signing in over the form continues the pressed action.
    await page.goto(`${address}/event/edit?id=${made[0].id}`)
    await page.getByLabel('Description').fill('Long and dear')
    await world.admin.delete(`/admin/users/${made[0].created_by}/sessions`)
    await button(page, 'Save').click()
    const again = page.getByRole('dialog', { name: 'Please sign in again' })
    await again.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await saved(page)
    assert.equal((await world.admin.get(`/events/${made[0].id}`)).body.data.description, 'Long and dear')

    // Another event, or another date of it, counts as leaving.
    await page.goto(`${address}/event/edit?id=${made[0].id}`)
    await page.getByLabel('Title').fill('Half')
    await page.getByRole('link', { name: 'Duplicate' }).click()
    await button(page, 'Stay here').click()
    await page.evaluate((id) => {
      const link = document.querySelector('main')!.appendChild(document.createElement('a'))
      link.href = `?id=${id}&at=20260714T193000`
      link.click()
    }, made[0].id)
    await button(page, 'Stay here').click()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Half')
    assert.equal(new URL(page.url()).search, `?id=${made[0].id}`)
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'main')
    assert.equal(await page.getByLabel('Title').inputValue(), 'Half')

    await page.goto(`${address}/event/new`)
    await page.getByLabel('Title').waitFor()
    assert.equal(await page.getByText('You have an unsaved draft').count(), 0)

    await page.getByLabel('Title').fill('To be thrown away')
    await page.getByRole('link', { name: 'My account' }).click()
    await button(page, 'Leave without saving').click()
    await page.waitForURL('**/account')
    assert.equal(await page.evaluate(() => JSON.stringify(sessionStorage).includes('thrown away')), false)
  }),
)

browserTest('an event is created, changed and deleted by keyboard alone', () =>
  withBrowser(async (stage) => {
    const { world, address, signedIn } = stage
    const page = await signedIn(WRITER)
    await page.goto(`${address}/account`)
    await page.getByRole('link', { name: 'New event' }).waitFor()
    await tabTo(page, 'New event')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New event' }).waitFor()
    await tabTo(page, 'Title')
    await page.keyboard.type('By hand')
    await tabTo(page, 'Repeats')
    await page.keyboard.type('Every week')
    await tabTo(page, 'Monday')
    await page.keyboard.press('Space')
    await page.getByText('Repeats every Monday and Friday.').waitFor()
    await tabTo(page, 'Private')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await saved(page)
    const made = (await world.writer.get('/events?q=hand')).body.data[0]
    assert.deepEqual([made.rrule, made.visibility], ['FREQ=WEEKLY;BYDAY=MO,FR', 'public'])

    await page.goto(`${address}/event/edit?id=${made.id}`)
    await page.getByLabel('Title').waitFor()
    await tabTo(page, 'Place')
    await page.keyboard.type('Hall')
    await tabTo(page, 'Save')
    await page.keyboard.press('Space')
    await saved(page)
    assert.equal((await stored(stage, made.id)).location, 'Hall')

    await page.goto(`${address}/event/edit?id=${made.id}`)
    await page.getByLabel('Title').waitFor()
    await tabTo(page, 'Delete the whole series')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await assertPresentable(page, 'editor-delete')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'Yes, delete it')
    await page.keyboard.press('Enter')
    await saved(page, 'Deleted.')
    assert.equal((await world.writer.get(`/events/${made.id}`)).status, 404)
    await tabTo(page, 'Undo')
    await page.keyboard.press('Enter')
    await page.getByText('The event has been restored.').waitFor()
    assert.equal((await stored(stage, made.id)).location, 'Hall')
  }),
)

browserTest('a reader who opens the editor reads that only writers may change events', () =>
  withBrowser(async ({ address, visitor, signedIn }) => {
    const nobody = await visitor()
    await nobody.goto(`${address}/event/new`)
    await nobody.getByText('Sign in to add and edit events.').waitFor()
    await assertPresentable(nobody, 'editor-nobody')
    const reader = await signedIn('reader@example.org')
    await reader.goto(`${address}/event/new`)
    await reader.getByText('You need permission to add and edit events in this calendar.').waitFor()
    const writer = await signedIn(WRITER, { expected: /404/ })
    await writer.goto(`${address}/event/edit?id=00000000000000000000000000`)
    await writer.getByText('This event does not exist, or has been deleted.').waitFor()
    await assertPresentable(writer, 'editor-missing')
  }),
)
