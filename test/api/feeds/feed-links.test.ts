// Personal feed links: created and deleted by their owner, readable without sign-in, ended with the right to read.
import assert from 'node:assert/strict'
import { patiently } from '../../support/connection-limits.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { SHORT_WORD } from '../../support/privacy/planted-words.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { mintToken } from '../../support/tokens.ts'
import { type Client, type World, withWorld } from '../../support/world.ts'

const private_ = {
  title: 'zqtitle',
  description: 'zqdescription, with; signs\nand lines',
  location: 'zqlocation',
  category: 'Staff',
  url: 'https://zqurl.example/',
  uid: 'zquid@example.org',
  visibility: 'private',
  status: 'tentative',
  transparency: 'transparent',
  start: '2026-07-14T09:00',
  end: '2026-07-14T10:00',
  rrule: 'FREQ=WEEKLY;COUNT=4',
}

const open_ = { title: 'Fair', visibility: 'public', start: '2026-07-20', end: '2026-07-22', all_day: true }

async function makeLink(client: Client, wanted: object): Promise<{ id: string; url: string; path: string }> {
  const made = await client.post('/auth/feeds', wanted)
  assert.equal(made.status, 201, made.text)
  return { ...made.body.data, path: new URL(made.body.data.url).pathname }
}

const read = ({ anonymous }: World, url: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  anonymous.send({ method: 'GET', url, headers })

const isGone = ({ status, body, headers }: ApiResponse): boolean =>
  status === 404 && body.error.code === 'feed_not_found' && headers['cache-control'] === 'no-store'

forEachEngine('a link is created, listed, renamed and deleted; its address is shown once', (engine) =>
  withWorld(engine, async (world) => {
    const { reader, writer, app, clock } = world
    const made = await reader.post('/auth/feeds', { name: '  Phone ' })
    assert.equal(made.status, 201)
    const { url, ...entry } = made.body.data
    assert.match(url, /^http:\/\/localhost:8080\/api-root\/calendar\/v1\/feeds\/[\w-]{43}\.ics$/)
    assert.deepEqual(entry, {
      id: entry.id,
      name: 'Phone',
      detail: 'full',
      category: null,
      categories: [],
      created_at: '2026-07-10T12:00:00Z',
      last_used_at: null,
    })
    clock.at += 1_000
    const second = await makeLink(reader, { name: 'Wall', detail: 'masked', category: 'Music' })
    const list = (await reader.get('/auth/feeds')).body.data
    assert.deepEqual(list[0], entry)
    assert.deepEqual([list[1].id, list[1].detail, list[1].category], [second.id, 'masked', 'Music'])
    assert.ok(!JSON.stringify(list).includes(url.slice(-20)))
    const renamed = await reader.patch(`/auth/feeds/${entry.id}`, { name: 'Tablet' })
    assert.deepEqual(renamed.body.data, { ...entry, name: 'Tablet' })
    for (const client of [writer, world.admin]) {
      assert.equal((await client.patch(`/auth/feeds/${entry.id}`, { name: 'x' })).body.error.code, 'feed_not_found')
      assert.equal((await client.delete(`/auth/feeds/${entry.id}`)).body.error.code, 'feed_not_found')
      assert.deepEqual((await client.get('/auth/feeds')).body.data, [])
    }
    assert.equal((await read(world, new URL(url).pathname)).status, 200)
    assert.equal((await reader.delete(`/auth/feeds/${entry.id}`)).status, 204)
    assert.ok(isGone(await read(world, new URL(url).pathname)), 'dead at once')
    assert.equal((await reader.delete(`/auth/feeds/${entry.id}`)).status, 404)
    const rows = await app.ctx.storage.reads.selectFrom('feed_links').selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes(second.path.slice(-47, -4)), 'kept as a hash')
    const audit = (await world.admin.get('/admin/audit?per_page=50')).body.data
    const acts = audit.filter(({ action }: { action: string }) => action.startsWith('feed_link'))
    assert.deepEqual(
      acts.map(({ action }: { action: string }) => action),
      ['feed_link_deleted', 'feed_link_created', 'feed_link_created'],
    )
  }),
)

forEachEngine(
  'a full link has every event with its words, and none of the properties a client stores beside them',
  (engine) =>
    withWorld(engine, async (world) => {
      const { writer, reader, anonymous } = world
      const series = await writer.creates(private_)
      await writer.creates(open_)
      await writer.patch(`/events/${series.id}/occurrences/20260721T090000`, {
        title: 'zqmoved',
        start: '2026-07-22T11:00',
        end: '2026-07-22T12:30',
        version: 1,
      })
      await writer.delete(`/events/${series.id}/occurrences/20260728T090000`)
      const answer = await read(world, (await makeLink(reader, { name: 'Phone' })).path)
      assert.equal(answer.headers['cache-control'], 'private, no-cache')
      assert.equal(answer.headers['content-type'], 'text/calendar; charset=utf-8')
      assert.equal(answer.headers['content-disposition'], 'inline; filename="calendar.ics"')
      assert.equal(answer.headers['access-control-allow-origin'], undefined)
      const events = answer.text.replaceAll('\r\n ', '').split('BEGIN:VEVENT\r\n').slice(1)
      const main = events.find((event) => event.includes('RRULE:'))!.split('\r\n')
      for (const line of [
        'UID:zquid@example.org',
        'DTSTART;TZID=Europe/London:20260714T090000',
        'DTEND;TZID=Europe/London:20260714T100000',
        'RRULE:FREQ=WEEKLY;COUNT=4',
        'EXDATE;TZID=Europe/London:20260728T090000',
        'SUMMARY:zqtitle',
        'DESCRIPTION:zqdescription\\, with\\; signs\\nand lines',
        'LOCATION:zqlocation',
        'CATEGORIES:Staff',
        'URL:https://zqurl.example/',
        'STATUS:TENTATIVE',
        'TRANSP:TRANSPARENT',
        'CLASS:PRIVATE',
      ])
        assert.ok(main.includes(line), line)
      const moved = events.find((event) => event.includes('RECURRENCE-ID'))!.split('\r\n')
      for (const line of [
        'UID:zquid@example.org',
        'RECURRENCE-ID;TZID=Europe/London:20260721T090000',
        'DTSTART;TZID=Europe/London:20260722T110000',
        'DTEND;TZID=Europe/London:20260722T123000',
        'SUMMARY:zqmoved',
        'LOCATION:zqlocation',
        'CLASS:PRIVATE',
      ])
        assert.ok(moved.includes(line), line)
      const fair = events.find((event) => event.includes('SUMMARY:Fair'))!
      assert.match(fair, /DTSTART;VALUE=DATE:20260720\r\nDTEND;VALUE=DATE:20260722\r\n/)
      assert.match(fair, /CLASS:PUBLIC/)
      assert.equal(events.length, 3)
      const names = new Set(
        answer.text.match(/^[A-Z-]+(?=[;:])/gm)!.filter((name) => !/^(?:TZ|X-|BEGIN|END|RDATE)/.test(name)),
      )
      const allowed =
        `VERSION PRODID CALSCALE METHOD NAME REFRESH-INTERVAL UID DTSTAMP LAST-MODIFIED SEQUENCE DTSTART DTEND
      RRULE EXDATE RECURRENCE-ID SUMMARY DESCRIPTION LOCATION CATEGORIES URL STATUS TRANSP CLASS`.split(/\s+/)
      for (const name of names) assert.ok(allowed.includes(name), name)
      const staff = await read(world, (await makeLink(reader, { name: 'Staff', category: 'Staff' })).path)
      assert.equal(staff.text.match(/BEGIN:VEVENT/g)!.length, 2)
      assert.ok(!SHORT_WORD.test((await anonymous.get('/public/calendar.ics')).text), 'the public gets none of it')
    }),
)

forEachEngine('a link of one category includes a series of which a single occurrence has it', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, reader } = world
    const { id } = await writer.creates({ ...private_, category: null, rrule: 'FREQ=DAILY;COUNT=3' })
    const [{ occurrence_key: key }] = (await writer.get(`/events/${id}/occurrences`)).body.data
    const edited = await writer.patch(`/events/${id}/occurrences/${key}`, { category: 'Guests', version: 1 })
    assert.equal(edited.status, 200, edited.text)
    const { path } = await makeLink(reader, { name: 'Guests', category: 'Guests' })
    assert.equal((await read(world, path)).text.match(/BEGIN:VEVENT/g)?.length, 2)
  }),
)

forEachEngine('a masked link is the public feed under another address, byte for byte', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, reader, anonymous } = world
    await writer.creates(private_)
    await writer.creates({ ...open_, category: 'Music' })
    for (const [wanted, query] of [
      [{}, ''],
      [{ category: 'Music' }, '?category=Music'],
      [{ category: 'Staff' }, '?category=Staff'],
      [{ category: null }, ''],
      [{ category: ' ' }, ''],
      [{ categories: [] }, ''],
      [{ categories: ['Music', 'Art, old'] }, '?category=Music&category=Art%2C+old'],
      [{ category: 'Music', categories: ['Staff'] }, '?category=Music&category=Staff'],
    ] as const) {
      const { path } = await makeLink(reader, { name: 'Wall', detail: 'masked', ...wanted })
      const [mine, theirs] = [await read(world, path), await anonymous.get(`/public/calendar.ics${query}`)]
      assert.equal(mine.text, theirs.text)
      assert.equal(mine.headers.etag, theirs.headers.etag)
      assert.equal(mine.headers['cache-control'], 'private, no-cache')
    }
  }),
)

forEachEngine('a link needs no credentials; 304, HEAD and compression work as elsewhere', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, reader, anonymous } = world
    await writer.creates(private_)
    const { path } = await makeLink(reader, { name: 'Phone' })
    const plain = await read(world, path)
    for (const headers of [
      { authorization: 'Basic nonsense' },
      { cookie: 'cal_00000000=gone' },
      { authorization: 'Bearer calpat_0' },
    ] as Record<string, string>[])
      assert.equal((await read(world, path, headers)).text, plain.text)
    const packed = await read(world, path, { 'accept-encoding': 'gzip, br' })
    assert.equal(packed.headers['content-encoding'], 'br')
    assert.equal(packed.text, plain.text)
    assert.equal(packed.headers.vary, 'Accept-Encoding')
    for (const { headers } of [plain, packed]) {
      const known = { 'if-none-match': String(headers.etag), 'accept-encoding': 'gzip, br' }
      assert.equal((await read(world, path, known)).status, 304)
    }
    const head = await anonymous.send({ method: 'HEAD', url: path })
    assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', plain.headers.etag])
    await writer.creates(open_)
    assert.equal((await read(world, path, { 'if-none-match': String(plain.headers.etag) })).status, 200)
    for (const wrong of [
      path.replace(/.\.ics$/, '.ics'),
      path.replace(/....\.ics$/, 'aaaa.ics'),
      path.replace('.ics', '.ics.css'),
      path.replace('.ics', '.css'),
      path.replace('.ics', ''),
      path.replace('.ics', '.ics/x.css'),
      path.replace('.ics', '.ICS'),
      path.replace('.ics', '%2eics'),
      path.replace('.ics', ';.ics'),
    ]) {
      const answer = await read(world, wrong)
      assert.equal(answer.status, 404, wrong)
      assert.equal(answer.headers['cache-control'], 'no-store')
    }
  }),
)

forEachEngine('a link stops at once when its owner may no longer read, and works again when they may', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, as, addPerson } = world
    const id = await addPerson('choir@example.org', 'reader')
    const { path } = await makeLink(as('choir@example.org'), { name: 'Phone' })
    const change = async (body: object) => assert.equal((await admin.patch(`/admin/users/${id}`, body)).status, 200)
    assert.equal((await read(world, path)).status, 200)
    await change({ approval_state: 'suspended' })
    assert.ok(isGone(await read(world, path)))
    await change({ approval_state: 'approved' })
    assert.equal((await read(world, path)).status, 200)
    await change({ email_verified: false })
    assert.ok(isGone(await read(world, path)))
    await change({ email_verified: true })
    assert.equal((await read(world, path)).status, 200)
    assert.equal((await admin.delete(`/admin/users/${id}`)).status, 204)
    assert.ok(isGone(await read(world, path)))
    const rows = await world.app.ctx.storage.reads.selectFrom('feed_links').selectAll().execute()
    assert.deepEqual(rows, [])
  }),
)

forEachEngine('a password reset ends links like all other credentials; a link gives no session', (engine) =>
  withWorld(engine, async (world) => {
    const { anonymous, as, addPerson, with: withHeaders } = world
    const id = await addPerson('choir@example.org', 'reader')
    const { path } = await makeLink(as('choir@example.org'), { name: 'Phone' })
    const secret = path.slice(-47, -4)
    const bearer = withHeaders({ authorization: `Bearer ${secret}` })
    assert.equal((await bearer.get('/auth/session')).status, 401)
    assert.equal((await read(world, path)).status, 200)
    const token = await mintToken(world, 'reset', id)
    const reset = await anonymous.post('/users/reset-password', { token, password: 'a fresh and long password' })
    assert.equal(reset.status, 200, reset.text)
    assert.ok(isGone(await read(world, path)))
  }),
)

forEachEngine('use is recorded once an hour, and the list shows it', (engine) =>
  withWorld(engine, async (world) => {
    const { reader, clock } = world
    const { path } = await makeLink(reader, { name: 'Phone' })
    const usedAt = async () => (await reader.get('/auth/feeds')).body.data[0].last_used_at
    clock.at = Date.parse('2026-07-10T13:00:00Z')
    await Promise.all(Array.from({ length: 5 }, () => read(world, path)))
    await waitFor('the use is written', async () => (await usedAt()) === '2026-07-10T13:00:00Z')
    clock.at = Date.parse('2026-07-10T13:59:59Z')
    await read(world, path)
    assert.equal(await usedAt(), '2026-07-10T13:00:00Z')
    clock.at = Date.parse('2026-07-10T14:00:00Z')
    await read(world, path, { 'if-none-match': '*' })
    await waitFor('the use is written', async () => (await usedAt()) === '2026-07-10T14:00:00Z')
    clock.at = Date.parse('2026-07-10T11:00:00Z')
    await read(world, path)
    await waitFor(
      'a use of a clock that was ahead is corrected',
      async () => (await usedAt()) === '2026-07-10T11:00:00Z',
    )
  }),
)

forEachEngine(
  'at most twenty-five links for one account, also when thirty are requested at once; invalid fields are refused',
  (engine) =>
    withWorld(engine, async ({ reader, writer }) => {
      const made = await Promise.all(
        Array.from({ length: 30 }, (_, i) => patiently(() => reader.post('/auth/feeds', { name: `Link ${i}` }))),
      )
      const codes = made.map(({ status, body }) => body.error?.code ?? status)
      assert.equal(codes.filter((code) => code === 201).length, 25)
      assert.equal(codes.filter((code) => code === 'too_many_credentials').length, 5)
      for (const [body, field] of [
        [{}, '/name'],
        [{ name: '' }, '/name'],
        [{ name: ' \n ' }, '/name'],
        [{ name: 'a\u0000b' }, '/name'],
        [{ name: 'x'.repeat(101) }, '/name'],
        [{ name: 'a', detail: 'everything' }, '/detail'],
        [{ name: 'a', category: 'a\nb' }, '/category'],
        [{ name: 'a', categories: ['a', 'a\nb'] }, '/categories/1'],
        [{ name: 'a', categories: Array(21).fill('a') }, '/categories'],
        [{ name: 'a', secret: 'mine' }, '/secret'],
      ] as const) {
        const { status, body: answer } = await writer.post('/auth/feeds', body)
        assert.equal(status, 422, JSON.stringify(body))
        assert.equal(answer.error.details.fields[0].field, field)
      }
    }),
)

forEachEngine('the address is in no trace, no audit entry and no row; requests are counted by network', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { reader, admin, app } = world
      const { path } = await makeLink(reader, { name: 'Phone' })
      const secret = path.slice(-47, -4)
      for (const url of [path, `${path}.css`, path.replace('.ics', ''), `${path}?token=${secret}`, `${path}/x`])
        await read(world, url, { 'if-none-match': `"${secret}"`, 'user-agent': secret, referer: secret })
      for (let i = 0; i < 600; i++) await read(world, path)
      const refused = await read(world, path)
      assert.equal(refused.status, 429)
      assert.match(String(refused.headers['ratelimit-policy']), /^"public-ip"/)
      await app.flushTraces()
      const diagnostics = (await admin.get('/admin/diagnostics?limit=200')).text
      assert.match(diagnostics, /\/feeds\/\{secret\}\.ics/)
      const db = app.ctx.storage.reads
      let text = diagnostics + (await admin.get('/admin/audit?per_page=200')).text
      for (const { name, isView } of await db.introspection.getTables())
        if (!isView)
          text += JSON.stringify(
            await db
              .selectFrom(name as 'users')
              .selectAll()
              .execute(),
          )
      assert.ok(!text.includes(secret))
    },
    { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
  ),
)
