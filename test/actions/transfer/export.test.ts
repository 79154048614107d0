// Export: every event exactly as stored, and importing the file gives the same calendar.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { reindex } from '../../../src/actions/maintenance/reindex.ts'
import { exportCalendar } from '../../../src/actions/transfer/export.ts'
import { importCalendar } from '../../../src/actions/transfer/import.ts'
import type { App } from '../../../src/app.ts'
import { fillWithDemo } from '../../../src/cli/demo/fill.ts'
import { OPERATOR } from '../../../src/domain/privacy/viewer.ts'
import { inTransaction, openSnapshot } from '../../../src/storage/engine/transaction.ts'
import { insertAudit } from '../../../src/storage/operations/audit.ts'
import type { Db } from '../../../src/storage/tables.ts'
import { apple, event, file, google, outlook, thunderbird } from '../../ical/files.ts'
import { lines, parse, unfold } from '../../ical/objects.ts'
import type { Json } from '../../support/http/api-response.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { ENGINES, type Engine, forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

async function exported({ ctx }: App): Promise<string> {
  let text = ''
  for await (const piece of await exportCalendar(ctx, OPERATOR)) text += piece
  return text
}

/** Everything a calendar can hold, including what only a file can bring. */
async function fillWithEverything({ app, writer }: World): Promise<void> {
  for (const text of [google, outlook, apple, thunderbird, odd]) await importCalendar(app.ctx, OPERATOR, text)
  const hour = { start: '2026-07-14T09:00', end: '2026-07-14T10:00' }
  const make = (fields: object): Promise<Json> => writer.creates({ ...hour, ...fields })
  await make({ title: 'Ünïcode ☀, with; signs\\', description: 'Two\nlines', visibility: 'public', category: 'A, b' })
  await make({ title: 'Cancelled', status: 'cancelled', transparency: 'transparent', url: 'https://example.org/a?b,c' })
  await make({ title: 'Kathmandu', timezone: 'Asia/Kathmandu', rrule: 'FREQ=MONTHLY;BYDAY=-1FR;COUNT=20' })
  await make({ title: 'Off its rule', rrule: 'FREQ=WEEKLY;BYDAY=FR;COUNT=4' })
  await make({ title: 'No length', end: hour.start })
  await make({ title: 'Twice a year', start: '2026-10-25T01:30:00+00:00', end: '2026-10-25T02:30:00+00:00' })
  await make({ title: 'Days', all_day: true, start: '2026-07-14', end: '2026-07-17', rdates: ['20260801', '20260901'] })
  const { id, etag } = await make({ title: 'Series', rrule: 'FREQ=DAILY;UNTIL=20261231', exdates: ['20260716T090000'] })
  await writer.patch(
    `/events/${id}/occurrences/20260717T090000`,
    { title: 'Moved', start: '2026-07-17T11:00' },
    { 'if-match': etag },
  )
  await writer.delete(`/events/${id}/occurrences/20260718T090000`)
}

const odd = file(
  event(
    'odd@example.org',
    'DTSTART;TZID=Pacific/Chatham:20260714T090000',
    'DURATION:PT90M',
    'RRULE:FREQ=WEEKLY;WKST=SU;BYDAY=TU,TH',
    'RDATE;TZID=Pacific/Chatham:20260718T090000',
    'EXDATE;TZID=Europe/Paris:20260720T221500',
    'SUMMARY;LANGUAGE=en;ALTREP="https://example.org/a:b":Odd',
    'ORGANIZER;CN="One, Two":mailto:one@example.org',
    'ATTENDEE;PARTSTAT=ACCEPTED:mailto:two@example.org',
    'X-ODD;X-P=1:kept\\, as it is',
    'GEO:51.5;-0.1',
    'CATEGORIES:One,Two\\, three',
    'CATEGORIES:Four',
  ).replace(
    'END:VEVENT',
    lines('BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT5M', 'DESCRIPTION:x', 'END:VALARM', 'END:VEVENT').trimEnd(),
  ),
  event(
    'odd@example.org',
    'RECURRENCE-ID;TZID=America/New_York:20260715T171500',
    'DTSTART;TZID=Africa/Cairo:20260716T090000',
    'DTEND;TZID=Africa/Cairo:20260716T093000',
    'SUMMARY:Elsewhere',
  ),
  event(
    'start-named-twice@example.org',
    'DTSTART;VALUE=DATE:20260714',
    'RRULE:FREQ=WEEKLY;UNTIL=20260814;BYDAY=FR',
    'RDATE;VALUE=DATE:20260714',
    'SUMMARY:Named twice',
  ),
)

forEachEngine('an imported export gives the same calendar, and the same bytes, on both engines', (from) =>
  withWorld(from, async (source) => {
    await fillWithEverything(source)
    checkForm(await exported(source.app))
    await fillWithDemo(source.app.ctx, { force: true })
    const text = await exported(source.app)
    const { total } = (await source.admin.get('/events?per_page=1')).body.meta.pagination
    const lists = await listsOf(source)
    for (const to of byRunLength(
      ENGINES.filter((engine) => engine !== from),
      ENGINES,
    ))
      await withWorld(to, async (target) => {
        const report = await importCalendar(target.app.ctx, OPERATOR, text)
        assert.deepEqual([report.created, report.skipped], [total, 0], JSON.stringify(skippedOf(report.events)))
        assert.equal(await exported(target.app), text, to)
        assert.deepEqual(await listsOf(target), lists, to)
        const again = await importCalendar(target.app.ctx, OPERATOR, text)
        assert.deepEqual([again.created, again.updated, again.unchanged], [0, 0, total])
        assert.equal((await reindex(target.app.ctx)).changed, 0)
      })
  }),
)

const QUERIES = ['view=year', 'view=month', 'from=2027-01-01&to=2027-06-30', 'from=2025-08-01&to=2025-12-31']

async function listsOf(world: World): Promise<Record<string, string[]>> {
  const lists: Record<string, string[]> = {}
  for (const query of QUERIES) lists[query] = await listOf(world, query)
  return lists
}

const skippedOf = (events: { result: string }[]): object[] => events.filter(({ result }) => result === 'skipped')

/** Lists without the fields that belong to one calendar alone: ids, versions, authors and dates of change. */
async function listOf({ admin }: World, query: string): Promise<string[]> {
  const { body } = await admin.get(`/events?${query}`)
  return (body.data as Record<string, unknown>[])
    .map(({ id: _id, etag: _etag, version: _version, created_at, updated_at, created_by, updated_by, ...rest }) => {
      assert.ok([created_at, updated_at, created_by, updated_by].every((value) => value !== undefined))
      return JSON.stringify(rest)
    })
    .sort()
}

/** Every TZID that is used is defined once, before the events; events come in the order of their UIDs. */
function checkForm(text: string): void {
  const tree = parse(text)
  const names = tree.children.map((node) => node.name)
  assert.ok(names.lastIndexOf('VTIMEZONE') < names.indexOf('VEVENT'))
  const plain = unfold(text)
  const defined = plain.filter((line) => line.startsWith('TZID:')).map((line) => line.slice(5))
  const named = plain.flatMap((line) => /;TZID=([^:;]+)/.exec(line)?.[1] ?? [])
  assert.deepEqual(defined, [...new Set(named)].sort())
  for (const zone of ['Africa/Cairo', 'America/New_York', 'Asia/Kathmandu', 'Europe/Paris', 'Pacific/Chatham'])
    assert.ok(defined.includes(zone), zone)
  const uids = plain.filter((line) => line.startsWith('UID:') && !line.endsWith('ALARM')).map((line) => line.slice(4))
  assert.deepEqual(
    uids,
    uids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  )
  assert.match(text, /\r\nNAME:Daybook\r\nX-WR-CALNAME:Daybook\r\n/)
  for (const line of [
    'X-ODD;X-P=1:kept\\, as it is',
    'ORGANIZER;CN="One, Two":mailto:one@example.org',
    'TRIGGER:-PT5M',
  ])
    assert.ok(plain.includes(line), line)
  for (const line of plain) assert.doesNotMatch(line, /^METHOD/)
  assert.doesNotMatch(text, /[^\r]\n/)
}

forEachEngine('no text of an event can end another event, or the file, in an export', (engine) =>
  withWorld(engine, async ({ app }) => {
    const at = 'DTSTART:20260714T090000Z'
    const hostile = ['\u2028', '\u2029', '\u0085'].map((sign, i) =>
      event(
        `sign-${i}`,
        at,
        `SUMMARY:x${sign}END:VEVENT`,
        `X-A:x${sign}END:VEVENT${sign}END:VCALENDAR${sign}BEGIN:VEVENT`,
      ),
    )
    const nested = event('nested', at, 'SUMMARY:x', 'BEGIN:VEVENT', 'UID:in', at, 'END:VEVENT')
    const last = event('zone', 'DTSTART;X-O="a:b";TZID=Europe/Paris:20260714T090000', 'SUMMARY:x')
    const report = await importCalendar(app.ctx, OPERATOR, file(...hostile, nested, last))
    assert.deepEqual(
      report.events.map(({ uid, reason }) => `${uid} ${reason}`),
      ['sign-0 undefined', 'sign-1 undefined', 'sign-2 undefined', 'nested nested', 'zone undefined'],
    )
    const text = await exported(app)
    assert.deepEqual(
      parse(text).children.flatMap((node) => ('children' in node ? node.name : [])),
      ['VTIMEZONE', 'VEVENT', 'VEVENT', 'VEVENT', 'VEVENT'],
    )
    const again = await importCalendar(app.ctx, OPERATOR, text)
    assert.deepEqual([again.unchanged, again.skipped], [4, 0])
    const changed = await importCalendar(app.ctx, OPERATOR, text.replaceAll('\u2028END:VEVENT', '\u2028SEQUENCE:1'))
    assert.equal(changed.updated, 1, 'nor is it taken for a stamp')
  }),
)

forEachEngine('an export is one snapshot, whatever is written while it is read', (engine) =>
  withWorld(engine, async ({ app, writer }) => {
    const many = Array.from({ length: 150 }, (_, i) =>
      event(`${String(i).padStart(3, '0')}`, 'DTSTART:20260714T090000Z', 'SUMMARY:Before'),
    )
    await importCalendar(app.ctx, OPERATOR, file(...many))
    const pieces = await exportCalendar(app.ctx, OPERATOR)
    let text = ''
    for (let count = 0; ; count++) {
      const { value, done } = await pieces.next()
      if (done) break
      text += value
      if (count > 0) continue
      await importCalendar(app.ctx, OPERATOR, file(...many).replaceAll('Before', 'After'))
      const created = await writer.post('/events', { title: 'New', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
      assert.equal(created.status, 201, 'and no other request waits for it')
      assert.equal((await writer.get('/events?view=day&from=2026-07-14')).body.data.length, 151)
    }
    assert.equal(text.match(/SUMMARY:Before/g)?.length, 150)
    assert.doesNotMatch(text, /After|New/)
  }),
)

test('stalled exports block no reads or writes; one export too many is refused with 503', () =>
  withWorld(
    'postgres',
    async ({ app, admin, writer }) => {
      await importCalendar(app.ctx, OPERATOR, google)
      const begun = await Promise.all(Array.from({ length: 4 }, () => exportCalendar(app.ctx, OPERATOR)))
      try {
        await Promise.all(begun.map((pieces) => pieces.next()))
        const refused = await admin.get('/admin/export.ics')
        assert.deepEqual([refused.status, refused.body.error.code], [503, 'storage_unavailable'])
        assert.equal(refused.headers['content-disposition'], undefined)
        const made = await writer.post('/events', { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
        assert.equal(made.status, 201)
        assert.equal((await admin.get('/events')).status, 200)
        await begun[0]!.return(undefined)
        assert.equal((await admin.get('/admin/export.ics')).status, 200, 'as soon as there is room')
      } finally {
        // The service does not close while a snapshot is open.
        await Promise.allSettled(begun.map((pieces) => pieces.return(undefined)))
      }
    },
    // Long before the server ends the transactions of stalled exports.
    { settings: { DAYBOOK_DATABASE_POOL_SIZE: '2' }, storageLimits: { connectMs: 2_000 } },
  ))

test('an abandoned snapshot is released by itself', () =>
  withWorld('postgres', async ({ app }) => {
    const { db, close } = await openSnapshot(app.ctx.storage)
    const { rows } = await sql<{ limit: string }>`
      select current_setting('idle_in_transaction_session_timeout') as limit`.execute(db)
    assert.equal(rows[0]?.limit, '1min')
    await close()
  }))

forEachEngine('a snapshot whose end fails is released all the same', (engine) =>
  withWorld(engine, async ({ app }) => {
    const { storage } = app.ctx
    for (let i = 0; i < 5; i++) {
      let isClosed = false
      const openReader = () => {
        const reader = storage.openReader()
        const close = async (): Promise<void> => {
          await reader.close()
          isClosed = true
        }
        return { ...reader, close }
      }
      const { db, close } = await openSnapshot({ ...storage, openReader })
      await endTransaction(engine, db, app)
      await close().catch(() => {})
      assert.ok(isClosed)
    }
    assert.match(await exported(app), /^BEGIN:VCALENDAR/)
  }),
)

/** Ends a transaction without its owner's knowledge. */
async function endTransaction(engine: Engine, db: Db, { ctx }: App): Promise<void> {
  if (engine === 'sqlite') return void (await sql`rollback`.execute(db))
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(ctx.storage.writes)
}

test('an abandoned export leaves nothing open', () =>
  withWorld('sqlite', async ({ app }) => {
    await importCalendar(app.ctx, OPERATOR, google)
    const pieces = await exportCalendar(app.ctx, OPERATOR)
    await pieces.next()
    await pieces.return(undefined)
    assert.match(await exported(app), /Choir/)
  }))

test('an empty calendar is exported as an empty calendar', () =>
  withWorld('sqlite', async ({ app }) => {
    const text = await exported(app)
    assert.equal(parse(text).name, 'VCALENDAR')
    const report = await importCalendar(app.ctx, OPERATOR, text)
    assert.deepEqual(report.events, [])
  }))

test('F3: with a full disk the operator can still export everything', () =>
  withWorld('sqlite', async ({ app, writer, admin }) => {
    const hour = { start: '2026-07-14T09:00', end: '2026-07-14T10:00' }
    await writer.creates({ title: 'Kept', ...hour })
    const { writes } = app.ctx.storage
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(writes)
    await sql.raw(`pragma max_page_count = ${rows[0]!.page_count}`).execute(writes)
    const entry = { action: 'calendar_exported', actorId: null, subjectId: null, requestId: null, detail: {} } as const
    const fill = () => inTransaction(app.ctx.storage, (db) => insertAudit(db, entry, app.ctx.clock()))
    await assert.rejects(
      async () => {
        for (let i = 0; i < 10_000; i++) await fill()
      },
      { code: 'storage_unavailable' },
    )
    assert.equal((await admin.get('/admin/export.ics')).status, 503)
    assert.match(await exported(app), /SUMMARY:Kept/)
  }))
