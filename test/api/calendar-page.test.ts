// The calendar page as the service writes it: complete HTML of periods and searches, masked like every public answer.
import assert from 'node:assert/strict'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { DAY_MS } from '../../src/domain/time/instant.ts'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import type { ApiResponse } from '../support/http/api-response.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type World, withWorld } from '../support/world.ts'

const KIB = 1_024

const pageAt = async (
  { anonymous }: World,
  url: string,
  headers: Record<string, string> = {},
): Promise<ApiResponse> => {
  const page = await anonymous.send({ method: 'GET', url, headers: { accept: 'text/html', ...headers } })
  assert.equal(page.status, 200, url)
  return page
}

const plan = ({ writer }: World, event: object) => writer.creates({ visibility: 'public', ...event })

/** The text of a day’s cell in the month table, with a slash between its events. */
function cellOf({ text }: ApiResponse, label: string): string {
  const cell = text
    .split('<td ')
    .find(
      (part) =>
        part.includes(`<span class="cal-unseen"> ${label.replace(/^\d+ /, '')}</span>`) &&
        part.includes(`>${label.split(' ')[0]}<span`),
    )
  assert.ok(cell, label)
  return plain(cell.slice(cell.indexOf('<td>') + 1).replaceAll('</li>', ' / '))
}

const plain = (markup: string): string =>
  markup
    .replace(/^[^<]*>/, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** The days of a list with their lines. */
const daysOf = ({ text }: ApiResponse): string[][] =>
  [...text.matchAll(/<section class="cal-list-day">(.*?)<\/section>/gs)].map(([, day]) =>
    [...day!.matchAll(/<(h2|li)[ >].*?<\/\1>/gs)].map(([part]) => plain(part!)),
  )

const linksOf = ({ text }: ApiResponse, pattern: RegExp): string[] =>
  [...text.matchAll(/<a [^>]*href="([^"]*)"/g)]
    .map(([, href]) => href!.replaceAll('&amp;', '&'))
    .filter((href) => pattern.test(href))

forEachEngine(
  'P35: a month is a table of days, private events have their time alone, and links lead to events and periods',
  (engine) =>
    withWorld(engine, async (world) => {
      const fair = await plan(world, {
        title: 'Fair',
        start: '2026-07-12T10:00',
        end: '2026-07-12T12:00',
        location: 'Green',
      })
      const choir = await plan(world, {
        title: 'Choir',
        start: '2026-07-07T19:30',
        end: '2026-07-07T21:00',
        rrule: 'FREQ=WEEKLY;COUNT=3',
      })
      await plan(world, { title: 'Camp', start: '2026-07-16', end: '2026-07-21', all_day: true })
      await plan(world, { title: 'Dance', start: '2026-07-18T22:00', end: '2026-07-19T02:00' })
      await plan(world, { title: 'Talk', start: '2026-07-24T09:00', end: '2026-07-24T10:00', status: 'cancelled' })
      const hidden = await plan(world, {
        title: 'Geheim',
        start: '2026-07-17T09:00',
        end: '2026-07-17T10:00',
        visibility: 'private',
        location: 'Keller',
      })
      const page = await pageAt(world, '/?view=month&date=2026-07-15')
      assert.match(page.text, /<title>July 2026 – Daybook<\/title>/)
      assert.match(page.text, /<h1>July 2026<\/h1>/)
      assert.match(page.text, /<caption[^>]*>July 2026<\/caption>/)
      assert.equal(page.text.match(/<th [^>]*scope="col"/g)!.length, 7)
      assert.equal(page.text.match(/<td /g)!.length, 35)
      assert.equal(cellOf(page, '12 July 2026'), '12 July 202610:00 Fair /')
      assert.equal(cellOf(page, '14 July 2026'), '14 July 202619:30 Choir /')
      assert.equal(cellOf(page, '16 July 2026'), '16 July 2026Camp /')
      assert.equal(cellOf(page, '17 July 2026'), '17 July 2026Camp / 09:00 Private Event /')
      assert.match(cellOf(page, '18 July 2026'), /^18 July 2026Camp \/ 22:00–02:00 Dance/)
      assert.equal(cellOf(page, '19 July 2026'), '19 July 2026Camp / Dance /')
      assert.equal(cellOf(page, '20 July 2026'), '20 July 2026Camp /', 'it goes on in the next week')
      assert.match(cellOf(page, '24 July 2026'), /Talk \(cancelled\)/)
      assert.match(page.text, /class="cal-cell today" aria-current="date"><div class="cal-cell-top"><a [^>]*>10</)
      assert.doesNotMatch(page.text, /Geheim|Keller/)
      assert.ok(!page.text.includes(hidden.id), 'its page would say no more')
      assert.deepEqual(
        linksOf(page, /\/events\//).filter((href) => href.includes(fair.id)),
        [`/events/${fair.id}`],
      )
      assert.deepEqual(
        linksOf(page, new RegExp(choir.id)),
        ['07', '14', '21'].map((day) => `/events/${choir.id}/202607${day}T193000`),
      )
      for (const href of [...linksOf(page, /\/events\//), ...linksOf(page, /date=2026-07-12/)])
        await pageAt(world, href)
      assert.match(page.text, /<link rel="canonical" href="http:\/\/localhost:8080\/\?view=month&amp;date=2026-07-01">/)
      assert.match(page.text, /<link rel="prev" href="\/\?view=month&amp;date=2026-06-01">/)
      assert.match(page.text, /<link rel="next" href="\/\?view=month&amp;date=2026-08-01">/)
      assert.ok(linksOf(page, /^\/\?view=week&date=2026-07-15$/).length === 1)
      assert.ok(linksOf(page, /^\/\?view=month$/).length >= 1, 'today has no date')
    }),
)

forEachEngine('without a view, wide screens get a month and narrow ones a list from that day on', (engine) =>
  withWorld(engine, async (world) => {
    await plan(world, { title: 'Fair', start: '2026-07-02T10:00', end: '2026-07-02T12:00' })
    await plan(world, { title: 'Camp', start: '2026-07-16', end: '2026-07-18', all_day: true })
    await plan(world, { title: 'Dance', start: '2026-08-01T22:00', end: '2026-08-02T02:00', location: 'Hall' })
    const page = await pageAt(world, '/')
    assert.match(
      page.text,
      /<h1><span class="on-wide">July 2026<\/span><span class="on-narrow">10 July.{1,3}9 August 2026<\/span><\/h1>/,
    )
    assert.match(cellOf(page, '2 July 2026'), /Fair/)
    assert.deepEqual(daysOf(page), [
      ['Thursday 16 July', 'all day Camp Thursday 16 July 2026 to Friday 17 July 2026, all day'],
      ['Friday 17 July', 'all day Camp'],
      ['Saturday 1 August', '22:00–02:00 Dance Hall'],
      ['Sunday 2 August', 'until 02:00 Dance Hall'],
    ])
    assert.match(page.text, /<link rel="canonical" href="http:\/\/localhost:8080\/">/)
    const day = await pageAt(world, '/?view=day&date=2026-07-17')
    assert.deepEqual(daysOf(day), [
      ['Friday 17 July', 'all day Camp Thursday 16 July 2026 to Friday 17 July 2026, all day'],
    ])
    const week = await pageAt(world, '/?view=week&date=2026-07-17')
    assert.match(week.text, /<h1>13.{1,3}19 July 2026<\/h1>/)
    const year = await pageAt(world, '/?view=year')
    assert.match(year.text, /<h2><a href="\/\?view=month&amp;date=2026-07-01">July<\/a><\/h2><p>2 events<\/p>/)
    assert.equal(year.text.match(/<h2>/g)!.length, 12)
  }),
)

forEachEngine('the page follows root, zone, first day of the week and clock changes', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { id } = await plan(world, { title: 'Late', start: '2026-10-25T00:30:00Z', end: '2026-10-25T01:30:00Z' })
      await plan(world, { title: 'Early', start: '2026-10-24T22:30:00Z', end: '2026-10-24T23:30:00Z' })
      const page = await pageAt(world, '/town/?view=month&date=2026-10-01')
      assert.match(page.text, /<th [^>]*abbr="Sunday"[^>]*>.*abbr="Monday"/)
      assert.match(cellOf(page, '25 October 2026'), /00:30 Early \/ 02:30 Late/)
      const list = await pageAt(world, '/town/?view=day&date=2026-10-25')
      assert.deepEqual(daysOf(list), [['Sunday 25 October', '00:30–01:30 Early', '02:30–02:30 Late']])
      assert.ok(linksOf(page, /events/).every((href) => href.startsWith('/town/events/')))
      assert.deepEqual(linksOf(page, new RegExp(id)), [`/town/events/${id}`])
      assert.match(page.text, /Times in Europe\/Berlin/)
      for (const href of linksOf(page, /^\//)) assert.ok(href.startsWith('/town/'), href)
    },
    { settings: { DAYBOOK_URL_SLUG: 'town', DAYBOOK_TIMEZONE: 'Europe/Berlin', DAYBOOK_WEEK_START: 'sunday' } },
  ),
)

forEachEngine('a search lists what it finds from today on, and past dates on request, in pages', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await plan(world, {
      title: 'Choir',
      start: '2026-01-06T19:30',
      end: '2026-01-06T21:00',
      rrule: 'FREQ=WEEKLY;COUNT=100',
      category: 'Music',
    })
    await plan(world, {
      title: 'Choir',
      start: '2026-07-14T09:00',
      end: '2026-07-14T10:00',
      visibility: 'private',
      category: 'Music',
    })
    const page = await pageAt(world, '/?q=choir')
    assert.match(page.text, /<h1>Search: choir<\/h1>/)
    assert.match(page.text, /73 dates were found from today on/)
    assert.equal(linksOf(page, new RegExp(id)).length, 50)
    assert.equal(linksOf(page, new RegExp(id))[0], `/events/${id}/20260714T193000`)
    assert.equal(page.headers['x-robots-tag'], 'noindex')
    const [next] = linksOf(page, /page=2/)
    const rest = linksOf(await pageAt(world, next!), new RegExp(id))
    assert.deepEqual([rest.length, rest.at(-1)], [23, `/events/${id}/20271130T193000`])
    const past = await pageAt(world, linksOf(page, /found=past/)[0]!)
    assert.match(past.text, /27 dates were found before today/)
    assert.equal(linksOf(past, new RegExp(id))[0], `/events/${id}/20260707T193000`, 'the latest first')
    const music = await pageAt(world, '/?view=month&category=Music')
    assert.match(music.text, /<option value="Music" selected>Music<\/option>/)
    assert.doesNotMatch(music.text, /Private Event/)
    assert.match(music.text, /calendar\.ics\?category=Music/)
    const nothing = await pageAt(world, '/?view=month&category=Sport')
    assert.match(nothing.text, /There are no events of this category in this period/)
    for (const odd of [`/?q=${'x'.repeat(500)}`, '/?q=%ED%A0%80', '/?q=a&q=b', '/?page=9999&q=choir'])
      assert.equal((await pageAt(world, odd)).headers['x-robots-tag'], 'noindex', odd)
  }),
)

forEachEngine('texts of events, categories and searches cannot become markup', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const hostile = `</script><script>alert(1)</script>"'><img src=x onerror=alert(2)>&`
      const event = { title: hostile, location: hostile, category: hostile.slice(0, 60), rrule: 'FREQ=DAILY;COUNT=40' }
      await plan(world, { ...event, start: '2026-07-12T10:00', end: '2026-07-12T12:00' })
      const search = `q=${encodeURIComponent(hostile)}`
      for (const query of [
        '',
        '?view=month',
        '?view=list',
        '?view=year',
        `?${search}`,
        `?category=${encodeURIComponent(hostile)}&found=ahead`,
      ]) {
        const { text } = await pageAt(world, `/${query}`)
        assert.doesNotMatch(text, /<script>|<img|<\/script><script>alert/, query)
        assert.doesNotMatch(text.replace(/<svg.*?<\/svg>/gs, ''), / style="|<[^>]* on\w+="/, query)
      }
      assert.match((await pageAt(world, '/?view=list')).text, /&lt;\/script&gt;&lt;script&gt;alert\(1\)/)
    },
    { settings: { DAYBOOK_SITE_NAME: '<script>alert(1)</script> & "Co"' } },
  ),
)

forEachEngine('the page is kept until something changes or the day ends, and answers 304', (engine) =>
  withWorld(engine, async (world) => {
    const first = await pageAt(world, '/')
    assert.equal(first.headers['cache-control'], 'public, no-cache')
    assert.match(
      String(first.headers['content-security-policy']),
      /^default-src 'none'; script-src 'self' 'sha256-[^']+'; /,
    )
    assert.equal(first.headers['set-cookie'], undefined)
    const tag = { 'if-none-match': String(first.headers.etag) }
    const again = () => world.anonymous.send({ method: 'GET', url: '/?utm_source=x', headers: tag })
    const known = await again()
    assert.equal(known.status, 304)
    assert.equal(known.headers['content-security-policy'], first.headers['content-security-policy'])
    assert.equal((await world.writer.send({ method: 'GET', url: '/' })).text, first.text, 'the same for everyone')
    await plan(world, { title: 'Fair', start: '2026-07-12T10:00', end: '2026-07-12T12:00' })
    assert.equal((await again()).status, 200)
    // 23:00 UTC is midnight in the calendar's zone.
    const today = /aria-current="date"><div class="cal-cell-top"><a [^>]*>(\d+)</
    world.clock.at = Date.parse('2026-07-10T22:59:59Z')
    assert.equal(today.exec((await pageAt(world, '/')).text)![1], '10')
    world.clock.at = Date.parse('2026-07-10T23:00:00Z')
    assert.equal(today.exec((await pageAt(world, '/')).text)![1], '11')
    const [hits, misses] = ['hits', 'misses'].map((name) => name as 'hits' | 'misses')
    const { counts } = world.app.ctx.metrics.caches.get('calendar_pages')!
    const before = counts[misses!]
    await pageAt(world, '/')
    await pageAt(world, '/?view=&date=2026-99-99')
    await pageAt(world, '/?view=century')
    assert.equal(counts[misses!], before + 1, 'odd addresses share a page')
    assert.ok(counts[hits!] >= 2)
  }),
)

forEachEngine('a robot that follows next meets noindex, small pages and an end', (engine) =>
  withWorld(engine, async (world) => {
    await plan(world, { title: 'Fair', start: '2026-07-12T10:00', end: '2026-07-12T12:00' })
    const next = ({ text }: ApiResponse) => /<link rel="next" href="([^"]+)">/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    const empty = await pageAt(world, next(await pageAt(world, '/?view=day&date=2026-07-12'))!)
    assert.equal(empty.headers['x-robots-tag'], 'noindex')
    assert.match(empty.text, /There are no events in this period/)
    assert.ok(empty.text.length < 8 * KIB, `${empty.text.length}`)
    for (const [view = '', last = ''] of [
      ['day', '2036-12-31'],
      ['week', '2036-12-29'],
      ['month', '2036-12-01'],
      ['year', '2036-01-01'],
    ])
      assert.equal(next(await pageAt(world, `/?view=${view}&date=${last}`)), undefined, view)
    const beyond = await pageAt(world, '/?view=day&date=2037-01-01')
    assert.equal(beyond.headers['x-robots-tag'], 'noindex')
    assert.match(beyond.text, /This link points to a date or view that this calendar cannot show/)
  }),
)

forEachEngine('a month of 200 occurrences is at most 30 KiB compressed, and a day shows what has no room', (engine) =>
  withWorld(engine, async (world) => {
    const days = Array.from({ length: 30 }, (_, i) => Date.parse('2026-07-10') + i * DAY_MS)
    for (let i = 0; i < 200; i++) {
      const date = new Date(days[i % 30]!).toISOString().slice(0, 10)
      const hour = String(8 + Math.floor(i / 30)).padStart(2, '0')
      const title = `${['Choir', 'Walk', 'Market', 'Council'][i % 4]} no. ${i * 7919} in the village`
      await plan(world, { title, start: `${date}T${hour}:00`, end: `${date}T${hour}:45`, location: `Room ${i}` })
    }
    const { text } = await pageAt(world, '/')
    const sizes = [brotliCompressSync(text), gzipSync(text)].map(({ length }) => length / KIB)
    for (const size of sizes) assert.ok(size <= 30, `${sizes} KiB of ${text.length / KIB}`)
    const month = await pageAt(world, '/?view=month')
    assert.match(
      month.text,
      /<a class="cal-more" href="\/\?view=day&amp;date=2026-07-10" aria-label="\d more events; open the day">/,
    )
    assert.equal(daysOf(await pageAt(world, '/?view=day&date=2026-07-10'))[0]!.length, 8)
  }),
)

forEachEngine('without a database, and over the limit of public reads, the page of the app is sent', (engine) =>
  withWorld(
    engine,
    async (world) => {
      await plan(world, { title: 'Fair', start: '2026-07-12T10:00', end: '2026-07-12T12:00' })
      const addressed = (remoteAddress: string) =>
        world.anonymous.send({ method: 'GET', url: '/?view=month', headers: { accept: 'text/html' }, remoteAddress })
      for (let i = 0; i < 600; i++) assert.match((await addressed('203.0.113.7')).text, /Fair/)
      const limited = await addressed('203.0.113.7')
      assert.equal(limited.status, 200)
      assert.equal(limited.headers['x-robots-tag'], 'noindex')
      assert.match(limited.text, /<div id="app"><\/div>/)
      assert.doesNotMatch(limited.text, /Fair/)
      assert.match((await addressed('203.0.113.8')).text, /Fair/, 'others are not limited')
      await inTransaction(world.app.ctx.storage, (db) => sql`alter table calendar rename to lost`.execute(db))
      const without = await addressed('203.0.113.9')
      assert.deepEqual([without.status, without.text], [200, limited.text])
    },
    { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
  ),
)
