// Import: events matched by UID, each stored whole or not at all; importing a file again changes nothing.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sql } from 'kysely'
import { reindex } from '../../../src/actions/maintenance/reindex.ts'
import { exportCalendar } from '../../../src/actions/transfer/export.ts'
import { importCalendar } from '../../../src/actions/transfer/import.ts'
import type { ImportSummary } from '../../../src/actions/transfer/import-report.ts'
import type { App } from '../../../src/app.ts'
import { ANONYMOUS, createAccountViewer, OPERATOR } from '../../../src/domain/privacy/viewer.ts'
import { findAccountByEmailKey } from '../../../src/storage/accounts/accounts.ts'
import { deleteAccount } from '../../../src/storage/accounts/delete-account.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { readCalendarState } from '../../../src/storage/events/calendar.ts'
import { apple, event, file, google, outlook, thunderbird } from '../../ical/files.ts'
import { lines } from '../../ical/objects.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withTwoNodes, withWorld } from '../../support/world.ts'

const TIMES = ['DTSTART;TZID=Europe/London:20260714T090000', 'DTEND;TZID=Europe/London:20260714T100000']
const single = (uid: string, ...more: string[]): string => event(uid, ...TIMES, 'SUMMARY:Single', ...more)

const take = ({ app }: Pick<World, 'app'>, text: string, isDryRun = false): Promise<ImportSummary> =>
  importCalendar(app.ctx, OPERATOR, text, { isDryRun })

const countsOf = ({ created, updated, unchanged, skipped }: ImportSummary): number[] => [
  created,
  updated,
  unchanged,
  skipped,
]

const rowsOf = (app: App) => app.ctx.storage.reads.selectFrom('events').selectAll().orderBy('uid').execute()
const rowOf = async (app: App, uid: string) => (await rowsOf(app)).find((row) => row.uid === uid)!

forEachEngine('a file of each program is imported, and again without a change', (engine) =>
  withWorld(engine, async ({ app, admin }) => {
    const files = [google, outlook, apple, thunderbird]
    const first = []
    for (const text of files) first.push(await take({ app }, text))
    assert.deepEqual(first.map(countsOf), [
      [2, 0, 0, 0],
      [2, 0, 0, 0],
      [1, 0, 0, 1],
      [2, 0, 0, 0],
    ])
    const before = await readCalendarState(app.ctx.storage.reads)
    for (const text of files) {
      const { created, updated } = await take({ app }, text)
      assert.deepEqual([created, updated], [0, 0])
    }
    // Google writes the time of the export on every event.
    const later = google
      .replaceAll('DTSTAMP:20260601T080000Z', 'DTSTAMP:20260708T091500Z')
      .replace('SEQUENCE:1', 'SEQUENCE:2')
    assert.deepEqual(countsOf(await take({ app }, later)), [0, 0, 2, 0])
    assert.deepEqual(await readCalendarState(app.ctx.storage.reads), before, 'nothing was written')
    assert.deepEqual(
      await reindex(app.ctx),
      { checked: 7, changed: 0, unreadable: [] },
      'a rebuild finds what was stored',
    )

    const week = await admin.get('/events?from=2026-07-13&to=2026-07-19')
    assert.deepEqual(
      week.body.data.map(({ title, start }: { title: string; start: string }) => `${start} ${title}`),
      [
        '2026-07-14T09:00:00+01:00 Board',
        '2026-07-14T09:00:00+01:00 Sailing',
        '2026-07-14T12:00:00+01:00 Lunch',
        '2026-07-14T18:00:00+01:00 Choir, an hour later',
        '2026-07-15T09:00:00+01:00 Board',
        '2026-07-15T14:00:00+01:00 Surgery',
        '2026-07-16T09:00:00+01:00 Board',
        '2026-07-16T12:00:00+01:00 Lunch',
        '2026-07-17T09:00:00+01:00 Board',
        '2026-07-18T00:00:00+01:00 Fête ☀',
        '2026-07-18T09:00:00+01:00 Board',
      ],
    )
    const mails = await app.ctx.storage.reads.selectFrom('outbox').selectAll().execute()
    assert.deepEqual(mails, [], 'no mail is sent')
  }),
)

forEachEngine('the report names every entry in the order of the file, with its title and the reason', (engine) =>
  withWorld(engine, async (world) => {
    const report = await take(
      world,
      file(
        single('one').replace('Single', `${'☀'.repeat(100)}`),
        single('two', 'RRULE:FREQ=DAILY;INTERVAL=1001'),
        single('three', 'CLASS:PUBLIC'),
        single('three', 'CLASS:PRIVATE'),
        event('four', 'SUMMARY:Never'),
      ),
    )
    const { id: idOfOne } = report.events[0]!
    const { id: idOfThree } = report.events[3]!
    const stored = (await world.writer.get('/events')).body.data
    assert.deepEqual(
      new Map(stored.map(({ uid, id }: { uid: string; id: string }) => [uid, id])),
      new Map([
        ['one', idOfOne],
        ['three', idOfThree],
      ]),
    )
    assert.deepEqual(report, {
      isDryRun: false,
      isTruncated: false,
      created: 2,
      updated: 0,
      unchanged: 0,
      skipped: 3,
      events: [
        { uid: 'one', id: idOfOne, title: '☀'.repeat(80), result: 'created', line: 4 },
        { uid: 'two', title: 'Single', result: 'skipped', reason: 'rrule_unsupported', line: 11 },
        { uid: 'three', title: 'Single', result: 'skipped', reason: 'uid_repeated', line: 19 },
        { uid: 'three', id: idOfThree, title: 'Single', result: 'created', line: 27 },
        { uid: 'four', title: 'Never', result: 'skipped', reason: 'times_unreadable', line: 35 },
      ],
    })
  }),
)

forEachEngine(
  'an event with a known UID is updated and keeps its id and the authors of exceptions that stay',
  (engine) =>
    withWorld(engine, async ({ app, admin, writer, clock }) => {
      const series = (...more: string[]): string =>
        file(single('a', 'RRULE:FREQ=DAILY;COUNT=9', 'CLASS:PUBLIC', 'X-KEPT:as it came', ...more))
      await take({ app }, series())
      const { id } = await rowOf(app, 'a')
      assert.equal((await writer.delete(`/events/${id}/occurrences/20260716T090000`)).status, 204)
      clock.at += 60_000
      const report = await take({ app }, series('EXDATE:20260716T080000Z', 'EXDATE:20260717T080000Z', 'LOCATION:Hall'))
      assert.deepEqual(countsOf(report), [0, 1, 0, 0])
      const event = (await admin.get(`/events/${id}`)).body.data
      assert.equal(event.version, 3)
      assert.equal(event.location, 'Hall')
      assert.equal(event.updated_by, null, 'the operator has no name')
      const [kept, added] = event.exceptions
      assert.notEqual(kept.created_by, null)
      assert.equal(added.created_by, null)
      assert.ok(kept.created_at < added.created_at)
      assert.match((await rowOf(app, 'a')).ical, /X-KEPT:as it came/)
      assert.equal((await reindex(app.ctx)).changed, 0)
    }),
)

forEachEngine('SEQUENCE never decreases, whatever the file contains', (engine) =>
  withWorld(engine, async ({ app, admin }) => {
    const storedSequence = async (): Promise<number> => Number(/SEQUENCE:(\d+)/.exec((await rowOf(app, 'a')).ical)?.[1])
    const of = (...more: string[]): string => file(single('a', 'CLASS:PUBLIC', ...more))
    await take({ app }, of('SEQUENCE:2'))
    assert.equal(await storedSequence(), 2)
    const { id } = await rowOf(app, 'a')
    for (const version of [1, 2, 3]) await admin.patch(`/events/${id}`, { location: `Hall ${version}`, version })
    assert.equal(await storedSequence(), 5)
    assert.equal((await take({ app }, of('SEQUENCE:3'))).updated, 1)
    assert.equal(await storedSequence(), 6)
    assert.equal((await take({ app }, of('LOCATION:Yard'))).updated, 1)
    assert.equal(await storedSequence(), 7, 'nor without one')
    assert.equal((await take({ app }, of('LOCATION:Hall', 'SEQUENCE:40'))).updated, 1)
    assert.equal(await storedSequence(), 40)
    assert.equal((await take({ app }, of('LOCATION:Hall', 'SEQUENCE:1'))).unchanged, 1)
    assert.equal(await storedSequence(), 40)
    assert.equal((await take({ app }, of('SEQUENCE:2147483647'))).updated, 1)
    assert.equal((await take({ app }, of('LOCATION:End', 'SEQUENCE:1'))).updated, 1)
    assert.equal(await storedSequence(), 2_147_483_647)
    assert.equal((await reindex(app.ctx)).changed, 0)
  }),
)

forEachEngine(
  'P14, P23: CLASS decides; without it a new event has the setting’s visibility and a known one its own',
  (engine) =>
    withWorld(
      engine,
      async ({ app }) => {
        const visibilityAfter = async (uid: string, ...more: string[]): Promise<string> => {
          await take({ app }, file(single(uid, ...more)))
          return (await rowOf(app, uid)).visibility
        }
        assert.equal(await visibilityAfter('a'), 'public', 'the setting')
        for (const word of ['PRIVATE', 'CONFIDENTIAL', 'PUBLıC', 'X-OURS', '']) {
          assert.equal(await visibilityAfter(`new-${word}`, `CLASS:${word}`), 'private', word)
        }
        assert.equal(await visibilityAfter('a', 'CLASS:CONFIDENTIAL'), 'private')
        assert.equal((await rowOf(app, 'a')).mask_epoch, 1, 'P10: it goes by another name from now on')
        assert.equal(await visibilityAfter('a', 'LOCATION:Hall'), 'private', 'not published by silence')
        assert.match((await rowOf(app, 'a')).ical, /\r\nCLASS:PRIVATE\r\n/, 'nor wherever it is exported to')
        assert.equal(await visibilityAfter('a', 'CLASS: public'), 'public')
        assert.equal(await visibilityAfter('a', 'LOCATION:Other'), 'public')
      },
      { settings: { DAYBOOK_DEFAULT_VISIBILITY: 'public' } },
    ),
)

forEachEngine('P19, P20: one private occurrence makes its whole series private', (engine) =>
  withWorld(engine, async ({ app, anonymous }) => {
    await take(
      { app },
      file(
        single('a', 'RRULE:FREQ=DAILY;COUNT=3', 'CLASS:PUBLIC'),
        event('a', 'RECURRENCE-ID:20260715T080000Z', 'DTSTART:20260715T100000Z', 'SUMMARY:Secret', 'CLASS:PRIVATE'),
      ),
    )
    const shown = await anonymous.get('/events?from=2026-07-14&to=2026-07-20')
    assert.deepEqual(new Set(shown.body.data.map(({ title }: { title: string }) => title)), new Set(['Private Event']))
    assert.doesNotMatch(shown.text, /Secret|Single/)
  }),
)

forEachEngine(
  'an imported feed of ours gives the same calendar, also with a start off its rule and extra dates',
  (engine) =>
    withWorld(engine, async ({ writer, anonymous }) => {
      const shared = { visibility: 'public', all_day: true, start: '2026-07-07', end: '2026-07-08' }
      await writer.creates({ ...shared, title: 'off', rrule: 'FREQ=WEEKLY;BYDAY=FR;COUNT=3' })
      await writer.creates({ ...shared, title: 'extra', rdates: ['20260709'] })
      const list = async (world: Pick<World, 'anonymous'>): Promise<string[]> =>
        (await world.anonymous.get('/public/events?view=month&from=2026-07-01')).body.data.map(
          ({ title, start_date }: { title: string; start_date: string }) => `${start_date} ${title}`,
        )
      const expected = ['07 extra', '07 off', '09 extra', '10 off', '17 off'].map((rest) => `2026-07-${rest}`)
      assert.deepEqual((await list({ anonymous })).sort(), expected)
      const feed = (await anonymous.get('/public/calendar.ics')).text
      await withWorld(engine, async (other) => {
        assert.deepEqual(countsOf(await take(other, feed)), [2, 0, 0, 0])
        assert.deepEqual((await list(other)).sort(), expected)
        const { data } = (await other.admin.get('/events')).body
        assert.deepEqual(
          data.map(({ title, rdates }: { title: string; rdates: string[] }) => [title, ...rdates]).sort(),
          [['extra', '20260709'], ['off']],
        )
      })
    }),
)

forEachEngine(
  'no file can inject a line into a feed, also for clients that end lines at any Unicode line break',
  (engine) =>
    withWorld(engine, async ({ app, anonymous, reader, admin }) => {
      const ends = ['\u0085', '\u2028', '\u2029', '\u009f']
      const words = ['SUMMARY', 'DESCRIPTION', 'LOCATION', 'CATEGORIES', 'X-NOTE', 'COMMENT']
      const hostile = ends.map((end, i) =>
        event(
          `${i}${end}X-UID:1`,
          ...TIMES,
          'RRULE:FREQ=DAILY;COUNT=2',
          'CLASS:PUBLIC',
          'SEQUENCE:99999999999',
          `URL:https://example.org/a b${end}X-URL:1`,
          ...words.map((name) => `${name}:a${end}X-${name}:1`),
        ),
      )
      assert.deepEqual(countsOf(await take({ app }, file(...hostile))), [4, 0, 0, 0])
      assert.deepEqual(countsOf(await take({ app }, file(...hostile))), [0, 0, 4, 0])
      const { url } = (await reader.post('/auth/feeds', { name: 'Phone' })).body.data
      const feeds = [
        await anonymous.get('/public/calendar.ics'),
        await anonymous.send({ method: 'GET', url: new URL(url).pathname }),
      ]
      for (const { text } of feeds) {
        const lines = text.replaceAll('\r\n ', '').split(/\r\n|[\n\r\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/)
        assert.equal(lines.filter((line) => line === 'END:VEVENT').length, 4)
        assert.deepEqual(
          [...new Set(lines.filter((line) => /^X-(?!WR-|PUBLISHED|LIC-LOCATION:Europe)/.test(line)))],
          [],
        )
        assert.doesNotMatch(text, /[\u0080-\u009f\u2028\u2029]|^(?:URL|COMMENT)/m)
        for (const line of lines.filter((name) => name.startsWith('SEQUENCE')))
          assert.ok(Number(line.slice('SEQUENCE:'.length)) <= 2_147_483_647)
      }
      const { text } = await admin.get('/admin/export.ics')
      for (const end of ends)
        assert.ok(text.includes(`X-NOTE:a${end}X-X-NOTE:1`), 'what others wrote for themselves stays')
      assert.equal((await reindex(app.ctx)).changed, 0)
    }),
)

forEachEngine('an event that was deleted here and is in the file again is a new event', (engine) =>
  withWorld(engine, async ({ app, writer }) => {
    await take({ app }, file(single('a')))
    const { id } = await rowOf(app, 'a')
    await writer.delete(`/events/${id}`)
    assert.deepEqual(countsOf(await take({ app }, file(single('a')))), [1, 0, 0, 0])
    const again = await rowOf(app, 'a')
    assert.notEqual(again.id, id)
    assert.equal(again.version, 1)
  }),
)

forEachEngine('an occurrence without its series never replaces a series', (engine) =>
  withWorld(engine, async ({ app }) => {
    const alone = file(event('a', 'RECURRENCE-ID:20260715T080000Z', 'DTSTART:20260715T100000Z', 'SUMMARY:Alone'))
    assert.deepEqual(countsOf(await take({ app }, alone)), [1, 0, 0, 0])
    assert.deepEqual(countsOf(await take({ app }, alone)), [0, 0, 1, 0])
    assert.deepEqual(countsOf(await take({ app }, file(single('a', 'RRULE:FREQ=DAILY')))), [0, 1, 0, 0])
    const report = await take({ app }, alone)
    assert.equal(report.events[0]?.reason, 'occurrence_without_series')
    assert.equal((await rowOf(app, 'a')).is_recurring, 1)

    const occurrence = (key: string, title: string): string =>
      event('b', `RECURRENCE-ID:${key}`, `DTSTART:${key}`, `SUMMARY:${title}`)
    const both = (title: string): string =>
      file(occurrence('20260715T080000Z', title), occurrence('20260722T080000Z', 'Other'))
    assert.deepEqual(countsOf(await take({ app }, both('One'))), [1, 0, 0, 0])
    assert.deepEqual(countsOf(await take({ app }, both('One'))), [0, 0, 1, 0])
    assert.deepEqual(countsOf(await take({ app }, both('New'))), [0, 1, 0, 0], 'in place of its like')
    assert.deepEqual(countsOf(await take({ app }, file(single('b', 'RDATE:20260722T080000Z')))), [0, 1, 0, 0])
    assert.deepEqual(countsOf(await take({ app }, both('One'))), [0, 0, 0, 1])
  }),
)

forEachEngine('a dry run reports the same and writes nothing', (engine) =>
  withWorld(engine, async ({ app }) => {
    await take({ app }, file(single('a'), single('b')))
    const next = file(single('a'), single('b', 'LOCATION:Hall'), single('c'), event('d', 'SUMMARY:Never'))
    const before = { rows: await rowsOf(app), state: await readCalendarState(app.ctx.storage.reads) }
    const audits = () => app.ctx.storage.reads.selectFrom('audit').select('detail').execute()
    const auditCount = (await audits()).length
    const dry = await take({ app }, next, true)
    assert.deepEqual({ rows: await rowsOf(app), state: await readCalendarState(app.ctx.storage.reads) }, before)
    assert.equal((await audits()).length, auditCount)
    const { events, ...counts } = await take({ app }, next)
    // A new event has an id once it is stored.
    const asInDryRun = events.map(({ id, ...entry }) => (entry.result === 'created' || !id ? entry : { ...entry, id }))
    assert.deepEqual({ ...counts, events: asInDryRun }, { ...dry, isDryRun: false })
    assert.deepEqual(countsOf(dry), [1, 1, 1, 1])
    assert.deepEqual(JSON.parse((await audits()).at(-1)!.detail), { created: 1, updated: 1, unchanged: 1, skipped: 1 })
  }),
)

forEachEngine('an event that the database refuses fails no other event', (engine) =>
  withWorld(engine, async ({ app }) => {
    await inDatabase(
      app,
      engine === 'sqlite'
        ? `create trigger no_poison before insert on occurrences
            when exists (select 1 from events e where e.key = new.event_key and e.uid = 'poison')
            begin select raise(abort, 'poison'); end`
        : `alter table events add constraint no_poison check (uid <> 'poison')`,
    )
    const good = Array.from({ length: 30 }, (_, i) => single(`good-${i}`))
    const report = await take({ app }, file(...good.slice(0, 15), single('poison'), ...good.slice(15)))
    assert.deepEqual(countsOf(report), [30, 0, 0, 1])
    assert.equal(report.events[15]?.reason, 'not_stored')
    assert.equal((await rowsOf(app)).length, 30, 'nothing of the bad one is left')
    assert.equal((await reindex(app.ctx)).changed, 0)
  }),
)

async function inDatabase(app: App, statement: string): Promise<void> {
  await sql.raw(statement).execute(app.ctx.storage.writes)
}

forEachEngine('two imports of one file at once store every event once', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const text = (location: string): string =>
      file(...Array.from({ length: 120 }, (_, i) => single(`${i}@example.org`, `LOCATION:${location}`)))
    const reports = await Promise.all([take(one, text('Hall')), take(two, text('Hall')), take(one, text('Hall'))])
    assert.equal(
      reports.reduce((sum, { created }) => sum + created, 0),
      120,
    )
    assert.equal(
      reports.reduce((sum, { created, unchanged }) => sum + created + unchanged, 0),
      360,
    )
    await Promise.all([take(one, text('Yard')), take(two, text('Yard'))])
    const rows = await rowsOf(one.app)
    assert.equal(rows.length, 120)
    assert.deepEqual(new Set(rows.map(({ location, version }) => `${location} ${version}`)), new Set(['Yard 2']))
    assert.equal((await reindex(one.app.ctx)).changed, 0)
  }),
)

forEachEngine('an import during other writes neither fails nor loses what they wrote', (engine) =>
  withWorld(engine, async ({ app, writer }) => {
    const { id } = await writer.creates({
      title: 'Ours',
      start: '2026-07-14T09:00',
      end: '2026-07-14T10:00',
      uid: 'ours',
    })
    const many = Array.from({ length: 200 }, (_, i) => single(`${i}@example.org`))
    const [report, ...answers] = await Promise.all([
      take({ app }, file(...many, single('ours'))),
      ...Array.from({ length: 20 }, (_, i) => writer.post('/events', newEvent(`During ${i}`))),
    ])
    assert.deepEqual(countsOf(report), [200, 1, 0, 0])
    assert.ok(answers.every(({ status }) => status === 201))
    assert.equal((await rowsOf(app)).length, 221)
    const ours = (await writer.get(`/events/${id}`)).body.data
    assert.deepEqual([ours.title, ours.version], ['Single', 2])
  }),
)

const newEvent = (title: string) => ({ title, start: '2026-07-14T09:00', end: '2026-07-14T10:00' })

const MANY = byRunLength(1_500, 10_000)

forEachEngine(`${MANY} events are imported at once, in bounded memory, while other requests are answered`, (engine) =>
  withWorld(engine, async ({ app, anonymous }) => {
    const rule = (i: number): string[] => (i % 7 === 0 ? ['RRULE:FREQ=WEEKLY;COUNT=10'] : [])
    const text = file(
      ...Array.from({ length: MANY }, (_, i) =>
        single(`${i}@example.org`, 'DESCRIPTION:Everyone is welcome, whether you have been before or not.', ...rule(i)),
      ),
    )
    const before = process.memoryUsage().rss
    const progress: number[] = []
    let isDone = false
    const importing = importCalendar(app.ctx, OPERATOR, text, {
      onProgress: (done, total) => {
        assert.equal(total, MANY)
        progress.push(done)
      },
    }).finally(() => {
      isDone = true
    })
    let answered = 0
    while (!isDone) {
      assert.equal((await anonymous.get('/events?view=day')).status, 200)
      answered += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    const report = await importing
    assert.deepEqual(countsOf(report), [MANY, 0, 0, 0])
    assert.ok(answered > 20, `${answered} answers in between`)
    assert.equal(progress.at(-1), MANY)
    const grown = (process.memoryUsage().rss - before) / 1_048_576
    assert.ok(grown < 300, `${Math.round(grown)} MiB more`)
    let size = 0
    for await (const piece of await exportCalendar(app.ctx, OPERATOR)) size += piece.length
    assert.ok(size > text.length)
  }),
)

const manyWords = (from: number, count: number): string =>
  `DESCRIPTION:${Array.from({ length: count }, (_, i) => `w${from + i}`).join(' ')}`

forEachEngine(
  'words count too: however many an import brings, other writers wait for a few thousand at most',
  (engine) =>
    withWorld(engine, async ({ app, anonymous }) => {
      const { revision: before } = await readCalendarState(app.ctx.storage.reads)
      const text = file(
        ...Array.from({ length: 20 }, (_, i) => single(`${i}`, 'CLASS:PUBLIC', manyWords(i * 1_000, 1_000))),
      )
      assert.equal((await take({ app }, text)).created, 20)
      const { revision } = await readCalendarState(app.ctx.storage.reads)
      assert.ok(revision - before >= 4, `${revision - before} transactions`)
      assert.equal((await anonymous.get('/events?view=day&from=2026-07-14&q=w19999')).body.data.length, 1)
      assert.equal((await reindex(app.ctx)).changed, 0)
    }),
)

/** In scripts without spaces between words, each character is a word. */
const EVERY_SIGN = `DESCRIPTION:${String.fromCharCode(...Array.from({ length: 9_900 }, (_, i) => 0x4e00 + i))}`

const seriesWith = (edits: number, words: number): string =>
  file(
    single('a', 'RRULE:FREQ=DAILY', 'CLASS:PUBLIC'),
    ...Array.from({ length: edits }, (_, i) => {
      const key = `${20260714 + i}T080000Z`
      return event('a', `RECURRENCE-ID:${key}`, `DTSTART:${key}`, 'SUMMARY:B', manyWords(i * words, words))
    }),
  )

forEachEngine(
  'a series of very many words is written whole, and only then gets its place in the order of changes',
  (engine) =>
    withWorld(engine, async ({ app, anonymous }) => {
      assert.equal((await take({ app }, seriesWith(15, 1_000))).created, 1)
      const stateOf = () => readCalendarState(app.ctx.storage.reads)
      assert.equal((await rowOf(app, 'a')).revision, (await stateOf()).revision)
      assert.equal((await anonymous.get('/events?view=month&from=2026-07-01&q=w14999')).body.data.length, 1)
      assert.equal((await take({ app }, seriesWith(15, 1_100))).updated, 1)
      assert.equal((await rowOf(app, 'a')).revision, (await stateOf()).revision)
      assert.equal((await reindex(app.ctx)).changed, 0)
      const { events } = await take({ app }, seriesWith(17, 1_000).replaceAll(/DESCRIPTION:.*/g, EVERY_SIGN))
      assert.equal(events[0]?.reason, 'too_many_words')
    }),
)

forEachEngine('nothing written after an account is deleted during its import names that account', (engine) =>
  withWorld(engine, async ({ app, addPerson }) => {
    const { storage, config } = app.ctx
    const id = await addPerson('second@example.org', 'admin')
    const { account, passwordHash } = (await findAccountByEmailKey(storage.reads, 'second@example.org'))!
    const viewer = createAccountViewer(account, config.requireVerifiedEmail, { proof: 'password', passwordHash })
    let isGone: Promise<unknown> | undefined
    const many = file(...Array.from({ length: 2_000 }, (_, i) => single(`${i}`)))
    const importing = importCalendar(app.ctx, viewer, many, {
      onProgress: () => {
        isGone ??= inTransaction(storage, (db) => deleteAccount(db, id))
      },
    })
    await assert.rejects(importing, { code: 'invalid_credentials' })
    await isGone
    const rows = await rowsOf(app)
    assert.ok(rows.length >= 200 && rows.length < 2_000, `${rows.length} stay`)
    const audit = await storage.reads
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'calendar_imported')
      .execute()
    assert.equal(audit.length, 1)
    assert.equal(JSON.parse(audit[0]!.detail).created, rows.length)
  }),
)

test('only accounts that both administer and write may import', () =>
  withWorld('sqlite', async ({ app }) => {
    await assert.rejects(importCalendar(app.ctx, ANONYMOUS, google), { code: 'authentication_required' })
    await assert.rejects(exportCalendar(app.ctx, ANONYMOUS), { code: 'authentication_required' })
  }))

test('SQLite prepares one statement for new events, however many a transaction has', (t) =>
  withWorld('sqlite', async ({ app }) => {
    const prepare = t.mock.method(DatabaseSync.prototype, 'prepare')
    for (const count of [1, 2, 3, 5])
      await take({ app }, file(...Array.from({ length: count }, (_, i) => single(`${count}-${i}`))))
    const texts = prepare.mock.calls.map(({ arguments: [text] }) => text)
    assert.equal(texts.filter((text) => /^insert into "?events"? /.test(text)).length, 1)
    assert.equal((await rowsOf(app)).length, 11)
  }))

test('an import that changes many stored events takes short turns', () =>
  withWorld('sqlite', async (world) => {
    const series = (word: string): string => {
      const events = Array.from({ length: 400 }, (_, i) => {
        const words = Array.from({ length: 12 }, (_, k) => `${word}${i}x${k}`).join(' ')
        const times = [
          `DTSTART:20260714T${word === 'a' ? '09' : '10'}0000Z`,
          'DURATION:PT1H',
          'RRULE:FREQ=DAILY;COUNT=12',
        ]
        return lines(
          'BEGIN:VEVENT',
          `UID:${i}`,
          'DTSTAMP:20260101T000000Z',
          ...times,
          'CLASS:PUBLIC',
          `SUMMARY:${words}`,
          'END:VEVENT',
        )
      })
      return lines('BEGIN:VCALENDAR', 'VERSION:2.0') + events.join('') + lines('END:VCALENDAR')
    }
    await importCalendar(world.app.ctx, OPERATOR, series('a'))
    const { result } = await assertShortTurns('the import', { ms: 80 }, (run) =>
      importCalendar(world.app.ctx, OPERATOR, series(run % 2 === 0 ? 'b' : 'a')),
    )
    assert.equal(result.updated, 400)
  }))
