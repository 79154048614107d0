// The pages as they are served: whole, alone, and safe to keep.
import { test } from 'node:test'
import { assertAccessible, photograph, withStage } from '../support/browser.ts'

test('the calendar opens at the bare address', () =>
  withStage(async ({ address, visitor }) => {
    const page = await visitor()
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await assertAccessible(page)
    await photograph(page, 'calendar')
  }))
