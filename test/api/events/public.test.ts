// Public endpoints: the same bytes for every client, with or without credentials, and private events masked.
import assert from 'node:assert/strict'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import type { ApiResponse, Json } from '../../support/http/api-response.ts'
import { davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { basicOf, type Client, type World, withWorld } from '../../support/world.ts'

const SECRETS = ['zqtitle', 'zqdescription', 'zqlocation', 'zqcategory', 'zqurl', 'zquid', 'zqmoved']

const choir = {
  title: 'Choir',
  description: 'Bring a pencil',
  location: 'Main hall',
  category: 'Music',
  url: 'https://choir.example.org/',
  visibility: 'public',
  start: '2026-07-07T19:00',
  end: '2026-07-07T20:30',
  rrule: 'FREQ=WEEKLY;COUNT=4',
}

const secret = {
  title: 'zqtitle',
  description: 'zqdescription',
  location: 'zqlocation',
  category: 'zqcategory',
  url: 'https://zqurl.example',
  uid: 'zquid@example.org',
  visibility: 'private',
  start: '2026-07-08T09:00',
  end: '2026-07-08T10:00',
  rrule: 'FREQ=WEEKLY;COUNT=4',
}

const fair = { title: 'Fair', visibility: 'public', start: '2026-07-20', end: '2026-07-22', all_day: true }

async function fill(writer: Client): Promise<{ open: Json; hidden: Json }> {
  const open = await writer.creates(choir)
  const hidden = await writer.creates(secret)
  await writer.patch(`/events/${hidden.id}/occurrences/20260715T090000`, { title: 'zqmoved', version: 1 })
  await writer.delete(`/events/${hidden.id}/occurrences/20260722T090000`)
  await writer.creates(fair)
  return { open, hidden }
}

const pathsOf = (id: string): string[] => [
  '/public/events?view=month',
  '/public/events',
  '/public/events?view=month&per_page=2',
  `/public/events/${id}`,
  '/public/sidebar-events',
  '/public/categories',
  '/public/calendar.ics',
  `/public/events/${id}/event.ics`,
]

const headersOf = ({ headers: { 'x-request-id': _, date: __, ...headers } }: ApiResponse) => headers

const assertNoSecret = ({ text, headers: { link: _, ...headers } }: ApiResponse, where: string): void => {
  for (const word of SECRETS) assert.ok(!`${text}${JSON.stringify(headers)}`.includes(word), `${word} in ${where}`)
}

forEachEngine('P1: lists and single events have exactly the documented keys', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const { open, hidden } = await fill(writer)
    const { data, meta } = (await anonymous.get('/public/events?view=month')).body
    assert.deepEqual(data[0], {
      id: open.id,
      title: 'Choir',
      start: '2026-07-07T19:00:00+01:00',
      end: '2026-07-07T20:30:00+01:00',
      all_day: false,
      timezone: 'Europe/London',
      visibility: 'public',
      description: 'Bring a pencil',
      location: 'Main hall',
      category: 'Music',
      url: 'https://choir.example.org/',
      status: 'confirmed',
      recurring: true,
      occurrence_key: '20260707T190000',
    })
    assert.deepEqual(data[1], {
      id: hidden.id,
      title: 'Private Event',
      start: '2026-07-08T09:00:00+01:00',
      end: '2026-07-08T10:00:00+01:00',
      all_day: false,
      visibility: 'private',
    })
    const dates = data.find((item: Json) => item.title === 'Fair')
    assert.deepEqual([dates.start_date, dates.end_date, dates.all_day], ['2026-07-20', '2026-07-22', true])
    assert.deepEqual(Object.keys(meta), ['range', 'timezone', 'view', 'sync_token'])
    assert.deepEqual((await anonymous.get(`/public/events/${hidden.id}`)).body, {
      data: {
        id: hidden.id,
        title: 'Private Event',
        start: '2026-07-08T09:00:00+01:00',
        end: '2026-07-08T10:00:00+01:00',
        all_day: false,
        visibility: 'private',
        timezone: 'Europe/London',
        rrule: 'FREQ=WEEKLY;COUNT=4',
        exdates: ['20260722T090000'],
      },
    })
    const tokyo = (await anonymous.get(`/public/events/${open.id}?timezone=Asia/Tokyo`)).body.data
    assert.equal(tokyo.start, '2026-07-08T03:00:00+09:00')
    assert.deepEqual((await anonymous.get('/public/events?from=2026-07-08&to=2026-07-08')).body.data, [data[1]])
    assert.equal((await anonymous.get('/public/events?view=month&expand=false')).body.data.length, 3)
    assert.deepEqual(
      (await anonymous.get('/public/events?view=month&category=Music&per_page=3')).body.meta.pagination,
      {
        page: 1,
        per_page: 3,
        total: 4,
        total_pages: 2,
      },
    )
  }),
)

forEachEngine('the public endpoints and /events without credentials return the same', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const { open, hidden } = await fill(writer)
    for (const question of [
      '?view=month',
      '',
      '?view=year&page=2&per_page=3',
      '?view=month&q=pencil',
      '?view=month&category=Music',
      '?view=month&timezone=America/New_York',
      '?view=month&expand=false',
      '?from=2190-01-01&to=2190-02-01',
      `/${open.id}`,
      `/${hidden.id}`,
      `/${hidden.id}?timezone=Asia/Tokyo`,
    ]) {
      const [mine, theirs] = [
        await anonymous.get(`/public/events${question}`),
        await anonymous.get(`/events${question}`),
      ]
      assert.equal(mine.status, 200)
      assert.equal(mine.text, theirs.text, question)
    }
    for (const [question, code] of [
      ['?per_page=x', 'invalid_parameter'],
      ['?per_page=201', 'validation_failed'],
      ['?view=month&view=day', 'duplicate_parameter'],
      ['?view=month&timezone=Mars/Olympus', 'validation_failed'],
      ['/nobody', 'event_not_found'],
    ]) {
      const refused = await anonymous.get(`/public/events${question}`)
      assert.equal(refused.body.error.code, code)
      assert.equal(refused.headers['cache-control'], 'no-store')
      assert.equal(refused.headers['access-control-allow-origin'], '*')
    }
    await anonymous.get('/public/events?view=month')
    for (const [more, status] of [
      ['view=month', 400],
      ['x=1&x=2', 200],
    ] as const)
      assert.equal((await anonymous.get(`/public/events?view=month&${more}`)).status, status, 'kept or not')
  }),
)

/** Valid, wrong and malformed. */
const credentialsIn = async ({ signIn, app }: World): Promise<Record<string, string>[]> => {
  const browser = await signIn('admin@example.org')
  const name = browser.cookie.split('=')[0]!
  return [
    {},
    { authorization: basicOf('admin@example.org') },
    { authorization: basicOf('admin@example.org', 'wrong') },
    { authorization: basicOf('nobody@example.org') },
    { authorization: 'Bearer calpat_0000000000000000000000000000000000000000000' },
    { authorization: 'nonsense' },
    { cookie: browser.cookie },
    { cookie: `${name}=expired`, origin: 'https://elsewhere.example' },
    { cookie: browser.cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
    { host: new URL(app.site.origin).host, authorization: '' },
  ]
}

forEachEngine('P25: every client, with any credentials, gets the same bytes and the same headers', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous } = world
    const { open, hidden } = await fill(writer)
    const all = await credentialsIn(world)
    for (const path of [...pathsOf(open.id), ...pathsOf(hidden.id), '/public/events/nobody', '/public/events?page=x']) {
      const plain = await anonymous.get(path)
      assertNoSecret(plain, path)
      for (const credentials of all) {
        const answer = await anonymous.get(path, credentials)
        assert.equal(answer.text, plain.text, path)
        assert.deepEqual(headersOf(answer), headersOf(plain), path)
      }
    }
  }),
)

forEachEngine(
  'a shared cache may store a public response and must revalidate; nothing shows when something changed (P8)',
  (engine) =>
    withWorld(engine, async ({ writer, anonymous }) => {
      const { hidden } = await fill(writer)
      for (const path of pathsOf(hidden.id)) {
        const answer = await anonymous.get(path, { 'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT' })
        assert.equal(answer.status, 200)
        assert.equal(answer.headers['cache-control'], 'public, no-cache')
        assert.match(String(answer.headers.etag), /^"[\w-]{27}"$/)
        assert.equal(answer.headers.vary, 'Accept-Encoding')
        assert.equal(answer.headers['cross-origin-resource-policy'], 'cross-origin')
        for (const name of ['last-modified', 'age', 'expires', 'set-cookie', 'access-control-allow-credentials'])
          assert.equal(answer.headers[name], undefined, `${name} on ${path}`)
        const head = await anonymous.head(path)
        assert.deepEqual([head.status, head.text], [200, ''])
        assert.deepEqual(headersOf(head), headersOf(answer), path)
        assert.equal(Number(head.headers['content-length']), answer.bytes.length)
      }
    }),
)

forEachEngine(
  'responses are compressed for clients that accept it, each encoding has its own ETag, and 304 for any of them',
  (engine) =>
    withWorld(engine, async ({ writer, anonymous }) => {
      const { open } = await fill(writer)
      for (const path of ['/public/events?view=month', '/public/calendar.ics', `/public/events/${open.id}/event.ics`]) {
        const plain = await anonymous.get(path)
        const forms = [plain]
        for (const [accepted, encoding] of [
          ['gzip', 'gzip'],
          ['gzip, deflate, br', 'br'],
          ['br;q=0, gzip', 'gzip'],
          ['br;q=0, gzip;q=0', undefined],
          ['identity', undefined],
        ] as const) {
          const answer = await anonymous.get(path, { 'accept-encoding': accepted })
          assert.equal(answer.headers['content-encoding'], encoding)
          assert.equal(answer.text, plain.text, `${path} as ${accepted}`)
          assert.equal(Number(answer.headers['content-length']), answer.bytes.length)
          assert.equal(answer.headers.vary, 'Accept-Encoding')
          if (encoding) assert.ok(answer.bytes.length < plain.bytes.length)
          const head = await anonymous.head(path, { 'accept-encoding': accepted })
          assert.deepEqual(headersOf(head), headersOf(answer))
          forms.push(answer)
        }
        const tags = [...new Set(forms.map(({ headers }) => String(headers.etag)))]
        const [tag = ''] = tags
        assert.deepEqual(tags, [tag, tag.replace(/"$/, '-gzip"'), tag.replace(/"$/, '-br"')])
        for (const known of [...tags, `W/${tags[1]}`, `"other", ${tags[2]}`, '*'])
          for (const accepted of ['', 'gzip', 'br', 'gzip, br', 'br;q=0, gzip']) {
            const headers = { 'if-none-match': known, 'accept-encoding': accepted }
            const answer = await anonymous.get(path, headers)
            const form = /-(br|gzip)"$/.exec(known)?.[1]
            const isTaken = form === undefined || (accepted.includes(form) && !accepted.includes(`${form};q=0`))
            assert.equal(answer.status, isTaken ? 304 : 200, `${known} for ${accepted}`)
            assert.equal((await anonymous.head(path, headers)).status, answer.status)
            assert.equal(answer.headers['cache-control'], 'public, no-cache')
            assert.ok(tags.includes(String(answer.headers.etag)))
            if (!isTaken) continue
            assert.equal(answer.bytes.length, 0)
            assert.equal(answer.headers['content-type'], undefined)
            if (known !== '*')
              assert.ok(known.includes(String(answer.headers.etag)), 'the copy they have is the one meant')
          }
        for (const unknown of ['"other"', tag.replace(/"$/, '-zip"'), 'nonsense'])
          assert.equal((await anonymous.get(path, { 'if-none-match': unknown })).status, 200)
      }
      const small = await anonymous.get('/public/categories', { 'accept-encoding': 'br, gzip' })
      assert.equal(small.headers['content-encoding'], undefined, 'what is small goes as it is')
      assert.equal(small.headers.vary, 'Accept-Encoding')
    }),
)

forEachEngine(
  'P7, P9: twenty edits of private words change no byte; ETags of full readers match nothing here',
  (engine) =>
    withWorld(engine, async ({ writer, anonymous, clock }) => {
      const { hidden } = await fill(writer)
      const paths = pathsOf(hidden.id)
      const before = await Promise.all(paths.map((path) => anonymous.get(path)))
      for (let version = 3; version < 23; version++) {
        clock.at += 1_000
        const words = { title: `zqtitle ${version}`, category: `zqcategory ${version}`, transparency: 'transparent' }
        const status = version % 2 ? 'tentative' : 'confirmed'
        assert.equal((await writer.patch(`/events/${hidden.id}`, { ...words, status, version })).status, 200)
        for (const [i, path] of paths.entries()) {
          const tag = String(before[i]!.headers.etag)
          assert.equal((await anonymous.get(path, { 'if-none-match': tag })).status, 304, path)
        }
      }
      for (const [i, path] of paths.entries()) {
        const after = await anonymous.get(path)
        assert.equal(after.text, before[i]!.text)
        assert.deepEqual(headersOf(after), headersOf(before[i]!))
      }
      const { etag, version } = (await writer.get(`/events/${hidden.id}`)).body.data
      for (const path of paths)
        for (const guess of [etag, `"${version}"`, `"e-${version}"`]) {
          assert.equal((await anonymous.get(path, { 'if-none-match': guess })).status, 200)
          assert.equal((await anonymous.get(path, { 'if-match': guess })).status, 200)
          assert.equal((await anonymous.get(path, { 'if-match': '"wrong"' })).status, 200)
        }
    }),
)

forEachEngine('P2, P5, P6: a category used only in private events is like one that does not exist', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    await fill(writer)
    await writer.creates({ ...choir, rrule: null, category: 'éclairs', title: 'Baking' })
    await writer.creates({ ...choir, rrule: null, category: 'Dance', title: 'Waltz' })
    await writer.creates({ ...secret, uid: 'zquid2@example.org', category: 'Music' })
    const series = await writer.creates({ ...choir, start: '2026-08-04T19:00', end: '2026-08-04T20:00' })
    await writer.patch(`/events/${series.id}/occurrences/20260811T190000`, { category: 'Concert', version: 1 })
    assert.deepEqual((await anonymous.get('/public/categories')).body, {
      data: [
        { name: 'Concert', count: 1 },
        { name: 'Dance', count: 1 },
        { name: 'éclairs', count: 1 },
        { name: 'Music', count: 2 },
      ],
    })
    const { data } = (await anonymous.get('/public/categories')).body
    for (const { name, count } of data) {
      const stored = (await anonymous.get(`/public/events?category=${encodeURIComponent(name)}`)).body
      assert.deepEqual([stored.data.length, stored.meta.pagination.total], [count, count], name)
      const feed = (await anonymous.get(`/public/calendar.ics?category=${encodeURIComponent(name)}`)).text
      assert.equal(new Set(feed.match(/^UID:.*$/gm)).size, count, name)
    }
    const inWindow = (await anonymous.get('/public/events?view=month&from=2026-08-01&category=Concert')).body.data
    assert.deepEqual(
      inWindow.map(({ occurrence_key }: { occurrence_key: string }) => occurrence_key),
      ['20260811T190000'],
      'in a window each occurrence goes by its own',
    )
    for (const path of [
      '/public/events?view=month',
      '/public/events?view=year&expand=false',
      '/public/calendar.ics?',
    ]) {
      assert.equal((await anonymous.get(`${path}&category=`)).text, (await anonymous.get(path)).text, 'none is all')
      const filtered = await anonymous.get(`${path}&category=zqcategory`)
      const madeUp = await anonymous.get(`${path}&category=nonsense`)
      assert.equal(filtered.text, madeUp.text)
      assert.deepEqual(headersOf(filtered), headersOf(madeUp))
    }
    const pages = (category: string) => anonymous.get(`/public/events?category=${category}&per_page=1`)
    assert.deepEqual((await pages('zqcategory')).body, (await pages('nonsense')).body)
    assert.equal((await pages('Music')).body.meta.pagination.total, 2, 'the private one is not counted')
  }),
)

forEachEngine('of very many categories those with most events are listed', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    for (const title of ['First race', 'Second race']) await writer.creates({ ...fair, title, category: 'Zebra' })
    const edited = Array.from({ length: 510 }, (_, i) => {
      const day = new Date(Date.UTC(2026, 6, 14 + i)).toISOString().slice(0, 10).replaceAll('-', '')
      return `END:VEVENT\r\nBEGIN:VEVENT\r\nUID:many\r\nDTSTAMP:20260701T000000Z\r\nRECURRENCE-ID:${day}T090000Z\r
DTSTART:${day}T090000Z\r\nDTEND:${day}T100000Z\r\nSUMMARY:Meeting\r\nCATEGORIES:Kind ${i}`
    })
    const text = eventText('many', 'RRULE:FREQ=DAILY;COUNT=700', 'CLASS:PUBLIC', edited.join('\r\n'))
    assert.equal((await davOf(writer).put(`${MAIN}many.ics`, text)).status, 201)
    const { data } = (await anonymous.get('/public/categories')).body
    assert.equal(data.length, 500)
    assert.deepEqual(data.at(-1), { name: 'Zebra', count: 2 })
  }),
)

forEachEngine('P27: deleted, missing and cancelled private events get the same 404; writes are refused', (engine) =>
  withWorld(engine, async ({ writer, anonymous, admin }) => {
    const gone = await writer.creates(choir)
    await writer.delete(`/events/${gone.id}`)
    const cancelled = await writer.creates({ ...secret, status: 'cancelled' })
    const hidden = await writer.creates({ ...secret, uid: 'zquid3@example.org' })
    for (const suffix of ['', '/event.ics']) {
      const never = await anonymous.get(`/public/events/00000000000000000000000000${suffix}`)
      assert.equal(never.status, 404)
      for (const id of [gone.id, cancelled.id]) {
        const answer = await admin.get(`/public/events/${id}${suffix}`)
        assert.equal(answer.text, never.text)
        assert.deepEqual(headersOf(answer), headersOf(never))
      }
      assert.equal((await anonymous.get(`/public/events/${hidden.id}${suffix}`)).status, 200)
    }
    for (const client of [anonymous, admin])
      for (const path of [`/public/events/${hidden.id}`, '/public/events/00000000000000000000000000']) {
        const answer = await client.patch(path, { title: 'x', version: 1 })
        assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD, OPTIONS'])
      }
  }),
)

forEachEngine(
  'P26: only the exact addresses exist; a path that looks like a file is a 404 that no cache stores',
  (engine) =>
    withWorld(engine, async ({ writer, admin }) => {
      const { open } = await fill(writer)
      const tricks = [
        '.css',
        '.js',
        '.png',
        ';.js',
        ';x=1.css',
        '/x.css',
        '/.css',
        '%2f.css',
        '%00.js',
        '%3b.js',
        '..;/x.js',
      ]
      const doors = [
        '/public/events',
        '/public/sidebar-events',
        '/public/calendar.ics',
        `/public/events/${open.id}`,
        '/events',
      ]
      let tried = 0
      for (const door of doors)
        for (const trick of tricks) {
          const answer = await admin.get(`${door}${trick}`)
          assert.equal(answer.status, 404, `${door}${trick}`)
          assert.equal(answer.headers['cache-control'], 'no-store')
          assertNoSecret(answer, `${door}${trick}`)
          tried += 1
        }
      for (const path of [
        '/public',
        '/public/',
        '/PUBLIC/events',
        '/public//events',
        '/public/Events',
        '/public/events.ics',
      ])
        assert.equal((await admin.get(path)).status, 404, path)
      assert.ok(tried >= 30)
    }),
)

forEachEngine('requests are counted by network, whatever credentials they have', (engine) =>
  withWorld(
    engine,
    async ({ writer, anonymous, admin }) => {
      await writer.creates(choir)
      for (let i = 0; i < 300; i++) {
        assert.equal((await anonymous.get('/public/categories')).status, 200)
        assert.equal((await admin.get('/public/calendar.ics')).status, 200)
      }
      for (const client of [anonymous, admin]) {
        const refused = await client.get('/public/events?view=month')
        assert.equal(refused.status, 429)
        assert.match(String(refused.headers['ratelimit-policy']), /^"public-ip"/)
        assert.equal(refused.headers['access-control-allow-origin'], '*')
        assert.equal(refused.headers['cache-control'], 'no-store')
      }
      assert.equal((await admin.get('/events?view=month')).status, 200, 'who proves who they are is counted by that')
    },
    { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
  ),
)
