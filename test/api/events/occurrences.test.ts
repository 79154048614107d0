// Single occurrences: deleted, edited, restored. The series is never split.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../support/http/api-response.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, withWorld } from '../../support/world.ts'

const choir = {
  title: 'Choir',
  start: '2026-07-07T19:00',
  end: '2026-07-07T21:00',
  visibility: 'public',
  rrule: 'FREQ=WEEKLY;COUNT=4',
}

const keys = async (client: Client, query = 'view=month'): Promise<string[]> =>
  (await client.get(`/events?${query}`)).body.data.map((item: Json) => item.occurrence_key)

forEachEngine('deleting one occurrence removes that one and keeps one series', (engine) =>
  withWorld(engine, async ({ writer, clock }) => {
    const series = await writer.creates(choir)
    clock.at += 60_000
    const answer = await writer.delete(`/events/${series.id}/occurrences/20260714T190000`)
    assert.equal(answer.status, 204)
    assert.deepEqual(await keys(writer), ['20260707T190000', '20260721T190000', '20260728T190000'])
    assert.equal((await writer.get('/events')).body.meta.pagination.total, 1, 'never split')
    const { data } = (await writer.get(`/events/${series.id}`)).body
    assert.equal(data.version, 2)
    assert.equal(data.rrule, 'FREQ=WEEKLY;COUNT=4')
    assert.deepEqual(data.exdates, ['20260714T190000'])
    assert.deepEqual(data.exceptions, [
      {
        occurrence_key: '20260714T190000',
        type: 'excluded',
        created_at: '2026-07-10T12:01:00Z',
        created_by: data.created_by,
      },
    ])
    assert.notEqual(data.updated_at, series.updated_at)
    assert.equal(
      (await writer.delete(`/events/${series.id}/occurrences/20260714T190000`)).body.error.code,
      'occurrence_not_found',
    )
  }),
)

forEachEngine('a key is accepted in every form that names the same occurrence', (engine) =>
  withWorld(engine, async ({ writer }) => {
    for (const form of [
      '20260714T190000',
      '2026-07-14T19:00:00',
      '20260714T180000Z',
      '2026-07-14T19:00:00%2B01:00',
      '2026-07-14T18%3A00%3A00Z',
      '2026-07-14T20:00:00%2B02:00',
    ]) {
      const series = await writer.creates(choir)
      const answer = await writer.delete(`/events/${series.id}/occurrences/${form}`)
      assert.equal(answer.status, 204, form)
      assert.deepEqual((await writer.get(`/events/${series.id}`)).body.data.exdates, ['20260714T190000'])
    }
  }),
)

forEachEngine('wrong keys: malformed is 400, not in the series 404, not a series 409', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const series = await writer.creates(choir)
    const single = await writer.creates({ ...choir, rrule: null })
    const allDay = await writer.creates({
      title: 'D',
      start: '2026-07-07',
      end: '2026-07-08',
      all_day: true,
      rrule: 'FREQ=DAILY;COUNT=3',
    })
    const cases: [string, string, number, string][] = [
      [series.id, 'second', 400, 'invalid_occurrence_key'],
      [series.id, '20261314T190000', 400, 'invalid_occurrence_key'],
      [series.id, '%00', 400, 'invalid_occurrence_key'],
      [series.id, '20260714T190001', 404, 'occurrence_not_found'],
      [series.id, '20260714', 404, 'occurrence_not_found'],
      [series.id, '20260804T190000', 404, 'occurrence_not_found'],
      [allDay.id, '20260708T000000', 404, 'occurrence_not_found'],
      [allDay.id, '20260710', 404, 'occurrence_not_found'],
      [single.id, '20260707T190000', 409, 'event_not_recurring'],
      ['00000000000000000000000000', '20260707T190000', 404, 'event_not_found'],
    ]
    for (const [id, key, status, code] of cases) {
      const answer = await writer.delete(`/events/${id}/occurrences/${key}`)
      assert.equal(answer.status, status, key)
      assert.equal(answer.body.error.code, code, key)
    }
    assert.equal((await writer.delete(`/events/${allDay.id}/occurrences/20260708`)).status, 204)
  }),
)

forEachEngine('deleting every occurrence leaves an empty series, not a deleted one', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const series = await writer.creates(choir)
    for (const key of await keys(writer))
      assert.equal((await writer.delete(`/events/${series.id}/occurrences/${key}`)).status, 204)
    assert.deepEqual(await keys(writer), [])
    assert.equal((await writer.get(`/events/${series.id}`)).body.data.exdates.length, 4)
  }),
)

forEachEngine('one occurrence is edited and moved; the others and the series stay', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const series = await writer.creates(choir)
    const path = `/events/${series.id}/occurrences/20260714T190000`
    assert.equal((await writer.patch(path, { title: 'Concert' })).body.error.code, 'precondition_required')
    const answer = await writer.patch(
      path,
      { title: 'Concert', start: '2026-07-15T20:00', end: '2026-07-15T22:00' },
      { 'if-match': series.etag },
    )
    assert.equal(answer.status, 200)
    const { title, start, occurrence_key, version, recurring } = answer.body.data
    assert.deepEqual(
      { title, start, occurrence_key, version, recurring },
      {
        title: 'Concert',
        start: '2026-07-15T20:00:00+01:00',
        occurrence_key: '20260714T190000',
        version: 2,
        recurring: true,
      },
    )
    assert.equal(answer.headers.etag, answer.body.data.etag)
    const month = (await writer.get('/events?view=month')).body.data
    assert.deepEqual(
      month.map((item: Json) => `${item.start.slice(0, 16)} ${item.title}`),
      ['2026-07-07T19:00 Choir', '2026-07-15T20:00 Concert', '2026-07-21T19:00 Choir', '2026-07-28T19:00 Choir'],
    )
    const { exceptions } = (await writer.get(`/events/${series.id}`)).body.data
    assert.deepEqual(
      exceptions.map(({ type, title, start, end, location }: Json) => ({ type, title, start, end, location })),
      [
        {
          type: 'overridden',
          title: 'Concert',
          start: '2026-07-15T20:00:00+01:00',
          end: '2026-07-15T22:00:00+01:00',
          location: undefined,
        },
      ],
    )
    assert.equal((await writer.get('/events?view=day&from=2026-07-14')).body.data.length, 0, 'its old place is empty')
    assert.equal((await writer.patch(path, { title: 'x', version: 1 })).status, 412)
    assert.equal(
      (await writer.patch(path, { rdates: [], version: 2 })).body.error.details.fields[0].code,
      'unknown_field',
    )
  }),
)

forEachEngine('a start alone moves an event or an occurrence, with its length', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const { id } = await writer.creates(choir)
    const moved = await writer.patch(`/events/${id}`, { start: '2026-07-07T18:00', version: 1 })
    assert.deepEqual(
      [moved.body.data.start, moved.body.data.end],
      ['2026-07-07T18:00:00+01:00', '2026-07-07T20:00:00+01:00'],
    )
    const path = `/events/${id}/occurrences/20260714T180000`
    const { data } = (await writer.patch(path, { start: '2026-07-15T20:00', version: 2 })).body
    assert.deepEqual([data.start, data.end], ['2026-07-15T20:00:00+01:00', '2026-07-15T22:00:00+01:00'])
    const longer = await writer.patch(path, { end: '2026-07-15T23:00', version: 3 })
    assert.equal(longer.body.data.start, '2026-07-15T20:00:00+01:00')
    const late = await writer.patch(path, { start: '2026-07-16T20:00', version: 4 })
    assert.equal(late.body.data.end, '2026-07-16T23:00:00+01:00')
  }),
)

forEachEngine('a deleted occurrence comes back, an edited one returns to the series', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const series = await writer.creates(choir)
    await writer.delete(`/events/${series.id}/occurrences/20260714T190000`)
    await writer.patch(`/events/${series.id}/occurrences/20260721T190000`, { title: 'Concert', version: 2 })
    assert.equal((await writer.delete(`/events/${series.id}/exceptions/20260714T190000`)).status, 204)
    assert.equal((await writer.delete(`/events/${series.id}/exceptions/20260721T190000`)).status, 204)
    const missing = await writer.delete(`/events/${series.id}/exceptions/20260728T190000`)
    assert.equal(missing.status, 404)
    assert.equal(missing.body.error.code, 'exception_not_found')
    const { data } = (await writer.get(`/events/${series.id}`)).body
    assert.deepEqual([data.exceptions, data.exdates, data.version], [[], [], 5])
    assert.deepEqual(
      (await writer.get('/events?view=month')).body.data.map((item: Json) => item.title),
      ['Choir', 'Choir', 'Choir', 'Choir'],
    )
  }),
)

forEachEngine('one occurrence and the occurrences of one series can be read', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const series = await writer.creates({ ...choir, rrule: 'FREQ=WEEKLY' })
    await writer.creates({ ...choir, title: 'Other' })
    await writer.delete(`/events/${series.id}/occurrences/20260714T190000`)
    const listed = await writer.get(`/events/${series.id}/occurrences?from=2026-07-01&to=2026-07-31`)
    assert.deepEqual(
      listed.body.data.map((item: Json) => item.occurrence_key),
      ['20260707T190000', '20260721T190000', '20260728T190000'],
    )
    const coming = await writer.get(`/events/${series.id}/occurrences?per_page=2`)
    assert.deepEqual(
      coming.body.data.map((item: Json) => item.occurrence_key),
      ['20260721T190000', '20260728T190000'],
    )
    assert.equal(coming.body.meta.pagination.total, 51)
    const one = await anonymous.get(`/events/${series.id}/occurrences/20260721T190000`)
    assert.equal(one.body.data.title, 'Choir')
    assert.equal((await anonymous.get(`/events/${series.id}/occurrences/20260714T190000`)).status, 404)
    assert.equal((await anonymous.get('/events/00000000000000000000000000/occurrences')).status, 404)
    const far = await writer.get(`/events/${series.id}/occurrences/21500106T190000`)
    assert.equal(far.body.data.start, '2150-01-06T19:00:00+00:00', 'far beyond the index')
  }),
)

forEachEngine('an edit that changes nothing of an occurrence makes no exception', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const series = await writer.creates({ ...choir, location: 'Hall' })
    const path = `/events/${series.id}/occurrences/20260714T190000`
    const times = { start: '2026-07-14T19:00', end: '2026-07-14T20:00+00:00' }
    for (const same of [
      {},
      { title: 'Choir', location: 'Hall', description: null },
      times,
      { title: 'Choir', ...times },
    ]) {
      const answer = await writer.patch(path, { ...same, version: 1 })
      assert.deepEqual([answer.status, answer.body.meta.version, answer.headers.etag], [200, 1, series.etag])
      assert.deepEqual(answer.body.data, (await writer.get(path)).body.data)
    }
    assert.deepEqual((await writer.get(`/events/${series.id}`)).body.data, series)
    const file = await anonymous.get(`/public/events/${series.id}/event.ics`)
    assert.equal(file.text.match(/BEGIN:VEVENT/g)?.length, 1)
    assert.equal((await writer.patch(path, { title: 'Concert', version: 1 })).body.meta.version, 2)
    assert.equal((await writer.patch(path, { title: 'Concert', version: 2 })).body.meta.version, 2)
    assert.equal((await writer.patch(path, { title: 'Choir', version: 2 })).body.meta.version, 3)
  }),
)

forEachEngine('moving a series moves its exceptions', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const series = await writer.creates(choir)
    await writer.delete(`/events/${series.id}/occurrences/20260714T190000`)
    await writer.patch(`/events/${series.id}/occurrences/20260721T190000`, { title: 'Concert', version: 2 })
    const before = (await writer.get(`/events/${series.id}`)).body.data
    const moved = await writer.patch(`/events/${series.id}`, {
      start: '2026-07-08T20:00',
      end: '2026-07-08T22:00',
      version: 3,
    })
    assert.equal(moved.status, 200)
    assert.deepEqual(moved.body.data.exdates, ['20260715T200000'])
    assert.deepEqual(
      moved.body.data.exceptions.map(({ occurrence_key, type, title, created_at }: Json) => ({
        occurrence_key,
        type,
        title,
        created_at,
      })),
      [
        {
          occurrence_key: '20260715T200000',
          type: 'excluded',
          title: undefined,
          created_at: before.exceptions[0].created_at,
        },
        {
          occurrence_key: '20260722T200000',
          type: 'overridden',
          title: 'Concert',
          created_at: before.exceptions[1].created_at,
        },
      ],
    )
    assert.deepEqual(await keys(writer), ['20260708T200000', '20260722T200000', '20260729T200000'])
    const zoned = await writer.patch(`/events/${series.id}`, { timezone: 'America/New_York', version: 4 })
    assert.deepEqual(zoned.body.data.exdates, ['20260715T200000'], 'a new zone alone moves no key')
    assert.equal(zoned.body.data.start, '2026-07-08T20:00:00-04:00')
  }),
)

forEachEngine('a changed rule keeps the exceptions that still fit and lists the others', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const series = await writer.creates({ ...choir, exdates: ['20260714T190000', '20260721T190000'] })
    const answer = await writer.patch(`/events/${series.id}`, { rrule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=4', version: 1 })
    assert.deepEqual(answer.body.data.exdates, ['20260721T190000'])
    assert.deepEqual(answer.body.meta.dropped_exceptions, ['20260714T190000'])
    const single = await writer.patch(`/events/${series.id}`, { rrule: null, version: 2 })
    assert.deepEqual(single.body.meta.dropped_exceptions, ['20260721T190000'])
    assert.equal(single.body.data.recurring, false)
    const created = await writer.post('/events', { ...choir, exdates: ['20260714T190000', '20260715T190000'] })
    assert.deepEqual(created.body.meta.dropped_exceptions, ['20260715T190000'])
  }),
)

forEachEngine('an edit that loses exceptions lists them with their type, up to a number', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const { id } = await writer.creates({ ...choir, exdates: ['20260714T190000'] })
    const path = `/events/${id}`
    const edited = await writer.patch(`${path}/occurrences/20260721T190000`, { title: 'Concert', version: 1 })
    assert.equal(edited.body.meta.dropped, undefined)
    const { data: before } = (await writer.get(path)).body
    const lost = [
      { occurrence_key: '20260714T190000', type: 'excluded' },
      { occurrence_key: '20260721T190000', type: 'overridden' },
    ]
    const { start, end, title } = choir
    const put = await writer.put(path, { title, start, end, version: 2 })
    assert.deepEqual(put.body.meta, {
      version: 3,
      dropped_exceptions: lost.map(({ occurrence_key }) => occurrence_key),
      dropped: lost,
    })
    const again = await writer.put(path, { ...choir, rdates: ['20260722T190000'], exdates: before.exdates, version: 3 })
    assert.equal(again.body.meta.dropped, undefined)
    const changes = [
      { title: 'Concert', version: 4 },
      { exdates: ['20260721T190000'], version: 5 },
    ]
    assert.equal((await writer.patch(`${path}/occurrences/20260721T190000`, changes[0])).status, 200)
    assert.deepEqual((await writer.patch(path, changes[1])).body.meta.dropped, [lost[1]])

    const days = Array.from({ length: 501 }, (_, day) =>
      new Date(Date.UTC(2026, 6, 8 + day)).toISOString().slice(0, 10),
    )
    const dates = days.map((day) => `${day.replaceAll('-', '')}T190000`)
    const many = await writer.creates({ ...choir, rrule: 'FREQ=DAILY', exdates: dates.slice(0, 500) })
    const more = await writer.delete(`/events/${many.id}/occurrences/${dates[500]}`)
    assert.equal(more.status, 204)
    const { meta } = (await writer.patch(`/events/${many.id}`, { rrule: null, version: 2 })).body
    assert.deepEqual(meta.dropped_exceptions, dates.slice(0, 500))
    assert.equal(meta.dropped.length, 500)
    assert.equal(meta.dropped_truncated, true)
  }),
)

forEachEngine('an occurrence in the hour the clocks skip keeps its key', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const series = await writer.creates({
      title: 'Night',
      start: '2026-03-28T01:30',
      end: '2026-03-28T02:00',
      rrule: 'FREQ=DAILY;COUNT=3',
      visibility: 'public',
    })
    const items = (await writer.get('/events?from=2026-03-28&to=2026-03-30')).body.data
    assert.deepEqual(
      items.map((item: Json) => [item.occurrence_key, item.start]),
      [
        ['20260328T013000', '2026-03-28T01:30:00+00:00'],
        ['20260329T013000', '2026-03-29T02:30:00+01:00'],
        ['20260330T013000', '2026-03-30T01:30:00+01:00'],
      ],
    )
    assert.equal(
      (await writer.delete(`/events/${series.id}/occurrences/2026-03-29T02:30:00%2B01:00`)).status,
      204,
      'found by the time it is shown at',
    )
    assert.deepEqual((await writer.get(`/events/${series.id}`)).body.data.exdates, ['20260329T013000'])
  }),
)

test('a series has as many exceptions as a file may bring, and no more', () =>
  withWorld('sqlite', async ({ admin, writer }) => {
    const stamp = (day: number): string =>
      new Date(Date.UTC(2026, 6, 1 + day)).toISOString().slice(0, 10).replaceAll('-', '')
    const event = (...own: string[]): string[] => ['BEGIN:VEVENT', 'DTSTAMP:20260701T000000Z', ...own, 'END:VEVENT']
    const daily = (uid: string, ...own: string[]): string[] =>
      event(`UID:${uid}`, 'DTSTART:20260701T090000Z', 'RRULE:FREQ=DAILY', 'SUMMARY:Daily', ...own)
    const days = Array.from({ length: 10_000 }, (_, day) => `${stamp(day)}T090000Z`)
    const edits = days
      .slice(0, 2_000)
      .flatMap((day) => event('UID:edited', `RECURRENCE-ID:${day}`, `DTSTART:${day}`, 'SUMMARY:Other'))
    const file = [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x'],
      ...daily('edited'),
      ...edits,
      ...daily('excluded', `EXDATE:${days.join(',')}`),
      ...['END:VCALENDAR', ''],
    ].join('\r\n')
    const { body } = await admin.post('/admin/import', file, { 'content-type': 'text/calendar; charset=utf-8' })
    assert.equal(body.data.created, 2)
    const { data } = (await writer.get('/events')).body
    const idOf = (uid: string): string => data.find((one: Json) => one.uid === uid).id
    const [edited, excluded] = [idOf('edited'), idOf('excluded')]
    const patch = (id: string, day: number, version: number) =>
      writer.patch(`/events/${id}/occurrences/${stamp(day)}T090000Z`, { title: 'Edited', version })
    assert.equal((await patch(edited, 10, 1)).status, 200, 'one that is edited already')
    for (const answer of [
      await patch(edited, 3_000, 2),
      await patch(excluded, 10_500, 1),
      await writer.delete(`/events/${excluded}/occurrences/${stamp(10_500)}T090000Z`),
      await writer.patch(`/events/${excluded}`, { rdates: ['2026-07-02T11:00:00Z'], version: 1 }),
    ])
      assert.deepEqual([answer.status, answer.body.error.code], [409, 'too_many_exceptions'])
    assert.equal((await writer.delete(`/events/${edited}/occurrences/${stamp(3_000)}T090000Z`)).status, 204)
    assert.equal((await writer.delete(`/events/${excluded}/exceptions/${stamp(5)}T090000Z`)).status, 204)
    assert.equal((await writer.delete(`/events/${excluded}/occurrences/${stamp(10_500)}T090000Z`)).status, 204)
  }))
