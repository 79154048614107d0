// Write-only tokens: every response is the public form, and no error reveals more.
import assert from 'node:assert/strict'
import type { ApiResponse, Json } from '../../support/http/api-response.ts'
import { makeNose, planted } from '../../support/privacy/planted-words.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

const HIDDEN = {
  title: planted('title'),
  description: planted('description'),
  location: planted('location'),
  category: planted('category'),
  url: `https://example.org/${planted('url')}`,
  uid: planted('uid'),
  visibility: 'private',
  start: '2026-07-14T09:00:00+01:00',
  end: '2026-07-14T10:00:00+01:00',
  rrule: 'FREQ=DAILY;COUNT=9',
}
const KEY = '20260715T090000'
const OVERRIDE = planted('override')
const nose = makeNose(JSON.stringify(HIDDEN) + OVERRIDE)

const objectText = (uid: string): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260701T000000Z',
    'DTSTART:20260714T090000Z',
    'DTEND:20260714T100000Z',
    'SUMMARY:Sent',
    'CLASS:PRIVATE',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

/** What only full readers get: fields of the record, and the ETag with the version. */
const RECORD =
  /"(?:version|etag|uid|created_at|updated_at|created_by|updated_by|current_version|current_etag)":|"e-\d+-/

function checkSight(what: string, { headers, text }: ApiResponse): void {
  const { location: _, ...others } = headers
  const whole = `${JSON.stringify(others).replaceAll('\\"', '"').replace('"etag":', '')} ${text}`
  assert.deepEqual(nose.find(whole), [], what)
  assert.doesNotMatch(whole, RECORD, what)
}

async function writeOnly(world: World) {
  const wanted = { name: 'script', scopes: ['events:write'] }
  const { token } = (await world.writer.post('/auth/tokens', wanted)).body.data
  return world.with({ authorization: `Bearer ${token}` })
}

/** A private series with an edit that only changes words, in the form for full readers. */
async function plant({ writer }: World, uid = HIDDEN.uid): Promise<Json> {
  const { id, version } = await writer.creates({ ...HIDDEN, uid })
  assert.equal((await writer.patch(`/events/${id}/occurrences/${KEY}`, { title: OVERRIDE, version })).status, 200)
  return (await writer.get(`/events/${id}`)).body.data
}

forEachEngine('a token that may only write gets the public form of what it wrote', (engine) =>
  withWorld(engine, async (world) => {
    const client = await writeOnly(world)
    const { id, version, etag } = await plant(world)
    const patched = await client.patch(`/events/${id}`, { status: 'tentative', version })
    assert.equal(patched.status, 200)
    assert.equal(patched.body.data.title, 'Private Event')
    checkSight('PATCH', patched)
    // The version it had, plus one for each write.
    const moved = await client.patch(`/events/${id}/occurrences/${KEY}`, { status: 'tentative', version: version + 1 })
    assert.equal(moved.status, 200)
    assert.equal(moved.body.data.title, 'Private Event')
    checkSight('PATCH occurrence', moved)
    const { uid: _, ...fields } = HIDDEN
    const replaced = await client.put(`/events/${id}`, { ...fields, version: version + 2, rrule: 'FREQ=DAILY;COUNT=1' })
    assert.equal(replaced.status, 200)
    checkSight('PUT', replaced)
    assert.equal(replaced.body.meta?.dropped_exceptions, undefined)
    for (const answer of [
      await client.patch(`/events/${id}`, { title: 'x', version: 99 }),
      await client.patch(`/events/${id}`, { title: 'x' }, { 'if-match': etag }),
      await client.put(`/events/${id}`, { ...fields, version: 99 }),
      await client.delete(`/events/${id}`, { 'if-match': '"e-99-00000000"' }),
      await client.patch(`/events/${id}/occurrences/${KEY}`, { title: 'x', version: 99 }),
      await client.delete(`/events/${id}/occurrences/${KEY}`, { 'if-match': '"e-99-00000000"' }),
      await client.delete(`/events/${id}/exceptions/${KEY}`, { 'if-match': '"e-99-00000000"' }),
    ]) {
      assert.equal(answer.status, 412)
      assert.equal(answer.body.error.details, undefined)
      checkSight('412', answer)
    }
    const readers = await world.writer.patch(`/events/${id}`, { title: 'x', version: 99 })
    assert.equal(readers.body.error.details.current_version, version + 3)
    const other = await plant(world, 'other@example.org')
    const texts = { title: planted('later'), status: 'tentative', version: other.version }
    const later = await client.patch(`/events/${other.id}/occurrences/${KEY}?scope=following`, texts)
    assert.deepEqual([later.status, later.body.data.title, later.body.meta], [200, 'Private Event', undefined])
    checkSight('PATCH following', later)
    const ended = await client.delete(`/events/${other.id}/occurrences/${KEY}?scope=following`)
    assert.deepEqual([ended.status, ended.body.data.title, ended.body.meta], [200, 'Private Event', undefined])
    checkSight('DELETE following', ended)
  }),
)

forEachEngine('a token that may only write cannot publish a private event, whose words it would then read', (engine) =>
  withWorld(engine, async (world) => {
    const client = await writeOnly(world)
    const { id, version } = await plant(world)
    const { uid: _, ...fields } = HIDDEN
    for (const answer of [
      await client.patch(`/events/${id}`, { visibility: 'public', version }),
      await client.put(`/events/${id}`, { ...fields, title: 'Mine', visibility: 'public', version }),
    ]) {
      assert.equal(answer.status, 403)
      assert.equal(answer.body.error.code, 'token_scope_insufficient')
      checkSight('publishing', answer)
    }
    assert.equal((await world.writer.get(`/events/${id}`)).body.data.visibility, 'private')
    const open = await world.writer.creates({ ...HIDDEN, uid: 'open', title: 'Open', visibility: 'public' })
    assert.equal((await client.patch(`/events/${open.id}`, { visibility: 'private', version: 1 })).status, 200)
  }),
)

forEachEngine('a token that may only write creates, and repeats, without reading', (engine) =>
  withWorld(engine, async (world) => {
    const client = await writeOnly(world)
    const { uid: _, ...fields } = HIDDEN
    const made = await client.post('/events', fields, { 'idempotency-key': 'one' })
    assert.equal(made.status, 201)
    checkSight('POST', made)
    const { id } = made.body.data
    assert.equal((await world.writer.patch(`/events/${id}`, { title: OVERRIDE, version: 1 })).status, 200)
    const again = await client.post('/events', fields, { 'idempotency-key': 'one' })
    assert.equal(again.headers['idempotency-replayed'], 'true')
    checkSight('replay', again)
    // A public event has its words in the response, but no version.
    const open = await client.post('/events', { ...fields, title: 'Fair', visibility: 'public', ...EMPTY })
    assert.equal(open.body.data.title, 'Fair')
    checkSight('POST public', open)
    // An event that is hidden from the public is returned as its id only.
    const cancelled = await client.patch(`/events/${id}`, { status: 'cancelled', version: 2 })
    assert.equal(cancelled.status, 200)
    assert.deepEqual(cancelled.body.data, { id })
    const gone = await client.post('/events', { ...fields, status: 'cancelled' })
    assert.deepEqual(Object.keys(gone.body.data), ['id'])
    const series = await plant(world)
    const body = { status: 'cancelled', version: series.version }
    const one = await client.patch(`/events/${series.id}/occurrences/${KEY}`, body)
    assert.deepEqual([one.status, one.body.data], [200, { id: series.id }])
    assert.equal((await client.delete(`/events/${series.id}`)).status, 204)
  }),
)

const EMPTY = { description: null, location: null, category: null, url: null }

forEachEngine('a token that may only write cannot probe what is stored', (engine) =>
  withWorld(engine, async (world) => {
    const client = await writeOnly(world)
    const { id, version, uid, created_at, created_by } = await plant(world)
    for (const guess of [{ uid }, { uid: 'wrong' }, { created_at }, { created_by }, { created_by: 'wrong' }]) {
      const answer = await client.put(`/events/${id}`, { ...HIDDEN, ...EMPTY, uid: undefined, ...guess, version })
      assert.equal(answer.status, 422, JSON.stringify(guess))
      assert.deepEqual(
        answer.body.error.details.fields.map(({ code }: Json) => code),
        ['not_allowed'],
      )
      checkSight('fields sent back', answer)
    }
    const answers = [uid, 'free'].map((guess) => client.post('/events', { ...HIDDEN, uid: guess }))
    const [taken, free] = await Promise.all(answers)
    assert.deepEqual(
      [taken!.status, taken!.text],
      [422, free!.text],
      'the same for a UID that is stored and one that is not',
    )
    checkSight('uid conflict', taken!)
  }),
)

forEachEngine('a token that may only write cannot learn from the version whether it guessed a value', (engine) =>
  withWorld(engine, async (world) => {
    const client = await writeOnly(world)
    const { id, version, title } = await plant(world)
    for (const [path, written] of [
      [`/events/${id}`, 1],
      [`/events/${id}/occurrences/${KEY}`, 2],
    ] as const) {
      assert.equal((await client.patch(path, { title, version: version + written - 1 })).status, 200)
      assert.equal((await world.writer.get(`/events/${id}`)).body.data.version, version + written)
    }
  }),
)

forEachEngine('a token that may only write learns nothing over CalDAV', (engine) =>
  withWorld(engine, async (world) => {
    const client = await writeOnly(world)
    const { uid, etag } = await plant(world)
    const at = (name = ''): string => `${world.app.site.davBase}/calendars/main/${name}`
    const send = (method: string, name: string, headers: Record<string, string> = {}, payload?: string) =>
      client.send({ method: method as 'PUT', url: at(name), headers, ...(payload === undefined ? {} : { payload }) })
    const put = (name: string, text: string, headers: Record<string, string> = {}) =>
      send('PUT', name, { 'content-type': 'text/calendar', ...headers }, text)
    const made = await put('new.ics', objectText('new'), { prefer: 'return=representation' })
    assert.deepEqual([made.status, made.headers.etag, made.text], [201, undefined, ''])
    checkSight('PUT', made)
    const known = await put('new.ics', objectText('new'), { 'if-none-match': etag })
    assert.equal(known.status, 403)
    checkSight('PUT If-None-Match', known)
    const conflict = await put('other.ics', objectText(uid))
    assert.equal(conflict.status, 409)
    checkSight('PUT of a UID that is taken', conflict)
    assert.doesNotMatch(conflict.text, /\.ics/)
    const stale = await send('DELETE', 'new.ics', { 'if-match': '"e-99-00000000"' })
    assert.equal(stale.status, 412)
    checkSight('DELETE', stale)
    for (const method of ['GET', 'PROPFIND', 'REPORT', 'PROPPATCH'])
      assert.equal((await send(method, method === 'GET' ? 'new.ics' : '')).status, 403, method)
    assert.equal((await send('MOVE', 'new.ics', { destination: at('moved.ics') })).status, 201)
    assert.equal((await send('DELETE', 'moved.ics')).status, 204)
  }),
)
