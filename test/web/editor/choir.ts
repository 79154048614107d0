// What the tests of the editor share: a weekly series, its writer, and the steps that recur.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { type BrowserWorld, gridReady } from '../../support/browser/browser.ts'
import type { Json } from '../../support/http/api-response.ts'

export const WRITER = 'writer@example.org'

export const choir = {
  title: 'Town choir',
  start: '2026-07-14T19:30',
  end: '2026-07-14T21:00',
  timezone: 'Europe/London',
  visibility: 'public',
  location: 'Main hall',
  category: 'Music',
  rrule: 'FREQ=WEEKLY;BYDAY=TU',
}

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })

/** Waits for the message, on the calendar. */
export async function saved(page: Page, text = 'Saved.'): Promise<void> {
  await page.getByText(text).waitFor()
  assert.equal(new URL(page.url()).pathname, '/')
}

export const stored = async ({ world }: BrowserWorld, id: string): Promise<Json> =>
  (await world.writer.get(`/events/${id}`)).body.data

export const openMonth = async (page: Page, address: string): Promise<void> => {
  await page.goto(`${address}/?view=month&date=2026-07-14`)
  await page.getByText('Enter to add an event').waitFor({ state: 'attached' })
  await gridReady(page)
}

export const event = (page: Page, name: RegExp) => page.getByRole('button', { name })

/** Drags what has this name onto a day. */
export async function dragTo(page: Page, name: RegExp, date: string): Promise<void> {
  const what = event(page, name)
  await what.waitFor()
  const [from, to] = [
    await what.boundingBox(),
    await page.locator(`.cal-view [data-date="${date}"]`).last().boundingBox(),
  ]
  await page.mouse.move(from!.x + from!.width / 2, from!.y + from!.height / 2)
  await page.mouse.down()
  await page.mouse.move(from!.x + from!.width / 2 + 6, from!.y + from!.height / 2 + 6)
  await page.mouse.move(to!.x + to!.width / 2, to!.y + to!.height / 2, { steps: 4 })
  await page.mouse.up()
}
