// Ctrl+Z on the calendar page: undoes the last move or deletion, once, and leaves typing and dialogs alone.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { browserTest, withBrowser } from '../../support/browser/browser.ts'

const event = (page: Page, name: RegExp) => page.getByRole('button', { name })

browserTest('Ctrl+Z undoes the last deletion or move once, but not while typing, in a dialog or signed out', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    const weekly = { start: '2026-07-14T19:30', end: '2026-07-14T21:00', rrule: 'FREQ=WEEKLY;BYDAY=TU' }
    const choir = await world.writer.creates({ title: 'Choir', ...weekly, visibility: 'public' })
    // The deletion is reported on the stream: the list that the page then reads may arrive after signing out.
    const page = await signedIn('writer@example.org', { expected: /404|401 \(Unauthorized\).*\/events\?/ })
    const undo = () => page.keyboard.press('Control+z')
    const deleteChoir = async (which: string[]) => {
      await event(page, /^Choir, Tuesday 21 July/).click()
      const dialog = page.getByRole('dialog', { name: 'Choir' })
      await dialog.getByRole('button', { name: 'Delete' }).click()
      for (const name of which) await dialog.getByRole('button', { name }).click()
      await dialog.waitFor({ state: 'detached' })
      await event(page, /^Choir, Tuesday 21 July/).waitFor({ state: 'detached' })
    }
    await page.goto(`${address}/?view=month&date=2026-07-14`)
    await deleteChoir(['Delete this date'])
    await undo()
    await event(page, /^Choir, Tuesday 21 July/).waitFor()
    assert.equal((await world.writer.get(`/events/${choir.id}`)).body.data.exceptions.length, 0)

    await deleteChoir(['Delete the whole series', 'Yes, delete it'])
    const find = page.getByRole('searchbox')
    await find.fill('tea')
    await undo()
    assert.equal((await world.writer.get(`/events/${choir.id}`)).status, 404, 'the field has the key')
    await find.fill('')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByRole('dialog').waitFor()
    await undo()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal((await world.writer.get(`/events/${choir.id}`)).status, 404, 'a dialog is open')
    await undo()
    await page.getByText('The event has been restored.').first().waitFor()
    await event(page, /^Choir, Tuesday 21 July/).waitFor()
    const { version } = (await world.writer.get(`/events/${choir.id}`)).body.data

    // Once: nothing is left to undo, and nothing is asked of the server.
    let asked = 0
    page.on('request', (sent) => {
      if (sent.method() !== 'GET') asked += 1
    })
    await undo()
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    assert.equal(asked, 0)
    assert.equal((await world.writer.get(`/events/${choir.id}`)).body.data.version, version)

    // What the button has undone, the key does not undo again; and signing out forgets what was done.
    await deleteChoir(['Delete the whole series', 'Yes, delete it'])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await event(page, /^Choir, Tuesday 21 July/).waitFor()
    asked = 0
    await undo()
    assert.equal(asked, 0)
    await deleteChoir(['Delete the whole series', 'Yes, delete it'])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await undo()
    assert.equal((await world.writer.get(`/events/${choir.id}`)).status, 404)
  }),
)
