// Stored public texts: masked at write time, in the same transaction, and derived again from the text.
import assert from 'node:assert/strict'
import { CompiledQuery, sql } from 'kysely'
import { listCategories } from '../../../src/actions/categories/public-categories.ts'
import { SERVICE_CALLER } from '../../../src/actions/costly-work/semaphore.ts'
import { changeSeries } from '../../../src/actions/events/change-event.ts'
import { followZoneData, reindex } from '../../../src/actions/maintenance/reindex.ts'
import { openContext } from '../../../src/boot.ts'
import { loadConfig } from '../../../src/config.ts'
import type { Context } from '../../../src/context.ts'
import { OPERATOR } from '../../../src/domain/privacy/viewer.ts'
import { inOneStep } from '../../../src/domain/steps.ts'
import { listPublicCategories } from '../../../src/storage/categories/public-categories.ts'
import { directReaders } from '../../../src/storage/dialect.ts'
import { migrate } from '../../../src/storage/engine/migrate.ts'
import type { StorageReader } from '../../../src/storage/engine/storage.ts'
import { WHOLE_SERIES } from '../../../src/storage/events/derive.ts'
import { walkExceptionTimes } from '../../../src/storage/events/exceptions.ts'
import { type FeedFilters, findPublicText, joinPublicTexts, planFeed } from '../../../src/storage/events/feeds.ts'
import {
  countStored,
  countStoredByDay,
  listOccurrenceRefs,
  listStoredRefs,
} from '../../../src/storage/events/occurrence-index.ts'
import { resolveMatches } from '../../../src/storage/events/search.ts'
import type { Db } from '../../../src/storage/tables.ts'
import type { Json } from '../../support/http/api-response.ts'
import { SHORT_WORD } from '../../support/privacy/planted-words.ts'
import { type Engine, forEachEngine, makePlace } from '../../support/storage/engines.ts'
import { type Client, openWorld, type World, withWorld } from '../../support/world.ts'

const choir = {
  title: 'Chöir zqtitle',
  description: 'zqdescription',
  location: 'zqlocation',
  category: 'zqcategory',
  url: 'https://zqurl.example/',
  uid: 'zquid@example.org',
  start: '2026-07-14T19:00',
  end: '2026-07-14T20:00',
  rrule: 'FREQ=WEEKLY;COUNT=4',
}

async function createEdited(writer: Client, visibility: 'public' | 'private'): Promise<Json> {
  const series = await writer.creates({ ...choir, visibility })
  const edited = { title: 'zqmoved', start: '2026-07-22T19:00', end: '2026-07-22T20:00', version: 1 }
  await writer.patch(`/events/${series.id}/occurrences/20260721T190000`, edited)
  await writer.patch(`/events/${series.id}/occurrences/20260728T190000`, { title: 'zqreworded', version: 2 })
  return series
}

const change = async (client: Client, id: string, fields: object): Promise<Json> => {
  const { version } = (await client.get(`/events/${id}`)).body.data
  const answer = await client.patch(`/events/${id}`, { version, ...fields })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

type Kept = { app: Pick<World['app'], 'ctx'> }

/** Texts as a feed reads them: first where they are and how long, then the texts. */
async function readFeed(db: Db, filters: FeedFilters): Promise<{ texts: string[]; zones: string[] }> {
  const texts: string[] = []
  const { parts, octets, zones } = await planFeed(db, filters)
  for (const keys of parts) {
    const { text, count } = await joinPublicTexts(db, keys)
    assert.equal(count, keys.length)
    texts.push(...text.split(/(?<=\r\nEND:VEVENT\r\n)(?=BEGIN)/))
  }
  assert.equal(Buffer.byteLength(texts.join('')), octets)
  return { texts, zones }
}

const textOf = async ({ app }: Kept, id: string): Promise<string> =>
  (await findPublicText(app.ctx.storage.reads, id))?.text ?? ''

const uidIn = (text: string): string | undefined => /^UID:(.*)\r$/m.exec(text)?.[1]

const wordsIn = async ({ app }: Kept): Promise<string[]> => {
  const rows = await app.ctx.storage.reads.selectFrom('public_words').select('word').distinct().execute()
  return rows.map(({ word }) => word).sort()
}

const dump = async ({ app }: Kept): Promise<Json> => {
  const db = app.ctx.storage.reads
  return {
    texts: await db.selectFrom('events').select(['id', 'public_ical', 'search_text']).orderBy('key').execute(),
    words: (await db.selectFrom('public_words').selectAll().execute())
      .map(({ event_key, local_at, word }) => `${event_key} ${local_at} ${word}`)
      .sort(),
  }
}

forEachEngine('P10, P24: an event that is hidden gets another UID and loses its words, all at once', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, app } = world
    const { id } = await createEdited(writer, 'public')
    const open = await textOf(world, id)
    assert.equal(uidIn(open), 'zquid@example.org')
    assert.match(open, /SUMMARY:Chöir zqtitle\r\n/)
    assert.match(open, /SUMMARY:zqmoved\r\n/)
    assert.ok((await wordsIn(world)).includes('zqmoved'))

    const hide = changeSeries(app.ctx, OPERATOR, {
      id,
      expected: {},
      change: (series) => inOneStep(() => ({ series: { ...series, visibility: 'private' as const }, dropped: [] })),
      show: async (db) => {
        const row = await db.selectFrom('public_feed').selectAll().executeTakeFirstOrThrow()
        const words = await db.selectFrom('public_words').select('word').distinct().execute()
        assert.match(row.public_ical, /SUMMARY:Private Event/)
        assert.equal(words.length, 2)
        throw new Error('somebody pulled the plug')
      },
    })
    await assert.rejects(hide, /plug/)
    assert.equal(await textOf(world, id), open, 'both or neither')
    assert.ok((await wordsIn(world)).includes('zqmoved'))

    await change(writer, id, { visibility: 'private' })
    const masked = await textOf(world, id)
    assert.match(uidIn(masked)!, /^[0-9a-v]{26}@calendar$/)
    assert.doesNotMatch(masked, SHORT_WORD)
    assert.deepEqual(await wordsIn(world), ['event', 'private'])
  }),
)

forEachEngine('P10: each time an event stops being public it gets a new UID, and in between it keeps it', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const { id } = await createEdited(writer, 'private')
    const names = [uidIn(await textOf(world, id))]
    for (let i = 0; i < 2; i++) {
      await change(writer, id, { visibility: 'public' })
      assert.equal(uidIn(await textOf(world, id)), 'zquid@example.org')
      await change(writer, id, { visibility: 'private' })
      names.push(uidIn(await textOf(world, id)))
      await change(writer, id, { title: `zqtitle ${i}` })
      assert.equal(uidIn(await textOf(world, id)), names.at(-1))
    }
    assert.equal(new Set(names).size, 3)
    const other = await writer.creates({ ...choir, uid: 'other@example.org', visibility: 'private' })
    assert.ok(!names.includes(uidIn(await textOf(world, other.id))))
  }),
)

forEachEngine('P3, P41: of private events the public index has two words, and of cancelled ones none', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, app } = world
    const { id } = await createEdited(writer, 'private')
    const rows = await app.ctx.storage.reads.selectFrom('public_words').selectAll().execute()
    assert.deepEqual(rows.map(({ word }) => word).sort(), ['event', 'private'], 'one place, however many edits')
    assert.ok(rows.every(({ local_at }) => local_at === WHOLE_SERIES))
    assert.doesNotMatch(await textOf(world, id), SHORT_WORD)
    const occurrence = await writer.get(`/events/${id}`)
    await writer.patch(`/events/${id}/occurrences/20260804T190000`, {
      status: 'cancelled',
      version: occurrence.body.data.version,
    })
    assert.equal(
      (await app.ctx.storage.reads.selectFrom('public_words').selectAll().execute()).length,
      rows.length,
      'a cancelled occurrence adds none',
    )
    await change(writer, id, { status: 'cancelled' })
    assert.equal(await findPublicText(app.ctx.storage.reads, id), undefined)
    assert.deepEqual(await wordsIn(world), [])
    await change(writer, id, { status: 'confirmed', visibility: 'public' })
    assert.deepEqual(
      (await wordsIn(world)).filter((word) => word.startsWith('zq')),
      ['zqcategory', 'zqdescription', 'zqlocation', 'zqmoved', 'zqreworded', 'zqtitle'],
    )
    await writer.delete(`/events/${id}`)
    assert.deepEqual(await wordsIn(world), [])
  }),
)

forEachEngine('P7, P11: edits of private words leave the public text byte for byte', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, clock } = world
    const { id } = await createEdited(writer, 'private')
    const before = await textOf(world, id)
    for (const fields of [{ title: 'other' }, { location: null }, { transparency: 'transparent' }, { category: 'x' }]) {
      clock.at += 60_000
      await change(writer, id, fields)
      assert.equal(await textOf(world, id), before)
    }
    await change(writer, id, { end: '2026-07-14T21:00' })
    assert.notEqual(await textOf(world, id), before)
  }),
)

forEachEngine(
  'a public text has the time of its last change, and no count of changes: it may have been private',
  (engine) =>
    withWorld(engine, async (world) => {
      const { writer, clock } = world
      const { id } = await createEdited(writer, 'public')
      assert.match(await textOf(world, id), /LAST-MODIFIED:20260710T120000Z\r\nSEQUENCE:205848000\r\n/)
      clock.at += 60_000
      await change(writer, id, { title: 'Concert' })
      const text = await textOf(world, id)
      assert.match(text, /LAST-MODIFIED:20260710T120100Z\r\nSEQUENCE:205848060\r\n/)
      assert.match(text, /SUMMARY:Concert\r\n/)
      await change(writer, id, { visibility: 'private' })
      for (const title of ['One', 'Two', 'Concert']) await change(writer, id, { title })
      await change(writer, id, { visibility: 'public' })
      assert.equal(await textOf(world, id), text)
    }),
)

forEachEngine('reindex derives texts and words again, byte for byte, and then finds nothing to do', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, app } = world
    await createEdited(writer, 'public')
    await writer.creates({ ...choir, uid: 'b@example.org', visibility: 'private' })
    await writer.creates({ title: 'all day', start: '2026-07-14', end: '2026-07-16', all_day: true })
    const before = await dump(world)
    assert.equal((await reindex(app.ctx)).changed, 0)
    const { writes } = app.ctx.storage
    await writes.updateTable('events').set({ public_ical: 'BEGIN:VEVENT' }).where('uid', '=', 'b@example.org').execute()
    await writes.deleteFrom('public_words').execute()
    await writes
      .insertInto('public_words')
      .columns(['event_key', 'local_at', 'word'])
      .expression((eb) => eb.selectFrom('events').select(['key', sql.lit(1).as('local_at'), sql.lit('zq').as('word')]))
      .execute()
    assert.equal((await reindex(app.ctx)).changed, 3)
    assert.deepEqual(await dump(world), before)
    assert.equal((await reindex(app.ctx)).changed, 0)
  }),
)

forEachEngine('P38: where the public text cannot be derived there is none, and the log has the event', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, app } = world
    const { id } = await createEdited(writer, 'private')
    const { id: other } = await writer.creates({ ...choir, uid: 'b@example.org', visibility: 'private' })
    const logged: Json[] = []
    const log = { ...app.ctx.log, error: (message: string, fields?: object) => logged.push({ message, ...fields }) }
    // Without its key no UID of a private event can be derived, and so no text.
    const secret = undefined as unknown as string
    const report = await reindex({ ...app.ctx, secret, log })
    assert.equal(report.changed, 2)
    assert.deepEqual(logged.map(({ event_id }) => event_id).sort(), [id, other].sort())
    assert.doesNotMatch(JSON.stringify(logged), SHORT_WORD)
    assert.deepEqual(await readFeed(app.ctx.storage.reads, {}), { texts: [], zones: [] })
    assert.equal((await reindex(app.ctx)).changed, 2)
    assert.equal((await planFeed(app.ctx.storage.reads, {})).parts.flat().length, 2)
  }),
)

forEachEngine('a database of an older version gets all public texts at its first maintenance', async (engine) => {
  const place = await makePlace(engine)
  const first = await openWorld(engine, place)
  let before: Json
  try {
    await createEdited(first.writer, 'public')
    await first.writer.creates({ ...choir, uid: 'b@example.org', visibility: 'private' })
    before = await dump(first)
    await undoMigration(first.app.ctx.storage.writes)
    // Here and not by the next start, whose backup refuses a schema that no version has had.
    await migrate(first.app.ctx.storage)
  } finally {
    await first.app.close()
  }
  // Without the jobs of a whole service, which would do it too.
  const ctx = await openContext(loadConfig({ ...place.settings, DAYBOOK_LOG_LEVEL: 'silent' }, place.folder))
  const second = { app: { ctx } }
  assert.equal(await textOf(second, before.texts[0].id), '')
  assert.equal((await followZoneData(ctx, process.versions.tz!))?.changed, 2)
  assert.deepEqual(await dump(second), before)
  assert.equal(await followZoneData(ctx, process.versions.tz!), undefined)
  await ctx.storage.close()
  await withWorld(
    engine,
    async ({ anonymous }) => {
      const found = await anonymous.get('/events?view=month&q=choir')
      assert.equal(found.body.data.length, 1)
    },
    { place },
  )
  await place.remove()
})

/** As the version before left it: no public texts and words, and its own search text. */
async function undoMigration(db: Db): Promise<void> {
  const statements = [
    ...['public_events', 'public_exceptions', 'public_feed'].map((view) => `drop view ${view}`),
    ...['public_events', 'public_exceptions'].map((view) => `create view ${view} as select 1 as one`),
    ...['public_words', 'feed_links'].map((table) => `drop table ${table}`),
    ...['public_ical', 'mask_epoch'].map((column) => `alter table events drop column ${column}`),
    `update events set search_text = 'choir'`,
    `update exceptions set search_text = 'choir' where search_text is not null`,
    `delete from migrations where name = '003-public'`,
    `update instance set tz_version = '2026a'`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

forEachEngine('a feed is read in the order of keys, in parts, and complete but for broken texts', (engine) =>
  withWorld(engine, async ({ writer, app, anonymous }) => {
    const ids: string[] = []
    for (let i = 0; i < 260; i++) {
      const fields = { ...choir, uid: `${i}@example.org`, visibility: i % 2 === 0 ? 'public' : 'private' }
      ids.push((await writer.creates({ ...fields, description: 'é'.repeat(99) })).id)
    }
    const { reads, writes } = app.ctx.storage
    assert.ok((await planFeed(reads, {})).parts.length > 1)
    const { texts } = await readFeed(reads, {})
    assert.equal(texts.length, 260)
    const one = await findPublicText(reads, ids.sort()[0]!)
    assert.deepEqual(one, { text: texts[0], zone: 'Europe/London' })
    for (const id of ['nothing', `${'0'.repeat(25)}1`, '']) assert.equal(await findPublicText(reads, id), undefined)
    const whole = (await anonymous.get('/public/calendar.ics')).text
    assert.ok(whole.includes(texts.join('')))
    await writes.updateTable('events').set({ public_ical: 'BEGIN:VEVENT\r\n' }).where('id', '=', ids[0]!).execute()
    await writer.creates({ ...choir, uid: 'last@example.org', visibility: 'public' })
    const others = (await anonymous.get('/public/calendar.ics')).text
    // The new event may be between them: keys are random within a millisecond.
    const missing = texts.filter((text) => !others.includes(text))
    assert.deepEqual(missing, [texts[0]])
    assert.equal(others.match(/BEGIN:VEVENT/g)!.length, others.match(/END:VEVENT/g)!.length)
  }),
)

forEachEngine('P2: a category filter finds public events and no private one', (engine) =>
  withWorld(engine, async ({ writer, app }) => {
    const { id } = await writer.creates({ ...choir, visibility: 'public', category: 'Music' })
    await writer.creates({ ...choir, uid: 'b@example.org', visibility: 'private', category: 'Music' })
    await writer.creates({
      ...choir,
      uid: 'c@example.org',
      visibility: 'private',
      category: 'Medical',
      timezone: 'UTC',
    })
    const { reads } = app.ctx.storage
    const found = await findPublicText(reads, id)
    assert.deepEqual(await readFeed(reads, { categories: ['Music'] }), { texts: [found?.text], zones: [found?.zone] })
    assert.deepEqual(await readFeed(reads, { categories: ['Medical'] }), { texts: [], zones: [] })
  }),
)

forEachEngine('`from` leaves out events that are over, by their public occurrences', (engine) =>
  withWorld(engine, async ({ writer, app }) => {
    const event = (title: string, start: string, end: string, more: object = {}) =>
      writer.creates({ title, visibility: 'public', start, end, ...more })
    await event('over', '2026-07-01T09:00', '2026-07-01T10:00')
    await event('reaching in', '2026-07-09T23:00', '2026-07-10T01:00')
    await event('a moment', '2026-07-10T00:00', '2026-07-10T00:00', { timezone: 'UTC' })
    await event('ahead', '2026-09-01T09:00', '2026-09-01T10:00', { timezone: 'America/New_York' })
    await event('endless', '2020-01-01T09:00', '2020-01-01T10:00', { rrule: 'FREQ=WEEKLY' })
    await event('ended', '2020-01-01T09:00', '2020-01-01T10:00', { rrule: 'FREQ=WEEKLY;COUNT=9' })
    await event('yesterday', '2026-07-09', '2026-07-10', { all_day: true })
    await event('today', '2026-07-10', '2026-07-11', { all_day: true })
    const moved = await event('moved', '2020-01-01T09:00', '2020-01-01T10:00', { rrule: 'FREQ=WEEKLY;COUNT=2' })
    const later = { start: '2026-08-01T09:00', end: '2026-08-01T10:00', version: 1 }
    await writer.patch(`/events/${moved.id}/occurrences/20200108T090000`, later)
    const titlesFrom = async (from: number): Promise<string[]> => {
      const { texts } = await readFeed(app.ctx.storage.reads, { from })
      return [...new Set(texts.map((text) => /SUMMARY:(.*)\r/.exec(text)![1]!))].sort()
    }
    const at = Date.parse('2026-07-09T23:59:59Z')
    assert.deepEqual(await titlesFrom(at), [
      'a moment',
      'ahead',
      'endless',
      'moved',
      'reaching in',
      'today',
      'yesterday',
    ])
    assert.deepEqual(await titlesFrom(at + 13 * 3_600_000), ['ahead', 'endless', 'moved', 'today'])
    const zonesFrom = async (from: number): Promise<string[]> => (await readFeed(app.ctx.storage.reads, { from })).zones
    assert.deepEqual(await zonesFrom(at), ['America/New_York', 'Europe/London'])
    assert.deepEqual(await zonesFrom(Date.parse('2030-01-01')), ['Europe/London'])
    // For the public, a private series whose last occurrence was cancelled is over when the one before is.
    await change(writer, moved.id, { visibility: 'private' })
    assert.ok((await titlesFrom(at)).includes('Private Event'))
    const { version } = (await writer.get(`/events/${moved.id}`)).body.data
    await writer.patch(`/events/${moved.id}/occurrences/20200108T090000`, { status: 'cancelled', version })
    assert.ok(!(await titlesFrom(at)).includes('Private Event'))
  }),
)

forEachEngine('a public search reads the word index, not all events', (engine) =>
  withWorld(engine, async ({ writer, app }) => {
    await createEdited(writer, 'public')
    const db = app.ctx.storage.reads
    const filters = { words: ['cho', 'zq'] }
    const july = { from: Date.UTC(2026, 6, 1), to: Date.UTC(2026, 7, 1) }
    const asked = await statementsOf(db, async () => {
      await listStoredRefs(db, 'public', { filters }, 10, { at: 0, date: 0 })
      await countStored(db, 'public', { filters })
      await countStoredByDay(db, 'public', { filters })
      await listOccurrenceRefs(db, { sight: 'public', filters }, { timed: july, dates: july }, 10)
      await resolveMatches(db, 'public', { ...filters, categories: ['zqcategory'] })
    })
    assert.ok(asked.length >= 7)
    for (const { text, parameters } of asked) {
      const plan = await planOf(engine, db, text, parameters)
      assert.match(plan, /public_words|SEARCH w /)
      assert.doesNotMatch(plan, /SCAN (?:e|w|o|events|public_words|occurrences)\b|Seq Scan/, plan)
    }
  }),
)

forEachEngine(
  'categories and times of exceptions are read for the public from indexes, not with their words',
  (engine) =>
    withWorld(engine, async ({ writer, app }) => {
      await createEdited(writer, 'public')
      const db = app.ctx.storage.reads
      const { key } = await db.selectFrom('events').select('key').executeTakeFirstOrThrow()
      const asked = await statementsOf(db, async () => {
        await listPublicCategories(db, 500)
        for await (const _ of walkExceptionTimes(db, { sight: 'public', keys: [key] }));
      })
      assert.equal(asked.length, 3, 'categories, the number of exceptions, their times')
      for (const { text, parameters } of asked) {
        const plan = await planOf(engine, db, text, parameters)
        const reads = plan.split('\n').filter((line) => /(?:SCAN|SEARCH|Scan using|Scan on) .*\bx\b/.test(line))
        assert.ok(reads.length > 0, plan)
        // PostgreSQL stores long words outside its rows, and may read these by a bitmap of the index.
        if (engine === 'sqlite') for (const line of reads) assert.match(line, /COVERING INDEX/, plan)
        assert.doesNotMatch(plan, /Seq Scan/, plan)
      }
    }),
)

forEachEngine(
  'categories of many edited occurrences are read on their own connection, excluded dates do not count',
  (engine) =>
    withWorld(engine, async ({ writer, app }) => {
      const { ctx } = app
      const { writes, reads } = ctx.storage
      let opened = 0
      const openReader = (): StorageReader => {
        opened += 1
        return ctx.storage.openReader()
      }
      const counted: Context = { ...ctx, storage: { ...ctx.storage, openReader } }
      const insertExceptions = async (id: string, kind: 'excluded' | 'overridden'): Promise<void> => {
        const { key } = await reads.selectFrom('events').select('key').where('id', '=', id).executeTakeFirstOrThrow()
        const category = kind === 'overridden' ? 'zqedited' : null
        await sql`insert into exceptions (event_key, local_at, kind, category, created_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 4100)
        select ${sql.lit(key)}, i, ${sql.lit(kind)}, ${sql.lit(category)}, 0 from n`.execute(writes)
      }
      const daily = { ...choir, rrule: 'FREQ=DAILY', visibility: 'public' }
      const excluded = await writer.creates({ ...daily, uid: 'zqexcluded' })
      await insertExceptions(excluded.id, 'excluded')
      const hidden = await writer.creates({ ...daily, uid: 'zqhidden', visibility: 'private' })
      await insertExceptions(hidden.id, 'overridden')
      assert.deepEqual(await listCategories(counted, SERVICE_CALLER), [{ name: 'zqcategory', count: 1 }])
      assert.equal(opened, 0)
      const edited = await writer.creates({ ...daily, uid: 'zqedited' })
      await insertExceptions(edited.id, 'overridden')
      assert.deepEqual(await listCategories(counted, SERVICE_CALLER), [
        { name: 'zqcategory', count: 2 },
        { name: 'zqedited', count: 1 },
      ])
      assert.equal(opened, 1)
    }),
)

interface SqlStatement {
  text: string
  parameters: readonly unknown[]
}

/** The statements that reach the engine, without those of the job that sends mail meanwhile. */
async function statementsOf(db: Db, work: () => Promise<void>): Promise<SqlStatement[]> {
  const asked: SqlStatement[] = []
  const reader = directReaders.get(db)!
  directReaders.set(db, (text, parameters) => {
    if (!text.includes('outbox')) asked.push({ text, parameters })
    return reader(text, parameters)
  })
  try {
    await work()
  } finally {
    directReaders.set(db, reader)
  }
  return asked
}

/** PostgreSQL scans a handful of rows sequentially unless that is made costly. */
async function planOf(engine: Engine, db: Db, text: string, parameters: readonly unknown[]): Promise<string> {
  const explain = engine === 'postgres' ? 'explain' : 'explain query plan'
  return db.transaction().execute(async (transaction) => {
    if (engine === 'postgres') await sql`set local enable_seqscan = off`.execute(transaction)
    const query = CompiledQuery.raw(`${explain} ${text}`, [...parameters])
    const { rows } = await transaction.executeQuery<Record<string, string>>(query)
    return rows.map((row) => row.detail ?? row['QUERY PLAN']).join('\n')
  })
}
