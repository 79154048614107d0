// The page of an event: complete HTML, structured data and previews; masked like every public answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/http/api-response.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type World, withWorld } from '../support/world.ts'

const supper = {
  title: 'Harvest supper',
  description: 'Bring a dish.\nMore: https://example.org/supper?a=1&b=2.',
  location: 'Village hall, Church Lane',
  category: 'Community',
  url: 'https://example.org/tickets',
  start: '2026-07-18T18:30',
  end: '2026-07-18T22:00',
  visibility: 'public',
}

const pageAt = ({ anonymous }: World, url: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  anonymous.send({ method: 'GET', url, headers: { accept: 'text/html', ...headers } })

const metaOf = ({ text }: ApiResponse, name: string): string | undefined =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(text)?.[1]

const structuredDataOf = ({ text }: ApiResponse) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)![1]!)

const datesOf = ({ text }: ApiResponse): string[] =>
  [...text.matchAll(/<li>(?:<del>)?<a href="(\/events\/[^"]+)">/g)].map(([, path]) => path!)

forEachEngine('the page of an event is complete HTML, with a preview and structured data', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates(supper)
    const page = await pageAt(world, `/events/${id}`)
    assert.equal(page.status, 200)
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    assert.match(
      String(page.headers['content-security-policy']),
      /^default-src 'none'; script-src 'self' 'sha256-[^']+'; connect-src 'self'; style-src 'sha256-[^']+'; img-src 'self'; /,
    )
    assert.equal(page.headers['x-robots-tag'], undefined)
    assert.match(page.text, /<title>Harvest supper – Daybook<\/title>/)
    assert.match(page.text, /<h1>Harvest supper<\/h1>/)
    assert.match(page.text, />Saturday 18 July 2026, 18:30 to 22:00<\/time>/)
    assert.match(page.text, /Bring a dish\.\nMore: <a href="https:\/\/example\.org\/supper\?a=1&amp;b=2" /)
    assert.match(
      page.text,
      /<a href="https:\/\/example\.org\/tickets" target="_blank" rel="noopener noreferrer nofollow ugc">/,
    )
    assert.match(page.text, /openstreetmap\.org\/search\?query=Village%20hall%2C%20Church%20Lane"/)
    assert.match(page.text, /dates=20260718T173000Z%2F20260718T210000Z&amp;/)
    assert.match(page.text, new RegExp(`<link rel="canonical" href="http://localhost:8080/events/${id}">`))
    assert.equal(metaOf(page, 'og:title'), 'Harvest supper')
    assert.equal(metaOf(page, 'og:description'), 'Saturday 18 July 2026, 18:30 to 22:00 · Village hall, Church Lane')
    assert.equal(metaOf(page, 'og:url'), `http://localhost:8080/events/${id}`)
    assert.deepEqual(structuredDataOf(page), {
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: 'Harvest supper',
      url: `http://localhost:8080/events/${id}`,
      image: [metaOf(page, 'og:image')],
      startDate: '2026-07-18T18:30:00+01:00',
      endDate: '2026-07-18T22:00:00+01:00',
      eventStatus: 'https://schema.org/EventScheduled',
      description: supper.description,
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      location: { '@type': 'Place', name: supper.location, address: supper.location },
      organizer: { '@type': 'Organization', name: 'Daybook', url: 'http://localhost:8080/' },
    })
    const file = /href="([^"]+event\.ics)"/.exec(page.text)![1]!
    assert.match((await world.anonymous.send({ method: 'GET', url: file })).text, /SUMMARY:Harvest supper/)
    const again = await pageAt(world, `/events/${id}?utm_source=x`, { 'if-none-match': String(page.headers.etag) })
    assert.equal(again.status, 304)
    // A browser replaces the policy of its stored page by that of the 304, and would then refuse the style sheet.
    const policy = page.headers['content-security-policy']
    assert.equal(again.headers['content-security-policy'], policy)
    const head = await world.anonymous.send({ method: 'HEAD', url: `/events/${id}` })
    assert.deepEqual([head.status, head.headers['content-security-policy']], [200, policy])

    await world.writer.patch(`/events/${id}`, { status: 'cancelled', version: 1 })
    const cancelled = await pageAt(world, `/events/${id}`)
    assert.match(cancelled.text, /<p class="note">This is cancelled\.<\/p>/)
    assert.equal(structuredDataOf(cancelled).eventStatus, 'https://schema.org/EventCancelled')
    for (const name of ['description', 'og:description'])
      assert.match(metaOf(cancelled, name)!, /^Cancelled · Saturday 18 July 2026/)
    assert.match((await pageAt(world, '/?q=harvest')).text, /<\/mark> supper<span class="cal-unseen"> \(cancelled\)</)
  }),
)

forEachEngine('the page of a series lists its next dates, each of which has a page of its own', (engine) =>
  withWorld(engine, async (world) => {
    const { clock, writer } = world
    const times = { start: '2026-07-07T19:00', end: '2026-07-07T20:00', rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=5' }
    const { id } = await writer.creates({ ...supper, ...times, title: 'Choir' })
    await writer.patch(`/events/${id}/occurrences/20260721T190000`, { title: 'Concert', version: 1 })
    await writer.patch(`/events/${id}/occurrences/20260728T190000`, { status: 'cancelled', version: 2 })
    const page = await pageAt(world, `/events/${id}`)
    assert.match(page.text, /Repeats every Tuesday, 5 times/)
    assert.match(page.text, /<p class="when"><time[^>]*>Tuesday 14 July 2026, 19:00 to 20:00</, 'the next one')
    assert.match(page.text, /<del><a [^>]*>Tuesday 28 July 2026, 19:00 to 20:00<\/a><\/del> \(cancelled\)/)
    const keys = ['20260714T190000', '20260721T190000', '20260728T190000', '20260804T190000']
    assert.deepEqual(
      datesOf(page),
      keys.map((key) => `/events/${id}/${key}`),
    )
    assert.deepEqual(structuredDataOf(page).eventSchedule, {
      '@type': 'Schedule',
      startDate: '2026-07-07',
      repeatFrequency: 'P1W',
      repeatCount: 5,
      byDay: ['https://schema.org/Tuesday'],
      exceptDate: ['2026-07-28T19:00:00'],
      startTime: '19:00:00',
      scheduleTimezone: 'Europe/London',
      duration: 'PT60M',
    })
    const edited = await pageAt(world, `/events/${id}/20260721T190000`)
    assert.match(edited.text, /<h1>Concert<\/h1>/)
    assert.match(edited.text, new RegExp(`One date of a repeated event\\. <a href="/events/${id}">`))
    assert.equal(metaOf(edited, 'og:url'), `http://localhost:8080/events/${id}/20260721T190000`)
    assert.equal(structuredDataOf(edited).eventSchedule, undefined)
    const off = await pageAt(world, `/events/${id}/20260728T190000`)
    assert.equal(structuredDataOf(off).eventStatus, 'https://schema.org/EventCancelled')
    // Nothing was written: the page changes with the time.
    clock.at = Date.parse('2026-07-14T18:30:00Z')
    assert.equal(datesOf(await pageAt(world, `/events/${id}`)).length, 4, 'one that has begun is still a date')
    clock.at = Date.parse('2026-07-14T19:00:00Z')
    assert.equal(datesOf(await pageAt(world, `/events/${id}`)).length, 3)
    clock.at = Date.parse('2026-09-01T00:00:00Z')
    assert.match((await pageAt(world, `/events/${id}`)).text, /None in the next two years\./)
  }),
)

forEachEngine('days are dates, and the last one is included', (engine) =>
  withWorld(engine, async (world) => {
    const days = { start: '2026-08-01', end: '2026-08-04', all_day: true }
    const { id } = await world.writer.creates({ ...supper, ...days })
    const page = await pageAt(world, `/events/${id}`)
    assert.match(page.text, /<time datetime="2026-08-01">Saturday 1 August 2026 to Monday 3 August 2026, all day</)
    const { startDate, endDate } = structuredDataOf(page)
    assert.deepEqual([startDate, endDate], ['2026-08-01', '2026-08-03'])
    assert.match(page.text, /dates=20260801%2F20260804&amp;/)
  }),
)

forEachEngine('P35: the page of a private event shows its time and nothing else, and is not indexed', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const hidden = { ...supper, visibility: 'private', rrule: 'FREQ=WEEKLY;COUNT=3' }
    const made = [await writer.creates(hidden), await writer.creates({ ...hidden, title: 'x', description: null })]
    const pages = []
    for (const { id } of made) {
      const page = await pageAt(world, `/events/${id}`)
      assert.equal(page.headers['x-robots-tag'], 'noindex')
      assert.equal(metaOf(page, 'robots'), 'noindex')
      assert.match(page.text, /<h1>Private Event<\/h1>/)
      assert.doesNotMatch(page.text, /Harvest|dish|hall|Community|tickets|ld\+json|og:|canonical/)
      pages.push(page.text.replaceAll(id, 'ID'))
    }
    assert.equal(pages[0], pages[1])
    const { id } = made[0]!
    assert.deepEqual(datesOf(await pageAt(world, `/events/${id}`)), [])
    const date = await pageAt(world, `/events/${id}/20260718T173000Z`)
    assert.match(date.text, /<h1>Private Event<\/h1>/)
    assert.equal(date.headers['x-robots-tag'], 'noindex')
    // A moved date is where it is now, without a sign of where it was.
    const moved = { start: '2026-07-26T10:00', end: '2026-07-26T11:00', version: 1 }
    assert.equal((await writer.patch(`/events/${id}/occurrences/20260725T183000`, moved)).status, 200)
    const page = await pageAt(world, `/events/${id}`)
    assert.match(page.text, /Sunday 26 July 2026, 10:00 to 11:00/)
    assert.doesNotMatch(page.text, /20260725|25 July/)
    // Its pages name it by that time, and are there.
    const [known] = /\/oembed\?url=[^"]+/.exec((await pageAt(world, `/events/${id}/20260725T183000`)).text)!
    const answer = await pageAt(world, known.replaceAll('&amp;', '&'))
    const [, card] = /src=\\?"http:\/\/localhost:8080([^"\\]+)/.exec(answer.text) ?? []
    assert.equal(card, `/events/${id}/20260726T090000Z/card`)
    const shown = await pageAt(world, card!)
    assert.match(shown.text, /Sunday 26 July 2026, 10:00 to 11:00/)
    const [, linked] = /<a href="http:\/\/localhost:8080([^"]+)"/.exec(shown.text)!
    assert.match((await pageAt(world, linked!)).text, /Sunday 26 July 2026, 10:00 to 11:00/)
    // From the next request on.
    await writer.patch(`/events/${id}`, { visibility: 'public', version: 2 })
    assert.match((await pageAt(world, `/events/${id}`)).text, /<h1>Harvest supper<\/h1>/)
    await writer.patch(`/events/${id}`, { visibility: 'private', version: 3 })
    assert.match((await pageAt(world, `/events/${id}`)).text, /<h1>Private Event<\/h1>/)
    await writer.patch(`/events/${id}`, { status: 'cancelled', version: 4 })
    assert.equal((await pageAt(world, `/events/${id}`)).status, 404)
  }),
)

forEachEngine('an event that is not there is a page for browsers and an error for programs', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates(supper)
    for (const path of ['/events/nowhere', `/events/${id}/20260718T183000`, `/events/${id}/nonsense`]) {
      const page = await pageAt(world, path)
      assert.equal(page.status, 404, path)
      assert.match(page.text, /^<!doctype html>[\s\S]*<h1>There is no such event<\/h1>/, 'complete without JavaScript')
      assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'$/)
      assert.equal(page.headers['x-robots-tag'], 'noindex')
      const answer = await world.anonymous.send({ method: 'GET', url: path, headers: { accept: 'application/json' } })
      assert.equal(answer.body.error.code, 'event_not_found', path)
    }
    const gone = await pageAt(world, '/events/nowhere/card?lang=de')
    assert.match(String(gone.headers['content-security-policy']), /frame-ancestors \*$/)
    assert.match(gone.text, /<h1>Diese Veranstaltung gibt es nicht<\/h1>/)
  }),
)

test('no text of an event becomes markup', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const evil = '</script><script>alert(1)</script>"\'><b>'
      const texts = { title: evil, description: `${evil} https://x.example/"><b>`, location: evil, category: '<b>' }
      const { id } = await world.writer.creates({ ...supper, ...texts })
      const { text } = await pageAt(world, `/town/events/${id}`)
      assert.doesNotMatch(text, /<script>|<b>/)
      assert.deepEqual(text.match(/<script[^>]*>/g), [
        '<script type="application/ld+json">',
        '<script data-root="/town">',
        '<script type="module" src="/town/event-page.js">',
      ])
      assert.equal(structuredDataOf({ text } as ApiResponse).name, evil)
    },
    { settings: { DAYBOOK_URL_SLUG: 'town', DAYBOOK_SITE_NAME: '<b>"Town"' } },
  ))

forEachEngine('structured data has the dates and lengths of the zone of the series', (engine) =>
  withWorld(engine, async (world) => {
    const scheduleOf = async (event: object) => {
      const { id } = await world.writer.creates({ title: 'x', visibility: 'public', ...event })
      return structuredDataOf(await pageAt(world, `/events/${id}`)).eventSchedule
    }
    // Midnight in UTC is the evening before in New York.
    const evenings = { start: '2026-07-14T20:00', end: '2026-07-14T20:00:30', timezone: 'America/New_York' }
    const until = await scheduleOf({ ...evenings, rrule: 'FREQ=DAILY;UNTIL=20260801T000000Z' })
    assert.deepEqual([until.endDate, until.startTime, until.duration], ['2026-07-31', '20:00:00', 'PT30S'])
    const days = { start: '2026-07-12', end: '2026-07-15', all_day: true, rrule: 'FREQ=WEEKLY' }
    const weekly = await scheduleOf({ ...days, exdates: ['2026-07-19'] })
    assert.deepEqual([weekly.duration, weekly.exceptDate], ['P3D', ['2026-07-19']])
    const hour = { start: '2026-07-12T10:00', end: '2026-07-12T11:00', rrule: 'FREQ=DAILY' }
    const daily = await scheduleOf({ ...hour, exdates: ['2026-07-13T10:00'] })
    assert.deepEqual(daily.exceptDate, ['2026-07-13T10:00:00'])
    // Clocks go forward at 01:00 on 29 March; all other dates begin at 01:30.
    const gap = { start: '2026-03-29T01:30', end: '2026-03-29T02:30', rrule: 'FREQ=DAILY' }
    assert.equal((await scheduleOf(gap)).startTime, '01:30:00')
  }),
)

for (const timezone of ['America/Los_Angeles', 'Asia/Tokyo'])
  forEachEngine(`a whole day is a next date until midnight in ${timezone}`, (engine) =>
    withWorld(
      engine,
      async (world) => {
        const { writer, clock } = world
        const days = { start: '2026-07-12', end: '2026-07-13', all_day: true, rrule: 'FREQ=DAILY;COUNT=3' }
        const { id } = await writer.creates({ ...supper, ...days })
        const firstAt = async (at: string) => {
          clock.at = Date.parse(at)
          return datesOf(await pageAt(world, `/events/${id}`))[0]
            ?.split('/')
            .at(-1)
        }
        const midnight = timezone === 'Asia/Tokyo' ? '2026-07-12T15:00:00' : '2026-07-13T07:00:00'
        const before = new Date(Date.parse(`${midnight}Z`) - 1_000).toISOString()
        assert.equal(await firstAt(before), '20260712')
        assert.equal(await firstAt(`${midnight}Z`), '20260713')
      },
      { settings: { DAYBOOK_TIMEZONE: timezone } },
    ),
  )

forEachEngine('a rule without common words is several dates', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates({ ...supper, rrule: 'FREQ=MONTHLY;BYDAY=TU' })
    assert.match((await pageAt(world, `/events/${id}`)).text, /<p class="quiet">On several dates<\/p>/)
  }),
)

forEachEngine('a series is not called cancelled because its next date is', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates({ ...supper, rrule: 'FREQ=WEEKLY;COUNT=2' })
    await world.writer.patch(`/events/${id}/occurrences/20260718T183000`, { status: 'cancelled', version: 1 })
    const page = await pageAt(world, `/events/${id}`)
    assert.doesNotMatch(page.text, /This is cancelled/)
    assert.match(page.text, /<p class="when"><time[^>]*>Saturday 25 July 2026/)
    assert.equal(structuredDataOf(page).eventStatus, 'https://schema.org/EventScheduled')
    assert.match(page.text, /<del><a [^>]*>Saturday 18 July 2026/)
    await world.writer.patch(`/events/${id}/occurrences/20260725T183000`, { status: 'cancelled', version: 2 })
    assert.match((await pageAt(world, `/events/${id}`)).text, /This is cancelled/, 'all of them')
  }),
)

forEachEngine('the answer 304 has the policy of a page that is too long to be cached', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const description = 'http://& '.repeat(1_100)
      const texts = { description, url: 'https://x.example/'.padEnd(2_000, '&'), location: '😀'.repeat(500) }
      const { id } = await world.writer.creates({ ...supper, ...texts })
      const page = await pageAt(world, `/events/${id}`)
      assert.ok(page.text.length > 128 * 1_024)
      const again = await pageAt(world, `/events/${id}`, { 'if-none-match': String(page.headers.etag) })
      assert.equal(again.status, 304)
      assert.equal(again.headers['content-security-policy'], page.headers['content-security-policy'])
    },
    { settings: { DAYBOOK_MEMORY_LIMIT: '128' } },
  ),
)
