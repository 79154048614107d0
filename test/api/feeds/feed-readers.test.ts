// Feeds parsed by other libraries: the same occurrences as the JSON API in every week, also when the clocks change.
import assert from 'node:assert/strict'
import { fillWithDemo } from '../../../src/cli/demo/fill.ts'
import { type FeedReader, type FeedReaderEvent, icalJs, inWindow, nodeIcalReader } from '../../support/feed-readers.ts'
import type { Json } from '../../support/http/api-response.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { type Engine, forEachEngine } from '../../support/storage/engines.ts'
import { type Client, type World, withWorld } from '../../support/world.ts'

/** Occurrences of a window by the JSON API, in the readers' format. UTC, so that dates are those of the window. */
async function listed(client: Client, path: string, from: number, to: number): Promise<FeedReaderEvent[]> {
  const window = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}&timezone=UTC`
  const answer = await client.get(`${path}?${window}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.map((item: Json) => ({
    start: item.all_day ? item.start_date : new Date(item.start).toISOString(),
    end: item.all_day ? item.end_date : new Date(item.end).toISOString(),
    title: item.title,
  }))
}

const WEEK_MS = 7 * 86_400_000
const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)

async function compare(
  { engine }: World,
  feed: string,
  client: Client,
  path: string,
  windows: [number, number][],
  readers = [icalJs, nodeIcalReader],
) {
  let seen = 0
  const first = Math.min(...windows.map(([from]) => from))
  const last = Math.max(...windows.map(([, to]) => to))
  // Parsing a feed costs far more than reading a window of it.
  const readings = readers.map(({ name, read }) => ({ name, all: read(feed, first, last) }))
  for (const [from, to] of windows) {
    const expected = await listed(client, path, from, to)
    for (const { name, all } of readings) {
      const read = inWindow(all, from, to)
      const where = `${name} from ${new Date(from).toISOString()}`
      assert.deepEqual({ missing: without(expected, read), extra: without(read, expected) }, NONE, where)
      assert.equal(read.length, expected.length, where)
    }
    seen += expected.length
  }
  assert.ok(seen > 0, engine)
}

const NONE = { missing: [], extra: [] }

function without(all: readonly FeedReaderEvent[], others: readonly FeedReaderEvent[]): string[] {
  const known = new Set(others.map((item) => JSON.stringify(item)))
  return all.map((item) => JSON.stringify(item)).filter((item) => !known.has(item))
}

/** Occurrences are computed before they are stored, so a short run tries only some of the cases on PostgreSQL. */
const someOf = <T>(engine: Engine, cases: T[]): T[] =>
  engine === 'postgres' ? cases.slice(0, byRunLength(2, cases.length)) : cases

const linkedFeed = async ({ reader, anonymous }: World): Promise<string> => {
  const { url } = (await reader.post('/auth/feeds', { name: 'Phone' })).body.data
  return (await anonymous.send({ method: 'GET', url: new URL(url).pathname })).text
}

forEachEngine('two years of a community centre: every quarter of the feed equals the lists', (engine) =>
  withWorld(engine, async (world) => {
    const { anonymous, reader, writer, app } = world
    await fillWithDemo(app.ctx)
    const quarters = Array.from({ length: 8 }, (_, i): [number, number] => [
      Date.UTC(2026, 3 * i, 1),
      Date.UTC(2026, 3 * i + 3, 1),
    ])
    const compareBoth = async (readers: FeedReader[]): Promise<void> => {
      const feed = (await anonymous.get('/public/calendar.ics')).text
      await compare(world, feed, anonymous, '/public/events', quarters, readers)
      await compare(world, await linkedFeed(world), reader, '/events', quarters, readers)
    }
    await compareBoth([icalJs])
    if (engine === 'postgres' && !byRunLength(false, true)) return
    for (const { id, rdates } of await everyEvent(writer))
      if (rdates.length > 0) assert.equal((await writer.delete(`/events/${id}`)).status, 204)
    await compareBoth([nodeIcalReader])
  }),
)

async function everyEvent(client: Client): Promise<Json[]> {
  const all: Json[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = (await client.get(`/events?per_page=200&page=${page}`)).body
    all.push(...data)
    if (page >= meta.pagination.total_pages) return all
  }
}

/** Weeks around clock changes, north and south. */
const CHANGES = ['2026-03-05', '2026-03-26', '2026-04-02', '2026-09-03', '2026-10-01', '2026-10-22', '2026-10-29']
const ZONES = ['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kolkata', 'UTC']

forEachEngine('feeds equal the lists in weeks when clocks change, in zones that change them differently', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous, reader } = world
    for (const timezone of someOf(engine, ZONES))
      for (const [i, visibility] of ['public', 'private'].entries())
        for (const [title, start, end, rrule] of [
          ['late', '2026-01-03T22:30', '2026-01-03T22:55', 'FREQ=DAILY'],
          ['night', '2026-01-03T04:15', '2026-01-03T05:00', 'FREQ=WEEKLY;BYDAY=SA,SU,MO'],
          ['last Sunday', '2026-01-25T12:00', '2026-01-25T13:00', 'FREQ=MONTHLY;BYDAY=-1SU;COUNT=18'],
          ['until', '2026-01-05T09:00', '2026-01-05T10:00', 'FREQ=WEEKLY;UNTIL=20261025T235959Z'],
        ])
          await writer.creates({ title: `${title} ${i}`, start, end, rrule, timezone, visibility })
    const windows = CHANGES.map((first): [number, number] => [day(first), day(first) + WEEK_MS])
    await compare(world, (await anonymous.get('/public/calendar.ics')).text, anonymous, '/public/events', windows)
    await compare(world, await linkedFeed(world), reader, '/events', windows)
  }),
)

forEachEngine(
  'feeds equal the lists for edited, moved, cancelled and deleted occurrences, public and private',
  (engine) =>
    withWorld(engine, async (world) => {
      const { writer, anonymous, reader } = world
      const edit = async (id: string, key: string, patch: object) => {
        const { version } = (await writer.get(`/events/${id}`)).body.data
        const answer = await writer.patch(`/events/${id}/occurrences/${key}`, { ...patch, version })
        assert.equal(answer.status, 200, answer.text)
      }
      for (const visibility of ['public', 'private']) {
        const shared = { visibility, timezone: 'Europe/London' }
        const weekly = await writer.creates({
          ...shared,
          title: 'weekly',
          start: '2026-03-01T10:00',
          end: '2026-03-01T11:30',
          rrule: 'FREQ=WEEKLY',
        })
        await edit(weekly.id, '20260315T100000', { title: 'words alone', location: 'elsewhere' })
        await edit(weekly.id, '20260322T100000', { start: '2026-03-29T01:30', end: '2026-03-29T04:00' })
        await edit(weekly.id, '20260329T100000', {
          start: '2026-04-20T10:00',
          end: '2026-04-20T10:45',
          title: 'far away',
        })
        await edit(weekly.id, '20260412T100000', { end: '2026-04-12T15:00' })
        assert.equal((await writer.delete(`/events/${weekly.id}/occurrences/20260405T100000`)).status, 204)
        const dates = await writer.creates({
          ...shared,
          title: 'dates',
          all_day: true,
          start: '2026-03-02',
          end: '2026-03-04',
          rrule: 'FREQ=MONTHLY;BYMONTHDAY=2;COUNT=6',
        })
        await edit(dates.id, '20260402', { start: '2026-04-07', end: '2026-04-08', title: 'one day' })
        assert.equal((await writer.delete(`/events/${dates.id}/occurrences/20260502`)).status, 204)
        await writer.creates({ ...shared, title: 'single', start: '2026-10-25T00:30', end: '2026-10-25T03:00' })
        await writer.creates({
          ...shared,
          title: 'second hour',
          start: '2026-10-25T01:30:00Z',
          end: '2026-10-25T01:45:00Z',
        })
      }
      const windows: [number, number][] = [
        [day('2026-03-01'), day('2026-03-29')],
        [day('2026-03-29'), day('2026-03-30')],
        [day('2026-03-30'), day('2026-05-10')],
        [day('2026-05-10'), day('2026-12-01')],
      ]
      await compare(world, (await anonymous.get('/public/calendar.ics')).text, anonymous, '/public/events', windows)
      await compare(world, await linkedFeed(world), reader, '/events', windows)
    }),
)

forEachEngine(
  'an event through the night of a clock change keeps its exact duration, as DTEND requires (RFC 5545 §3.8.5.3)',
  (engine) =>
    withWorld(engine, async (world) => {
      const { writer, anonymous, reader } = world
      for (const timezone of someOf(engine, ZONES))
        for (const visibility of ['public', 'private']) {
          const night = { start: '2026-01-03T22:00', end: '2026-01-04T08:00', rrule: 'FREQ=DAILY' }
          await writer.creates({ title: 'night', ...night, timezone, visibility })
        }
      const windows = CHANGES.map((first): [number, number] => [day(first), day(first) + WEEK_MS])
      // The other reader adds ten hours of wall time, which is the rule for DURATION and not for DTEND.
      const readers = [nodeIcalReader]
      const feed = (await anonymous.get('/public/calendar.ics')).text
      await compare(world, feed, anonymous, '/public/events', windows, readers)
      await compare(world, await linkedFeed(world), reader, '/events', windows, readers)
    }),
)

forEachEngine('feeds equal the lists for extra dates, in the reader that supports RDATE', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous, reader } = world
    for (const visibility of ['public', 'private']) {
      const rdates = ['20260410T180000', '20261024T013000', '20261026T090000']
      const shared = { visibility, start: '2026-03-01T10:00', end: '2026-03-01T11:00', rdates }
      await writer.creates({ ...shared, title: 'with a rule', rrule: 'FREQ=WEEKLY;COUNT=3' })
      await writer.creates({ ...shared, title: 'without', timezone: 'America/New_York' })
      const days = { all_day: true, start: '2026-03-01', end: '2026-03-02', rdates: ['20260305', '20261025'] }
      await writer.creates({ visibility, title: 'dates', ...days })
    }
    const windows: [number, number][] = [[day('2026-02-01'), day('2026-12-01')]]
    const readers = [icalJs]
    const feed = (await anonymous.get('/public/calendar.ics')).text
    await compare(world, feed, anonymous, '/public/events', windows, readers)
    await compare(world, await linkedFeed(world), reader, '/events', windows, readers)
  }),
)

forEachEngine('a series whose start is off its rule has its first occurrence, and no extra one', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous, reader } = world
    const timed = { start: '2026-07-07T19:30', end: '2026-07-07T21:00' }
    const dates = { start: '2026-07-07', end: '2026-07-08', all_day: true }
    const rules = someOf(engine, [
      'FREQ=WEEKLY;BYDAY=FR;COUNT=3',
      'FREQ=WEEKLY;BYDAY=FR;COUNT=1',
      'FREQ=WEEKLY;BYDAY=FR;UNTIL=20260717',
      'FREQ=WEEKLY;BYDAY=FR;UNTIL=20260708',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR',
      'FREQ=MONTHLY;BYDAY=-1SU;COUNT=5',
    ])
    for (const visibility of ['public', 'private'])
      for (const rrule of rules)
        for (const when of [timed, dates, { ...timed, timezone: 'America/New_York' }, { ...timed, timezone: 'UTC' }]) {
          await writer.creates({ title: rrule, ...when, rrule, visibility })
          for (const change of ['deleted', 'moved', 'reworded'] as const) {
            const { id, version } = await writer.creates({ title: `${rrule} ${change}`, ...when, rrule, visibility })
            const key = when === dates ? '20260707' : '20260707T193000'
            const first = `/events/${id}/occurrences/${key}`
            const moved = when === dates ? { start: '2026-07-06' } : { end: '2026-07-07T23:00' }
            const answer =
              change === 'deleted'
                ? await writer.delete(first)
                : await writer.patch(first, { version, ...(change === 'moved' ? moved : { title: 'other words' }) })
            assert.ok(answer.status < 300, answer.text)
          }
        }
    const windows: [number, number][] = [[day('2026-07-01'), day('2026-12-01')]]
    await compare(world, (await anonymous.get('/public/calendar.ics')).text, anonymous, '/public/events', windows)
    await compare(world, await linkedFeed(world), reader, '/events', windows)
  }),
)
