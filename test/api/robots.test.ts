// Robots and link previews: which pages may be indexed, links to the feeds, and nothing about events.
import assert from 'node:assert/strict'
import { forEachEngine } from '../support/storage/engines.ts'
import { type World, withWorld } from '../support/world.ts'

const robotsAt = async ({ anonymous }: World, path: string): Promise<unknown> => {
  const { status, headers } = await anonymous.send({ method: 'GET', url: path })
  assert.equal(status, 200, path)
  return headers['x-robots-tag']
}

forEachEngine('robots may index the periods with public events, and no others', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous } = world
    const public_ = { title: 'Fair', start: '2026-08-12T10:00', end: '2026-08-12T12:00', visibility: 'public' }
    await writer.creates(public_)
    await writer.creates({ title: 'Hidden', start: '2026-10-05T10:00', end: '2026-10-05T12:00', visibility: 'private' })
    for (const kept of [
      '',
      '?view=week',
      '?date=2026-08-01',
      '?view=week&date=2026-08-10',
      '?view=year&date=2026-01-01',
    ])
      assert.equal(await robotsAt(world, `/${kept}`), undefined, kept)
    for (const passed of [
      '?date=2026-09-01',
      '?view=day&date=2026-08-13',
      '?date=2026-10-05',
      '?date=2037-01-01',
      '?date=2020-12-31',
      '?date=2026-02-30',
      '?date=20260801',
      '?date=%00',
      '?date=2026-08-01&date=2026-08-02',
      '?view=century',
      '?q=fair',
      '?category=Music',
      '?found=past',
      `?date=${'9'.repeat(500)}`,
    ])
      assert.equal(await robotsAt(world, `/${passed}`), 'noindex', passed)
    const [empty, full] = await Promise.all(
      ['/?date=2026-09-01', '/?date=2026-08-01'].map((url) => anonymous.send({ method: 'GET', url })),
    )
    assert.match(full!.text, />Fair</)
    assert.doesNotMatch(empty!.text, /Fair|Hidden/)
  }),
)

forEachEngine('P35: other pages contain the site name and its feed, and no events', (engine) =>
  withWorld(
    engine,
    async ({ writer, anonymous }) => {
      await writer.creates({
        title: 'canary-event',
        start: '2026-07-12T10:00',
        end: '2026-07-12T12:00',
        visibility: 'public',
      })
      const { text } = await anonymous.send({ method: 'GET', url: '/village/sign-in' })
      assert.match(text, /<meta property="og:title" content="Village &amp; Hall">/)
      assert.match(
        text,
        /<link rel="alternate" type="text\/calendar" [^>]*href="\/village\/[^"]*\/public\/calendar.ics">/,
      )
      assert.ok(!text.includes('canary'))
      const icon = await anonymous.send({ method: 'GET', url: /rel="icon"[^>]*href="([^"]+)"/.exec(text)![1]! })
      assert.equal(icon.headers['content-type'], 'image/svg+xml')
      const robots = await anonymous.send({ method: 'GET', url: '/robots.txt' })
      assert.match(
        robots.text,
        /^User-agent: \*\nAllow: \/village\/\S+\/public\/events\?\nAllow: \/village\/\S+\/public\/categories\nDisallow: \/village\/[\w/-]+\/\nSitemap: https?:\/\/[^/]+\/village\/sitemap\.xml\n$/,
      )
    },
    { settings: { DAYBOOK_URL_SLUG: 'village', DAYBOOK_SITE_NAME: 'Village & Hall' } },
  ),
)
