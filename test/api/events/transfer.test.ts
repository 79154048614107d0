// Import and export over HTTP: permissions, accepted types, refusals and their cost.
import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { hashSecret, newId, newKey } from '../../../src/secrets.ts'
import { insertApiToken } from '../../../src/storage/accounts/credentials.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import type { Db } from '../../../src/storage/tables.ts'
import { apple, event, file, google } from '../../ical/files.ts'
import { lines } from '../../ical/objects.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { countConnections, getRaw, listen, sendRaw } from '../../support/http/socket.ts'
import { startWork } from '../../support/measure/effort.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { basicOf, type Client, type World, withWorld } from '../../support/world.ts'

const single = (uid: string, ...more: string[]): string =>
  event(uid, 'DTSTART:20260714T090000Z', 'DTEND:20260714T100000Z', 'SUMMARY:Single', ...more)

const CALENDAR = { 'content-type': 'text/calendar; charset=utf-8' }

const send = (
  client: Client,
  payload: string | Buffer,
  headers: Record<string, string> = CALENDAR,
): Promise<ApiResponse> => client.send({ method: 'POST', url: '/api-root/calendar/v1/admin/import', headers, payload })

const codeOf = ({ status, body }: ApiResponse): string => `${status} ${body?.error?.code ?? ''}`.trim()

forEachEngine('an administrator imports a file and gets the result of each entry', (engine) =>
  withWorld(engine, async ({ admin, app }) => {
    const dry = await admin.post('/admin/import?dry_run=true', apple, CALENDAR)
    assert.deepEqual([dry.status, dry.body.data.dry_run, dry.body.data.created], [200, true, 1])
    assert.equal('id' in dry.body.data.events[0], false, 'no event has the id of a dry run')
    const { status, body } = await admin.post('/admin/import', apple, CALENDAR)
    assert.equal(status, 200)
    const [{ id: eventId }] = (await admin.get('/events')).body.data
    assert.deepEqual(body.data, {
      dry_run: false,
      created: 1,
      updated: 0,
      unchanged: 0,
      skipped: 1,
      truncated: false,
      events: [
        { uid: 'AD3E1B64-0C4F-4A7E-9C53-0A6C2B9F0001', id: eventId, title: 'Fête ☀', result: 'created', line: 7 },
        {
          uid: 'todo-1',
          title: 'Buy string',
          result: 'skipped',
          line: 24,
          reason: 'todo',
          message: 'To-dos are not supported.',
        },
      ],
    })
    const repeated = (await admin.post('/admin/import?dry_run=false', apple, CALENDAR)).body.data
    assert.deepEqual([repeated.unchanged, repeated.events[0].id], [1, eventId])
    const renamed = apple.replace('Fête ☀', 'Fête')
    for (const query of ['?dry_run=true', '']) {
      const [entry] = (await admin.post(`/admin/import${query}`, renamed, CALENDAR)).body.data.events
      assert.deepEqual([entry.result, entry.id], ['updated', eventId])
    }
    const [, again, first] = (await admin.get('/admin/audit?action=calendar_imported')).body.data
    assert.deepEqual(first.detail, { created: 1, updated: 0, unchanged: 0, skipped: 1 })
    assert.deepEqual(again.detail, { created: 0, updated: 0, unchanged: 1, skipped: 1 })
    const { id } = await app.ctx.storage.reads
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'admin@example.org')
      .executeTakeFirstOrThrow()
    assert.equal(first.actor_id, id)
    assert.equal((await admin.get('/events')).body.data[0].created_by, id)
  }),
)

forEachEngine('the export is a download, streamed whole, and never cached', (engine) =>
  withWorld(engine, async ({ admin }) => {
    await send(admin, google)
    const answer = await admin.get('/admin/export.ics')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-type'], 'text/calendar; charset=utf-8')
    assert.equal(answer.headers['content-disposition'], 'attachment; filename="calendar.ics"')
    assert.equal(answer.headers['cache-control'], 'private, no-store')
    assert.match(answer.text, /^BEGIN:VCALENDAR\r\n[\s\S]*TZID:Europe\/Berlin[\s\S]*\r\nEND:VCALENDAR\r\n$/)
    assert.match(answer.text, /ATTENDEE[\s\S]*BEGIN:VALARM/)
    const head = await admin.head('/admin/export.ics')
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.equal((await send(admin, answer.text)).body.data.unchanged, 2)
    assert.equal((await admin.get('/admin/audit?action=calendar_exported')).body.data.length, 1)
  }),
)

forEachEngine('both need an administrator, a token with both scopes, and the same origin', (engine) =>
  withWorld(engine, async (world) => {
    const { anonymous, reader, writer, signIn } = world
    for (const [client, code] of [
      [anonymous, '401 authentication_required'],
      [reader, '403 admin_required'],
      [writer, '403 admin_required'],
    ] as const) {
      assert.equal(codeOf(await send(client, google)), code)
      assert.equal(codeOf(await client.get('/admin/export.ics')), code)
    }
    const admins = await bearer(world, 'admin')
    assert.equal(
      codeOf(await admins.get('/admin/export.ics')),
      '403 token_scope_insufficient',
      'it may not read events',
    )
    assert.equal(codeOf(await send(admins, google)), '403 token_scope_insufficient')
    const blind = await bearer(world, 'admin events:write')
    assert.equal(codeOf(await send(blind, google)), '403 token_scope_insufficient', 'its report compares events')
    const all = await bearer(world, 'admin events:read events:write')
    assert.equal((await all.get('/admin/export.ics')).status, 200)
    assert.equal((await send(all, google)).status, 200)

    const browser = await signIn('admin@example.org')
    assert.equal((await send(browser, google)).status, 200)
    const bare = world.with({ cookie: browser.cookie })
    assert.equal(codeOf(await send(bare, google)), '403 csrf_token_missing')
    const foreign = { ...CALENDAR, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
    assert.equal(codeOf(await send(browser, google, foreign)), '403 origin_not_allowed')
    const read = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
    assert.equal(codeOf(await browser.get('/admin/export.ics', read)), '403 origin_not_allowed')
  }),
)

async function bearer({ app, with: withHeaders }: World, scopes: string): Promise<Client> {
  const token = `calpat_${newKey()}`
  const { id: userId } = await app.ctx.storage.reads
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'admin@example.org')
    .executeTakeFirstOrThrow()
  const row = { id: newId(), hash: hashSecret(token), user_id: userId, name: 'x', last_four: 'xxxx', scopes }
  const times = { created_at: app.ctx.clock(), last_used_at: null, expires_at: app.ctx.clock() + 86_400_000 }
  await inTransaction(app.ctx.storage, (db) => insertApiToken(db, { ...row, ...times }))
  return withHeaders({ authorization: `Bearer ${token}` })
}

forEachEngine('only plain UTF-8 calendars are accepted, and only by the import', (engine) =>
  withWorld(engine, async ({ admin, writer }) => {
    const types = [
      'application/json',
      'text/plain',
      'application/octet-stream',
      'text/calendar; charset=iso-8859-1',
      '',
    ]
    for (const type of types) {
      const refused = await send(admin, google, { 'content-type': type })
      assert.equal(codeOf(refused), '415 unsupported_media_type', type)
      assert.equal(refused.headers.accept, 'text/calendar')
      assert.doesNotMatch(refused.body.error.message, /JSON/)
      assert.deepEqual(refused.body.error.details, { allowed: ['text/calendar'] })
    }
    const zipped = await send(admin, gzipSync(google), { ...CALENDAR, 'content-encoding': 'gzip' })
    assert.deepEqual([codeOf(zipped), zipped.headers.accept], ['415 unsupported_media_type', 'text/calendar'])
    for (const type of ['text/calendar', 'TEXT/Calendar; method=PUBLISH; charset="UTF-8"; component=VEVENT'])
      assert.equal((await send(admin, google, { 'content-type': type })).status, 200, type)
    assert.equal(codeOf(await send(admin, Buffer.from(google, 'utf16le'))), '422 validation_failed')
    assert.equal(codeOf(await send(admin, Buffer.from(apple, 'latin1'))), '400 invalid_encoding')
    const misplaced = await writer.post('/events', google, CALENDAR)
    assert.equal(codeOf(misplaced), '415 unsupported_media_type')
    assert.match(String(misplaced.headers.accept), /^application\/json/)
  }),
)

forEachEngine('a body that is not a calendar is refused with the reason and the line', (engine) =>
  withWorld(engine, async ({ admin }) => {
    const detailsOf = async (text: string): Promise<unknown> => {
      const answer = await send(admin, text)
      assert.equal(codeOf(answer), '422 validation_failed')
      return answer.body.error.details
    }
    assert.deepEqual(await detailsOf('hello'), { reason: 'there is no calendar', line: 1 })
    assert.deepEqual(await detailsOf(google.replace('METHOD:PUBLISH', 'END:VEVENT')), {
      reason: 'END does not match BEGIN',
      line: 5,
    })
    assert.deepEqual(await detailsOf(file(single('a')).slice(0, -15)), { reason: 'the end is missing', line: 10 })
    assert.equal(codeOf(await send(admin, '')), '422 validation_failed')
    assert.equal(codeOf(await admin.post('/admin/import?dry_run=perhaps', google, CALENDAR)), '400 invalid_parameter')
    for (const slip of ['dry-run=true', 'dryrun=true', 'dry_run=false&x=1'])
      assert.equal(codeOf(await admin.post(`/admin/import?${slip}`, google, CALENDAR)), '400 unknown_parameter', slip)
    const named = await admin.post('/admin/import?dryrun=true', google, CALENDAR)
    assert.deepEqual(named.body.error.details, { parameter: 'dryrun', nearest: 'dry_run', allowed: ['dry_run'] })
    assert.deepEqual((await admin.get('/events')).body.data, [], 'nothing was taken in by a slip')
  }),
)

forEachEngine('F20, F25: input over any limit is refused quickly, and nothing of it is stored', (engine) =>
  withWorld(engine, async ({ admin, app }) => {
    const within = (text: string): string => file(lines('BEGIN:VEVENT', 'UID:a') + text + lines('END:VEVENT'))
    const bombs: [string, string][] = [
      ['413 body_too_large', file(single('a', `DESCRIPTION:${'a'.repeat(10 * 1_048_576)}`))],
      ['422 validation_failed', within('A:1\r\n'.repeat(1_000_000))],
      ['200 line_too_long', within(`DESCRIPTION:${'a'.repeat(74)}\r\n${` ${'a'.repeat(74)}\r\n`.repeat(4_000)}`)],
      ['200 nested', within('BEGIN:X\r\n'.repeat(10_000))],
      ['200 too_many_lines', within('EXDATE:20260714T080000Z\r\n'.repeat(100_000))],
      ['200 too_many_lines', within('BEGIN:VALARM\r\nEND:VALARM\r\n'.repeat(100_000))],
      ['422 validation_failed', file(single('a')).replace('Single', 'Sin\0gle')],
    ]
    const before = process.memoryUsage().rss
    for (const [code, text] of bombs) {
      const workedMs = startWork()
      const answer = await send(admin, text)
      const reason = answer.body.data?.events[0].reason
      assert.equal(reason ? `${answer.status} ${reason}` : codeOf(answer), code, text.slice(60, 120))
      assert.ok(workedMs() < 5_000, `${code} took ${workedMs()} ms of CPU`)
    }
    const skipped = file(
      single('years').replace('20260714T090000Z', '99999101T000000Z'),
      event('length', 'DTSTART:20260714T090000Z', 'DURATION:P9999999999D', 'SUMMARY:A'),
      single('quote', 'LOCATION;LANGUAGE="en:Hall'),
      single('parameters', `ATTENDEE${';X=1'.repeat(50_000)}:mailto:a@example.org`),
      single('rule', 'RRULE:FREQ=DAILY;INTERVAL=1001'),
      single('almost', `ATTENDEE${';X=1'.repeat(1_000)}:mailto:a@example.org`),
      single('long', `ATTACH;ENCODING=BASE64;VALUE=BINARY:${'a'.repeat(262_144)}`),
      single('good'),
    )
    const { body } = await send(admin, skipped)
    assert.deepEqual(
      body.data.events.map(({ uid, reason }: { uid: string; reason?: string }) => `${uid} ${reason}`),
      [
        'years times_unreadable',
        'length times_unreadable',
        'quote unreadable',
        'parameters unreadable',
        'rule rrule_unsupported',
        'almost unreadable',
        'long line_too_long',
        'good undefined',
      ],
    )
    const rows = await app.ctx.storage.reads.selectFrom('events').select('uid').execute()
    assert.deepEqual(
      rows.map(({ uid }) => uid),
      ['good'],
    )
    assert.ok(process.memoryUsage().rss - before < 300 * 1_048_576)
  }),
)

forEachEngine('a report lists ten thousand entries and counts all; skipped entries come before the others', (engine) =>
  withWorld(engine, async ({ admin }) => {
    const bare = lines('BEGIN:VEVENT', 'END:VEVENT')
    const { status, body } = await send(admin, file(single('a'), bare.repeat(60_000), single('b')))
    assert.equal(status, 200)
    const { created, skipped, truncated, events } = body.data
    assert.deepEqual([created, skipped, truncated, events.length], [2, 60_000, true, 10_000])
    assert.ok(events.every(({ reason }: { reason?: string }) => reason === 'uid_missing'))
    const few = (await send(admin, file(...Array.from({ length: 200 }, (_, i) => single(`few-${i}`)), bare))).body.data
    assert.deepEqual([few.truncated, few.events.length], [false, 201])
  }),
)

forEachEngine('an event from a file can be sent back as it was shown', (engine) =>
  withWorld(engine, async ({ admin }) => {
    const days = Array.from({ length: 600 }, (_, i) => new Date(Date.UTC(2026, 6, 15 + i, 9)))
    const dates = days.map((day) => `${day.toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}Z`).join(',')
    const files: Record<string, string> = {
      newline: single('newline').replace('Single', 'One\\nTwo'),
      tab: single('tab').replace('Single', 'One\tTwo'),
      blanks: single('blanks', 'URL:https://example.org/a b'),
      exdates: single('exdates', 'RRULE:FREQ=DAILY', `EXDATE:${dates}`),
      rdates: single('rdates', `RDATE:${dates}`),
      years: single('years', 'RRULE:FREQ=DAILY', 'EXDATE:18000101T000000Z,20260715T090000Z,23000101T000000Z'),
      alone: single('alone', 'EXDATE:20260714T090000Z'),
    }
    assert.equal((await send(admin, file(...Object.values(files)))).body.data.created, 7)
    const { data } = (await admin.get('/events?per_page=100')).body
    for (const { id, uid } of data) {
      const shown = (await admin.get(`/events/${id}`)).body.data
      const answer = await admin.put(`/events/${id}`, shown)
      assert.equal(answer.status, 200, `${uid} ${answer.text.slice(0, 300)}`)
      for (const field of ['title', 'url', 'rdates', 'exdates', 'start', 'end'])
        assert.deepEqual(answer.body.data[field], shown[field], `${uid} ${field}`)
      if (uid !== 'exdates' && uid !== 'rdates') continue
      const fewer = await admin.patch(`/events/${id}`, {
        [uid]: shown[uid].slice(1),
        version: answer.body.data.version,
      })
      assert.deepEqual([fewer.status, fewer.body.data?.[uid].length], [200, 599])
      const more = { [uid]: [...shown[uid], '20300101T090000'], version: fewer.body.data.version }
      const refused = await admin.patch(`/events/${id}`, more)
      assert.equal(codeOf(refused), '422 validation_failed')
      assert.deepEqual(refused.body.error.details.fields[0], {
        ...refused.body.error.details.fields[0],
        field: `/${uid}`,
        code: 'too_long',
      })
    }
    assert.equal((await admin.get('/events?view=day&from=2026-07-14')).body.data.length, 7, 'none is hidden')
  }),
)

forEachEngine('neither the log nor the traces contain text of the file', (engine) =>
  withWorld(engine, async ({ admin, app }) => {
    await send(admin, file(single('secret-uid', 'LOCATION:secret-place')).replace('Single', 'secret-title'))
    await send(admin, 'secret-text')
    await admin.get('/admin/export.ics')
    await app.flushTraces()
    const traces = await admin.get('/admin/diagnostics?limit=200')
    const audit = await admin.get('/admin/audit')
    assert.doesNotMatch(traces.text + audit.text, /secret/)
    const [, , imported] = traces.body.data
    assert.equal(imported.request.headers['content-type'], 'text/calendar; charset=utf-8')
    assert.equal(imported.request.body, null)
  }),
)

forEachEngine('an import whose client disconnects ends after the part that is being written', (engine) =>
  withWorld(engine, async ({ admin, app }) => {
    const port = await listen(app)
    const socket = connect(port, '127.0.0.1')
    const { storage } = app.ctx
    const { writes } = storage
    const transaction = () => ({
      async execute(work: (db: Db) => Promise<unknown>) {
        const result = await writes.transaction().execute(work)
        // The first part of the file is stored: the client disconnects before the import notices.
        if (await storage.reads.selectFrom('events').select('id').limit(1).executeTakeFirst()) {
          socket.destroy()
          await waitFor('the end of the connection', async () => (await countConnections(app)) === 0)
        }
        return result
      },
    })
    storage.writes = new Proxy(writes, {
      get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name, target)),
    })
    const text = file(...Array.from({ length: 250 }, (_, i) => single(`${i}`)))
    const fields = [
      'POST /api-root/calendar/v1/admin/import HTTP/1.1',
      'host: localhost',
      'content-type: text/calendar',
      `authorization: ${basicOf('admin@example.org')}`,
      `content-length: ${text.length}`,
    ]
    socket.write(`${fields.join('\r\n')}\r\n\r\n${text}`)
    const audited = await waitFor('the import is audited', async () => {
      const [entry] = (await admin.get('/admin/audit?action=calendar_imported')).body.data
      return entry
    })
    assert.deepEqual(audited.detail, { created: 200, updated: 0, unchanged: 0, skipped: 0 })
    assert.equal((await admin.get('/events')).body.meta.pagination.total, 200, 'what was written stays')
    storage.writes = writes
    const again = (await send(admin, text)).body.data
    assert.deepEqual([again.created, again.unchanged], [50, 200])
  }),
)

/** Counts the open connections for long reads. */
function watchReaders({ app }: World): { open: Set<object>; opened: () => number } {
  const { openReader } = app.ctx.storage
  const open = new Set<object>()
  let opened = 0
  app.ctx.storage.openReader = () => {
    const reader = openReader()
    open.add(reader)
    opened += 1
    return {
      ...reader,
      close: async () => {
        await reader.close()
        open.delete(reader)
      },
    }
  }
  return { open, opened: () => opened }
}

const LONG = `DESCRIPTION:${'a'.repeat(9_000)}`

async function download({ app }: World, signal: AbortSignal): Promise<Response> {
  const { port } = app.server.server.address() as AddressInfo
  const headers = { authorization: basicOf('admin@example.org') }
  return fetch(`http://127.0.0.1:${port}${app.site.base}/admin/export.ics`, { headers, signal })
}

forEachEngine('a reader who disconnects in the middle leaves nothing open', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, app } = world
    await send(admin, file(...Array.from({ length: 900 }, (_, i) => single(`${i}`, LONG))))
    const { open, opened } = watchReaders(world)
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const leaving = new AbortController()
    const answer = await download(world, leaving.signal)
    await answer.body!.getReader().read()
    assert.equal(opened(), 1)
    leaving.abort()
    await waitFor('the reader is closed', () => open.size === 0)
  }),
)

forEachEngine('exports that clients do not read hold no snapshot, and their number is limited', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { admin, app } = world
      const long = Array.from({ length: 8 }, () => `X-LONG:${'a'.repeat(10_000)}`)
      await send(admin, file(...Array.from({ length: 100 }, (_, i) => single(`${i}`, ...long))))
      const { open, opened } = watchReaders(world)
      await app.server.listen({ host: '127.0.0.1', port: 0 })
      const leaving = new AbortController()
      const unread = await Promise.all(Array.from({ length: 4 }, () => download(world, leaving.signal)))
      assert.deepEqual(
        unread.map(({ status }) => status),
        [200, 200, 200, 200],
      )
      await waitFor('every snapshot is closed', () => opened() === 4 && open.size === 0)
      const refused = await download(world, leaving.signal)
      assert.equal(refused.status, 503)
      assert.ok(refused.headers.get('retry-after'))
      assert.match(await refused.text(), /"service_unavailable"/)
      const [whole, ...others] = unread
      const text = await whole!.text()
      assert.equal(text.match(/^UID:/gm)!.length, 100)
      assert.ok(text.endsWith('END:VCALENDAR\r\n'))
      leaving.abort()
      await Promise.allSettled(others.map((answer) => answer.text()))
      await waitFor('there is room again', async () => (await admin.get('/admin/export.ics')).status === 200)
    },
    { patience: { stallMs: 3_600_000 } },
  ),
)

forEachEngine('over HTTP/1.0, which has no chunked coding, an export is sent with its length', (engine) =>
  withWorld(engine, async ({ admin, app }) => {
    assert.equal((await admin.post('/admin/import', google, CALENDAR)).status, 200)
    const port = await listen(app)
    const path = '/api-root/calendar/v1/admin/export.ics'
    const headers = { host: 'localhost', authorization: basicOf('admin@example.org') }
    const chunked = await getRaw(port, path, headers)
    assert.match(chunked.head, /transfer-encoding: chunked/i)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const { status, head, body } = await sendRaw(port, `GET ${path} HTTP/1.0\r\n${lines.join('')}\r\n`)
    assert.deepEqual([status, body], [200, (await admin.get('/admin/export.ics')).text])
    assert.match(head, new RegExp(`content-length: ${Buffer.byteLength(body)}\r\n`, 'i'))
  }),
)

test('the response of a long import has few listeners', () =>
  withWorld(
    'sqlite',
    async ({ app }) => {
      const warnings: string[] = []
      const onWarning = ({ name, message }: Error): void => void warnings.push(`${name}: ${message}`)
      process.on('warning', onWarning)
      const refused = Array.from({ length: 1_000 }, (_, i) => single(`${i}`, LONG, 'RRULE:FREQ=NEVER'))
      const answer = await fetch(`http://127.0.0.1:${await listen(app)}/api-root/calendar/v1/admin/import`, {
        method: 'POST',
        headers: {
          ...CALENDAR,
          authorization: basicOf('admin@example.org'),
          // The most that is counted: the three networks of an IPv6 client behind a proxy, and its account.
          'x-forwarded-for': '2001:db8::1',
          'x-forwarded-proto': 'https',
        },
        body: file(...refused),
      })
      const { length } = await answer.text()
      assert.equal(answer.status, 200)
      assert.ok(length > 128 * 1_024, `sent in pieces: ${length}`)
      process.off('warning', onWarning)
      assert.deepEqual(
        warnings.filter((warning) => warning.startsWith('MaxListeners')),
        [],
      )
    },
    { settings: { DAYBOOK_TRUST_PROXY: '127.0.0.1' } },
  ))
