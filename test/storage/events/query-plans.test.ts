// On PostgreSQL common reads of a large calendar use indexes, with the plan that is kept for every value.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CompiledQuery, sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../../../src/storage/tables.ts'
import { MAIN } from '../../caldav/support/events.ts'
import { withWorld } from '../../support/world.ts'

const EVENTS = 10_000

const MONTH_QUERY = `<c:calendar-query xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><prop><getetag/><c:calendar-data/></prop>
  <c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">
  <c:time-range start="20260701T000000Z" end="20260801T000000Z"/></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`
const SYNC = `<sync-collection xmlns="DAV:"><sync-token/><sync-level>1</sync-level><limit><nresults>50</nresults></limit>
  <prop><getetag/></prop></sync-collection>`

test(`no common read of ${EVENTS} events scans them all (postgres)`, () =>
  withWorld('postgres', async (world) => {
    const { writer, reader, anonymous, app } = world
    const db = app.ctx.storage.writes
    const since = (await reader.get('/events')).body.meta.sync_token
    const publicSince = (await anonymous.get('/events')).body.meta.sync_token
    const single = await writer.creates({ title: 'single', start: '2026-07-01T09:00', end: '2026-07-01T10:00' })
    await multiply(db)
    await writer.creates({ title: 'endless', start: '2026-07-01T09:00', end: '2026-07-01T10:00', rrule: 'FREQ=DAILY' })
    await sql`analyze`.execute(db)
    const report = (payload: string, headers = {}) =>
      reader.send({ method: 'REPORT', url: MAIN, payload, headers: { 'content-type': 'application/xml', ...headers } })
    const reads: Record<string, () => Promise<{ status: number }>> = {
      month: () => reader.get('/events?view=month&from=2026-07-01'),
      'public month': () => anonymous.get('/public/events?view=month&from=2026-07-01'),
      'page of a year': () => reader.get('/events?from=2026-07-01&to=2027-07-01&page=2&per_page=20'),
      'one event': () => reader.get(`/events/${single.id}`),
      'one public event': () => anonymous.get(`/public/events/${single.id}`),
      'an event by its UID': () => reader.get(`/events?uid=${encodeURIComponent(single.uid)}`),
      'its UID in a month': () =>
        reader.get(`/events?uid=${encodeURIComponent(single.uid)}&view=month&from=2026-07-01`),
      'month by CalDAV': () => report(MONTH_QUERY, { depth: '1' }),
      'sync in pages': () => report(SYNC),
      changes: () => reader.get(`/events/changes?limit=20&since=${since}`),
      'public changes': () => anonymous.get(`/public/changes?limit=20&since=${publicSince}`),
    }
    const scans: string[] = []
    for (const [name, read] of Object.entries(reads)) {
      const statements = await statementsOf(async () => {
        const { status } = await read()
        assert.ok(status === 200 || status === 207, `${name}: ${status}`)
      })
      assert.ok(statements.size > 0, name)
      for (const [text, values] of statements) {
        const plan = await keptPlanOf(db, text, values)
        if (/Seq Scan on (?:events|occurrences)\b/.test(plan)) scans.push(`${name}: ${text}\n${plan}`)
      }
    }
    assert.deepEqual(scans, [])
  }))

/** Copies the one event and its occurrence, an hour later each time. */
const multiply = (db: Db): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const run = (text: string) => transaction.executeQuery(CompiledQuery.raw(text, []))
    await run(`create temporary table copied on commit drop as
      select * from events, generate_series(1::bigint, ${EVENTS}) as n`)
    await run(`update copied set key = key + n, id = id || n, uid = uid || n, dav_name = dav_name || n,
      start_local = start_local + n * 3600000, start_at = start_at + n * 3600000, revision = revision + n,
      public_revision = public_revision + n`)
    await run('alter table copied drop column n')
    await run('insert into events select * from copied')
    await run(`insert into occurrences select c.key, o.local_at, o.lane, c.start_at, c.start_at + c.duration_ms,
      o.is_overridden, o.is_hidden from copied c, occurrences o`)
  })

/** Every select that reaches PostgreSQL meanwhile, with its values. */
async function statementsOf(work: () => Promise<void>): Promise<Map<string, readonly unknown[]>> {
  const statements = new Map<string, readonly unknown[]>()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [asked] = args as [string | { text: string; values?: unknown[] }]
    const { text, values = [] } = typeof asked === 'string' ? { text: asked } : asked
    if (/^\s*(?:select|with)\b/i.test(text)) statements.set(text, values)
    return Reflect.apply(query, this, args)
  } as typeof query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return statements
}

/** The plan that a named statement gets, which does not depend on the values. */
const keptPlanOf = (db: Db, text: string, values: readonly unknown[]): Promise<string> =>
  db.transaction().execute(async (transaction) => {
    await transaction.executeQuery(CompiledQuery.raw(`prepare explained as ${text}`, []))
    const literals = values.map((value) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`))
    const execute = `execute explained${literals.length > 0 ? `(${literals.join(', ')})` : ''}`
    const { rows } = await transaction.executeQuery<Record<string, string>>(CompiledQuery.raw(`explain ${execute}`, []))
    await transaction.executeQuery(CompiledQuery.raw('deallocate explained', []))
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
