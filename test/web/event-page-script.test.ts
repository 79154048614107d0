// The script of an event's page: sharing, own zone, writers; without script; the card in a frame.
import assert from 'node:assert/strict'
import {
  assertAccessible,
  assertLegibleByNight,
  assertPresentable,
  type BrowserWorld,
  browserTest,
  photograph,
  withBrowser,
} from '../support/browser/browser.ts'
import { withOtherSite } from '../support/browser/other-site.ts'
import { filterAsWordPress, HOST_SCRIPT } from '../support/wordpress.ts'

const choir = {
  title: 'Choir',
  description: 'Bring notes.',
  location: 'Village hall, Church Lane',
  start: '2026-07-14T19:00',
  end: '2026-07-14T20:00',
  rrule: 'FREQ=WEEKLY;COUNT=5',
  visibility: 'public',
}

const plan = async ({ world: { writer } }: BrowserWorld, event: object = {}): Promise<string> =>
  (await writer.creates({ ...choir, ...event })).id

browserTest('readers share the page or copy its link, where the browser can', () =>
  withBrowser(async (stage) => {
    const path = `/events/${await plan(stage)}`
    const page = await stage.visitor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.addInitScript('navigator.share = async (data) => { window.shared = data }')
    await page.goto(`${stage.address}${path}?utm_source=x`)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Link copied').waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), `${stage.address}${path}`)
    await page.getByRole('button', { name: 'Share' }).click()
    assert.deepEqual(await page.evaluate('window.shared'), {
      title: 'Choir – Daybook',
      url: `${stage.address}${path}`,
    })
    await assertPresentable(page, 'event-page-shared')
    await assertLegibleByNight(page, 'event-page-shared')

    const without = await stage.visitor()
    await without.addInitScript('delete Navigator.prototype.share; delete Navigator.prototype.clipboard')
    await without.goto(`${stage.address}${path}`)
    await without.getByRole('heading', { level: 1 }).waitFor()
    await without.waitForLoadState('load')
    assert.equal(await without.getByRole('button').count(), 0)
  }),
)

browserTest('times are also in the zone of the reader, if its clock differs', () =>
  withBrowser(async (stage) => {
    const path = `/events/${await plan(stage)}`
    const shown = async (timezoneId: string): Promise<string | undefined> => {
      const page = await stage.visitor({ timezoneId })
      await page.goto(`${stage.address}${path}`)
      const line = page.locator('#own-zone')
      await page.waitForLoadState('load')
      return (await line.isVisible()) ? line.innerText() : undefined
    }
    assert.equal(await shown('Asia/Tokyo'), 'In your time zone (Asia/Tokyo): Wednesday 15 July 2026, 03:00 to 04:00')
    assert.equal(await shown('Europe/London'), undefined)
    assert.equal(await shown('Europe/Lisbon'), undefined, 'another name of the same clock')
  }),
)

browserTest('writers find the editor and who last changed the event; others do not', () =>
  withBrowser(async (stage) => {
    const id = await plan(stage)
    const writer = await stage.signedIn('writer@example.org')
    await writer.goto(`${stage.address}/events/${id}/20260721T190000`)
    await writer.getByText(/^Last changed by .+ on 10 July 2026$/).waitFor()
    await assertPresentable(writer, 'event-page-writer')
    await writer.getByRole('link', { name: 'Edit' }).click()
    await writer.waitForURL(/\/event\/edit\?id=\w+&at=20260721T190000$/)
    await writer.getByRole('heading', { level: 1 }).waitFor()

    for (const page of [await stage.visitor(), await stage.signedIn('reader@example.org')]) {
      await page.goto(`${stage.address}/events/${id}`)
      await page.getByRole('button', { name: 'Copy link' }).waitFor()
      await page.waitForLoadState('networkidle')
      assert.equal(await page.getByRole('link', { name: 'Edit' }).count(), 0)
      assert.equal(await page.getByText(/Last changed/).count(), 0)
    }
    // The page asks nothing of visitors who have no session.
    const visitor = await stage.visitor()
    const asked: string[] = []
    visitor.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await visitor.goto(`${stage.address}/events/${id}`)
    await visitor.waitForLoadState('networkidle')
    assert.deepEqual(
      asked.filter((path) => path.includes('/api-root/')),
      [],
    )
  }),
)

browserTest('without JavaScript everything that is offered works', () =>
  withBrowser(async (stage) => {
    const id = await plan(stage)
    const browser = (await stage.visitor()).context().browser()!
    const context = await browser.newContext({ javaScriptEnabled: false })
    try {
      const page = await context.newPage()
      await page.goto(`${stage.address}/events/${id}/20260721T190000`)
      assert.equal(await page.getByRole('button').count(), 0)
      assert.equal(await page.locator('#own-zone').isVisible(), false)
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'This date (.ics)' }).click()
      assert.equal((await download).suggestedFilename(), 'event.ics')
    } finally {
      await context.close()
    }
  }),
)

browserTest('the card of an event shows in a frame of another site, and leads to the page', () =>
  withBrowser(async (stage) => {
    const long = { title: 'An evening of talks about the canal, its locks and its people, with slides and tea' }
    const id = await plan(stage, { status: 'cancelled' })
    const hidden = await plan(stage, { visibility: 'private' })
    const other = await plan(stage, long)
    const frames = [id, other, hidden].map(
      (one) => `<iframe src="${stage.address}/events/${one}/card" width="600" height="220" title="x"></iframe>`,
    )
    await withOtherSite(frames.join(''), async (origin) => {
      const page = await stage.visitor({ hosts: [origin] })
      await page.goto(origin)
      const card = page.frameLocator('iframe').first()
      await card.getByText('Cancelled').waitFor()
      await page.frameLocator('iframe').nth(2).getByText('Private Event').waitFor()
      await photograph(page, 'event-card')
      const opened = page.context().waitForEvent('page')
      await card.getByRole('link', { name: 'Choir' }).click()
      assert.equal((await opened).url(), `${stage.address}/events/${id}`)
    })
    const alone = await stage.visitor()
    await alone.goto(`${stage.address}/events/${id}/card`)
    await assertAccessible(alone)
    await assertLegibleByNight(alone, 'event-card-alone')
  }),
)

browserTest('a link pasted into WordPress becomes a card, whose link opens the page', () =>
  withBrowser(async (stage) => {
    const url = `${stage.address}/events/${await plan(stage)}`
    const { html } = await (await fetch(`${stage.address}/oembed?${new URLSearchParams({ url })}`)).json()
    const markup = `${filterAsWordPress(html, 'aB3dE5gH7j')}`
    await withOtherSite(`${HOST_SCRIPT}${markup}`, async (origin) => {
      const page = await stage.visitor({ hosts: [origin] })
      await page.goto(origin)
      await page.getByRole('blockquote').waitFor({ state: 'hidden' })
      await page.locator('iframe').waitFor({ state: 'visible' })
      await photograph(page, 'event-card-wordpress')
      await page.frameLocator('iframe').getByRole('link', { name: 'Choir' }).click()
      await page.waitForURL(url)
      await page.getByRole('heading', { name: 'Choir', level: 1 }).waitFor()
    })
    // Where the script of WordPress does not run, the quotation leads to the page.
    await withOtherSite(markup, async (origin) => {
      const page = await stage.visitor({ hosts: [origin] })
      await page.goto(origin)
      await page.getByRole('link', { name: 'Choir' }).click()
      await page.waitForURL(url)
    })
    // Elsewhere only the card is seen.
    await withOtherSite(html, async (origin) => {
      const page = await stage.visitor({ hosts: [origin] })
      await page.goto(origin)
      await page.frameLocator('iframe').getByRole('link', { name: 'Choir' }).waitFor()
      assert.equal(await page.getByRole('link').count(), 0)
    })
  }),
)
