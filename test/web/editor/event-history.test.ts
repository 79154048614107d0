// The history of an event and the rewind of the calendar in a browser: sentences, comparison, restoring, preview.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { assertLegibleByNight, assertPresentable, browserTest, withBrowser } from '../../support/browser/browser.ts'
import type { World } from '../../support/world.ts'

const WRITER = 'writer@example.org'

async function check(page: Page, name: string): Promise<void> {
  await assertPresentable(page, name)
  await assertLegibleByNight(page, name)
}

/** A series that was moved, renamed, made private, and has a deleted and an edited date. */
async function changeOften({ writer, admin, clock }: World): Promise<string> {
  const choir = { title: 'Choir', start: '2026-07-14T10:00', end: '2026-07-14T11:00', visibility: 'public' }
  const { id } = await writer.creates({ ...choir, description: 'Bring the red book.', rrule: 'FREQ=WEEKLY' })
  const later = (): number => (clock.at += 60_000)
  later()
  await writer.patch(`/events/${id}`, { start: '2026-07-16T10:00', end: '2026-07-16T11:00', version: 1 })
  later()
  await admin.patch(`/events/${id}`, { title: 'Concert', location: 'Hall', description: null, version: 2 })
  later()
  await writer.delete(`/events/${id}/occurrences/20260723T100000`)
  later()
  const edit = { title: 'Rehearsal', start: '2026-07-31T10:00', end: '2026-07-31T11:00', version: 4 }
  await writer.patch(`/events/${id}/occurrences/20260730T100000`, edit)
  later()
  await admin.patch(`/events/${id}`, { visibility: 'private', version: 5 })
  later()
  return id
}

browserTest('writers read what each change did, compare a version with now, and restore it', () =>
  withBrowser(async ({ world, address, signedIn, visitor }) => {
    const id = await changeOften(world)
    const page = await signedIn(WRITER, { expected: /412|404/ })
    await page.goto(`${address}/?date=2026-07-16&event=${id}`)
    await page.getByRole('dialog').getByRole('link', { name: 'History' }).click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await page.getByText('current version').waitFor()
    const sentences = await page.locator('.changes li').allTextContents()
    assert.deepEqual(sentences, [
      'Made private',
      'Date of Thu 30 July 2026, 10:00 changed: moved to Fri 31 July 2026, 10:00; Title is now “Rehearsal”',
      'Date of Thu 23 July 2026, 10:00 deleted',
      'Title changed from “Choir” to “Concert”',
      'Location added: “Hall”',
      'Description removed: “Bring the red book.”',
      'Moved from Tue 14 July 2026, 10:00 to Thu 16 July 2026, 10:00',
    ])
    assert.equal(await page.getByText('by admin with the account password').count(), 2)
    await check(page, 'history')

    await page.getByRole('button', { name: 'Compare version 1 with the current one' }).click()
    await page.getByRole('columnheader', { name: 'In this version' }).waitFor()
    const row = page.getByRole('row', { name: /^Location/ })
    assert.deepEqual(await row.getByRole('cell').allTextContents(), ['none', '“Hall”'])
    await page.getByRole('button', { name: 'Restore this version…' }).click()
    await page.getByText('It becomes public: everyone sees its text.').waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Cancel')
    await check(page, 'history-compare')
    await page.getByRole('button', { name: 'Yes, restore it' }).click()
    await page.getByText('The version has been restored.').waitFor()
    await page.getByRole('heading', { name: /^Restored/ }).waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1')
    const restored = (await world.writer.get(`/events/${id}`)).body.data
    assert.deepEqual([restored.title, restored.version, restored.exceptions], ['Choir', 7, []])

    await page.getByRole('button', { name: 'Compare version 6 with the current one' }).click()
    await page.getByRole('button', { name: 'Restore this version…' }).waitFor()
    await world.admin.patch(`/events/${id}`, { title: 'Meanwhile', version: 7 })
    await page.getByRole('button', { name: 'Restore this version…' }).click()
    await page.getByRole('button', { name: 'Yes, restore it' }).click()
    await page.getByText('The event was changed meanwhile. Look at its newest version first.').waitFor()

    const stranger = await visitor()
    await stranger.goto(`${address}/event/history?id=${id}`)
    await stranger.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor()
    const reader = await signedIn('reader@example.org')
    await reader.goto(`${address}/event/history?id=${id}`)
    await reader.getByText('You need permission to add and edit events').waitFor()
    await world.admin.delete(`/events/${id}`)
    await page.reload()
    await page.getByText('This event was deleted. It can be restored from the trash.').waitFor()
  }),
)

browserTest('administrators preview a rewind, run it after a question, and undo it', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    await changeOften(world)
    const { writer, admin, clock } = world
    const times = { start: '2026-07-20T10:00', end: '2026-07-20T11:00' }
    const { id } = await writer.creates({ title: 'Market', ...times })
    clock.at += 60_000
    const page = await signedIn('admin@example.org')
    await page.goto(`${address}/admin`)
    await page.getByRole('link', { name: 'Rewind' }).click()
    await page.getByRole('button', { name: 'Preview the rewind' }).click()
    await page.getByText('Please fill this in.').waitFor()
    await page.getByLabel('As it was on').fill('2026-07-10T13:00')
    await page.getByLabel('Only changes made by').fill('writer@example.org')
    await page.getByRole('button', { name: 'Preview the rewind' }).click()
    await page.getByText('left as it is: another account changed it later').waitFor()
    await page.getByText('1 to the trash, 0 changed back, 0 restored, 1 would be left as they are.').waitFor()
    await check(page, 'rewind-preview')
    await page.getByLabel('Only changes made by').fill('')
    await page.getByRole('button', { name: 'Preview the rewind' }).click()
    await page
      .getByText('1 to the trash, 1 changed back, 0 restored. One private event would be public again.')
      .waitFor()
    await page.getByText('1 to the trash, 1 changed back').waitFor()
    assert.equal((await admin.get(`/events/${id}`)).status, 200, 'nothing has changed')
    await page.getByRole('button', { name: 'Rewind 2 events…' }).click()
    await page.getByText('2 events become what they were, for everyone.').waitFor()
    await check(page, 'rewind-question')
    await page.getByRole('button', { name: 'Yes, rewind 2 events' }).click()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await check(page, 'rewind-done')
    assert.equal((await admin.get(`/events/${id}`)).status, 404)
    clock.at += 60_000
    await page.getByRole('button', { name: 'Preview undoing this rewind' }).click()
    await page.getByText('0 to the trash, 1 changed back, 1 restored.').waitFor()
    await page.getByRole('button', { name: 'Rewind 2 events…' }).click()
    await page.getByRole('button', { name: 'Yes, rewind 2 events' }).click()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    assert.equal((await admin.get(`/events/${id}`)).status, 200)
  }),
)
