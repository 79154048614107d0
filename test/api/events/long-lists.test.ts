// Lists of thousands: built in turns of the event loop, a few at a time, and paged to their end.
import assert from 'node:assert/strict'
import { importCalendar } from '../../../src/actions/transfer/import.ts'
import { OPERATOR } from '../../../src/domain/privacy/viewer.ts'
import { lines } from '../../ical/objects.ts'
import type { ApiResponse, Json } from '../../support/http/api-response.ts'
import { assertShortTurns, measureTurns } from '../../support/measure/turns.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { withWorld } from '../../support/world.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour).join()
const hourly = {
  title: 'Bell',
  visibility: 'public',
  timezone: 'UTC',
  start: '2026-07-01T00:00',
  end: '2026-07-01T00:05',
  rrule: `FREQ=DAILY;BYHOUR=${HOURS}`,
}

forEachEngine('a long list yields to other requests, and equals its pages', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    await writer.creates(hourly)
    await writer.creates({
      ...hourly,
      title: 'Day',
      start: '2026-07-01',
      end: '2026-07-02',
      all_day: true,
      rrule: 'FREQ=DAILY',
    })
    const window = 'from=2026-07-01&to=2026-10-31&timezone=UTC'
    const { result, count } = await measureTurns(() => anonymous.get(`/public/events?${window}`))
    const { body } = result
    assert.equal(body.data.length, 123 * 25)
    assert.ok(count > 4, `${count} turns`)
    const pages: Json[] = []
    for (let page = 1; page <= 16; page++) {
      const query = `${window}&per_page=200&page=${page}`
      pages.push(...(await anonymous.get(`/public/events?${query}`)).body.data)
    }
    assert.deepEqual(pages, body.data)
  }),
)

forEachEngine('a list of events as stored equals its pages, also the later ones', (engine) =>
  withWorld(engine, async ({ app, anonymous }) => {
    const events = Array.from({ length: 1_300 }, (_, i) => {
      const day = new Date(Date.UTC(2026, 6, 1 + (i % 61))).toISOString().slice(0, 10).replaceAll('-', '')
      const time = `T${String(i % 24).padStart(2, '0')}0000Z`
      const start = i % 3 === 0 ? `DTSTART;VALUE=DATE:${day}` : `DTSTART:${day}${time}`
      return lines('BEGIN:VEVENT', `UID:${i}`, 'DTSTAMP:20260101T000000Z', start, 'CLASS:PUBLIC', 'END:VEVENT')
    })
    const file = lines('BEGIN:VCALENDAR', 'VERSION:2.0') + events.join('') + lines('END:VCALENDAR')
    await importCalendar(app.ctx, OPERATOR, file)
    for (const list of [
      '/public/events?timezone=America/Los_Angeles',
      '/public/events?expand=false&from=2026-01-01&to=2027-01-01&timezone=Asia/Tokyo',
    ]) {
      const whole: Json[] = (await anonymous.get(`${list}&page=1&per_page=200`)).body.data
      for (let page = 2; page <= 7; page++) {
        const { data, meta } = (await anonymous.get(`${list}&page=${page}&per_page=200`)).body
        assert.equal(meta.pagination.total, 1_300)
        whole.push(...data)
      }
      assert.equal(new Set(whole.map(({ id }) => id)).size, 1_300, list)
      const starts = whole.map(({ start }) => Date.parse(start))
      assert.deepEqual(
        starts,
        starts.toSorted((a, b) => a - b),
        list,
      )
      assert.deepEqual((await anonymous.get(`${list}&page=8&per_page=200`)).body.data, [])
    }
  }),
)

forEachEngine('a dense series is expanded in parts where the index does not reach', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    await writer.creates({ ...hourly, end: '2026-07-01T02:30' })
    const { result } = await assertShortTurns('a list', { share: 0.6 }, (run) =>
      anonymous.get(`/public/events?from=2100-01-0${run + 1}&to=2104-12-31&per_page=1&page=3&timezone=UTC`),
    )
    // The first two began before midnight and end after it.
    const [{ start }] = result.body.data
    assert.match(start, /T00:00:00/)
    const days = (Date.parse('2105-01-01') - Date.parse(start)) / 86_400_000
    assert.equal(result.body.meta.pagination.total, days * 24 + 2)
  }),
)

forEachEngine('of many long lists at once some may get 503; short ones never do', (engine) =>
  withWorld(engine, async ({ writer, anonymous, reader }) => {
    await writer.creates(hourly)
    const long = (second: number): Promise<ApiResponse> =>
      (second % 2 ? anonymous : reader).get(`/events?from=2026-07-01T00:00:${10 + second}&to=2026-07-31`)
    const asked = Promise.all(Array.from({ length: 40 }, (_, second) => long(second)))
    const short = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        anonymous.get(`/public/events?from=2026-07-01T00:00:${10 + i}&to=2026-07-02`),
      ),
    )
    // On a busy machine PostgreSQL may have no connection for one of them in time, which has a code of its own.
    const isServed = ({ status, body }: ApiResponse): boolean =>
      status === 200 || (engine === 'postgres' && body.error.code === 'storage_unavailable')
    for (const answer of short) assert.ok(isServed(answer), answer.text)
    const answers = await asked
    const refused = answers.filter(({ status }) => status !== 200)
    const turnedAway = refused.filter(({ body }) => body.error.code === 'service_unavailable')
    assert.ok(turnedAway.length <= 22, `${turnedAway.length} of 40`)
    const names = engine === 'postgres' ? ['service_unavailable', 'storage_unavailable'] : ['service_unavailable']
    for (const { status, body, headers } of refused) {
      assert.equal(status, 503)
      assert.ok(names.includes(body.error.code), body.error.code)
      assert.ok(Number(headers['retry-after']) > 0)
    }
    assert.equal((await long(1)).status, 200, 'and then they get it')
  }),
)

forEachEngine('paging works to the end of the longest window, however many occurrences are not indexed', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    for (let i = 0; i < 3; i++) await writer.creates(hourly)
    const window = 'from=2026-07-01&to=2031-06-30&timezone=UTC'
    const total = 1_826 * 72
    for (const at of [0, 13_337, 55_555, 100_000, total - 1]) {
      const page = Math.floor(at / 200)
      const { status, body } = await anonymous.get(`/public/events?${window}&per_page=200&page=${page + 1}`)
      assert.equal(status, 200)
      assert.equal(body.meta.pagination.total, total)
      const starts = Array.from({ length: Math.min(200, total - page * 200) }, (_, i) => {
        const hour = Math.floor((page * 200 + i) / 3)
        return `${new Date(Date.UTC(2026, 6, 1, hour)).toISOString().slice(0, 19)}+00:00`
      })
      assert.deepEqual(
        body.data.map((item: Json) => item.start.replace('Z', '+00:00')),
        starts,
      )
    }
    assert.equal((await anonymous.get(`/public/events?${window}`)).body.error.code, 'too_many_occurrences')
  }),
)

forEachEngine('the occurrences of one series are paged to the end of the longest window', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const { id, etag } = await writer.creates({ ...hourly, visibility: 'private' })
    const moved = { start: '2029-03-04T05:30', end: '2029-03-04T05:35' }
    const edit = await writer.patch(`/events/${id}/occurrences/20310101T010000`, moved, { 'if-match': etag })
    assert.equal(edit.status, 200, edit.text)
    await writer.delete(`/events/${id}/occurrences/20300101T010000`)
    const hours = Array.from({ length: 1_826 * 24 }, (_, hour) => Date.UTC(2026, 6, 1, hour))
    const gone = [Date.UTC(2031, 0, 1, 1), Date.UTC(2030, 0, 1, 1)]
    const starts = [...hours.filter((at) => !gone.includes(at)), Date.parse(`${moved.start}Z`)].sort((a, b) => a - b)
    const window = 'from=2026-07-01&to=2031-06-30&timezone=UTC'
    const path = `/events/${id}/occurrences?${window}`
    for (const client of [writer, anonymous])
      for (const page of [1, 117, 150, Math.ceil(starts.length / 200), 300]) {
        const { result } = await assertShortTurns(`page ${page}`, { ms: 60 }, () =>
          client.get(`${path}&per_page=200&page=${page}`),
        )
        assert.equal(result.status, 200, result.text)
        assert.equal(result.body.meta.pagination.total, starts.length)
        assert.deepEqual(
          result.body.data.map((item: Json) => Date.parse(item.start)),
          starts.slice((page - 1) * 200, page * 200),
        )
      }
    assert.equal((await writer.get(path)).body.error.code, 'too_many_occurrences')
  }),
)
