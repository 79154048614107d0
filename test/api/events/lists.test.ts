// Lists: windows, pages, order, filters, and the boundary between the occurrence index and expansion on read.
import assert from 'node:assert/strict'
import type { Json } from '../../support/http/api-response.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, withWorld } from '../../support/world.ts'

const timed = (title: string, start: string, end: string, more: object = {}) => ({
  title,
  start,
  end,
  visibility: 'public',
  ...more,
})

const titles = async (client: Client, query: string): Promise<string[]> => {
  const answer = await client.get(`/events?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.map((item: Json) => item.title)
}

forEachEngine('a window contains events that start before its end and end after its start', (engine) =>
  withWorld(engine, async ({ writer }) => {
    await writer.creates(timed('before', '2026-07-13T22:00', '2026-07-14T00:00'))
    await writer.creates(timed('reaching in', '2026-07-13T22:00', '2026-07-14T00:00:01'))
    await writer.creates(timed('inside', '2026-07-14T09:00', '2026-07-14T10:00'))
    await writer.creates(timed('no length at the start', '2026-07-14T00:00', '2026-07-14T00:00'))
    await writer.creates(timed('no length at the end', '2026-07-15T00:00', '2026-07-15T00:00'))
    await writer.creates(timed('after', '2026-07-15T00:00', '2026-07-15T01:00'))
    await writer.creates(timed('around', '2026-01-01T00:00', '2026-12-31T00:00'))
    await writer.creates(timed('a week long', '2026-07-10T00:00', '2026-07-17T00:00'))
    await writer.creates(timed('all day', '2026-07-14', '2026-07-15', { all_day: true }))
    await writer.creates(timed('all day before', '2026-07-13', '2026-07-14', { all_day: true }))
    await writer.creates(timed('all month', '2026-07-01', '2026-08-01', { all_day: true }))
    const expected = [
      'around',
      'all month',
      'a week long',
      'reaching in',
      'all day',
      'no length at the start',
      'inside',
    ]
    assert.deepEqual(await titles(writer, 'view=day&from=2026-07-14'), expected)
    assert.deepEqual(await titles(writer, 'from=2026-07-14&to=2026-07-14'), expected)
    assert.deepEqual(await titles(writer, 'from=2026-07-14T00:00:00%2B01:00&to=2026-07-15T00:00:00%2B01:00'), expected)
    assert.deepEqual(
      await titles(writer, 'from=2026-07-14T00:00:00+01:00&to=2026-07-15T00:00:00+01:00'),
      expected,
      'an unescaped plus sign',
    )
  }),
)

forEachEngine('views are whole local days, weeks, months and years, and meta has the window', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const range = async (query: string) => (await writer.get(`/events?${query}`)).body.meta
    assert.deepEqual((await range('view=day&from=2026-03-29')).range, {
      from: '2026-03-29T00:00:00+00:00',
      to: '2026-03-30T00:00:00+01:00',
    })
    assert.deepEqual((await range('view=week&from=2026-10-21')).range, {
      from: '2026-10-19T00:00:00+01:00',
      to: '2026-10-26T00:00:00+00:00',
    })
    assert.deepEqual((await range('view=month&from=2026-07-15')).range, {
      from: '2026-07-01T00:00:00+01:00',
      to: '2026-08-01T00:00:00+01:00',
    })
    assert.deepEqual((await range('view=year&from=2028-05-01')).range, {
      from: '2028-01-01T00:00:00+00:00',
      to: '2029-01-01T00:00:00+00:00',
    })
    assert.deepEqual((await range('view=day&from=2026-07-14&timezone=America/New_York')).range, {
      from: '2026-07-14T00:00:00-04:00',
      to: '2026-07-15T00:00:00-04:00',
    })
    const today = await range('view=month')
    assert.deepEqual(today.range, { from: '2026-07-01T00:00:00+01:00', to: '2026-08-01T00:00:00+01:00' })
    assert.equal(today.view, 'month')
    assert.equal(today.timezone, 'Europe/London')
    assert.equal(today.pagination, undefined)
    assert.deepEqual((await range('view=list')).range, {
      from: '2026-07-10T00:00:00+01:00',
      to: '2027-07-11T00:00:00+01:00',
    })
    assert.deepEqual(
      (await range('view=month&from=2026-07-15&to=2026-07-16')).range,
      { from: '2026-07-15T00:00:00+01:00', to: '2026-07-17T00:00:00+01:00' },
      'both ends given: the view is presentation only',
    )
  }),
)

forEachEngine('an all-day event is on its date in every zone of a reader', (engine) =>
  withWorld(engine, async ({ writer }) => {
    await writer.creates(timed('Bank holiday', '2026-08-31', '2026-09-01', { all_day: true }))
    for (const zone of ['Europe/London', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      assert.deepEqual(await titles(writer, `view=day&from=2026-08-31&timezone=${zone}`), ['Bank holiday'], zone)
      assert.deepEqual(await titles(writer, `view=day&from=2026-08-30&timezone=${zone}`), [], zone)
      assert.deepEqual(await titles(writer, `view=day&from=2026-09-01&timezone=${zone}`), [], zone)
    }
    const { body } = await writer.get('/events?view=day&from=2026-08-31&timezone=America/New_York')
    const { start, end, start_date, end_date } = body.data[0]
    assert.deepEqual(
      { start, end, start_date, end_date },
      {
        start: '2026-08-31T00:00:00-04:00',
        end: '2026-09-01T00:00:00-04:00',
        start_date: '2026-08-31',
        end_date: '2026-09-01',
      },
    )
  }),
)

forEachEngine('without a window every event is listed once, as stored, in pages', (engine) =>
  withWorld(engine, async ({ writer }) => {
    await writer.creates(
      timed('series', '2019-07-14T09:00', '2019-07-14T10:00', { rrule: 'FREQ=DAILY', exdates: ['20190715T090000'] }),
    )
    await writer.creates(timed('old', '1950-01-01T09:00', '1950-01-01T10:00'))
    await writer.creates(timed('all day', '2019-07-14', '2019-07-15', { all_day: true }))
    const { body, headers } = await writer.get('/events')
    assert.deepEqual(
      body.data.map((item: Json) => item.title),
      ['old', 'all day', 'series'],
    )
    assert.deepEqual(body.data[2].exdates, ['20190715T090000'])
    assert.equal(body.data[2].exceptions.length, 1)
    assert.deepEqual(body.meta.pagination, { page: 1, per_page: 50, total: 3, total_pages: 1 })
    assert.match(String(headers.link), /rel="first".*rel="last"/)
  }),
)

forEachEngine('pages follow one another without gap or repeat, and link to each other', (engine) =>
  withWorld(engine, async ({ writer }) => {
    for (let day = 1; day <= 7; day++)
      await writer.creates(timed(`e${day}`, `2026-07-0${day}T09:00`, `2026-07-0${day}T10:00`))
    await writer.creates(timed('daily', '2026-07-01T08:00', '2026-07-01T09:00', { rrule: 'FREQ=DAILY;COUNT=7' }))
    const whole = (await writer.get('/events?view=month')).body.data.map(
      (item: Json) => `${item.title} ${item.occurrence_key}`,
    )
    assert.equal(whole.length, 14)
    const paged: string[] = []
    let path: string | undefined = '/api-root/calendar/v1/events?view=month&per_page=4'
    let pages = 0
    while (path) {
      const answer = await writer.send({ method: 'GET', url: path })
      pages += 1
      assert.deepEqual(answer.body.meta.pagination, { page: pages, per_page: 4, total: 14, total_pages: 4 })
      paged.push(...answer.body.data.map((item: Json) => `${item.title} ${item.occurrence_key}`))
      path = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link))?.[1]
    }
    assert.equal(pages, 4)
    assert.deepEqual(paged, whole)
    const past = await writer.get('/events?view=month&page=99')
    assert.equal(past.status, 200)
    assert.deepEqual(past.body.data, [])
    assert.match(String(past.headers.link), /page=1&per_page=50>; rel="prev"/)
  }),
)

forEachEngine('pages together are the whole list, in every zone and for every distribution over the days', (engine) =>
  withWorld(engine, async ({ writer }) => {
    await writer.creates(timed('night', '1969-12-30T23:30', '1969-12-31T00:30', { rrule: 'FREQ=DAILY;COUNT=6' }))
    await writer.creates(timed('all day', '1969-12-29', '1969-12-31', { all_day: true, rrule: 'FREQ=DAILY;COUNT=8' }))
    await writer.creates(timed('reaching in', '1969-11-01T00:00', '1970-01-10T00:00'))
    await writer.creates(timed('endless', '1960-01-01T12:00', '1960-01-01T13:00', { rrule: 'FREQ=DAILY' }))
    for (const zone of ['Europe/London', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kolkata']) {
      const window = `from=1969-12-28&to=1970-01-08&timezone=${zone}`
      const name = (item: Json) => `${item.title} ${item.occurrence_key}`
      const whole = (await writer.get(`/events?${window}`)).body.data.map(name)
      for (const perPage of [1, 3, 7]) {
        const paged: string[] = []
        for (let page = 1; page <= Math.ceil(whole.length / perPage); page++) {
          const { body } = await writer.get(`/events?${window}&per_page=${perPage}&page=${page}`)
          assert.equal(body.meta.pagination.total, whole.length)
          paged.push(...body.data.map(name))
        }
        assert.deepEqual(paged, whole, `${zone}, ${perPage} a page`)
      }
    }
  }),
)

forEachEngine('the order is start, all-day first, end, id: total and stable', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const ids: string[] = []
    for (let i = 0; i < 20; i++)
      ids.push((await writer.creates(timed('tie', '2026-07-14T00:00', '2026-07-14T01:00'))).id)
    const allDay = await writer.creates(timed('all day', '2026-07-14', '2026-07-15', { all_day: true }))
    const short = await writer.creates(timed('short', '2026-07-14T00:00', '2026-07-14T00:30'))
    const { body } = await writer.get('/events?view=day&from=2026-07-14')
    assert.deepEqual(
      body.data.map((item: Json) => item.id),
      [allDay.id, short.id, ...ids.sort()],
    )
  }),
)

const open = { visibility: 'public' }

forEachEngine(
  'words and categories filter a list for every reader; case, accents and punctuation do not matter',
  (engine) =>
    withWorld(engine, async ({ writer, anonymous }) => {
      await writer.creates(
        timed('Café concert', '2026-07-14T09:00', '2026-07-14T10:00', { ...open, category: 'Music' }),
      )
      const walk = { ...open, description: 'ends at the CAFÉ', category: 'Walks' }
      await writer.creates(timed('Walk', '2026-07-15T09:00', '2026-07-15T10:00', walk))
      await writer.creates(timed('100% wool', '2026-07-16T09:00', '2026-07-16T10:00', { ...open, location: 'Room_1' }))
      const found: [query: string, titles: string[]][] = [
        ['q=cafe', ['Café concert', 'Walk']],
        ['q=CAF%C3%89', ['Café concert', 'Walk']],
        ['q=100%25', ['100% wool']],
        ['q=room_1', ['100% wool']],
        ['q=1+room', ['100% wool']],
        ['q=%25', []],
        ['q=_', []],
        ['q=roomx1', []],
        ['q=%27%22%3B--', []],
        ['q=', ['Café concert', 'Walk', '100% wool']],
        ['category=Music', ['Café concert']],
        ['category=Music&q=walk', []],
        ['category=Walks&q=the+ends', ['Walk']],
        ['category=nothing', []],
      ]
      for (const client of [writer, anonymous])
        for (const window of ['view=month', 'view=month&expand=false', ''])
          for (const [query, expected] of found)
            assert.deepEqual(await titles(client, `${window}&${query}`), expected, `${window} ${query}`)
      assert.equal((await writer.get('/events?view=month&q=cafe&per_page=1')).body.meta.pagination.total, 2)
      assert.equal((await anonymous.get('/events?q=cafe&per_page=1')).body.meta.pagination.total, 2)
    }),
)

forEachEngine(
  'every search word is a prefix of a word of the event, in any order and field; eight are used',
  (engine) =>
    withWorld(engine, async ({ writer, anonymous }) => {
      const words = { ...open, description: 'Ζωή και ΣΑΣ, 会議室, ผู้', location: 'Süd-Halle 12b' }
      await writer.creates(
        timed('Sommerkonzert one two three four five six', '2026-07-14T09:00', '2026-07-14T10:00', words),
      )
      const found = ['sommer', 'sud', 'halle+s', '12', 'σασ', 'ΣΑΣ', 'ζω', 'κ', '会議', '議', '室会', 'ผู้']
      const missed = ['konz', 'ommer', 'b', 'sudhalle', 'ωή', '会x']
      const long = 'o+t+th+f+s+so+h+1'
      for (const client of [writer, anonymous]) {
        for (const text of [...found, ...missed])
          for (const window of ['view=month', '']) {
            const answer = await titles(client, `${window}&q=${text.split('+').map(encodeURIComponent).join('+')}`)
            assert.equal(answer.length === 1, found.includes(text), `${window} ${text}`)
          }
        assert.equal((await titles(client, `view=month&q=${long}`)).length, 1)
        assert.equal((await titles(client, `view=month&q=${long}+zzz`)).length, 1, 'the ninth is not looked for')
        assert.equal((await titles(client, `view=month&q=zzz+${long}`)).length, 0)
      }
    }),
)

forEachEngine('Link headers of a long query drop first and last before they grow too long', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const long = { title: '𐐷'.repeat(100), category: '😀'.repeat(64), visibility: 'public' }
    for (let i = 0; i < 3; i++) await writer.creates({ ...long, start: '2026-07-07T19:00', end: '2026-07-07T20:00' })
    const relations = async (query: string): Promise<string[]> => {
      const { headers, status, text } = await anonymous.get(`/events?page=2&per_page=1&${query}`)
      assert.equal(status, 200, text)
      assert.ok(String(headers.link).length <= 3_500)
      return [...String(headers.link).matchAll(/rel="(\w+)"/g)].map(([, name]) => name!)
    }
    const category = encodeURI(`category=${long.category}`)
    const words = encodeURI(`q=${long.title}`)
    assert.deepEqual(await relations(''), ['first', 'prev', 'next', 'last'])
    assert.deepEqual(await relations(category), ['first', 'prev', 'next', 'last'])
    assert.deepEqual(await relations(words), ['prev', 'next'])
    assert.deepEqual(await relations(`${words}&${category}`), ['next'])
  }),
)

forEachEngine('an edited occurrence is found by its own words', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const weekly = { ...open, rrule: 'FREQ=WEEKLY;COUNT=3', category: 'Music' }
    const series = await writer.creates(timed('Choir', '2026-07-07T19:00', '2026-07-07T20:00', weekly))
    await writer.patch(`/events/${series.id}/occurrences/20260714T190000`, {
      title: 'Concert',
      category: 'Shows',
      version: 1,
    })
    for (const client of [writer, anonymous]) {
      assert.deepEqual(await titles(client, 'view=month&q=concert'), ['Concert'])
      assert.deepEqual(await titles(client, 'view=month&q=choir'), ['Choir', 'Choir'])
      assert.deepEqual(await titles(client, 'q=choir'), ['Choir'])
      assert.deepEqual(await titles(client, 'q=concert'), [], 'as stored, a series is found by its own words')
      assert.deepEqual(await titles(client, 'view=month&category=Shows'), ['Concert'])
      assert.deepEqual(await titles(client, 'view=month&category=Music'), ['Choir', 'Choir'])
      assert.deepEqual(
        await titles(client, 'category=Shows'),
        ['Choir'],
        'as stored, it has its occurrences’ categories',
      )
      assert.deepEqual(await titles(client, 'category=&view=month'), ['Choir', 'Concert', 'Choir'])
    }
  }),
)

forEachEngine('expand=false lists each event of the window once', (engine) =>
  withWorld(engine, async ({ writer }) => {
    await writer.creates(timed('daily', '2026-07-01T08:00', '2026-07-01T09:00', { rrule: 'FREQ=DAILY' }))
    await writer.creates(timed('single', '2026-07-20T08:00', '2026-07-20T09:00'))
    await writer.creates(timed('elsewhere', '2026-09-20T08:00', '2026-09-20T09:00'))
    assert.deepEqual(await titles(writer, 'view=month&expand=false'), ['daily', 'single'])
    assert.deepEqual(await titles(writer, 'from=2090-01-01&to=2090-01-02&expand=false'), ['daily'])
    assert.equal((await writer.get('/events?view=month&expand=false&per_page=1')).body.meta.pagination.total, 2)
    assert.deepEqual(await titles(writer, 'from=2026-01-01&to=2030-12-31&expand=false'), [
      'daily',
      'single',
      'elsewhere',
    ])
    assert.equal((await writer.get('/events?view=month&expand=perhaps')).status, 400)
  }),
)

forEachEngine('a list is one snapshot, whatever is written meanwhile', (engine) =>
  withWorld(engine, async ({ writer, anonymous }) => {
    const series = await writer.creates(
      timed('x', '2090-01-01T09:00', '2090-01-01T10:00', { rrule: 'FREQ=DAILY;COUNT=5' }),
    )
    const rules = ['FREQ=DAILY', 'FREQ=DAILY;COUNT=5']
    let isOver = false
    const writing = (async () => {
      for (let version = 1; version <= byRunLength(24, 60); version++) {
        const answer = await writer.patch(`/events/${series.id}`, { rrule: rules[(version + 1) % 2], version })
        assert.equal(answer.body.meta?.version, version + 1, answer.text)
      }
    })().finally(() => {
      isOver = true
    })
    const sizes = new Set<number>()
    const reading = Array.from({ length: 4 }, async (_, reader) => {
      for (let i = 0; !isOver; i++) {
        // Each is another query, so that none is answered from the cache.
        const from = new Date(Date.UTC(2090, 0, 1, reader, 0, i % 3_600)).toISOString().slice(0, 19)
        const answer = await anonymous.get(`/events?from=${from}&to=2090-01-05`)
        sizes.add(answer.body.data.length)
        await new Promise(setImmediate)
      }
    })
    await Promise.all([writing, ...reading])
    assert.deepEqual([...sizes], [5])
  }),
)

forEachEngine('lists are the same on both sides of the index boundary', (engine) =>
  withWorld(engine, async ({ writer }) => {
    await writer.creates(timed('daily', '1980-01-01T09:00', '1980-01-01T10:00', { rrule: 'FREQ=DAILY' }))
    await writer.creates(timed('night shift', '1990-01-01T22:00', '1990-01-03T06:00', { rrule: 'FREQ=WEEKLY' }))
    await writer.creates(
      timed('all day', '2000-01-01', '2000-01-02', { all_day: true, rrule: 'FREQ=DAILY;INTERVAL=3' }),
    )
    await writer.creates(timed('counted', '2026-01-01T12:00', '2026-01-01T13:00', { rrule: 'FREQ=DAILY;COUNT=3000' }))
    // The index holds July 2025 to July 2028; windows across both of its edges must be the sum of their days.
    for (const [from, to] of [
      ['2025-06-20', '2025-07-10'],
      ['2028-06-20', '2028-07-10'],
      ['1979-12-30', '1980-01-05'],
      ['2190-12-20', '2191-01-05'],
      ['2034-03-10', '2034-03-25'],
    ]) {
      const whole = (await writer.get(`/events?from=${from}&to=${to}`)).body.data.map(
        (item: Json) => `${item.title} ${item.occurrence_key}`,
      )
      const summed = new Set<string>()
      for (let day = Date.parse(from!); day <= Date.parse(to!); day += 86_400_000) {
        const date = new Date(day).toISOString().slice(0, 10)
        for (const item of (await writer.get(`/events?view=day&from=${date}`)).body.data)
          summed.add(`${item.title} ${item.occurrence_key}`)
      }
      assert.equal(new Set(whole).size, whole.length, 'no occurrence twice')
      assert.deepEqual([...summed].sort(), [...whole].sort())
      const paged = (await writer.get(`/events?from=${from}&to=${to}&per_page=200`)).body
      assert.equal(paged.meta.pagination.total, whole.length)
      assert.deepEqual(
        paged.data.map((item: Json) => `${item.title} ${item.occurrence_key}`),
        whole,
      )
    }
    const far = await titles(writer, 'from=2190-12-25&to=2190-12-25')
    assert.ok(far.includes('daily'), 'an endless series never ends silently')
    const last = (await writer.get('/events?from=2034-03-18&to=2034-03-20')).body.data.filter(
      (item: Json) => item.title === 'counted',
    )
    assert.deepEqual(
      last.map((item: Json) => item.occurrence_key),
      ['20340318T120000', '20340319T120000'],
      'the 3,000th day is 19 March 2034',
    )
  }),
)

forEachEngine('occurrences longer than the indexed part of their series are listed once', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const rrule = 'FREQ=DAILY;BYHOUR=0,2,4,6,8,10,12,14,16,18,20,22'
    await writer.creates(timed('long', '2020-01-01T00:00', '2020-12-20T00:00', { rrule }))
    const day = '2026-06-01'
    const { body } = await writer.get(`/events?view=day&from=${day}&per_page=200`)
    // Twelve a day for the 354 days before and the day itself; the very first ends as the day begins.
    assert.equal(body.meta.pagination.total, 12 * 355 - 1)
    const last = await writer.get(`/events?view=day&from=${day}&per_page=200&page=22`)
    assert.equal(last.body.data.at(-1).occurrence_key, '20260601T220000')
    const whole = (await writer.get(`/events?view=day&from=${day}`)).body.data.map((item: Json) => item.occurrence_key)
    assert.equal(new Set(whole).size, whole.length)
  }),
)

forEachEngine('a response over the limit is refused with a reason, and its pages work', (engine) =>
  withWorld(engine, async ({ writer }) => {
    for (let i = 0; i < 6; i++)
      await writer.creates(timed(`d${i}`, '2026-01-01T09:00', '2026-01-01T10:00', { rrule: 'FREQ=DAILY' }))
    const answer = await writer.get('/events?from=2026-01-01&to=2030-12-31')
    assert.equal(answer.status, 422)
    assert.equal(answer.body.error.code, 'too_many_occurrences')
    const page = await writer.get('/events?from=2026-01-01&to=2030-12-31&per_page=200&page=2')
    assert.equal(page.status, 200)
    assert.equal(page.body.meta.pagination.total, 6 * 1_826)
    assert.equal(page.body.data[0].occurrence_key, '20260203T090000')
  }),
)

forEachEngine('malformed parameters are 400, values that are not allowed 422', (engine) =>
  withWorld(engine, async ({ anonymous }) => {
    const cases: [string, number, string][] = [
      ['page=x', 400, 'invalid_parameter'],
      ['page=', 400, 'invalid_parameter'],
      ['page=1.5', 400, 'invalid_parameter'],
      ['page=0x10', 400, 'invalid_parameter'],
      ['page=1e300', 400, 'invalid_parameter'],
      ['page=%205', 400, 'invalid_parameter'],
      ['page=--1', 400, 'invalid_parameter'],
      ['page=-', 400, 'invalid_parameter'],
      ['q=%00', 400, 'invalid_parameter'],
      ['view=month&q=a%00b', 400, 'invalid_parameter'],
      ['category=%00', 400, 'invalid_parameter'],
      ['page=0', 422, 'validation_failed'],
      ['page=-1', 422, 'validation_failed'],
      ['page=9007199254740993', 422, 'validation_failed'],
      [`page=-${'9'.repeat(400)}`, 422, 'validation_failed'],
      ['per_page=-50', 422, 'validation_failed'],
      ['per_page=0', 422, 'validation_failed'],
      ['per_page=201', 422, 'validation_failed'],
      ['per_page=9999', 422, 'validation_failed'],
      ['page=1&page=2', 400, 'duplicate_parameter'],
      ['from=2026-07-01&from=2026-07-02', 400, 'duplicate_parameter'],
      ['view=fortnight', 422, 'validation_failed'],
      ['from=yesterday', 400, 'invalid_parameter'],
      ['from=2026-02-30', 400, 'invalid_parameter'],
      ['from=1700-01-01', 422, 'validation_failed'],
      ['from=2026-07-02&to=2026-07-01', 422, 'validation_failed'],
      ['from=2026-07-01T10:00&to=2026-07-01T10:00', 422, 'validation_failed'],
      ['from=2020-01-01&to=2026-01-01', 422, 'validation_failed'],
      ['timezone=Nowhere', 422, 'validation_failed'],
      [`q=${'x'.repeat(101)}`, 422, 'validation_failed'],
    ]
    for (const [query, status, code] of cases) {
      const answer = await anonymous.get(`/events?${query}`)
      assert.equal(answer.status, status, query)
      assert.equal(answer.body.error.code, code, query)
      const { parameter, fields } = answer.body.error.details
      const name = /(\w+)=[^&]*$/.exec(query)![1]
      assert.equal(parameter ?? fields[0].field, name, query)
    }
  }),
)

forEachEngine('an unknown parameter is refused with the nearest known name; public addresses ignore it', (engine) =>
  withWorld(engine, async ({ anonymous, reader, writer, admin }) => {
    const { id } = await writer.creates(timed('A', '2026-07-14T09:00', '2026-07-14T10:00'))
    const named: [Client, string, string, string?][] = [
      [reader, '/events?perpage=10', 'perpage', 'per_page'],
      [anonymous, '/events?view=month&time_zone=UTC', 'time_zone', 'timezone'],
      [reader, `/events/${id}?Timezone=UTC`, 'Timezone', 'timezone'],
      [reader, `/events/${id}/occurrences?form=2026-07-01`, 'form', 'from'],
      [admin, '/admin/diagnostics?limits=3', 'limits', 'limit'],
      [admin, '/admin/users?aproval_state=approved', 'aproval_state', 'approval_state'],
      [reader, '/auth/session?utm_source=letter', 'utm_source'],
    ]
    for (const [client, path, parameter, nearest] of named) {
      const { status, body } = await client.get(path)
      assert.deepEqual([status, body.error.code], [400, 'unknown_parameter'], path)
      assert.deepEqual([body.error.details.parameter, body.error.details.nearest], [parameter, nearest])
    }
    const long = (await reader.get(`/events?${'x'.repeat(400)}=1`)).body.error
    assert.deepEqual([long.code, long.details.parameter], ['unknown_parameter', undefined], 'it may be personal text')
    const posted = await writer.post('/events?dryrun=true', timed('B', '2026-07-14T09:00', '2026-07-14T10:00'))
    assert.equal(posted.body.error.code, 'unknown_parameter')
    assert.equal((await anonymous.get('/admin/users?nothing=1')).status, 401, 'credentials are checked first')
    for (const path of ['/public/events', `/public/events/${id}`, '/public/sidebar-events', '/public/calendar.ics'])
      assert.equal((await anonymous.get(`${path}?utm_source=letter&fbclid=1`)).status < 404, true, path)
  }),
)

forEachEngine('a reader with the current ETag gets 304', (engine) =>
  withWorld(engine, async ({ writer, reader, anonymous }) => {
    const event = await writer.creates(timed('A', '2026-07-14T09:00', '2026-07-14T10:00'))
    for (const client of [reader, anonymous]) {
      for (const path of ['/events?view=month', `/events/${event.id}`]) {
        const first = await client.get(path)
        const again = await client.get(path, { 'if-none-match': `"x", W/${first.headers.etag}` })
        assert.equal(again.status, 304)
        assert.equal(again.text, '')
        assert.equal(again.headers.etag, first.headers.etag)
        assert.equal(again.headers.vary, 'Authorization, Cookie')
        const head = await client.head(path)
        assert.equal(head.status, 200)
        assert.equal(head.text, '')
        assert.equal(head.headers['content-length'], first.headers['content-length'])
      }
    }
    const before = await reader.get('/events?view=month')
    await writer.patch(`/events/${event.id}`, { title: 'B', version: 1 })
    const after = await reader.get('/events?view=month', { 'if-none-match': String(before.headers.etag) })
    assert.equal(after.status, 200)
    assert.equal(after.body.data[0].title, 'B')
  }),
)

forEachEngine('a list may name several categories, which may have commas, and its links name them too', (engine) =>
  withWorld(engine, async ({ writer, anonymous, reader }) => {
    const at = { start: '2026-07-20T10:00', end: '2026-07-20T11:00', visibility: 'public' }
    for (const category of ['Music', 'Art, old', 'Art', 'old'])
      await writer.creates({ title: category, category, ...at })
    const titles = async (query: string, client = anonymous) =>
      (await client.get(`/events?view=month&${query}`)).body.data.map(({ title }: { title: string }) => title).sort()
    const both = 'category=Music&category=Art%2C+old'
    assert.deepEqual(await titles(both), ['Art, old', 'Music'])
    assert.deepEqual(await titles(both, reader), ['Art, old', 'Music'])
    assert.deepEqual(await titles('category=Art&category=old'), ['Art', 'old'])
    assert.deepEqual(await titles('category=Art%2Cold'), [])
    assert.deepEqual(await titles('category=&category=Art&category=Art'), ['Art'])
    assert.deepEqual(await titles(`q=o&${both}`), ['Art, old'])
    const page = await anonymous.get(`/public/events?view=month&per_page=1&${both}`)
    assert.equal(page.body.meta.pagination.total, 2)
    assert.match(page.headers.link as string, /category=Music&category=Art%2C\+old/)
    const other = await anonymous.get('/public/events?view=month&per_page=1&category=Music%2CArt%2C+old')
    assert.equal(other.body.meta.pagination.total, 0)
    const many = Array.from({ length: 21 }, (_, i) => `category=${i}`).join('&')
    assert.equal((await anonymous.get(`/public/events?${many}`)).body.error.code, 'validation_failed')
    assert.equal((await anonymous.get(`/public/events?category=a&category=${'x'.repeat(65)}`)).status, 422)
  }),
)
