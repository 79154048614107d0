// Feeds: complete, one snapshot, the same bytes for the same calendar, and never emptied by one bad event.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertSeries, prepareSeries } from '../../../src/actions/events/change-event.ts'
import { createPublicFeed } from '../../../src/actions/feeds/feeds.ts'
import { sourceOf } from '../../../src/actions/history/change-source.ts'
import type { App } from '../../../src/app.ts'
import { replaceSeries } from '../../../src/domain/calendar/update.ts'
import { OPERATOR } from '../../../src/domain/privacy/viewer.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { readIndexSpan } from '../../../src/storage/events/calendar.ts'
import type { Json } from '../../support/http/api-response.ts'
import { fillLongFeed } from '../../support/long-feed.ts'
import { SHORT_WORD } from '../../support/privacy/planted-words.ts'
import { ENGINES, forEachEngine, makePlace } from '../../support/storage/engines.ts'
import { type Client, openWorld, type World, withWorld } from '../../support/world.ts'

const open = (title: string, start: string, end: string, more: object = {}) => ({
  title,
  start,
  end,
  visibility: 'public',
  ...more,
})

/** Unfolded lines. */
const linesOf = (text: string): string[] => text.replaceAll('\r\n ', '').split('\r\n')

const valuesOf = (text: string, name: string): string[] =>
  linesOf(text)
    .filter((line) => line.startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1))

const feed = async (client: Client, query = ''): Promise<string> => {
  const answer = await client.get(`/public/calendar.ics${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.text
}

forEachEngine('a feed is one calendar: header, the zones it uses, and every event', (engine) =>
  withWorld(
    engine,
    async ({ writer, anonymous }) => {
      const empty = await feed(anonymous)
      assert.deepEqual(valuesOf(empty, 'BEGIN'), ['VCALENDAR'], 'an empty calendar is one, too')
      await writer.creates(open('London', '2026-07-14T09:00', '2026-07-14T10:00'))
      await writer.creates(open('Tokyo', '2026-07-14T09:00', '2026-07-14T10:00', { timezone: 'Asia/Tokyo' }))
      await writer.creates(open('All day', '2026-07-14', '2026-07-15', { all_day: true, timezone: 'America/New_York' }))
      await writer.creates(open('UTC', '2026-07-14T09:00', '2026-07-14T10:00', { timezone: 'UTC' }))
      await writer.creates({ ...open('zqtitle', '2026-07-14T09:00', '2026-07-14T10:00'), visibility: 'private' })
      const answer = await anonymous.get('/public/calendar.ics')
      assert.equal(answer.headers['content-type'], 'text/calendar; charset=utf-8')
      assert.equal(answer.headers['content-disposition'], 'inline; filename="calendar.ics"')
      const { text } = answer
      assert.ok(text.startsWith('BEGIN:VCALENDAR\r\n') && text.endsWith('END:VEVENT\r\nEND:VCALENDAR\r\n'))
      assert.ok(!text.replaceAll('\r\n', '').match(/[\r\n]/), 'every line ends in CRLF')
      for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
      assert.deepEqual(valuesOf(text, 'X-WR-CALNAME'), ['Café Fête'])
      assert.deepEqual(valuesOf(text, 'X-PUBLISHED-TTL'), ['PT1H'])
      assert.deepEqual(valuesOf(text, 'METHOD'), ['PUBLISH'])
      assert.deepEqual(valuesOf(text, 'TZID'), ['Asia/Tokyo', 'Europe/London'])
      const titles = ['All day', 'London', 'Private Event', 'Tokyo', 'UTC']
      assert.deepEqual(valuesOf(text, 'SUMMARY').sort(), titles)
      assert.ok(!SHORT_WORD.test(text))
    },
    { settings: { DAYBOOK_SITE_NAME: 'Café Fête' } },
  ),
)

/** Building a feed reads two lists of sizes for them, and three batches of texts. */
const MANY = 600

forEachEngine('events of several batches are in the feed once each, in one order', (engine) =>
  withWorld(engine, async ({ app, anonymous }) => {
    const ids = new Set<string>()
    const { ctx } = app
    const span = await readIndexSpan(ctx.storage.reads)
    await inTransaction(ctx.storage, async (db) => {
      for (let i = 0; i < MANY; i++) {
        const day = `2026-07-${String((i % 28) + 1).padStart(2, '0')}`
        const visibility = i % 3 ? 'public' : 'private'
        const fields = { title: `Event ${i}`, start: `${day}T09:00`, end: `${day}T10:00`, visibility } as const
        const id = ctx.newId()
        const { series } = replaceSeries(`${id}@example.org`, fields, { zone: 'Europe/London', visibility })
        const prepared = await prepareSeries(ctx, id, series, span)
        await insertSeries(ctx, db, sourceOf(ctx, OPERATOR), { id, series, span, prepared })
        ids.add(id)
      }
    })
    const text = await feed(anonymous)
    assert.equal(valuesOf(text, 'UID').length, MANY)
    assert.equal(new Set(valuesOf(text, 'UID')).size, MANY)
    assert.equal(valuesOf(text, 'SUMMARY').filter((title) => title === 'Private Event').length, MANY / 3)
    const open = valuesOf(text, 'UID').flatMap((uid) => (uid.endsWith('@calendar') ? [] : [uid.split('@')[0]!]))
    assert.deepEqual(open, [...open].sort(), 'in the order of their ids')
    assert.ok(open.every((id) => ids.has(id)))
    assert.equal(await feed(anonymous, '?from=2026-01-01'), text)
    const later = valuesOf(await feed(anonymous, '?from=2026-07-28'), 'DTSTART;TZID=Europe/London')
    assert.ok(later.length > 20 && later.every((start) => start.startsWith('20260728T')))
  }),
)

forEachEngine('a hundred subscribers at once cost one build, and later ones none', (engine) =>
  withWorld(engine, async ({ writer, anonymous, app }) => {
    for (let i = 0; i < 30; i++) await writer.creates(open(`Event ${i}`, '2026-07-14T09:00', '2026-07-14T10:00'))
    const made = countAssemblies(app)
    const ask = (headers: Record<string, string>) => anonymous.get('/public/calendar.ics', headers)
    const accepted = ['br', 'gzip', 'identity', 'br, gzip']
    const first = await Promise.all(
      Array.from({ length: 100 }, (_, i) => ask({ 'accept-encoding': accepted[i % accepted.length]! })),
    )
    assert.equal(made.assembled, 1)
    assert.equal(new Set(first.map(({ text }) => text)).size, 1)
    for (let i = 0; i < 20; i++) await ask({ 'if-none-match': String(first[i]!.headers.etag) })
    assert.equal((await anonymous.get('/public/calendar.ics?utm_source=x&_=123')).text, first[0]!.text)
    assert.equal(made.assembled, 1, 'what the address holds besides the question does not matter')
    await writer.creates(open('Another', '2026-07-14T09:00', '2026-07-14T10:00'))
    const before = made.assembled
    await Promise.all(Array.from({ length: 50 }, () => ask({})))
    assert.equal(made.assembled - before, 1)
  }),
)

/** Each feed is built on a connection of its own. */
function countAssemblies({ ctx: { storage } }: App): { assembled: number } {
  const { openReader } = storage
  const made = { assembled: 0 }
  storage.openReader = () => {
    made.assembled += 1
    return openReader()
  }
  return made
}

test('a whole feed that is too long to cache is charged to the network that requests it', () =>
  withWorld('sqlite', async ({ app, writer }) => {
    await writer.creates(open('Once', '2026-07-14T09:00', '2026-07-14T10:00'))
    let charges = 0
    const charge = (): void => {
      charges += 1
    }
    const caller = { key: 'network', charge }
    const make = (maxKeptBytes: number, reserve: () => void = () => {}) =>
      createPublicFeed(app.ctx, { categories: undefined }, caller, { reserve, maxKeptBytes })
    const { length } = await make(Number.POSITIVE_INFINITY)
    await make(length + 1_000)
    assert.equal(charges, 0, 'one that is kept is built for all subscribers')
    await make(length - 1)
    assert.equal(charges, 1)
    const refuse = (): never => assert.fail('no room')
    await assert.rejects(make(length - 1, refuse), /no room/)
    assert.equal(charges, 2, 'also where it is refused for its length')
  }))

forEachEngine('every instant of a day gives the feed of that day, in the zone of the calendar', (engine) =>
  withWorld(
    engine,
    async ({ writer, anonymous, app }) => {
      await writer.creates(open('early', '2026-07-14T01:00', '2026-07-14T02:00'))
      await writer.creates(open('evening', '2026-07-13T22:00', '2026-07-13T23:00'))
      const made = countAssemblies(app)
      const day = await feed(anonymous, '?from=2026-07-14')
      assert.deepEqual(valuesOf(day, 'SUMMARY'), ['early'])
      for (const from of ['2026-07-14T00:00:01', '2026-07-14T23:59:59', '2026-07-13T15:00:00Z', '2026-07-14T14:59:59Z'])
        assert.equal(await feed(anonymous, `?from=${from}`), day, from)
      for (let second = 10; second < 60; second++) await feed(anonymous, `?from=2026-07-14T12:00:${second}`)
      assert.equal(made.assembled, 1)
      assert.match(await feed(anonymous, '?from=2026-07-13T14:59:59Z'), /SUMMARY:evening/)
    },
    { settings: { DAYBOOK_TIMEZONE: 'Asia/Tokyo' } },
  ),
)

forEachEngine('feeds with individual filters never evict the whole feed from the cache', (engine) =>
  withWorld(engine, async (world) => {
    await fillLongFeed(world)
    const made = countAssemblies(world.app)
    const ask = async (query: string): Promise<void> => {
      assert.equal((await world.anonymous.head(`/public/calendar.ics${query}`)).status, 200)
    }
    await ask('')
    // Together with the whole feed, more than the cache holds.
    for (let day = 1; day <= 2; day++) await ask(`?from=2026-01-0${day}`)
    const before = made.assembled
    await ask('')
    assert.equal(made.assembled, before)
  }),
)

for (const engine of ENGINES)
  test(`the same calendar gives the same bytes, on every node and after any number of starts (${engine})`, async () => {
    const place = await makePlace(engine)
    const worlds: World[] = []
    try {
      worlds.push(await openWorld(engine, place))
      const [{ writer }] = worlds as [World]
      for (const visibility of ['public', 'private'])
        for (const zone of ['Europe/London', 'America/New_York']) {
          const more = { visibility, timezone: zone, rrule: 'FREQ=WEEKLY;BYDAY=TU,FR', exdates: ['20260717T090000'] }
          const { id } = await writer.creates(open('Series', '2026-07-14T09:00', '2026-07-14T10:00', more))
          const moved = { start: '2026-07-22T11:00', end: '2026-07-22T12:00', version: 1 }
          assert.equal((await writer.patch(`/events/${id}/occurrences/20260721T090000`, moved)).status, 200)
        }
      worlds.push(await openWorld(engine, place, { place, now: '2026-12-24T18:00:00Z' }))
      const [one, two] = await Promise.all(worlds.map(({ anonymous }) => anonymous.get('/public/calendar.ics')))
      assert.equal(one!.text, two!.text)
      assert.equal(one!.headers.etag, two!.headers.etag)
    } finally {
      for (const { app } of worlds) await app.close()
      await place.remove()
    }
  })

forEachEngine('the feed of one event has the series with its edited occurrences, and no other event', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    await writer.creates(open('Other', '2026-07-14T09:00', '2026-07-14T10:00', { timezone: 'Asia/Tokyo' }))
    const series = await writer.creates(
      open('Choir', '2026-07-14T09:00', '2026-07-14T10:00', { rrule: 'FREQ=WEEKLY', uid: 'choir@example.org' }),
    )
    await writer.patch(`/events/${series.id}/occurrences/20260721T090000`, { title: 'Concert', version: 1 })
    const answer = await anonymous.get(`/public/events/${series.id}/event.ics`)
    assert.equal(answer.headers['content-type'], 'text/calendar; charset=utf-8')
    assert.equal(answer.headers['content-disposition'], 'inline; filename="event.ics"')
    assert.deepEqual(valuesOf(answer.text, 'SUMMARY'), ['Choir', 'Concert'])
    assert.deepEqual(valuesOf(answer.text, 'UID'), ['choir@example.org', 'choir@example.org'])
    assert.deepEqual(valuesOf(answer.text, 'TZID'), ['Europe/London'])
    assert.deepEqual(valuesOf(answer.text, 'RRULE').at(-1), 'FREQ=WEEKLY')
  }),
)

forEachEngine('a feed can be limited to one category, or from a day on; series that continue are in it', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const music = { category: 'Music' }
    await writer.creates(open('past', '2026-01-14T09:00', '2026-01-14T10:00', music))
    await writer.creates(open('to come', '2026-09-14T09:00', '2026-09-14T10:00', music))
    await writer.creates(open('endless', '2020-01-14T09:00', '2020-01-14T10:00', { rrule: 'FREQ=WEEKLY' }))
    await writer.creates(open('ended', '2020-01-14T09:00', '2020-01-14T10:00', { rrule: 'FREQ=WEEKLY;COUNT=9' }))
    await writer.creates({ ...open('zq', '2026-09-14T09:00', '2026-09-14T10:00', music), visibility: 'private' })
    const titles = async (query: string) => valuesOf(await feed(anonymous, query), 'SUMMARY').sort()
    assert.deepEqual(await titles('?category=Music'), ['past', 'to come'])
    assert.deepEqual(await titles('?category=music'), [])
    assert.deepEqual(await titles('?category=music&category=Music'), ['past', 'to come'])
    assert.equal(await feed(anonymous, '?category='), await feed(anonymous, ''), 'nothing written asks for everything')
    assert.deepEqual(await titles('?from=2026-07-01'), ['Private Event', 'endless', 'to come'])
    assert.deepEqual(await titles('?from=2026-07-01T09:00:00Z&category=Music'), ['to come'])
    for (const [query, code] of [
      ['?from=yesterday', 'invalid_parameter'],
      ['?from=2026-02-30', 'invalid_parameter'],
      ['?from=2026-01-01&from=2026-01-02', 'duplicate_parameter'],
      [`?category=${'x'.repeat(65)}`, 'validation_failed'],
      ['?category=%00', 'invalid_parameter'],
    ])
      assert.equal((await anonymous.get(`/public/calendar.ics${query}`)).body.error.code, code, String(query))
  }),
)

forEachEngine('long series that ended earlier are left out, whatever defines their end', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const daily = (title: string, rrule: string, more = {}): Promise<object> =>
      writer.creates(open(title, '2000-01-14T09:00', '2000-01-14T10:00', { rrule: `FREQ=DAILY;${rrule}`, ...more }))
    await daily('counted', 'COUNT=5000')
    await daily('until', 'UNTIL=20130922T090000Z')
    await daily('with a date after', 'COUNT=5000', { rdates: ['20300101T090000'] })
    await daily('goes on', 'COUNT=10000')
    const days = { title: 'days', visibility: 'public', all_day: true, start: '2000-01-14', end: '2000-01-15' }
    await writer.creates({ ...days, rrule: 'FREQ=DAILY;UNTIL=20130921' })
    const titles = async (query: string) => [...new Set(valuesOf(await feed(anonymous, query), 'SUMMARY'))].sort()
    const all = ['counted', 'days', 'goes on', 'until', 'with a date after']
    assert.deepEqual(await titles(''), all)
    assert.deepEqual(await titles('?from=2013-09-21T08:30:00Z'), all, 'its last one is still to come')
    assert.deepEqual(await titles('?from=2013-09-25'), ['goes on', 'with a date after'])
    assert.deepEqual(await titles('?from=2029-01-01'), ['with a date after'])
  }),
)

forEachEngine('P38: one bad event never empties the feed, and nothing of it is shown', (engine) =>
  withWorld(engine, async ({ writer, anonymous, app }) => {
    const bad: string[] = []
    for (let i = 0; i < 6; i++) {
      const event = open(`Event ${i}`, '2026-07-14T09:00', '2026-07-14T10:00', {
        visibility: i % 2 ? 'private' : 'public',
      })
      const { id } = await writer.creates(event)
      if (i < 4) bad.push(id)
    }
    const { writes } = app.ctx.storage
    const damage = (id: string, columns: object) =>
      writes.updateTable('events').set(columns).where('id', '=', id).execute()
    await damage(bad[0]!, { timezone: 'Gone/Zone' })
    await damage(bad[1]!, { timezone: 'Gone/Zone', rrule: 'NONSENSE' })
    await damage(bad[2]!, { public_ical: 'BEGIN:VEVENT\r\nSUMMARY:zqhalf' })
    await damage(bad[3]!, { public_ical: 'zqnonsense', rdates: '{' })
    await writer.creates(open('Last', '2026-07-14T09:00', '2026-07-14T10:00'))
    const text = await feed(anonymous)
    assert.deepEqual(valuesOf(text, 'SUMMARY').sort(), ['Event 0', 'Event 4', 'Last', 'Private Event', 'Private Event'])
    assert.ok(!SHORT_WORD.test(text))
    assert.deepEqual(valuesOf(text, 'TZID'), ['Europe/London'])
    assert.equal((await anonymous.get(`/public/events/${bad[0]}/event.ics`)).status, 200)
    for (const id of [bad[2], bad[3]]) assert.equal((await anonymous.get(`/public/events/${id}/event.ics`)).status, 404)
    for (const path of ['/public/sidebar-events?limit=20', '/public/categories', '/public/events'])
      assert.equal((await anonymous.get(path)).status, 200, path)
  }),
)

forEachEngine(
  'P24: an event made private is masked from the next request on, with a new UID, and not found by search',
  (engine) =>
    withWorld(engine, async ({ writer, anonymous }) => {
      const more = { category: 'zqcategory', location: 'zqlocation', uid: 'zquid@example.org' }
      const event = await writer.creates(open('zqtitle', '2026-07-14T09:00', '2026-07-14T10:00', more))
      const names = new Set<string>()
      const paths = [
        '/public/calendar.ics',
        `/public/events/${event.id}/event.ics`,
        `/public/events/${event.id}`,
        '/public/events?view=month',
        '/public/events',
        '/public/sidebar-events',
        '/public/categories',
        '/public/events?view=month&q=zqtitle',
        '/public/events?view=month&category=zqcategory',
        '/public/calendar.ics?category=zqcategory',
      ]
      for (let version = 1; version <= 6; version += 2) {
        const tags = new Map<string, string>()
        for (const path of paths) {
          const { text, headers } = await anonymous.get(path)
          assert.match(text, SHORT_WORD, path)
          tags.set(path, String(headers.etag))
        }
        assert.deepEqual(valuesOf(await feed(anonymous), 'UID'), ['zquid@example.org'])
        await writer.patch(`/events/${event.id}`, { visibility: 'private', version })
        for (const path of paths) {
          const { status, text } = await anonymous.get(path, { 'if-none-match': tags.get(path)! })
          assert.equal(status, 200, 'what a cache kept is not good any more')
          assert.doesNotMatch(text, SHORT_WORD, path)
        }
        const [uid = ''] = valuesOf(await feed(anonymous), 'UID')
        assert.match(uid, /^[0-9a-v]{26}@calendar$/)
        assert.ok(!names.has(uid), 'and another one each time')
        names.add(uid)
        const found: Json = (await anonymous.get('/public/events?view=month&q=private')).body.data
        assert.equal(found.length, 1)
        await writer.patch(`/events/${event.id}`, { visibility: 'public', version: version + 1 })
      }
    }),
)
