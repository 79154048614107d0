// Lists: order, filters of readers with full access, and chosen fields.
import assert from 'node:assert/strict'
import type { ApiResponse, Json } from '../support/http/api-response.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { ask, type Client, type World, withWorld } from '../support/world.ts'

const at = (title: string, day: number, more: object = {}) => {
  const date = `2026-07-${String(day).padStart(2, '0')}`
  return { title, start: `${date}T09:00`, end: `${date}T10:00`, visibility: 'public', ...more }
}

const namesIn = ({ status, body, text }: ApiResponse): string[] => {
  assert.equal(status, 200, text)
  return body.data.map(({ title, start }: Json) => `${title} ${start.slice(8, 10)}`)
}

const list = async (client: Client, query: string): Promise<string[]> => namesIn(await client.get(`/events?${query}`))

/** All pages, following the `Link` header as a client does. */
async function follow({ app }: World, client: Client, query: string): Promise<string[]> {
  const names: string[] = []
  let url: string | undefined = `${app.site.base}/events?${query}`
  while (url) {
    const answer: ApiResponse = await client.send({ method: 'GET', url })
    names.push(...namesIn(answer))
    url = /<([^>]*)>; rel="next"/.exec(String(answer.headers.link))?.[1]
  }
  return names
}

async function fill({ writer, clock }: World): Promise<Json[]> {
  const events: Json[] = []
  for (const event of [
    at('A', 3),
    at('B', 1, { visibility: 'private', status: 'tentative' }),
    at('C', 2, { all_day: true, start: '2026-07-02', end: '2026-07-03', status: 'cancelled' }),
    at('D', 2),
    at('E', 4, { rrule: 'FREQ=DAILY;COUNT=3', uid: 'e@example.org' }),
    at('F', 2, { visibility: 'private' }),
  ]) {
    clock.at += 1_000
    events.push(await writer.creates(event))
  }
  return events
}

forEachEngine('lists are sorted by start or by the last change, ascending or descending, in pages or whole', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous, clock } = world
    const [a, b, , , e] = await fill(world)
    const byStart = ['B 01', 'C 02', 'D 02', 'F 02', 'A 03', 'E 04']
    const sameStart = (names: string[]) => names.map((name) => name.replace(/[DF] 02/, '· 02'))
    const check = async (client: Client, query: string, expected: string[]) => {
      for (const size of ['', '&per_page=1', '&per_page=4']) {
        assert.deepEqual(sameStart(await follow(world, client, query + size)), sameStart(expected), query + size)
        const reverse = query.replace('sort=', 'sort=-').replace('--', '')
        const backwards = await follow(world, client, reverse + size)
        assert.deepEqual(sameStart(backwards), sameStart(expected.toReversed()), reverse + size)
      }
    }
    await check(writer, 'sort=start', byStart)
    await check(writer, 'sort=start&view=month', [...byStart, 'E 05', 'E 06'])
    await check(writer, 'sort=start&view=month&expand=false', byStart)
    await check(writer, 'sort=updated', ['A 03', 'B 01', 'C 02', 'D 02', 'E 04', 'F 02'])
    const masked = byStart.map((name) => name.replace(/^[BF]/, 'Private Event'))
    const withoutNames = (names: string[]) => names.map((name) => name.slice(-2))
    assert.deepEqual(withoutNames(await follow(world, anonymous, 'sort=-start&per_page=2')), [
      ...withoutNames(masked).toReversed(),
    ])
    // Each change moves an event to the end, also with a clock that was set back.
    clock.at -= 3_600_000
    await writer.patch(`/events/${a!.id}`, { title: 'A', location: 'Hall', version: 1 })
    await writer.delete(`/events/${e!.id}/occurrences/20260705T090000`)
    await writer.patch(`/events/${b!.id}`, { title: 'B', version: 1 })
    await check(writer, 'sort=updated', ['B 01', 'C 02', 'D 02', 'F 02', 'A 03', 'E 04'])
    await check(writer, 'sort=updated&view=week&from=2026-07-01&expand=false', [
      'B 01',
      'C 02',
      'D 02',
      'F 02',
      'A 03',
      'E 04',
    ])
    await check(writer, 'sort=updated&visibility=public', ['C 02', 'D 02', 'A 03', 'E 04'])
    await check(writer, 'sort=updated&q=e', ['E 04'])
    assert.deepEqual(await list(writer, 'sort=-updated&page=9'), [])
    const whole = await writer.get('/events?sort=-updated&per_page=2&fields=title&visibility=public')
    const link = String(whole.headers.link)
    for (const part of ['sort=-updated', 'fields=title', 'visibility=public']) assert.ok(link.includes(part), part)
  }),
)

forEachEngine('full readers filter by UID, status and visibility, alone and together', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, reader } = world
    const [, , , , e] = await fill(world)
    const tried: [string, string[]][] = [
      ['uid=e@example.org', ['E 04']],
      ['uid=e@example.org&view=month', ['E 04', 'E 05', 'E 06']],
      ['uid=e@example.org&view=month&expand=false', ['E 04']],
      ['uid=e@example.org&from=2040-01-01&to=2040-12-31', []],
      ['uid=E@example.org', []],
      ['uid=nothing', []],
      ['status=cancelled', ['C 02']],
      ['status=tentative&view=month', ['B 01']],
      ['status=tentative&visibility=public', []],
      ['visibility=private', ['B 01', 'F 02']],
      ['visibility=private&q=f', ['F 02']],
      ['visibility=private&view=month&page=2&per_page=1', ['F 02']],
      ['visibility=public&status=confirmed&view=month&expand=false', ['D 02', 'A 03', 'E 04']],
    ]
    for (const [query, expected] of tried) assert.deepEqual(await list(reader, query), expected, query)
    // An edited occurrence has its own status.
    await writer.patch(`/events/${e!.id}/occurrences/20260705T090000`, { status: 'tentative', version: 1 })
    assert.deepEqual(await list(reader, 'status=tentative&view=month'), ['B 01', 'E 05'])
    assert.deepEqual(await list(reader, 'status=confirmed&uid=e@example.org&view=month'), ['E 04', 'E 06'])
    assert.deepEqual(await list(reader, 'status=tentative'), ['B 01', 'E 04'], 'some occurrence has it')
    for (const query of ['uid=a%00', 'uid=%00&view=month'])
      assert.equal((await reader.get(`/events?${query}`)).body.error.details.parameter, 'uid')
    assert.deepEqual(await list(reader, 'uid=%0A%F0%9F%8E%89%25_&view=month'), [])
    const wrong = await reader.get('/events?status=gone')
    assert.deepEqual([wrong.status, wrong.body.error.details.fields[0].field], [422, 'status'])
    const sort = await reader.get('/events?sort=updated&view=month')
    assert.deepEqual([sort.status, sort.body.error.details.fields[0].code], [422, 'not_allowed'])
  }),
)

forEachEngine('for readers of the public view these filters and orders do not exist', (engine) =>
  withWorld(engine, async (world) => {
    const { anonymous, addPerson, as, signIn, app } = world
    await fill(world)
    await addPerson('waiting@example.org', 'writer', 'pending_approval')
    const browser = await signIn('writer@example.org')
    const made = await browser.post('/auth/tokens', { name: 'Writes', scopes: ['events:write'] })
    const writing = world.with({ authorization: `Bearer ${made.body.data.token}` })
    const unknown = await anonymous.get('/events?vis=private')
    for (const client of [anonymous, as('waiting@example.org'), writing]) {
      for (const query of ['uid=e@example.org', 'uid=', 'status=tentative', 'status=x', 'visibility=private']) {
        const { status, body } = await client.get(`/events?${query}&view=month`)
        const { parameter, allowed } = body.error.details
        assert.deepEqual([status, body.error.code], [400, 'unknown_parameter'])
        assert.deepEqual([parameter, allowed], [query.split('=')[0], unknown.body.error.details.allowed])
      }
      for (const order of ['updated', '-updated', 'title'])
        for (const window of ['', '&view=month&expand=false']) {
          const { status, body } = await client.get(`/events?sort=${order}${window}`)
          assert.deepEqual([status, body.error.details.fields], [422, [{ ...NOT_ALLOWED, field: 'sort' }]])
        }
    }
    // Public addresses ignore parameters that they do not have.
    const url = `${app.site.base}/public/events?view=month`
    const plain = await ask(app, { url })
    for (const query of ['uid=nothing', 'uid=%00', 'uid=a&uid=b', 'status=cancelled', 'visibility=private'])
      assert.deepEqual((await ask(app, { url: `${url}&${query}` })).body, plain.body)
    assert.equal((await ask(app, { url: `${url}&sort=updated` })).statusCode, 422)
    const reversed = (await anonymous.get('/public/events?view=month&sort=-start')).body.data
    assert.deepEqual(reversed, JSON.parse(plain.body).data.reverse())
  }),
)

const NOT_ALLOWED = { code: 'not_allowed', message: 'This value is not allowed here.' }

forEachEngine('fields leaves only the named fields in each entry, after masking', (engine) =>
  withWorld(engine, async (world) => {
    const { reader, anonymous } = world
    await fill(world)
    const entries = async (client: Client, query: string, path = '/events') => {
      const answer = await client.get(`${path}?view=month&${query}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.body.data as Json[]
    }
    const all = await entries(reader, '')
    const some = await entries(reader, 'fields=title, uid,start')
    assert.deepEqual(
      some,
      all.map(({ id, title, uid, start }) => ({ id, title, start, uid })),
    )
    assert.deepEqual(
      await entries(reader, 'fields=id'),
      all.map(({ id }) => ({ id })),
    )
    const stored = (await reader.get('/events?fields=exceptions,rdates&per_page=3')).body.data
    for (const entry of stored) assert.deepEqual(Object.keys(entry), ['id', 'rdates', 'exceptions'])
    for (const path of ['/events', '/public/events']) {
      const masked = await entries(anonymous, 'fields=title,location,visibility,description', path)
      for (const entry of masked)
        assert.deepEqual(
          Object.keys(entry),
          entry.visibility === 'private'
            ? ['id', 'title', 'visibility']
            : ['id', 'title', 'visibility', 'description', 'location'],
        )
      const hidden = await anonymous.get(`${path}?fields=title,uid`)
      assert.deepEqual([hidden.status, hidden.body.error.details.value], [400, 'uid'])
    }
    const wrong = await reader.get('/events?fields=titel')
    const { parameter, value, nearest } = wrong.body.error.details
    assert.deepEqual([wrong.status, wrong.body.error.code], [400, 'invalid_parameter'])
    assert.deepEqual([parameter, value, nearest], ['fields', 'titel', 'title'])
    for (const text of ['', 'title,', ',', 'title,,start', '__proto__', 'constructor', 'title%00', 'a'.repeat(41)])
      assert.equal((await reader.get(`/events?fields=${text}`)).status, 400, text)
    assert.equal((await reader.get(`/events?fields=${'title,'.repeat(100)}`)).status, 422)
    const tagged = await reader.get('/events?view=month&fields=title')
    const known = await reader.get('/events?view=month&fields=title', { 'if-none-match': String(tagged.headers.etag) })
    assert.equal(known.status, 304)
    assert.notEqual((await reader.get('/events?view=month&fields=start')).headers.etag, tagged.headers.etag)
  }),
)
