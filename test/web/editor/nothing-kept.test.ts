// With history_days and trash_days at 0, the pages offer neither Undo nor the history where they cannot work.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { browserTest, withBrowser } from '../../support/browser/browser.ts'
import { button, choir, dragTo, event, openMonth, saved, stored, WRITER } from './choir.ts'

/** Whether the toast with this text has the button. */
async function offersUndo(page: Page, text: string): Promise<boolean> {
  const shown = page.locator('.toast').filter({ hasText: text })
  await shown.waitFor()
  return (await shown.getByRole('button', { name: 'Undo' }).count()) > 0
}

async function deleteFrom(page: Page, name: RegExp, ...buttons: string[]): Promise<void> {
  await event(page, name).click()
  for (const one of ['Delete', ...buttons]) await button(page, one).click()
}

browserTest('without a history, "this and following" and the history of an event are not offered to be undone', () =>
  withBrowser(
    async (stage) => {
      const { world, address, signedIn } = stage
      const { id } = await world.writer.creates(choir)
      const page = await signedIn(WRITER)
      await openMonth(page, address)
      await deleteFrom(page, /^Town choir, Tuesday 28 July/, 'Delete this date')
      assert.ok(await offersUndo(page, 'The date has been removed from the series.'), 'a change of the series')
      const kept = await stored(stage, id)

      await dragTo(page, /^Town choir, Tuesday 21 July/, '2026-07-22')
      await page.getByRole('dialog', { name: 'Move this event' }).waitFor()
      await button(page, 'This and following dates').click()
      await event(page, /^Town choir, Wednesday 22 July/).waitFor()
      assert.equal(await offersUndo(page, 'Moved.'), false)
      const { version } = await stored(stage, id)
      assert.equal(version, kept.version + 1)
      await page.keyboard.press('Control+z')
      await event(page, /^Town choir, Wednesday 22 July/).click()
      assert.equal((await stored(stage, id)).version, version, 'an earlier change is not undone in its place')
      assert.equal(await page.getByRole('link', { name: 'History' }).count(), 0)
      await button(page, 'Delete').click()
      await button(page, 'Delete this and following dates').click()
      assert.equal(await offersUndo(page, 'This date and all later ones have been removed.'), false)

      await page.goto(`${address}/event/edit?id=${id}`)
      await button(page, 'Delete the whole series').waitFor()
      assert.equal(await page.getByRole('link', { name: 'History' }).count(), 0)
      await button(page, 'Delete the whole series').click()
      await button(page, 'Yes, delete it').click()
      await saved(page, 'Deleted.')
      await button(page, 'Undo').last().click()
      await page.getByText('The event has been restored.').waitFor()

      const admin = await signedIn('admin@example.org')
      await admin.goto(`${address}/admin/people`)
      await admin.getByRole('link', { name: 'Health' }).waitFor()
      assert.equal(await admin.getByRole('link', { name: 'Rewind' }).count(), 0)
      await admin.goto(`${address}/admin/rewind`)
      await admin.getByText('Earlier versions and deleted events are not kept for long enough').waitFor()
    },
    { settings: { DAYBOOK_HISTORY_DAYS: '0' } },
  ),
)

browserTest('without a trash, a deleted event is said to be gone for good, and its Undo is not offered', () =>
  withBrowser(
    async ({ world, address, signedIn }) => {
      const [first, second] = [await world.writer.creates(choir), await world.writer.creates(choir)]
      const page = await signedIn(WRITER, { expected: /404/ })
      await openMonth(page, address)
      assert.equal(await page.getByRole('link', { name: 'Trash' }).count(), 0)
      await event(page, /^Town choir, Tuesday 21 July/)
        .first()
        .click()
      for (const name of ['Delete', 'Delete the whole series']) await button(page, name).click()
      await page.getByText('This cannot be undone.').waitFor()
      await button(page, 'Yes, delete it').click()
      assert.equal(await offersUndo(page, 'Deleted.'), false)
      const isFirstLeft = (await world.writer.get(`/events/${first.id}`)).status === 200
      const { id } = isFirstLeft ? first : second
      await page.goto(`${address}/event/edit?id=${id}`)
      await page.getByRole('link', { name: 'History' }).waitFor()
      await button(page, 'Delete the whole series').click()
      await page.getByText('This cannot be undone.').waitFor()
      await button(page, 'Yes, delete it').click()
      assert.equal(await offersUndo(page, 'Deleted.'), false)
      await page.goto(`${address}/event/history?id=${id}`)
      await page.getByText('This event was deleted.').waitFor()
      assert.equal(await page.getByRole('main').getByRole('link', { name: 'Trash' }).count(), 0)
      await page.goto(`${address}/trash`)
      await page.getByText('Deleted events are not kept in this calendar.').waitFor()
    },
    { settings: { DAYBOOK_TRASH_DAYS: '0' } },
  ),
)
