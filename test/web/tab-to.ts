// Moves through a page by keyboard alone.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Tabs to the element with this name. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 100; presses++) {
    const focused = await page.evaluate(() => {
      const found = document.activeElement as HTMLInputElement | null
      return found?.getAttribute('aria-label') ?? found?.labels?.[0]?.textContent ?? found?.textContent ?? ''
    })
    if (focused.startsWith(name)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${name} is not reached`)
}
