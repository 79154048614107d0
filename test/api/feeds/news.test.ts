// sitemap.xml, Atom and JSON Feed: the public events, with links to their pages and nothing of private ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SaxesParser } from 'saxes'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

const fair = { title: 'Fair', start: '2026-07-12T10:00', end: '2026-07-12T12:00', visibility: 'public' }

const read = ({ anonymous }: World, url: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  anonymous.send({ method: 'GET', url, headers })

/** The texts of these elements, in their order; fails for what is no XML. */
function textsIn(xml: string, name: string): string[] {
  const found: string[] = []
  const open: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', (tag) => {
    open.push(tag.local)
    if (tag.local === name) found.push('')
  })
  parser.on('text', (text) => {
    if (open.at(-1) === name) found[found.length - 1] += text
  })
  parser.on('closetag', () => void open.pop())
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return found
}

forEachEngine('feeds of what comes next have each public date with its page, soonest first', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, clock } = world
    const text = 'Cakes & "ale" <b>\nMore: https://example.org/?a=1&b=2'
    const { id } = await writer.creates({ ...fair, description: text, location: 'Green', category: 'Town' })
    const times = { start: '2026-07-11T19:00', end: '2026-07-11T20:00', rrule: 'FREQ=WEEKLY;COUNT=2' }
    const series = await writer.creates({ ...fair, ...times, title: 'Choir' })
    await writer.creates({ ...fair, title: 'Hidden', visibility: 'private' })
    await writer.creates({ ...fair, title: 'Off', status: 'cancelled' })
    clock.at += 60_000
    await writer.patch(`/events/${series.id}`, { title: 'Choir & band', version: 1 })
    const json = await read(world, '/feed.json')
    assert.equal(json.headers['content-type'], 'application/feed+json; charset=utf-8')
    const base = 'http://localhost:8080/events'
    const { items, ...head } = JSON.parse(json.text)
    assert.deepEqual(head, {
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Daybook',
      home_page_url: 'http://localhost:8080/',
      feed_url: 'http://localhost:8080/feed.json',
      language: 'en-GB',
    })
    const choir = { title: 'Choir & band', date_modified: '2026-07-10T12:01:00Z' }
    const [first, last] = ['Saturday 11 July 2026, 19:00 to 20:00', 'Saturday 18 July 2026, 19:00 to 20:00']
    const when = 'Sunday 12 July 2026, 10:00 to 12:00 · Green'
    const urls = [`${base}/${series.id}/20260711T190000`, `${base}/${id}`, `${base}/${series.id}/20260718T190000`]
    assert.deepEqual(items, [
      { id: urls[0], url: urls[0], ...choir, summary: first, content_text: first },
      {
        id: urls[1],
        url: urls[1],
        title: 'Fair',
        summary: when,
        content_text: `${when}\n\n${text}`,
        date_modified: '2026-07-10T12:00:00Z',
        tags: ['Town'],
      },
      { id: urls[2], url: urls[2], ...choir, summary: last, content_text: last },
    ])
    for (const url of urls) assert.equal((await read(world, new URL(url).pathname)).status, 200, url)
    const atom = await read(world, '/feed.xml')
    assert.equal(atom.headers['content-type'], 'application/atom+xml; charset=utf-8')
    assert.deepEqual(textsIn(atom.text, 'id'), ['http://localhost:8080/feed.xml', ...urls])
    assert.deepEqual(textsIn(atom.text, 'title'), ['Daybook', 'Choir & band', 'Fair', 'Choir & band'])
    assert.deepEqual(textsIn(atom.text, 'updated'), [
      ...['2026-07-10T12:01:00Z', '2026-07-10T12:01:00Z', '2026-07-10T12:00:00Z', '2026-07-10T12:01:00Z'],
    ])
    assert.deepEqual(textsIn(atom.text, 'content'), [text])
    const tag = String(atom.headers.etag)
    assert.equal((await read(world, '/feed.xml', { 'if-none-match': tag })).status, 304)
    // Nothing was written: a date is left out once it is over.
    clock.at = Date.parse('2026-07-11T19:00:00Z')
    assert.equal(JSON.parse((await read(world, '/feed.json')).text).items.length, 2)
    await writer.patch(`/events/${id}`, { visibility: 'private', version: 1 })
    assert.deepEqual(textsIn((await read(world, '/feed.xml')).text, 'title'), ['Daybook', 'Choir & band'])
  }),
)

forEachEngine('feeds have the public events that come after many private ones', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const start = { start: '2026-07-11T08:00', end: '2026-07-11T09:00' }
    await writer.creates({ ...fair, ...start, visibility: 'private', rrule: 'FREQ=DAILY;COUNT=60' })
    await writer.creates({ ...fair, start: '2026-09-20T10:00', end: '2026-09-20T12:00' })
    const { items } = JSON.parse((await read(world, '/feed.json')).text)
    assert.deepEqual(
      items.map(({ title }: { title: string }) => title),
      ['Fair'],
    )
  }),
)

forEachEngine('a text with characters that XML does not have leaves the feed valid', (engine) =>
  withWorld(engine, async (world) => {
    const text = 'a\u{fffe}b\u{ffff}c😀'
    await world.writer.creates({ ...fair, title: text, description: text, category: text })
    const { text: xml } = await read(world, '/feed.xml')
    assert.deepEqual(textsIn(xml, 'title'), ['Daybook', 'abc😀'])
    assert.deepEqual(textsIn(xml, 'content'), ['abc😀'])
  }),
)

forEachEngine('the sitemap has the public events of the last and the next year', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const near = await writer.creates(fair)
    const series = { ...fair, rrule: 'FREQ=YEARLY', start: '2001-07-12T10:00', end: '2001-07-12T12:00' }
    const yearly = await writer.creates(series)
    const past = await writer.creates({ ...fair, start: '2025-08-01T10:00', end: '2025-08-01T12:00' })
    for (const year of [2024, 2028])
      await writer.creates({ ...fair, start: `${year}-07-12T10:00`, end: `${year}-07-12T12:00` })
    await writer.creates({ ...fair, visibility: 'private' })
    const { text, headers } = await read(world, '/sitemap.xml')
    assert.equal(headers['content-type'], 'application/xml; charset=utf-8')
    assert.deepEqual(
      textsIn(text, 'loc').sort(),
      ['', ...[near, yearly, past].map(({ id }) => `events/${id}`)]
        .map((path) => `http://localhost:8080/${path}`)
        .sort(),
    )
    assert.deepEqual(textsIn(text, 'lastmod'), Array(3).fill('2026-07-10T12:00:00Z'))
    await writer.delete(`/events/${near.id}`)
    assert.equal(textsIn((await read(world, '/sitemap.xml')).text, 'loc').length, 3)
  }),
)

test('an empty calendar has valid feeds, also under a slug', () =>
  withWorld(
    'sqlite',
    async (world) => {
      assert.deepEqual(textsIn((await read(world, '/town/feed.xml')).text, 'updated'), ['1970-01-01T00:00:00Z'])
      assert.deepEqual(JSON.parse((await read(world, '/town/feed.json')).text).items, [])
      const [only, ...more] = textsIn((await read(world, '/town/sitemap.xml')).text, 'loc')
      assert.deepEqual([only, more], ['http://localhost:8080/town/', []])
      const page = await read(world, '/town/')
      assert.match(
        page.text,
        /<link rel="alternate" type="application\/atom\+xml" title="[^"]*" href="\/town\/feed\.xml">/,
      )
    },
    { settings: { DAYBOOK_URL_SLUG: 'town', DAYBOOK_SITE_NAME: '<b> & "Town"' } },
  ))
