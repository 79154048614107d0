// The event endpoints: create, read, replace, merge, delete, versions and idempotency, on both engines.
import assert from 'node:assert/strict'
import { readCalendarState } from '../../../src/storage/events/calendar.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import type { Json } from '../../support/http/api-response.ts'
import { davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { withWorld } from '../../support/world.ts'

const meeting = {
  title: 'Parish council',
  start: '2026-07-14T19:30:00+01:00',
  end: '2026-07-14T21:00:00+01:00',
  visibility: 'public',
}

forEachEngine('creating an event answers 201 with the event, its Location and its version', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const answer = await writer.post('/events', {
      ...meeting,
      description: 'Agenda',
      location: 'Hall',
      category: 'Council',
      url: 'https://example.org/agenda',
      status: 'tentative',
      transparency: 'transparent',
    })
    assert.equal(answer.status, 201)
    const event = answer.body.data
    assert.match(event.id, /^[0-9a-v]{26}$/)
    assert.equal(answer.headers.location, `/api-root/calendar/v1/events/${event.id}`)
    assert.equal(answer.headers.etag, event.etag)
    assert.match(event.etag, /^"e-1-[0-9a-f]{8}"$/)
    assert.equal(answer.body.meta.version, 1)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    const {
      title,
      start,
      end,
      description,
      location,
      category,
      url,
      status,
      transparency,
      timezone,
      all_day,
      visibility,
      uid,
      rrule,
      version,
    } = event
    assert.deepEqual(
      {
        title,
        start,
        end,
        description,
        location,
        category,
        url,
        status,
        transparency,
        timezone,
        all_day,
        visibility,
        rrule,
        version,
      },
      {
        ...meeting,
        description: 'Agenda',
        location: 'Hall',
        category: 'Council',
        url: 'https://example.org/agenda',
        status: 'tentative',
        transparency: 'transparent',
        timezone: 'Europe/London',
        all_day: false,
        rrule: null,
        version: 1,
      },
    )
    assert.equal(uid, `${event.id}@localhost`)
  }),
)

forEachEngine('an event is private and in London unless stated otherwise', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const event = await writer.creates({ title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
    assert.equal(event.visibility, 'private')
    assert.equal(event.timezone, 'Europe/London')
    assert.equal(event.start, '2026-07-14T09:00:00+01:00')
  }),
)

forEachEngine('reading an event gives what was stored; a missing one is 404', (engine) =>
  withWorld(engine, async ({ writer, reader }) => {
    const event = await writer.creates(meeting)
    const answer = await reader.get(`/events/${event.id}`)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body.data, event)
    for (const id of ['00000000000000000000000000', 'nope', '..', 'ZZZZZZZZZZZZZZZZZZZZZZZZZZ', "1' or '1'='1"]) {
      const missing = await reader.get(`/events/${encodeURIComponent(id)}`)
      assert.equal(missing.status, 404, id)
    }
  }),
)

forEachEngine('PUT replaces: omitted fields take their defaults', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const event = await writer.creates({ ...meeting, location: 'Hall', description: 'x' })
    const answer = await writer.put(`/events/${event.id}`, {
      title: 'Council',
      start: meeting.start,
      end: meeting.end,
      version: 1,
    })
    assert.equal(answer.status, 200)
    const { title, location, description, visibility, version } = answer.body.data
    assert.deepEqual(
      { title, location, description, visibility, version },
      { title: 'Council', location: null, description: null, visibility: 'private', version: 2 },
    )
  }),
)

forEachEngine('an event as read can be edited and put back whole', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const event = await writer.creates({ ...meeting, rrule: 'FREQ=WEEKLY;COUNT=5', exdates: ['20260721T193000'] })
    const { body } = await writer.get(`/events/${event.id}`)
    const answer = await writer.put(
      `/events/${event.id}`,
      { ...body.data, title: 'Renamed' },
      { 'if-match': body.data.etag },
    )
    assert.equal(answer.status, 200)
    const { etag: _a, version: _b, updated_at: _c, title, exceptions, ...rest } = answer.body.data
    const { etag: _d, version: _e, updated_at: _f, title: _g, exceptions: before, ...restBefore } = event
    assert.equal(title, 'Renamed')
    assert.deepEqual(rest, restBefore)
    assert.deepEqual(exceptions, before)
  }),
)

forEachEngine('read-only fields that were changed are refused', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const event = await writer.creates(meeting)
    for (const change of [
      { id: 'x' },
      { uid: 'other@example.org' },
      { created_by: 'someone' },
      { created_at: '2020-01-01T00:00:00Z' },
    ]) {
      const answer = await writer.patch(`/events/${event.id}`, { ...change, version: 1 })
      assert.equal(answer.status, 422)
      assert.deepEqual(answer.body.error.details.fields[0], {
        field: `/${Object.keys(change)[0]}`,
        code: 'not_allowed',
        message: 'This value is not allowed here.',
      })
    }
  }),
)

forEachEngine('null for a read-only field is refused where another value is stored, as the document says', (engine) =>
  withWorld(engine, async ({ writer, app }) => {
    const { id, version } = await writer.creates(meeting)
    const { components } = app.openApi() as { components: { schemas: Record<string, Json> } }
    for (const field of ['id', 'uid', 'created_at', 'created_by']) {
      for (const name of ['EventPatch', 'EventReplacement'])
        assert.match(components.schemas[name]!.properties[field].description, /null included/)
      const { status, body } = await writer.patch(`/events/${id}`, { [field]: null, version })
      assert.deepEqual([status, body.error.details.fields[0].code], [422, 'not_allowed'], field)
    }
  }),
)

forEachEngine('PATCH merges: absent keeps, null clears', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const event = await writer.creates({ ...meeting, location: 'Hall', description: 'x' })
    const answer = await writer.patch(
      `/events/${event.id}`,
      { description: null, title: 'Council', version: 1 },
      { 'content-type': 'application/merge-patch+json' },
    )
    assert.equal(answer.status, 200)
    assert.equal(answer.body.data.title, 'Council')
    assert.equal(answer.body.data.description, null)
    assert.equal(answer.body.data.location, 'Hall')
    assert.equal((await writer.patch(`/events/${event.id}`, { title: null, version: 2 })).status, 422)
  }),
)

forEachEngine('a change that changes nothing keeps version, ETag and stored text', (engine) =>
  withWorld(engine, async ({ app, writer, clock }) => {
    // The excluded date and the end of the rule are kept as a calendar program wrote them.
    const lines = ['CLASS:PUBLIC', 'RRULE:FREQ=WEEKLY;UNTIL=20261231', 'EXDATE:20260715T090000Z,20260721T090000Z']
    const url = `${MAIN}weekly.ics`
    assert.equal((await davOf(writer).put(url, eventText('weekly', ...lines))).status, 201)
    const sent = await davOf(writer).get(url)
    const { id } = (await writer.get('/events')).body.data[0]
    await writer.creates({ ...meeting, rrule: 'FREQ=WEEKLY;COUNT=5', exdates: ['20260721T193000'] })
    for (const event of (await writer.get('/events')).body.data) {
      const path = `/events/${event.id}`
      const { body, headers, text } = await writer.get(path)
      const { version, ...fields } = body.data
      const { title, start, end, rrule, exdates, timezone } = fields
      const revision = (await readCalendarState(app.ctx.storage.reads)).revision
      clock.at += 60_000
      for (const answer of [
        await writer.patch(path, { version }),
        await writer.patch(path, { title, start, end, rrule, exdates, timezone, version }),
        await writer.patch(path, { exdates: [...exdates].reverse(), version }),
        await writer.put(path, { ...fields, version }),
      ]) {
        assert.deepEqual([answer.status, answer.text], [200, text])
        assert.equal(answer.headers.etag, headers.etag)
      }
      assert.equal((await readCalendarState(app.ctx.storage.reads)).revision, revision)
      assert.equal((await writer.patch(path, { title, version: version + 1 })).status, 412)
    }
    const kept = await davOf(writer).get(url)
    assert.deepEqual([kept.headers.etag, kept.text], [sent.headers.etag, sent.text])
    const changed = await writer.patch(`/events/${id}`, { exdates: [], version: 1 })
    assert.equal(changed.body.meta.version, 2)
  }),
)

forEachEngine('an update must name the version it changes, and only the current one succeeds', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const event = await writer.creates(meeting)
    const path = `/events/${event.id}`
    for (const send of [
      () => writer.patch(path, { title: 'x' }),
      () => writer.put(path, meeting),
      () => writer.patch(path, { title: 'x' }, { 'if-match': '*' }),
    ]) {
      const answer = await send()
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error.code, 'precondition_required')
    }
    const good = await writer.patch(path, { title: 'Second' }, { 'if-match': event.etag })
    assert.equal(good.status, 200)
    assert.equal(good.body.data.version, 2)
    const stale = await writer.patch(path, { title: 'Third' }, { 'if-match': event.etag })
    assert.equal(stale.status, 412)
    assert.deepEqual(stale.body.error, {
      code: 'version_mismatch',
      message: 'The resource has changed since you read it.',
      details: { current_version: 2, current_etag: good.body.data.etag },
    })
    assert.equal((await writer.patch(path, { title: 'Third', version: 1 })).status, 412)
    assert.equal(
      (await writer.patch(path, { title: 'Third', version: 1 }, { 'if-match': good.body.data.etag })).status,
      412,
      'all that is said must hold',
    )
    assert.equal(
      (await writer.patch(path, { title: 'Third' }, { 'if-match': 'not a tag' })).body.error.code,
      'invalid_header',
    )
    const weak = await writer.patch(path, { title: 'Third' }, { 'if-match': `"other", W/${good.body.data.etag}` })
    assert.equal(weak.status, 200, 'a proxy that compresses weakens tags')
    assert.equal((await writer.get(path)).body.data.title, 'Third')
  }),
)

forEachEngine('deleting an event answers 204 and removes it; a precondition is honoured when sent', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const event = await writer.creates(meeting)
    const path = `/events/${event.id}`
    assert.equal((await writer.delete(path, { 'if-match': '"e-9-00000000"' })).status, 412)
    const answer = await writer.delete(path)
    assert.equal(answer.status, 204)
    assert.equal(answer.text, '')
    const gone = await anonymous.get(path)
    const never = await anonymous.get('/events/00000000000000000000000000')
    assert.equal(gone.status, 404)
    assert.equal(gone.text, never.text)
    assert.equal((await writer.delete(path)).status, 404)
  }),
)

forEachEngine('a uid is unique and can be set at creation only', (engine) =>
  withWorld(engine, async ({ writer }) => {
    await writer.creates({ ...meeting, uid: 'council-1@example.org' })
    const again = await writer.post('/events', { ...meeting, uid: 'council-1@example.org' })
    assert.equal(again.status, 409)
    assert.equal(again.body.error.code, 'uid_conflict')
    const { body } = await writer.get('/events')
    assert.equal(body.meta.pagination.total, 1)
  }),
)

forEachEngine('a repeated create with one idempotency key makes one event', (engine) =>
  withWorld(engine, async ({ writer, admin, clock }) => {
    const headers = { 'idempotency-key': 'retry-1' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => writer.post('/events', meeting, headers)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(10).fill(201),
    )
    assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1)
    assert.equal(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 9)
    const other = await writer.post('/events', { ...meeting, title: 'Other' }, headers)
    assert.equal(other.status, 422)
    assert.equal(other.body.error.code, 'idempotency_key_reuse')
    assert.equal((await admin.post('/events', meeting, headers)).status, 201, 'keys belong to a person')
    assert.equal((await writer.get('/events')).body.meta.pagination.total, 2)
    clock.at += 25 * 3_600_000
    await writer.post('/events', { ...meeting, title: 'Next day' }, headers)
    assert.equal((await writer.get('/events')).body.meta.pagination.total, 3, 'a key stands for a day')
    assert.equal(
      (await writer.post('/events', meeting, { 'idempotency-key': 'x'.repeat(256) })).body.error.code,
      'invalid_header',
    )
  }),
)

forEachEngine('a repeated create whose event was deleted since is 409, until its key has expired', (engine) =>
  withWorld(engine, async ({ writer, clock }) => {
    const headers = { 'idempotency-key': 'retry-1' }
    const { id } = (await writer.post('/events', meeting, headers)).body.data
    await writer.delete(`/events/${id}`)
    const again = await writer.post('/events', meeting, headers)
    assert.deepEqual([again.status, again.body.error.code], [409, 'idempotency_gone'])
    assert.equal(again.headers['idempotency-replayed'], undefined)
    const other = await writer.post('/events', { ...meeting, title: 'Other' }, headers)
    assert.equal(other.body.error.code, 'idempotency_key_reuse')
    assert.equal((await writer.get('/events')).body.meta.pagination.total, 0, 'the event stays deleted')
    clock.at += 25 * 3_600_000
    assert.equal((await writer.post('/events', meeting, headers)).status, 201)
  }),
)

forEachEngine('a failed create leaves its idempotency key unused', (engine) =>
  withWorld(engine, async ({ writer }) => {
    await writer.creates({ ...meeting, uid: 'taken@example.org' })
    const headers = { 'idempotency-key': 'k' }
    assert.equal((await writer.post('/events', { ...meeting, uid: 'taken@example.org' }, headers)).status, 409)
    assert.equal((await writer.post('/events', { ...meeting, uid: 'free@example.org' }, headers)).status, 201)
  }),
)

forEachEngine('every field rule is a 422 that names the field', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const cases: [object, string, string][] = [
      [{ title: '' }, '/title', 'too_short'],
      [{ title: '   ' }, '/title', 'too_short'],
      [{ title: '\u200b\u200b' }, '/title', 'too_short'],
      [{ title: '\u2060 \u00ad\ufe0f\u3164\u2800\u{e0020}' }, '/title', 'too_short'],
      [{ title: 'x'.repeat(256) }, '/title', 'too_long'],
      [{ title: 'a\u0000b' }, '/title', 'invalid_format'],
      [{ title: 'a\nb' }, '/title', 'invalid_format'],
      [{ title: '\ud800' }, '/title', 'invalid_format'],
      [{ title: 7 }, '/title', 'invalid_type'],
      [{ title: undefined }, '/title', 'required'],
      [{ start: undefined }, '/start', 'required'],
      [{ end: undefined }, '/end', 'required'],
      [{ description: 'x'.repeat(10_001) }, '/description', 'too_long'],
      [{ location: 'x'.repeat(501) }, '/location', 'too_long'],
      [{ category: 'x'.repeat(65) }, '/category', 'too_long'],
      [{ visibility: 'secret' }, '/visibility', 'not_allowed'],
      [{ start: 'tomorrow' }, '/start', 'invalid_format'],
      [{ start: '2026-02-30T10:00' }, '/start', 'invalid_format'],
      [{ start: '1899-12-31T10:00', end: '1899-12-31T11:00' }, '/start', 'out_of_range'],
      [{ end: '2026-07-14T19:29:59+01:00' }, '/end', 'end_before_start'],
      [{ end: '2027-07-16T19:30:00+01:00' }, '/end', 'range_too_large'],
      [{ all_day: 'yes' }, '/all_day', 'invalid_type'],
      [{ all_day: true, start: '2026-07-14', end: '2026-07-14' }, '/end', 'end_before_start'],
      [{ timezone: 'Mars/Olympus' }, '/timezone', 'timezone_unknown'],
      [{ timezone: '+01:00' }, '/timezone', 'timezone_unknown'],
      [{ rrule: 'FREQ=NEVER' }, '/rrule', 'rrule_invalid'],
      [{ rrule: 'FREQ=HOURLY' }, '/rrule', 'rrule_unsupported'],
      [{ rrule: 'FREQ=DAILY;INTERVAL=1001' }, '/rrule', 'rrule_unsupported'],
      [{ rrule: 'FREQ=DAILY;COUNT=10001' }, '/rrule', 'rrule_unsupported'],
      [{ rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, '/rrule', 'rrule_no_occurrences'],
      [{ rrule: 'FREQ=DAILY;UNTIL=20260101' }, '/rrule', 'rrule_no_occurrences'],
      [{ rdates: ['soon'] }, '/rdates/0', 'invalid_format'],
      [{ exdates: Array(501).fill('20260714T193000') }, '/exdates', 'too_long'],
      [{ status: 'maybe' }, '/status', 'not_allowed'],
      [{ transparency: 'half' }, '/transparency', 'not_allowed'],
      [{ url: 'javascript:alert(1)' }, '/url', 'url_scheme'],
      [{ url: 'ftp://example.org' }, '/url', 'url_scheme'],
      [{ url: 'https://example.org/ space' }, '/url', 'invalid_format'],
      [{ uid: 'ü' }, '/uid', 'invalid_format'],
      [{ colour: 'red' }, '/colour', 'unknown_field'],
      [{ id: '5tq0fj1m3v8k2c9r7d6h4n0b1e' }, '/id', 'unknown_field'],
    ]
    for (const [change, field, code] of cases) {
      const answer = await writer.post('/events', { ...meeting, ...change })
      assert.equal(answer.status, 422, JSON.stringify(change).slice(0, 80))
      const problem = answer.body.error.details.fields.find((entry: { field: string }) => entry.field === field)
      assert.equal(problem?.code, code, `${field}: ${JSON.stringify(answer.body.error.details.fields)}`)
    }
    const several = await writer.post('/events', { title: '', start: 3, colour: 'x' })
    assert.deepEqual(
      several.body.error.details.fields
        .map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)
        .sort(),
      ['/colour unknown_field', '/end required', '/start invalid_type', '/title too_short'],
    )
    assert.equal((await writer.get('/events')).body.meta.pagination.total, 0, 'nothing was stored')
  }),
)

forEachEngine('an all-day event read in any zone and put back stays on its dates', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const made = await writer.creates({
      title: 'Fair',
      start: '2026-07-20',
      end: '2026-07-22',
      all_day: true,
      timezone: 'America/New_York',
    })
    for (const zone of ['Asia/Tokyo', 'Pacific/Pago_Pago', 'Europe/London']) {
      const listed = (await writer.get(`/events?from=2026-07-20&to=2026-07-20&timezone=${zone}`)).body.data[0]
      const single = (await writer.get(`/events/${made.id}?timezone=${zone}`)).body.data
      for (const body of [listed, single]) {
        const answer = await writer.put(`/events/${made.id}`, { ...body, version: 1 })
        assert.equal(answer.body.meta?.version, 1, answer.text)
        assert.deepEqual([answer.body.data.start_date, answer.body.data.end_date], ['2026-07-20', '2026-07-22'], zone)
      }
    }
  }),
)

forEachEngine('a single occurrence sent in place of the series is refused', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const made = await writer.creates({ ...meeting, rrule: 'FREQ=WEEKLY;COUNT=4' })
    const listed = (await writer.get('/events?view=day&from=2026-07-21')).body.data[0]
    const answer = await writer.put(`/events/${made.id}`, listed)
    assert.equal(answer.status, 422)
    assert.equal(answer.body.error.details.fields[0].field, '/occurrence_key')
    assert.equal((await writer.get(`/events/${made.id}`)).body.data.start, made.start)
  }),
)
