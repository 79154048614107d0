// The page of an event in a browser: accessible, legible by night and on narrow screens; its links lead somewhere.
import assert from 'node:assert/strict'
import {
  assertLegibleByNight,
  assertPresentable,
  type BrowserWorld,
  browserTest,
  withBrowser,
} from '../support/browser/browser.ts'

const long = 'https://example.org/'.padEnd(300, 'x')

async function plan({ world: { writer } }: BrowserWorld): Promise<Record<string, string>> {
  const times = { start: '2026-07-14T19:00', end: '2026-07-14T20:00', rrule: 'FREQ=WEEKLY;COUNT=5' }
  const texts = { title: 'Choir', description: `Bring notes: ${long}`, location: 'x'.repeat(200), url: long }
  const open = await writer.creates({ ...times, ...texts, category: 'Music', visibility: 'public' })
  await writer.patch(`/events/${open.id}/occurrences/20260721T190000`, { status: 'cancelled', version: 1 })
  const hidden = await writer.creates({ ...times, title: 'Heimlich', visibility: 'private' })
  return {
    series: `/events/${open.id}`,
    cancelled: `/events/${open.id}/20260721T190000`,
    hidden: `/events/${hidden.id}`,
    'hidden-date': `/events/${hidden.id}/20260714T180000Z`,
  }
}

browserTest('the pages of events are accessible, by day and by night, on every width', () =>
  withBrowser(async (stage) => {
    const paths = await plan(stage)
    const page = await stage.visitor()
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(`${stage.address}${path}`)
      await assertPresentable(page, `event-page-${name}`)
      await assertLegibleByNight(page, `event-page-${name}`)
    }
  }),
)

browserTest('each link to this service leads somewhere, and the calendar opens the event', () =>
  withBrowser(async (stage) => {
    const paths = await plan(stage)
    const page = await stage.visitor()
    for (const path of Object.values(paths)) {
      await page.goto(`${stage.address}${path}`)
      const links = await page
        .getByRole('link')
        .evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href))
      const own = links.filter((link) => new URL(link).origin === new URL(stage.address).origin)
      assert.ok(own.length >= 2, path)
      for (const link of own) {
        const response = await stage.world.anonymous.send({
          method: 'GET',
          url: link.slice(stage.address.length) || '/',
        })
        assert.equal(response.status, 200, link)
      }
      const title = await page.getByRole('heading', { level: 1 }).innerText()
      await page.getByRole('link', { name: 'Show in the calendar' }).click()
      await page.getByRole('dialog').getByText(title).first().waitFor()
    }
  }),
)

browserTest('a page that the browser has keeps its style when it is loaded again', () =>
  withBrowser(async (stage) => {
    const { series } = await plan(stage)
    const page = await stage.visitor()
    const margin = () => page.evaluate<string>('getComputedStyle(document.body).margin')
    await page.goto(`${stage.address}${series}`)
    assert.equal(await margin(), '0px')
    const refused: string[] = []
    page.on('console', (message) => refused.push(message.text()))
    const response = await page.reload()
    assert.ok((await response!.request().allHeaders())['if-none-match'], 'asks whether the page has changed')
    assert.equal(await margin(), '0px')
    assert.deepEqual(refused, [])
  }),
)
