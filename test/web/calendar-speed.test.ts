// The first load of the calendar on a slow phone: bytes, requests, and when the first event is visible.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { browserTest, gridReady, withBrowser } from '../support/browser/browser.ts'

const KIB = 1_024

/** With those of the API, and without the stream of changes, which begins afterwards. */
const MOST_REQUESTS = 10

/** A slow machine that runs other tests takes longer than the phone; the aim is 1,500 ms. */
const FIRST_EVENT_MS = 6_000

/** Fast 3G and a processor four times as slow. */
async function slowDown(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  const bytesPerSecond = (1.6 * 1_000_000) / 8
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond / 2,
  })
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

/** Notes when an event is first laid out in the window, and when the app has taken over. */
async function watchEvents(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.seen = {}
    const look = () => {
      const isVisible = (event) => event.checkVisibility()
      if ([...document.querySelectorAll('#served .cal-event')].some(isVisible)) globalThis.seen.event ??= Math.round(performance.now())
      if (document.querySelector('.cal-frame.ready')?.checkVisibility({ visibilityProperty: true }))
        globalThis.seen.app ??= Math.round(performance.now())
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  `)
}

browserTest('a slow phone shows the first event of a full month early, and needs few requests for the rest', () =>
  withBrowser(async ({ world, address, visitor }) => {
    for (let i = 0; i < 25; i++) {
      const day = String(1 + i).padStart(2, '0')
      const event = { title: `Event ${i} in the village`, location: `Room ${i}`, visibility: 'public' }
      await world.writer.creates({
        ...event,
        start: `2026-06-${day}T10:00`,
        end: `2026-06-${day}T11:00`,
        rrule: 'FREQ=WEEKLY;COUNT=12',
      })
    }
    const page = await visitor({ width: 390, height: 844 })
    await slowDown(page)
    await watchEvents(page)
    const asked: string[] = []
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
    const response = await page.goto(address)
    await gridReady(page)
    const seen = await page.evaluate<{ event: number; app: number }>('globalThis.seen')
    const sizes = await response!.request().sizes()
    const needed = asked.filter((path) => !path.endsWith('/stream') && !path.endsWith('.svg'))
    console.log(
      `── first event after ${seen.event} ms, the app after ${seen.app} ms, ${needed.length} requests, page ${(sizes.responseBodySize / KIB).toFixed(1)} KiB`,
    )
    assert.ok(needed.length <= MOST_REQUESTS, needed.join('\n'))
    assert.ok(sizes.responseBodySize <= 30 * KIB, `${sizes.responseBodySize}`)
    assert.ok(seen.event <= seen.app, 'the page of the service comes before the app')
    assert.ok(seen.event <= FIRST_EVENT_MS, `${seen.event} ms`)
  }),
)
