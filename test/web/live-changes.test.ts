// Live pages: what one person changes shows in the pages of others, without moving what they are doing.
import assert from 'node:assert/strict'
import { browserTest, gridReady, withBrowser } from '../support/browser/browser.ts'
import { withOtherSite } from '../support/browser/other-site.ts'
import { waitFor } from '../support/measure/wait-for.ts'
import { openWorld } from '../support/world.ts'

const choir = { title: 'Choir', start: '2026-07-14T19:00', end: '2026-07-14T21:00', visibility: 'public' }

browserTest('a change shows in the pages of others, and leaves scrolling, focus and dialogs alone', () =>
  withBrowser(async ({ world, address, visitor, signedIn }) => {
    const { id } = await world.writer.creates(choir)
    const reader = await signedIn('reader@example.org', { height: 500 })
    const anyone = await visitor()
    const streams: string[] = []
    for (const page of [reader, anyone]) {
      page.on('response', (response) => {
        if (response.url().includes('/stream')) streams.push(new URL(response.url()).pathname)
      })
      await page.goto(`${address}/?view=month&date=2026-07-14`)
      await gridReady(page)
    }
    await waitFor('both streams', () => streams.length === 2)
    assert.deepEqual(
      streams.map((path) => path.split('/').slice(-2).join('/')),
      ['events/stream', 'public/stream'],
    )
    const event = reader.getByRole('button', { name: /^Choir,/ })
    await event.focus()
    await reader.evaluate(() => scrollTo(0, 150))
    const scrolled = await reader.evaluate(() => scrollY)
    assert.ok(scrolled > 0)
    await world.writer.creates({
      ...choir,
      title: 'Rehearsal',
      visibility: 'private',
      start: '2026-07-15T10:00',
      end: '2026-07-15T11:00',
    })
    await reader.getByRole('button', { name: /^Rehearsal,/ }).waitFor()
    await anyone.getByRole('button', { name: /^Private event/i }).waitFor()
    assert.equal(await reader.evaluate(() => scrollY), scrolled)
    await waitFor('the focus', () => event.evaluate((element) => element === document.activeElement))

    await event.click()
    const dialog = reader.getByRole('dialog', { name: 'Choir' })
    await dialog.waitFor()
    await world.writer.patch(`/events/${id}`, { title: 'Concert', version: 1 })
    await anyone.getByRole('button', { name: /^Concert,/ }).waitFor()
    await dialog.waitFor()
    assert.equal(await reader.getByText('Concert').count(), 0, 'nothing changes under the dialog')
    await reader.keyboard.press('Escape')
    await reader.getByRole('button', { name: /^Concert,/ }).waitFor()
  }),
)

browserTest('a change at one node shows in a page of another within a moment, and the delay is printed', () =>
  withBrowser(
    async ({ world, address, signedIn }) => {
      const { place } = world
      const page = await signedIn('reader@example.org')
      const other = await openWorld('postgres', place, { place })
      try {
        await page.goto(`${address}/?view=month&date=2026-07-14`)
        await gridReady(page)
        await waitFor('the stream', () => world.app.ctx.metrics.streams().some(([, count]) => count === 1))
        const delays: number[] = []
        for (let i = 0; i < CHANGES; i++) {
          await other.writer.creates({ ...choir, title: `Change ${i}`, start: dayOf(i), end: dayOf(i, '11:00') })
          const storedAt = performance.now()
          await page.getByRole('button', { name: `Change ${i},` }).waitFor()
          delays.push(performance.now() - storedAt)
        }
        delays.sort((one, next) => one - next)
        const [median, longest] = [delays[CHANGES >> 1]!, delays.at(-1)!].map(Math.round)
        process.stdout.write(
          `── from the stored change to the other page: median ${median} ms, longest ${longest} ms\n`,
        )
      } finally {
        await other.app.close()
      }
    },
    { engine: 'postgres' },
  ),
)

const CHANGES = 15

const dayOf = (i: number, time = '10:00'): string => `2026-07-${String(6 + i).padStart(2, '0')}T${time}`

browserTest('a hidden page closes its stream, and follows again when it is shown', () =>
  withBrowser(async ({ world, address, visitor }) => {
    const page = await visitor()
    await page.goto(`${address}/?view=month&date=2026-07-14`)
    await gridReady(page)
    const countOpen = () => world.app.ctx.metrics.streams().find(([sight]) => sight === 'public')![1]
    await waitFor('the stream', () => countOpen() === 1)
    const show = (state: 'hidden' | 'visible') =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await show('hidden')
    await waitFor('the end of the stream', () => countOpen() === 0)
    await world.writer.creates(choir)
    await show('visible')
    await page.getByRole('button', { name: /^Choir,/ }).waitFor()
  }),
)

browserTest('the elements on other sites follow changes, and a link keeps the focus', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await world.writer.creates(choir)
    const markup = `<script type="module" src="${address}/embed.js"></script>
<daybook-upcoming></daybook-upcoming><daybook-calendar date="2026-07-14"></daybook-calendar>`
    await withOtherSite(markup, async (origin) => {
      const page = await visitor({ hosts: [origin] })
      await page.goto(origin)
      const upcoming = page.locator('daybook-upcoming')
      const link = upcoming.getByRole('link', { name: 'Choir' })
      await link.focus()
      await page
        .locator('daybook-calendar')
        .getByRole('button', { name: /^Choir,/ })
        .waitFor()
      const countOpen = () => world.app.ctx.metrics.streams().find(([sight]) => sight === 'public')![1]
      await waitFor('both streams', () => countOpen() === 2)
      await world.writer.creates({ ...choir, title: 'Fair', start: '2026-07-16T10:00', end: '2026-07-16T11:00' })
      await upcoming.getByRole('link', { name: 'Fair' }).waitFor()
      await page
        .locator('daybook-calendar')
        .getByRole('button', { name: /^Fair,/ })
        .waitFor()
      assert.ok(await link.evaluate((element) => (element.getRootNode() as ShadowRoot).activeElement === element))
    })
  }),
)

/** Over HTTP/1.1 a browser opens six connections to a server, and a stream takes one. */
browserTest('more windows of one browser than it has connections are all loaded', () =>
  withBrowser(async ({ address, visitor }) => {
    const first = await visitor()
    const streams: unknown[] = []
    first.context().on('request', (request) => request.url().includes('/stream') && streams.push(request))
    await first.goto(address)
    for (let windows = 2; windows <= 8; windows++) {
      const page = await first.context().newPage()
      await page.goto(address)
      await gridReady(page)
    }
    await waitFor('streams', () => streams.length >= 4)
    assert.equal(streams.length, 4)
  }),
)
