// Stored events whose text cannot be parsed: reported and counted, while everything else continues.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runChores } from '../../../src/actions/maintenance/housekeeping.ts'
import { extendIndex, reindex } from '../../../src/actions/maintenance/reindex.ts'
import { importCalendar } from '../../../src/actions/transfer/import.ts'
import { OPERATOR } from '../../../src/domain/privacy/viewer.ts'
import { AppError } from '../../../src/errors.ts'
import { createHousekeeping } from '../../../src/jobs/housekeeping.ts'
import { createLog } from '../../../src/ops/log.ts'
import { MAIN } from '../../caldav/support/events.ts'
import { event, file } from '../../ical/files.ts'
import type { Json } from '../../support/http/api-response.ts'
import { davOf } from '../../support/http/dav.ts'
import { runCommand } from '../../support/processes/process.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

const weekly = { start: '2026-07-14T09:00', end: '2026-07-14T10:00', rrule: 'FREQ=WEEKLY' }

async function spoil({ app }: World, id: string, ical = 'BEGIN:VCALENDAR'): Promise<void> {
  await app.ctx.storage.writes.updateTable('events').set({ ical }).where('id', '=', id).execute()
}

const logOf = ({ app }: World): string[] => {
  const lines: string[] = []
  app.ctx.log = createLog('info', (line) => lines.push(line))
  return lines
}

const checksOf = async ({ anonymous }: World): Promise<Json> =>
  (await anonymous.send({ method: 'GET', url: '/readyz' })).body.data.checks

forEachEngine('F38: an unreadable series is reported and counted; the index moves on and purges run', (engine) =>
  withWorld(engine, async (world) => {
    const { app, writer, admin, clock } = world
    const [bad, good] = [
      await writer.creates({ title: 'bad', ...weekly }),
      await writer.creates({ title: 'good', ...weekly }),
    ]
    const housekeeping = createHousekeeping(app.ctx)
    await housekeeping.runOnce()
    await spoil(world, bad.id)
    await world.addPerson('stranger@example.org', 'writer', 'pending_approval', false)
    assert.deepEqual((await checksOf(world)).events, { status: 'ok' })
    // Two days at a time, the most that a running service moves.
    const lines = logOf(world)
    for (let days = 0; days < 40; days += 2) {
      clock.at += 2 * 86_400_000
      assert.equal(await housekeeping.runOnce(), true)
    }
    const reached = async (id: string): Promise<number> =>
      (
        await app.ctx.storage.reads
          .selectFrom('events')
          .select('indexed_to')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).indexed_to!
    assert.ok((await reached(good.id)) > (await reached(bad.id)), 'the other series went on')
    const people = await app.ctx.storage.reads.selectFrom('users').select('email').execute()
    assert.ok(!people.some(({ email }) => email === 'stranger@example.org'), 'what is over was purged')
    assert.ok(
      lines.some((line) => line.includes(bad.id)),
      lines.join(''),
    )
    assert.deepEqual((await checksOf(world)).events, { status: 'degraded', unreadable_events: 1 })
    const { meta } = (await admin.get('/admin/diagnostics')).body
    assert.equal(meta.counts.unreadable_events, 1)
    assert.ok(meta.warnings.includes('unreadable_events'))
    // Deleted or rewritten, it is no longer counted.
    assert.equal((await writer.delete(`/events/${bad.id}`)).status, 204)
    assert.deepEqual((await checksOf(world)).events, { status: 'ok' })
  }),
)

forEachEngine('the log has the id and kinds of failure of an unreadable event, never its words', (engine) =>
  withWorld(engine, async (world) => {
    const { app, writer } = world
    const { config } = app.ctx
    const lines = logOf(world)
    const { id } = await writer.creates({ title: 'zqplanted', visibility: 'private', ...weekly })
    // A parser that fails unexpectedly quotes its input.
    const timezone = { get: () => assert.fail(new TypeError('SUMMARY:zqplanted cannot be read')) }
    app.ctx.config = Object.defineProperty({ ...config }, 'timezone', timezone)
    const first = await reindex(app.ctx)
    app.ctx.config = config
    await spoil(world, id, 'BEGIN:VCALENDAR\r\nzqplanted\r\nEND:VCALENDAR\r\n')
    const second = await reindex(app.ctx)
    assert.deepEqual([first.unreadable, second.unreadable], [[id], [id]])
    assert.ok(!lines.join('').includes('zqplanted'), lines.join(''))
    const said = lines.map((line) => JSON.parse(line)).filter(({ event_id }) => event_id === id)
    assert.deepEqual(
      said.map(({ error, code }) => [error, code]),
      [
        ['TypeError', undefined],
        ['StoredTextError', 'not_parsed'],
      ],
    )
  }),
)

forEachEngine('one maintenance task that fails is reported with the code of the engine, and the others run', (engine) =>
  withWorld(engine, async (world) => {
    const lines = logOf(world)
    const done: string[] = []
    const full = new AppError('storage_unavailable', { cause: Object.assign(new Error('full'), { errcode: 13 }) })
    await runChores(world.app.ctx, [
      ['first', () => Promise.reject(full)],
      ['second', () => Promise.reject(Object.assign(new Error('no'), { code: '42P01' }))],
      ['third', async () => void done.push('third')],
    ])
    assert.deepEqual(done, ['third'])
    const said = lines.map((line) => JSON.parse(line)).map(({ chore, code }) => [chore, code])
    assert.deepEqual(said, [
      ['first', 13],
      ['second', '42P01'],
    ])
  }),
)

forEachEngine('an event that the database refuses to rewrite is skipped by a rebuild', (engine) =>
  withWorld(engine, async (world) => {
    const { app, writer } = world
    const events = []
    for (const title of ['a', 'b', 'c']) events.push(await writer.creates({ title, ...weekly }))
    // Two of one UID: rewriting the columns of the second violates the unique index.
    const [first, second] = events.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const { ical } = await app.ctx.storage.reads
      .selectFrom('events')
      .select('ical')
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow()
    await spoil(world, second.id, ical)
    await app.ctx.storage.writes.updateTable('events').set({ search_text: 'wrong' }).execute()
    const report = await reindex(app.ctx)
    assert.deepEqual([report.checked, report.changed, report.unreadable], [3, 2, [second.id]])
  }),
)

forEachEngine('export and reindex report what they skip and exit with 1; the rest is in the file', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, place } = world
    const bad = await writer.creates({ title: 'bad', ...weekly })
    await writer.creates({ title: 'good', ...weekly })
    await spoil(world, bad.id)
    const path = join(place.folder, 'out.ics')
    const exported = runCommand(['export', path], place.folder, { ...place.settings, DAYBOOK_LOG_LEVEL: 'silent' })
    assert.equal(exported.code, 1)
    assert.match(exported.stderr, new RegExp(bad.id))
    assert.match(readFileSync(path, 'utf8'), /SUMMARY:good[\s\S]*END:VCALENDAR\r\n$/)
    assert.deepEqual((await checksOf(world)).events, { status: 'degraded', unreadable_events: 1 })
    const again = runCommand(['reindex'], place.folder, { ...place.settings, DAYBOOK_LOG_LEVEL: 'silent' })
    assert.equal(again.code, 1)
    assert.match(again.stderr, new RegExp(bad.id))
    assert.match(again.stdout, /^2 events checked/)
  }),
)

forEachEngine('an unreadable event fails no report, import or sync of others', (engine) =>
  withWorld(engine, async (world) => {
    const { app, writer } = world
    const bad = await writer.creates({ title: 'bad', ...weekly })
    const good = await writer.creates({ title: 'good', ...weekly })
    await spoil(world, bad.id)
    const dav = davOf(writer)
    const data =
      '<D:prop><C:calendar-data><C:expand start="20260701T000000Z" end="20260801T000000Z"/></C:calendar-data></D:prop>'
    const hrefs = [bad, good].map(({ id }) => `<D:href>${MAIN}${id}.ics</D:href>`).join('')
    const { status, text } = await dav.report(
      MAIN,
      `<C:calendar-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${data}${hrefs}</C:calendar-multiget>`,
    )
    assert.equal(status, 207)
    assert.match(text, /500 Internal Server Error/)
    assert.match(text, /SUMMARY:good/)
    const occurrence = event(
      bad.uid,
      'RECURRENCE-ID;TZID=Europe/London:20260721T090000',
      'DTSTART;TZID=Europe/London:20260721T100000',
      'DURATION:PT1H',
      'SUMMARY:mended',
    )
    const single = event('other', 'DTSTART:20260714T090000Z', 'DURATION:PT1H', 'SUMMARY:other')
    const report = await importCalendar(app.ctx, OPERATOR, file(occurrence, single), { isDryRun: false })
    assert.equal(report.created, 1)
    assert.equal(await extendIndex(app.ctx), 0)
  }),
)
