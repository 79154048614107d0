// This and following: one request ends or changes a series from an occurrence on, and it stays one event.
import assert from 'node:assert/strict'
import { dataOfObject, eventText, MAIN, rehearsal } from '../../caldav/support/events.ts'
import type { Json } from '../../support/http/api-response.ts'
import { davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, withWorld } from '../../support/world.ts'

const choir = {
  title: 'Choir',
  start: '2026-07-07T19:00',
  end: '2026-07-07T21:00',
  visibility: 'public',
  rrule: 'FREQ=WEEKLY',
}

const keys = async (client: Client): Promise<string[]> =>
  (await client.get('/events?from=2026-07-01&to=2026-08-31')).body.data.map((item: Json) => item.occurrence_key)

forEachEngine('deleting from an occurrence on ends the series before it, in one version', (engine) =>
  withWorld(engine, async ({ writer, reader, anonymous }) => {
    const { id, uid } = await writer.creates({ ...choir, rdates: ['2026-07-09T10:00', '2026-08-06T10:00'] })
    await writer.delete(`/events/${id}/occurrences/20260714T190000`)
    await writer.patch(`/events/${id}/occurrences/20260804T190000`, { title: 'Concert', version: 2 })
    const path = `/events/${id}/occurrences/20260728T190000?scope=following`
    const { status, body, headers } = await writer.delete(path, {
      'if-match': (await writer.get(`/events/${id}`)).body.data.etag,
    })
    assert.equal(status, 200)
    assert.equal(headers.etag, body.data.etag)
    assert.deepEqual(body.meta, {
      version: 4,
      dropped_exceptions: ['20260804T190000'],
      dropped: [{ occurrence_key: '20260804T190000', type: 'overridden' }],
    })
    assert.deepEqual(
      [body.data.id, body.data.uid, body.data.rrule, body.data.rdates, body.data.exdates],
      [id, uid, 'FREQ=WEEKLY;UNTIL=20260721T180000Z', ['20260709T100000'], ['20260714T190000']],
    )
    for (const client of [writer, reader, anonymous])
      assert.deepEqual(await keys(client), ['20260707T190000', '20260709T100000', '20260721T190000'])
    const file = (await anonymous.get(`/public/events/${id}/event.ics`)).text
    assert.match(file, /RRULE:FREQ=WEEKLY;UNTIL=20260721T180000Z/)
    assert.doesNotMatch(file, /RECURRENCE-ID|Concert/)
    assert.equal((await writer.get('/events')).body.meta.pagination.total, 1, 'never split')
    assert.equal((await writer.delete(path)).body.error.code, 'occurrence_not_found')
  }),
)

forEachEngine('where no occurrence is left, the event goes to the trash and comes back from there', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const { id } = await writer.creates(choir)
    await writer.delete(`/events/${id}/occurrences/20260707T190000`)
    const removed = await writer.delete(`/events/${id}/occurrences/20260714T190000?scope=following`)
    assert.deepEqual([removed.status, removed.body], [200, { data: { id } }])
    assert.equal((await writer.get(`/events/${id}`)).body.error.code, 'event_not_found')
    assert.deepEqual(await keys(writer), [])
    assert.equal((await writer.get('/trash')).body.data[0].id, id)
    assert.equal((await writer.post(`/trash/${id}/restore`, undefined)).body.data.rrule, 'FREQ=WEEKLY')
    assert.equal((await keys(writer))[0], '20260714T190000')
  }),
)

forEachEngine('changing from an occurrence on shows the same in lists, feeds and CalDAV reports', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous } = world
    const { id, uid } = await writer.creates({ ...choir, location: 'Hall' })
    const path = `/events/${id}/occurrences/20260721T190000?scope=following`
    const body = { location: 'Church', transparency: 'transparent', version: 1 }
    const changed = await writer.patch(path, body)
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.body.meta, { version: 2 })
    assert.deepEqual([changed.body.data.id, changed.body.data.uid, changed.body.data.location], [id, uid, 'Church'])
    assert.deepEqual(
      changed.body.data.exceptions.map((one: Json) => [one.occurrence_key, one.type, one.location]),
      [
        ['20260707T190000', 'overridden', 'Hall'],
        ['20260714T190000', 'overridden', 'Hall'],
      ],
    )
    const expected = ['Hall', 'Hall', 'Church', 'Church']
    for (const client of [writer, anonymous]) {
      const { data } = (await client.get('/events?from=2026-07-01&to=2026-07-31')).body
      assert.deepEqual(
        data.map((one: Json) => one.location),
        expected,
      )
    }
    assert.equal((await writer.get('/events')).body.meta.pagination.total, 1, 'never split')
    const dav = davOf(writer)
    const expanded = await dataOfObject(dav, `${id}.ics`, '<C:expand start="20260701T000000Z" end="20260801T000000Z"/>')
    assert.deepEqual(
      [...expanded.matchAll(/LOCATION:(\w+)/g)].map(([, place]) => place),
      expected,
    )
    assert.equal(new Set(expanded.match(/UID:\S+/g)).size, 1)
    const file = (await anonymous.get(`/public/events/${id}/event.ics`)).text
    assert.equal(file.match(/RECURRENCE-ID/g)?.length, 2)
    const same = await writer.patch(path, { ...body, version: 2 })
    assert.deepEqual([same.status, same.body.meta.version], [200, 2], 'sent again, it changes nothing')
  }),
)

forEachEngine('changing from an occurrence on is refused as other changes are', (engine) =>
  withWorld(engine, async ({ writer, reader, anonymous }) => {
    const { id } = await writer.creates({ ...choir, visibility: 'private' })
    const daily = await writer.creates({ ...choir, rrule: 'FREQ=DAILY' })
    const path = `/events/${id}/occurrences/20260714T190000`
    const far = `/events/${daily.id}/occurrences/20300101T190000?scope=following`
    const cases: [client: Client, path: string, body: object, status: number, code: string][] = [
      [writer, `${path}?scope=following`, { title: 'x' }, 400, 'precondition_required'],
      [writer, `${path}?scope=following`, { title: 'x', version: 2 }, 412, 'version_mismatch'],
      [writer, `${path}?scope=following`, { title: '', version: 1 }, 422, 'validation_failed'],
      [writer, `${path}?scope=following`, { visibility: 'public', version: 1 }, 422, 'validation_failed'],
      [writer, path, { transparency: 'transparent', version: 1 }, 422, 'validation_failed'],
      [writer, `${path}?scope=later`, { title: 'x', version: 1 }, 422, 'validation_failed'],
      [writer, far, { title: 'x', version: 1 }, 409, 'too_many_overrides'],
      [reader, `${path}?scope=following`, { title: 'x', version: 1 }, 403, 'insufficient_capability'],
      [anonymous, `${path}?scope=following`, { title: 'x', version: 1 }, 401, 'authentication_required'],
    ]
    for (const [client, target, body, status, code] of cases) {
      const answer = await client.patch(target, body)
      assert.deepEqual([answer.status, answer.body.error.code], [status, code], target)
    }
  }),
)

forEachEngine('what a calendar program stored with the series stays with the earlier occurrences', (engine) =>
  withWorld(engine, async (world) => {
    const dav = davOf(world.writer)
    const lines = ['RRULE:FREQ=WEEKLY', 'LOCATION:Hall', 'GEO:51.5;-0.1', 'CLASS:PUBLIC']
    const put = await dav.put(`${MAIN}geo.ics`, rehearsal('geo', lines))
    assert.ok(put.status < 300, put.text)
    const [event] = (await world.writer.get('/events')).body.data
    const [, second] = (await world.writer.get(`/events/${event.id}/occurrences?from=2026-01-01&to=2027-12-31`)).body
      .data
    const path = `/events/${event.id}/occurrences/${second.occurrence_key}?scope=following`
    const changed = await world.writer.patch(path, { location: 'Church', visibility: 'private', version: 1 })
    assert.equal(changed.status, 200, changed.text)
    const [, main, first] = (await dav.get(`${MAIN}geo.ics`)).text.split('BEGIN:VEVENT')
    assert.match(main!, /LOCATION:Church/)
    assert.doesNotMatch(main!, /GEO/)
    assert.match(first!, /LOCATION:Hall/)
    assert.match(first!, /GEO:51.5;-0.1/)
    assert.doesNotMatch(first!, /CLASS:PUBLIC/)
  }),
)

forEachEngine(
  'times and rules change from an occurrence on, and the lines of clients stay with their occurrences',
  (engine) =>
    withWorld(engine, async (world) => {
      const { writer } = world
      const dav = davOf(writer)
      const at = (name: string, hour: number) => `${name};TZID=Europe/London:20260721T${hour}0000`
      const edit = [at('RECURRENCE-ID', 19), at('DTSTART', 19), at('DTEND', 21), 'SUMMARY:Guest', 'X-GUEST:Anna']
      const text = rehearsal('moved', ['RRULE:FREQ=WEEKLY'])
      const other = /BEGIN:VEVENT[\s\S]*END:VEVENT\r\n/.exec(eventText('moved', ...edit))![0]
      const put = await dav.put(`${MAIN}moved.ics`, text.replace('END:VCALENDAR', `${other}END:VCALENDAR`))
      assert.ok(put.status < 300, put.text)
      const [{ id }] = (await writer.get('/events')).body.data
      const path = (key: string) => `/events/${id}/occurrences/${key}?scope=following`
      const start = { start: '2026-07-29T18:00', version: 1 }
      assert.equal((await writer.patch(path('20260728T190000'), start)).status, 200)
      const starts = async () =>
        (await writer.get('/events?from=2026-07-01&to=2026-08-12')).body.data.map((one: Json) => one.start.slice(5, 16))
      assert.deepEqual(await starts(), ['07-14T19:00', '07-21T19:00', '07-29T18:00', '08-05T18:00', '08-12T18:00'])
      const events = (await dav.get(`${MAIN}moved.ics`)).text.split('BEGIN:VEVENT')
      const guest = events.find((one) => one.includes('X-GUEST:Anna'))!
      assert.match(guest, /SUMMARY:Guest/)
      assert.match(guest, /DTSTART;TZID=Europe\/London:20260721T190000/)
      const rule = { rrule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=2', version: 2 }
      const changed = await writer.patch(path('20260805T180000'), rule)
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual(await starts(), ['07-14T19:00', '07-21T19:00', '07-29T18:00', '08-05T18:00'])
      const cases: [body: object, field: string, code: string][] = [
        [{ all_day: true }, '/all_day', 'not_allowed'],
        [{ timezone: 'Mars/Base' }, '/timezone', 'timezone_unknown'],
        [{ rrule: 'FREQ=HOURLY' }, '/rrule', 'rrule_unsupported'],
        [{ end: '2026-08-05T17:00' }, '/end', 'end_before_start'],
        [{ rdates: [] }, '/rdates', 'unknown_field'],
      ]
      for (const [body, field, code] of cases) {
        const answer = await writer.patch(path('20260805T180000'), { ...body, version: 3 })
        assert.deepEqual([answer.status, answer.body.error.details?.fields[0].field], [422, field])
        assert.equal(answer.body.error.details.fields[0].code, code)
      }
      const single = `/events/${id}/occurrences/20260805T180000`
      for (const field of ['rrule', 'timezone', 'all_day', 'visibility', 'transparency'])
        assert.equal((await writer.patch(single, { [field]: null, version: 3 })).status, 422)
    }),
)

forEachEngine('the public sees no change of texts from an occurrence on in a private series', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const { id } = await writer.creates({ ...choir, visibility: 'private' })
    const short = await writer.creates({ ...choir, visibility: 'private', rrule: 'FREQ=WEEKLY;COUNT=5' })
    const seen = async () => {
      const paths = [id, short.id].flatMap((one) => [
        `/events/${one}`,
        `/public/events/${one}/event.ics`,
        `/events/${one}/occurrences`,
      ])
      const answers = [...paths, '/events?view=month', '/public/calendar.ics', '/public/sidebar-events'].map((path) =>
        anonymous.get(path),
      )
      return (await Promise.all(answers)).map(({ status, text, headers }) => [status, text, headers.etag])
    }
    const before = await seen()
    for (const [event, key] of [
      [id, '20260721T190000'],
      [short.id, '20260728T190000'],
    ])
      for (const [index, patch] of [
        { title: 'Other' },
        { location: 'Church', transparency: 'transparent' },
        { visibility: 'private' },
      ].entries()) {
        const answer = await writer.patch(`/events/${event}/occurrences/${key}?scope=following`, {
          ...patch,
          version: 1 + index,
        })
        assert.equal(answer.status, 200, answer.text)
      }
    assert.deepEqual(await seen(), before)
  }),
)

forEachEngine('deleting from an occurrence on is refused as deleting one is', (engine) =>
  withWorld(engine, async ({ writer, reader, anonymous }) => {
    const { id } = await writer.creates(choir)
    const single = await writer.creates({ ...choir, rrule: null })
    const path = `/events/${id}/occurrences/20260714T190000`
    const cases: [client: Client, path: string, status: number, code: string, headers?: Record<string, string>][] = [
      [writer, `/events/${id}/occurrences/second?scope=following`, 400, 'invalid_occurrence_key'],
      [writer, `${path}?scope=all`, 422, 'validation_failed'],
      [writer, `${path}?scope=following&scope=following`, 400, 'duplicate_parameter'],
      [writer, `${path}?scopes=following`, 400, 'unknown_parameter'],
      [writer, `/events/${id}/occurrences/20260715T190000?scope=following`, 404, 'occurrence_not_found'],
      [writer, `/events/${single.id}/occurrences/20260707T190000?scope=following`, 409, 'event_not_recurring'],
      [writer, `/events/${'0'.repeat(26)}/occurrences/20260707T190000?scope=following`, 404, 'event_not_found'],
      [writer, `${path}?scope=following`, 412, 'version_mismatch', { 'if-match': '"e-9-00000000"' }],
      [reader, `${path}?scope=following`, 403, 'insufficient_capability'],
      [anonymous, `${path}?scope=following`, 401, 'authentication_required'],
    ]
    for (const [client, target, status, code, headers] of cases) {
      const answer = await client.delete(target, headers)
      assert.deepEqual([answer.status, answer.body.error.code], [status, code], target)
    }
    assert.equal((await writer.get(`/events/${id}`)).body.data.version, 1)
    assert.equal((await writer.delete(`${path}?scope=occurrence`)).status, 204)
  }),
)
