// What the tests of the editor share: a weekly series, its writer, and the steps that recur.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { BrowserWorld } from '../../support/browser/browser.ts'
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
