// Reindex: columns, exceptions and occurrence rows can always be derived again from the stored text.
import assert from 'node:assert/strict'
import { extendIndex, followZoneData, reindex } from '../../../src/actions/maintenance/reindex.ts'
import { DERIVATION_VERSION } from '../../../src/storage/events/derive.ts'
import { readInstance } from '../../../src/storage/operations/instance.ts'
import { MAIN } from '../../caldav/support/events.ts'
import { lines } from '../../ical/objects.ts'
import type { Json } from '../../support/http/api-response.ts'
import { davOf, tag } from '../../support/http/dav.ts'
import { SHORT_WORD } from '../../support/privacy/planted-words.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

async function fill({ writer }: World): Promise<Json> {
  await writer.creates({
    title: 'single',
    start: '2026-07-14T09:00',
    end: '2026-07-14T10:00',
    description: 'a, b; c\\ d\ne',
  })
  await writer.creates({
    title: 'all day',
    start: '2026-07-14',
    end: '2026-07-16',
    all_day: true,
    timezone: 'America/New_York',
    visibility: 'public',
  })
  await writer.creates({ title: 'fold', start: '2026-10-25T01:30:00+00:00', end: '2026-10-25T02:30:00+00:00' })
  await writer.creates({
    title: 'until',
    start: '2026-07-14T09:00',
    end: '2026-07-14T09:00',
    rrule: 'FREQ=WEEKLY;UNTIL=20270101',
  })
  const series = await writer.creates({
    title: 'endless',
    start: '2020-01-07T19:00',
    end: '2020-01-07T20:00',
    rrule: 'FREQ=WEEKLY;BYDAY=TU',
    rdates: ['20200110T190000'],
    category: 'Music',
    url: 'https://example.org/',
  })
  await writer.patch(`/events/${series.id}/occurrences/20260714T190000`, {
    title: 'moved',
    start: '2026-07-15T09:00',
    end: '2026-07-15T10:00',
    version: 1,
  })
  await writer.delete(`/events/${series.id}/occurrences/20260721T190000`)
  return series
}

const dump = async ({ app }: World): Promise<string> => {
  const db = app.ctx.storage.reads
  const events = await db.selectFrom('events').selectAll().orderBy('key').execute()
  const exceptions = await db.selectFrom('exceptions').selectAll().orderBy('event_key').orderBy('local_at').execute()
  const occurrences = await db.selectFrom('occurrences').selectAll().orderBy('event_key').orderBy('local_at').execute()
  const calendar = await db.selectFrom('calendar').selectAll().execute()
  return JSON.stringify({ events, exceptions, occurrences, calendar })
}

forEachEngine('reindex changes nothing on a healthy database', (engine) =>
  withWorld(engine, async (world) => {
    await fill(world)
    const before = await dump(world)
    assert.deepEqual(await reindex(world.app.ctx), { checked: 5, changed: 0, unreadable: [] })
    assert.equal(await dump(world), before)
  }),
)

forEachEngine('reindex repairs wrong columns, exceptions and rows, and keeps their authors', (engine) =>
  withWorld(engine, async (world) => {
    const series = await fill(world)
    const before = await dump(world)
    const { writes } = world.app.ctx.storage
    await writes
      .updateTable('events')
      .set({ title: 'wrong', start_at: 0, search_text: '' })
      .where('id', '=', series.id)
      .execute()
    await writes.deleteFrom('occurrences').where('start_at', '>', Date.parse('2027-01-01')).execute()
    await writes.updateTable('exceptions').set({ title: 'wrong' }).where('kind', '=', 'overridden').execute()
    const report = await reindex(world.app.ctx)
    assert.equal(report.changed, 1)
    const { calendar: _a, ...after } = JSON.parse(await dump(world))
    const { calendar: _b, ...expected } = JSON.parse(before)
    assert.deepEqual(after, expected)
    assert.equal((await reindex(world.app.ctx)).changed, 0)
  }),
)

forEachEngine('F38: one event whose text cannot be read is reported; the others are repaired', (engine) =>
  withWorld(engine, async (world) => {
    const series = await fill(world)
    await world.app.ctx.storage.writes
      .updateTable('events')
      .set({ ical: 'BEGIN:VCALENDAR' })
      .where('id', '=', series.id)
      .execute()
    const report = await reindex(world.app.ctx)
    assert.deepEqual(report, { checked: 5, changed: 0, unreadable: [series.id] })
  }),
)

const sentEvent = (...more: readonly string[]): string =>
  lines('BEGIN:VEVENT', 'UID:sent', 'DTSTAMP:20260701T000000Z', 'DURATION:PT1H', ...more, 'END:VEVENT')

/** Of two edits of one occurrence the lesser is private, and is stored only in the text as sent. */
const SENT = lines(
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//x//EN',
  sentEvent('DTSTART:20260714T090000Z', 'RRULE:FREQ=DAILY', 'CLASS:PUBLIC', 'SUMMARY:zqsent').trimEnd(),
  ...[1, 5].map((sequence) =>
    sentEvent(
      'RECURRENCE-ID:20260715T090000Z',
      'DTSTART:20260715T100000Z',
      `SEQUENCE:${sequence}`,
      `CLASS:${sequence === 1 ? 'PRIVATE' : 'PUBLIC'}`,
      `SUMMARY:zqedit${sequence}`,
    ).trimEnd(),
  ),
  'END:VCALENDAR',
)

/** Private series from JSON and from a client, each with an edited occurrence; the first also with a cancelled one. */
async function fillPrivate({ writer }: World): Promise<string> {
  const { id } = await writer.creates({
    title: 'zqseries',
    start: '2026-07-14T19:00',
    end: '2026-07-14T20:00',
    rrule: 'FREQ=WEEKLY',
    visibility: 'private',
  })
  await writer.patch(`/events/${id}/occurrences/20260721T190000`, { title: 'zqedited', version: 1 })
  await writer.patch(`/events/${id}/occurrences/20260728T190000`, { status: 'cancelled', title: 'zqoff', version: 2 })
  assert.equal((await davOf(writer).put(`${MAIN}sent.ics`, SENT)).status, 201)
  return id
}

/** As an older version left them: private in every column, while their texts no longer have the CLASS. */
async function forgetClass({ app }: World): Promise<void> {
  const { writes } = app.ctx.storage
  for (const { key, ical } of await writes.selectFrom('events').select(['key', 'ical']).execute()) {
    assert.match(ical, /CLASS:PRIVATE/)
    const forgotten = ical.replaceAll('CLASS:PRIVATE', 'CLASS:PUBLIC')
    await writes.updateTable('events').set({ ical: forgotten }).where('key', '=', key).execute()
  }
}

const whatThePublicSees = async ({ anonymous }: World): Promise<string> => {
  const paths = [
    '/public/calendar.ics',
    '/public/events?from=2026-07-01&to=2026-08-01',
    '/public/events?from=2029-07-01&to=2029-08-01',
    '/public/events?from=2026-07-01&to=2026-08-01&q=zqedited',
  ]
  const texts = await Promise.all(paths.map(async (path) => (await anonymous.get(path)).text))
  // The time of the last change is shown, and the token of the change feed; both may differ afterwards.
  return withoutToken(texts.join('\n').replace(/(?:DTSTAMP|LAST-MODIFIED|SEQUENCE):\S+/g, ''))
}

const withoutToken = (text: string): string => text.replace(/"sync_token":"[^"]*"/g, '')

const textsOf = ({ app }: World) =>
  app.ctx.storage.reads.selectFrom('events').select(['ical', 'sent_ical', 'visibility']).execute()

const WAYS: Record<string, (world: World, id: string) => Promise<unknown>> = {
  'a reindex': ({ app }) => reindex(app.ctx),
  'another zone data': ({ app }) => followZoneData(app.ctx, 'another'),
  'an index that moves on': ({ app, clock }) => {
    clock.at = Date.parse('2027-03-05T00:00:00Z')
    return extendIndex(app.ctx)
  },
}

for (const [way, go] of Object.entries(WAYS))
  forEachEngine(`P20: ${way} publishes nothing private, and writes the CLASS into its text`, (engine) =>
    withWorld(engine, async (world) => {
      const { writer, app } = world
      const id = await fillPrivate(world)
      const dav = davOf(writer)
      const before = await whatThePublicSees(world)
      assert.doesNotMatch(before, SHORT_WORD)
      await forgetClass(world)
      const heads = await dav.propfind(MAIN, '1', ['D:getetag', 'D:sync-token'])
      const [collection, ...objects] = heads.found
      assert.equal(objects.length, 2)
      const token = collection!.props['D:sync-token']!.text
      await go(world, id)
      assert.equal(await whatThePublicSees(world), before)
      for (const { ical, sent_ical, visibility } of await textsOf(world)) {
        assert.match(ical, /\r\nCLASS:PRIVATE\r\n/)
        assert.deepEqual([sent_ical, visibility], [null, 'private'])
      }
      const sync = tag('D:sync-token', token) + tag('D:sync-level', '1') + tag('D:prop', tag('D:getetag'))
      const { found } = await dav.report(MAIN, `<D:sync-collection xmlns:D="DAV:">${sync}</D:sync-collection>`)
      assert.deepEqual(found.map(({ href }) => href).sort(), objects.map(({ href }) => href).sort())
      for (const { href, props } of found) {
        const old = objects.find((object) => object.href === href)
        assert.notEqual(props['D:getetag']!.text, old!.props['D:getetag']!.text)
        assert.match((await dav.get(href)).text, /\r\nCLASS:PRIVATE\r\n/)
      }
      assert.equal((await reindex(app.ctx)).changed, 0, 'once is enough')
      const { version } = (await writer.get(`/events/${id}`)).body.data
      assert.equal(version, 4)
      assert.equal((await writer.patch(`/events/${id}`, { location: 'zqroom', version })).status, 200)
      assert.doesNotMatch(await whatThePublicSees(world), SHORT_WORD)
    }),
  )

forEachEngine('an edit before the repair publishes nothing private either', (engine) =>
  withWorld(engine, async (world) => {
    const id = await fillPrivate(world)
    await forgetClass(world)
    assert.equal((await world.writer.patch(`/events/${id}`, { location: 'zqroom', version: 3 })).status, 200)
    await world.writer.delete(`/events/${id}/occurrences/20260721T190000`)
    assert.doesNotMatch(await whatThePublicSees(world), SHORT_WORD)
    const { version } = (await world.writer.get(`/events/${id}`)).body.data
    await world.writer.patch(`/events/${id}`, { visibility: 'public', version })
    assert.match(await whatThePublicSees(world), /zqseries/, 'who says so publishes it')
  }),
)

forEachEngine('an event that is private in its text becomes private, whatever its columns', (engine) =>
  withWorld(engine, async (world) => {
    const id = await fillPrivate(world)
    const before = await whatThePublicSees(world)
    await world.app.ctx.storage.writes.updateTable('events').set({ visibility: 'public' }).execute()
    await world.app.ctx.storage.writes.updateTable('occurrences').set({ is_hidden: 0 }).execute()
    assert.equal((await reindex(world.app.ctx)).changed, 2)
    assert.equal(await whatThePublicSees(world), before)
    assert.equal((await world.writer.get(`/events/${id}`)).body.data.version, 3, 'its text is as it was')
  }),
)

forEachEngine('the index moves on with time, and lists stay the same', (engine) =>
  withWorld(engine, async (world) => {
    await fill(world)
    const { writer, clock, app } = world
    const windows = [
      'from=2026-07-01&to=2026-08-01',
      'from=2028-06-01&to=2028-08-01',
      'from=2031-01-01&to=2031-02-01',
      'from=2020-01-01&to=2020-02-01',
    ]
    const read = () =>
      Promise.all(
        windows.map(async (window) => withoutToken((await writer.get(`/events?${window}&timezone=UTC`)).text)),
      )
    const before = await read()
    const rows = async () =>
      (
        await app.ctx.storage.reads
          .selectFrom('occurrences')
          .select('start_at')
          .orderBy('start_at', 'desc')
          .limit(1)
          .executeTakeFirstOrThrow()
      ).start_at
    const reached = await rows()
    assert.equal(await extendIndex(app.ctx), 0, 'nothing to do while the month lasts')
    clock.at = Date.parse('2028-03-05T00:00:00Z')
    assert.equal(await extendIndex(app.ctx), 1, 'the one series that goes on')
    assert.ok((await rows()) > reached)
    assert.deepEqual(await read(), before)
    assert.equal((await reindex(app.ctx)).changed, 0)
    assert.equal(await extendIndex(app.ctx), 0)
  }),
)

forEachEngine(
  'a series with more rows than the index takes is truncated, still complete, and skipped by the job',
  (engine) =>
    withWorld(engine, async ({ writer, app, clock }) => {
      const everyHour = 'FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23'
      await writer.creates({ title: 'dense', start: '2026-08-01T00:00', end: '2026-08-01T00:10', rrule: everyHour })
      clock.at = Date.parse('2026-09-20T00:00:00Z')
      assert.equal(await extendIndex(app.ctx), 0)
      // Four thousand rows of twenty-four a day end in January.
      for (const day of ['2026-08-01', '2027-01-12', '2027-01-13', '2027-01-14', '2027-01-15', '2030-01-01']) {
        assert.equal((await writer.get(`/events?view=day&from=${day}`)).body.data.length, 24, day)
      }
    }),
)

forEachEngine('reindex finds nothing to do after the index has moved, also for long and bounded series', (engine) =>
  withWorld(engine, async ({ writer, app, clock }) => {
    const base = { title: 'x', end: '2025-08-01T10:00', start: '2025-08-01T09:00' }
    await writer.creates({ ...base, rrule: 'FREQ=DAILY;UNTIL=20261201T000000Z' })
    await writer.creates({ ...base, rrule: 'FREQ=DAILY;COUNT=9000' })
    await writer.creates({
      ...base,
      start: '2012-08-01T09:00',
      end: '2012-08-01T10:00',
      rrule: 'FREQ=DAILY;UNTIL=20270101T000000Z',
    })
    for (const now of ['2026-10-15', '2027-06-01', '2040-01-01']) {
      clock.at = Date.parse(now)
      await extendIndex(app.ctx)
      assert.equal((await reindex(app.ctx)).changed, 0, now)
      assert.equal(await extendIndex(app.ctx), 0, now)
    }
  }),
)

forEachEngine('F18: new zone data changes instants, not keys', (engine) =>
  withWorld(engine, async (world) => {
    const series = await fill(world)
    const { app, writer } = world
    const keysBefore = (await writer.get(`/events/${series.id}`)).body.data.exceptions
    // Rows as an older edition of the zone data would have left them: an hour off.
    await app.ctx.storage.writes
      .updateTable('occurrences')
      .set((eb) => ({ start_at: eb('start_at', '+', 3_600_000), end_at: eb('end_at', '+', 3_600_000) }))
      .execute()
    await app.ctx.storage.writes.updateTable('instance').set({ tz_version: '1999a' }).execute()
    const report = await followZoneData(app.ctx, '2026c')
    assert.equal(report?.changed, 5)
    assert.deepEqual((await writer.get(`/events/${series.id}`)).body.data.exceptions, keysBefore)
    const shown = (await writer.get('/events?view=day&from=2026-07-28')).body.data.map(
      (item: Json) => `${item.title} ${item.start}`,
    )
    assert.deepEqual(shown, ['until 2026-07-28T09:00:00+01:00', 'endless 2026-07-28T19:00:00+01:00'])
    assert.equal(await followZoneData(app.ctx, '2026c'), undefined)
  }),
)

forEachEngine('rows derived by a version with other rules are derived again', (engine) =>
  withWorld(engine, async (world) => {
    await fill(world)
    const { ctx } = world.app
    await followZoneData(ctx, '2026c')
    const { tzVersion } = await readInstance(ctx.storage.reads)
    assert.equal(tzVersion, `2026c ${ctx.config.timezone} ${DERIVATION_VERSION}`)
    // As versions before this number left it, with public texts that are no longer right.
    await ctx.storage.writes.updateTable('events').set({ public_ical: 'old' }).execute()
    for (const tz_version of [
      `2026c ${ctx.config.timezone}`,
      `2026c ${ctx.config.timezone} ${DERIVATION_VERSION - 1}`,
    ]) {
      await ctx.storage.writes.updateTable('instance').set({ tz_version }).execute()
      assert.notEqual(await followZoneData(ctx, '2026c'), undefined, tz_version)
    }
    assert.deepEqual(
      await ctx.storage.reads.selectFrom('events').select('id').where('public_ical', '=', 'old').execute(),
      [],
    )
    assert.equal(await followZoneData(ctx, '2026c'), undefined)
  }),
)

forEachEngine('occurrence rows hold times and keys, no words', (engine) =>
  withWorld(engine, async (world) => {
    await fill(world)
    for (const row of await world.app.ctx.storage.reads.selectFrom('occurrences').selectAll().execute()) {
      for (const [column, value] of Object.entries(row)) assert.equal(typeof value, 'number', column)
    }
  }),
)
