// Masking in the event endpoints: the public sees the times of private events, and nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse, Json } from '../../support/http/api-response.ts'
import { ENGINES, forEachEngine, makePlace } from '../../support/storage/engines.ts'
import { type Client, openWorld, type World, withWorld } from '../../support/world.ts'

const SECRETS = ['zqtitle', 'zqdescription', 'zqlocation', 'zqcategory', 'zqurl', 'zquid', 'zqmoved']

const secretSeries = {
  title: 'zqtitle',
  description: 'zqdescription',
  location: 'zqlocation',
  category: 'zqcategory',
  url: 'https://zqurl.example',
  uid: 'zquid@example.org',
  visibility: 'private',
  start: '2026-07-07T19:00',
  end: '2026-07-07T20:00',
  rrule: 'FREQ=WEEKLY;COUNT=4',
}

/** `Link` repeats the reader's own query and is ignored. */
const assertNoSecret = ({ text, headers: { link: _, ...headers } }: ApiResponse, where: string): void => {
  for (const secret of SECRETS)
    assert.ok(!`${text}${JSON.stringify(headers)}`.includes(secret), `${secret} in ${where}`)
}

async function makeSecrets(writer: Client): Promise<Json> {
  const series = await writer.creates(secretSeries)
  await writer.patch(`/events/${series.id}/occurrences/20260714T190000`, {
    title: 'zqmoved',
    description: 'zqmoved',
    version: 1,
  })
  await writer.delete(`/events/${series.id}/occurrences/20260721T190000`)
  return series
}

forEachEngine('P1: a masked event in a list has exactly its time, its id and two fixed words', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const series = await makeSecrets(writer)
    await writer.creates({
      title: 'zqtitle',
      visibility: 'private',
      start: '2026-07-20',
      end: '2026-07-22',
      all_day: true,
    })
    const { data } = (await anonymous.get('/events?view=month')).body
    assert.deepEqual(data[0], {
      id: series.id,
      title: 'Private Event',
      start: '2026-07-07T19:00:00+01:00',
      end: '2026-07-07T20:00:00+01:00',
      all_day: false,
      visibility: 'private',
    })
    assert.deepEqual(Object.keys(data[2]).sort(), [
      'all_day',
      'end',
      'end_date',
      'id',
      'start',
      'start_date',
      'title',
      'visibility',
    ])
    const single = (await anonymous.get(`/events/${series.id}`)).body
    assert.deepEqual(single, {
      data: {
        id: series.id,
        title: 'Private Event',
        start: '2026-07-07T19:00:00+01:00',
        end: '2026-07-07T20:00:00+01:00',
        all_day: false,
        visibility: 'private',
        timezone: 'Europe/London',
        rrule: 'FREQ=WEEKLY;COUNT=4',
        exdates: ['20260721T190000'],
      },
    })
  }),
)

forEachEngine('P2, P3, P27, P28: no read, filter, guess or error reveals a word of a private event', (engine) =>
  withWorld(engine, async ({ writer, anonymous, addPerson, as }) => {
    const series = await makeSecrets(writer)
    await addPerson('pending@example.org', 'writer', 'pending_approval')
    await addPerson('unverified@example.org', 'writer', 'approved', false)
    const paths = [
      '/events',
      '/events?view=month',
      '/events?view=month&expand=false',
      '/events?view=month&per_page=1',
      `/events/${series.id}`,
      `/events/${series.id}/occurrences?view=month`,
      `/events/${series.id}/occurrences/20260714T190000`,
      ...SECRETS.flatMap((word) => [
        `/events?view=month&q=${word}`,
        `/events?q=${word}`,
        `/events?view=month&category=${word}`,
        `/events?category=${word}`,
      ]),
    ]
    for (const [name, client] of [
      ['anonymous', anonymous],
      ['pending', as('pending@example.org')],
      ['unverified', as('unverified@example.org')],
    ] as const) {
      for (const path of paths) {
        const answer = await client.get(path)
        assert.ok(answer.status < 400, path)
        assertNoSecret(answer, `${path} for ${name}`)
      }
      for (const word of SECRETS) {
        for (const filter of ['q', 'category']) {
          const found = await client.get(`/events?view=month&${filter}=${word}`)
          assert.deepEqual(found.body.data, [], `${filter}=${word}`)
        }
      }
      assert.equal(
        (await client.get('/events?view=month&q=private+event')).body.data.length,
        3,
        'the masked title is found like any other',
      )
    }
    for (const answer of [
      await anonymous.patch(`/events/${series.id}`, { title: 'x', version: 9 }),
      await anonymous.delete(`/events/${series.id}`),
    ]) {
      assert.equal(answer.status, 401)
      assertNoSecret(answer, 'a refusal')
    }
  }),
)

forEachEngine('P7, P9: twenty edits of private words change no byte and no ETag for the public', (engine) =>
  withWorld(engine, async ({ writer, anonymous, clock }) => {
    const series = await makeSecrets(writer)
    const paths = [
      '/events?view=month',
      '/events',
      `/events/${series.id}`,
      `/events/${series.id}/occurrences?view=month`,
    ]
    const before = await Promise.all(paths.map((path) => anonymous.get(path)))
    for (let i = 3; i < 23; i++) {
      clock.at += 1_000
      const edited = await writer.patch(`/events/${series.id}`, {
        title: `zqtitle ${i}`,
        location: null,
        status: i % 2 ? 'tentative' : 'confirmed',
        transparency: 'transparent',
        version: i,
      })
      assert.equal(edited.status, 200)
    }
    for (const [i, path] of paths.entries()) {
      const after = await anonymous.get(path)
      assert.equal(after.text, before[i]!.text)
      assert.equal(after.headers.etag, before[i]!.headers.etag)
      assert.equal((await anonymous.get(path, { 'if-none-match': String(before[i]!.headers.etag) })).status, 304)
    }
    const internal = (await writer.get(`/events/${series.id}`)).body.data.etag
    assert.equal(
      (await anonymous.get(`/events/${series.id}`, { 'if-none-match': internal })).status,
      200,
      'the keepers’ tag means nothing here',
    )
  }),
)

forEachEngine('P8: no response shows when anything was changed', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const series = await makeSecrets(writer)
    for (const path of ['/events?view=month', `/events/${series.id}`]) {
      const { headers, body } = await anonymous.get(path, { 'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT' })
      assert.equal(headers['last-modified'], undefined)
      assert.equal(headers.age, undefined)
      // As names of fields: a random id may contain any of these words.
      assert.ok(!/"(version|etag|created|updated|uid)/.test(JSON.stringify(body)))
    }
  }),
)

forEachEngine('P16: a cancelled private event does not exist for the public', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const event = await writer.creates({ ...secretSeries, status: 'cancelled' })
    const series = await writer.creates({ ...secretSeries, uid: 'other@example.org' })
    await writer.patch(`/events/${series.id}/occurrences/20260714T190000`, { status: 'cancelled', version: 1 })
    const months = async () => (await anonymous.get('/events?view=month')).body.data.map((item: Json) => item.start)
    assert.deepEqual(await months(), [
      '2026-07-07T19:00:00+01:00',
      '2026-07-21T19:00:00+01:00',
      '2026-07-28T19:00:00+01:00',
    ])
    assert.equal((await anonymous.get('/events')).body.meta.pagination.total, 1)
    const missing = await anonymous.get(`/events/${event.id}`)
    const never = await anonymous.get('/events/00000000000000000000000000')
    assert.equal(missing.status, 404)
    assert.equal(missing.text, never.text)
    assert.equal((await anonymous.get(`/events/${series.id}/occurrences/20260714T190000`)).status, 404)
    assert.equal((await anonymous.get(`/events/${series.id}/occurrences?view=month`)).body.data.length, 3)
    assert.equal((await writer.get('/events?view=month')).body.data.length, 8, 'its keepers still see it')
    const odd = await writer.creates({
      ...secretSeries,
      uid: 'fourth@example.org',
      status: 'tentative',
      start: '2026-11-03T19:00',
      end: '2026-11-03T20:00',
    })
    await writer.patch(`/events/${odd.id}/occurrences/20261110T190000`, { status: 'confirmed', version: 1 })
    await writer.patch(`/events/${odd.id}`, { status: 'cancelled', version: 2 })
    const november = (await anonymous.get('/events?view=month&from=2026-11-01&per_page=10')).body
    assert.deepEqual([november.data, november.meta.pagination.total], [[], 0], 'not even counted')
    const deleted = await withoutOccurrence(writer, anonymous)
    assert.equal(deleted.cancelled, deleted.deleted, 'cancelled and deleted look the same')
  }),
)

async function withoutOccurrence(writer: Client, anonymous: Client): Promise<{ cancelled: string; deleted: string }> {
  const series = await writer.creates({
    ...secretSeries,
    uid: 'third@example.org',
    start: '2026-09-01T19:00',
    end: '2026-09-01T20:00',
  })
  await writer.patch(`/events/${series.id}/occurrences/20260908T190000`, { status: 'cancelled', version: 1 })
  const read = async () =>
    (await anonymous.get('/events?view=month&from=2026-09-01')).text +
    (await anonymous.get(`/events/${series.id}`)).text
  const cancelled = await read()
  await writer.delete(`/events/${series.id}/occurrences/20260908T190000`)
  return { cancelled, deleted: await read() }
}

forEachEngine('P19, P21: an edited occurrence of a private series shows no more than its series', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const series = await writer.creates(secretSeries)
    const before = (await anonymous.get('/events?view=month')).text
    await writer.patch(`/events/${series.id}/occurrences/20260714T190000`, {
      title: 'zqmoved',
      description: 'zqmoved',
      version: 1,
    })
    assert.equal(
      (await anonymous.get('/events?view=month')).text,
      before,
      'an edit of words alone does not show at all',
    )
    await writer.patch(`/events/${series.id}/occurrences/20260714T190000`, {
      start: '2026-07-15T10:00',
      end: '2026-07-15T11:00',
      version: 2,
    })
    const moved = await anonymous.get('/events?view=month')
    assertNoSecret(moved, 'the month')
    assert.deepEqual(
      moved.body.data.map((item: Json) => `${item.start.slice(0, 16)} ${item.title}`)[1],
      '2026-07-15T10:00 Private Event',
    )
  }),
)

forEachEngine('P24: an event made private is masked at once, an event made public shown', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const event = await writer.creates({ ...secretSeries, visibility: 'public' })
    assert.equal((await anonymous.get('/events?view=month')).body.data[0].title, 'zqtitle')
    await writer.patch(`/events/${event.id}`, { visibility: 'private', version: 1 })
    for (const path of ['/events?view=month', '/events', `/events/${event.id}`, '/events?q=zqtitle'])
      assertNoSecret(await anonymous.get(path), path)
    await writer.patch(`/events/${event.id}`, { visibility: 'public', version: 2 })
    assert.equal((await anonymous.get('/events?view=month')).body.data[0].title, 'zqtitle')
  }),
)

forEachEngine('P25: no cache may serve one reader’s response to another', (engine) =>
  withWorld(engine, async ({ writer, reader, anonymous, addPerson, as }) => {
    await makeSecrets(writer)
    await addPerson('pending@example.org', 'writer', 'pending_approval')
    for (const path of ['/events?view=month', '/events']) {
      const full = await reader.get(path)
      const masked = await anonymous.get(path)
      assert.equal(full.headers['cache-control'], 'private, no-store')
      assert.equal((await as('pending@example.org').get(path)).headers['cache-control'], 'private, no-store')
      assert.equal(masked.headers['cache-control'], 'private, no-cache')
      for (const { headers } of [full, masked]) assert.equal(headers.vary, 'Authorization, Cookie')
      assert.notEqual(full.headers.etag, masked.headers.etag)
      assert.equal((await anonymous.get(path, { 'if-none-match': String(full.headers.etag) })).status, 200)
    }
  }),
)

forEachEngine('P30: identifiers reveal neither time nor order of creation', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const ids: string[] = []
    for (let i = 0; i < 60; i++)
      ids.push((await writer.creates({ title: 'x', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })).id)
    const rank = [...ids].sort()
    const sumOfSquares = ids.reduce((sum, id, i) => sum + (rank.indexOf(id) - i) ** 2, 0)
    const correlation = 1 - (6 * sumOfSquares) / (60 * (60 ** 2 - 1))
    // Spearman's rho of 60 independent ranks lies within ±0.51 in all but one of 30,000 runs.
    assert.ok(Math.abs(correlation) < 0.51, `rank correlation with creation order: ${correlation}`)
  }),
)

forEachEngine('P38: an event that cannot be shown is left out; the others are served', (engine) =>
  withWorld(engine, async ({ writer, anonymous, reader, app }) => {
    const bad = await writer.creates({ ...secretSeries, rrule: 'FREQ=WEEKLY' })
    await writer.patch(`/events/${bad.id}/occurrences/20260714T190000`, { title: 'zqmoved', version: 1 })
    const open = { start: secretSeries.start, end: secretSeries.end, rrule: secretSeries.rrule, visibility: 'public' }
    await writer.creates({ ...open, title: 'good' })
    await app.ctx.storage.writes.updateTable('events').set({ timezone: 'Gone/Zone' }).where('id', '=', bad.id).execute()
    await writer.creates({ ...open, title: 'again' })
    for (const client of [anonymous, reader]) {
      const answer = await client.get('/events?view=month')
      assert.equal(answer.status, 200)
      if (client === anonymous) assertNoSecret(answer, 'the month')
      assert.equal(answer.body.data.filter((item: Json) => item.title === 'good').length, 4)
      for (const path of ['/events', '/events?from=2090-01-01&to=2090-02-01', '/events?view=month&expand=false']) {
        assert.equal((await client.get(path)).status, 200, path)
      }
    }
  }),
)

/** Two worlds that differ only in private data give the same public bytes. */
for (const engine of ENGINES) {
  test(`non-interference: other private words, same public bytes (${engine})`, async () => {
    const worlds: World[] = []
    try {
      for (const word of ['aardvark', 'zebra crossing at the surgery']) worlds.push(await makeTwin(engine, word))
      for (const path of [
        '/events',
        '/events?view=month',
        '/events?view=year',
        '/events?view=month&per_page=2',
        '/events?view=month&q=private',
        '/events?view=month&category=Music',
        '/events?view=month&q=aardvark',
        '/events?expand=false&view=month',
        '/events?from=2190-01-01&to=2190-02-01',
      ]) {
        const [one, two] = await Promise.all(worlds.map(({ anonymous }) => anonymous.get(path)))
        const { 'x-request-id': _a, date: _b, ...headersOne } = one!.headers
        const { 'x-request-id': _c, date: _d, ...headersTwo } = two!.headers
        assert.equal(one!.text, two!.text, path)
        assert.deepEqual(headersOne, headersTwo, path)
      }
    } finally {
      for (const { app, place } of worlds) {
        await app.close()
        await place.remove()
      }
    }
  })
}

async function makeTwin(engine: (typeof ENGINES)[number], word: string): Promise<World> {
  const world = await openWorld(engine, await makePlace(engine))
  // Sync tokens name the calendar.
  world.app.ctx.secret = 'the same in both worlds'
  let next = 0
  world.app.ctx.newId = () => `${(next++).toString(32).padStart(10, '0')}${'0'.repeat(16)}`
  const { writer, clock } = world
  await writer.creates({
    title: 'Concert',
    start: '2026-07-01T10:00',
    end: '2026-07-01T11:00',
    visibility: 'public',
    category: 'Music',
  })
  for (const [start, end] of [
    ['2026-07-07T19:00', '2026-07-07T20:00'],
    ['2026-07-09T09:00', '2026-07-12T20:00'],
  ]) {
    clock.at += word.length * 1_000
    const series = await writer.creates({
      title: word,
      description: word.repeat(20),
      location: word,
      category: word.slice(0, 20),
      url: `https://example.org/${word.length}`,
      status: word.length > 10 ? 'tentative' : 'confirmed',
      transparency: word.length > 10 ? 'transparent' : 'opaque',
      visibility: 'private',
      start,
      end,
      rrule: 'FREQ=WEEKLY',
    })
    for (let i = 1; i <= word.length % 5; i++)
      await writer.patch(`/events/${series.id}`, { title: `${word} ${i}`, version: i })
    if (word.length > 10)
      await writer.patch(`/events/${series.id}/occurrences/${start!.replace(/[-:]/g, '')}00`, {
        title: word,
        version: 1 + (word.length % 5),
      })
  }
  return world
}
