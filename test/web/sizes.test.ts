// Download sizes: the bytes a browser fetches before the calendar is shown, as sent over the wire.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { browserTest, withBrowser } from '../support/browser/browser.ts'
import { withOtherSite } from '../support/browser/other-site.ts'

const KIB = 1_024

/** The page, its scripts and its styles; API responses come on top and depend on the events. */
const FIRST_LOAD_BYTES = 150 * KIB

/** All the scripts that `<daybook-upcoming>` loads into a page of another site. */
const UPCOMING_BYTES = 15 * KIB

/** Bytes by address, headers included. */
async function watchTransfers(page: Page): Promise<ReadonlyMap<string, number>> {
  const client = await page.context().newCDPSession(page)
  const addresses = new Map<string, string>()
  const bytes = new Map<string, number>()
  client.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (['Document', 'Script', 'Stylesheet'].includes(type)) addresses.set(requestId, response.url)
  })
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const address = addresses.get(requestId)
    if (address) bytes.set(new URL(address).pathname, encodedDataLength)
  })
  await client.send('Network.enable')
  return bytes
}

browserTest('the first load of the public calendar is at most 150 KiB', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await world.writer.creates({
      title: 'Fair',
      start: '2026-07-12T10:00',
      end: '2026-07-12T12:00',
      visibility: 'public',
    })
    const page = await visitor()
    const transfers = await watchTransfers(page)
    await page.goto(address)
    await page.getByRole('button', { name: /^Fair, / }).waitFor()
    const table = [...transfers].map(([path, bytes]) => `${(bytes / KIB).toFixed(1)} KiB ${path}`)
    const total = [...transfers.values()].reduce((sum, bytes) => sum + bytes, 0)
    assert.ok(
      [...transfers.keys()].some((path) => path.includes('/calendar-page-')),
      table.join('\n'),
    )
    assert.ok(![...transfers.keys()].some((path) => path.includes('interaction')), 'dragging is for writers')
    assert.ok(total <= FIRST_LOAD_BYTES, `${(total / KIB).toFixed(1)} KiB:\n${table.join('\n')}`)
  }),
)

browserTest('upcoming events on another site take at most 15 KiB of scripts, and do not load the grid', () =>
  withBrowser(async ({ address, visitor }) => {
    const markup = `<script type="module" src="${address}/embed.js"></script><daybook-upcoming></daybook-upcoming>`
    await withOtherSite(markup, async (origin) => {
      const page = await visitor({ hosts: [origin] })
      const transfers = await watchTransfers(page)
      await page.goto(origin)
      await page.getByText('There are no upcoming events.').waitFor()
      const scripts = [...transfers].filter(([path]) => path !== '/')
      const table = scripts.map(([path, bytes]) => `${(bytes / KIB).toFixed(1)} KiB ${path}`).join('\n')
      assert.ok(transfers.has('/embed.js'), table)
      assert.ok(scripts.reduce((sum, [, bytes]) => sum + bytes, 0) <= UPCOMING_BYTES, table)
    })
  }),
)
