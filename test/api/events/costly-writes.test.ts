// Costly writes: an event at its limits is written in parts that yield, and its cost counts against its author.
import assert from 'node:assert/strict'
import test from 'node:test'
import { deleteObject, moveObject, putObject } from '../../../src/actions/caldav-objects/put-object.ts'
import {
  isCostlyText,
  OUTDATED,
  runLight,
  unlessOutdated,
  withWritePermit,
} from '../../../src/actions/costly-work/costly-writes.ts'
import type { Caller } from '../../../src/actions/costly-work/semaphore.ts'
import { createEvent, deleteEvent, patchEvent, replaceEvent } from '../../../src/actions/events/events.ts'
import { importCalendar } from '../../../src/actions/transfer/import.ts'
import type { EventFields, FieldsPatch } from '../../../src/domain/calendar/fields.ts'
import { OPERATOR } from '../../../src/domain/privacy/viewer.ts'
import { inOneStep, type Steps } from '../../../src/domain/steps.ts'
import { DAY_MS } from '../../../src/domain/time/instant.ts'
import { formatBasicLocal } from '../../../src/domain/time/text.ts'
import { lines } from '../../ical/objects.ts'
import { davOf } from '../../support/http/dav.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

const FIRST = Date.parse('2026-01-01T09:00:00Z')
const at = (day: number): string => `;TZID=Europe/Berlin:${formatBasicLocal(FIRST + day * DAY_MS)}`
const days = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const HEAD = ['UID:worst', 'DTSTAMP:20260101T000000Z', 'DURATION:PT1H', 'CLASS:PRIVATE']

const seriesText = (title: string, more: readonly string[], edits: readonly string[][] = []): string =>
  lines(
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...[[`DTSTART${at(0)}`, 'RRULE:FREQ=DAILY', `SUMMARY:${title}`, ...more], ...edits].flatMap((event) => [
      'BEGIN:VEVENT',
      ...HEAD,
      ...event,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  )

const withEdits = (title: string, count: number): string =>
  seriesText(
    title,
    [],
    days(count).map((day) => [`RECURRENCE-ID${at(day)}`, `DTSTART${at(day)}`, `SUMMARY:${title} ${day}`]),
  )

const wordsOf = (day: number): string =>
  days(40)
    .map((i) => `w${(day * 40 + i).toString(36)}`)
    .join(' ')

const withWords = (title: string, count: number): string =>
  seriesText(
    title,
    [],
    days(count).map((day) => [`RECURRENCE-ID${at(day)}`, `DTSTART${at(day)}`, `DESCRIPTION:${wordsOf(day)}`]),
  ).replaceAll('CLASS:PRIVATE', 'CLASS:PUBLIC')

/** Few edited occurrences, with words that are slow to fold. */
const withLongTexts = (title: string, count: number): string =>
  seriesText(
    title,
    [],
    days(count).map((day) => [
      ...[`RECURRENCE-ID${at(day)}`, `DTSTART${at(day)}`],
      `DESCRIPTION:${'\u6f22'.repeat(9_900)}`,
    ]),
  ).replaceAll('CLASS:PRIVATE', 'CLASS:PUBLIC')

const withExclusions = (title: string, count: number): string =>
  seriesText(
    title,
    days(count).map((day) => `EXDATE${at(day)}`),
  )

forEachEngine('F46: a write of an event at its limits yields to other requests', (engine) =>
  withWorld(engine, async (world) => {
    const dav = davOf(world.writer)
    const url = '/caldav/calendars/main/worst.ics'
    const put = async (text: string) => assert.equal((await dav.put(url, text, { 'if-match': '*' })).status, 204)
    assert.equal((await dav.put(url, withEdits('none', 0))).status, 201)
    const patch = async (title: string) => {
      const { body } = await world.writer.get('/events?page=1')
      const [{ id, version }] = body.data
      assert.equal((await world.writer.patch(`/events/${id}`, { title, version })).status, 200)
    }
    await assertShortTurns('put, edited', { share: 0.5 }, (run) => put(withEdits(`${run}`, 1_000)))
    await assertShortTurns('patch, edited', { share: 0.5 }, (run) => patch(`${run} times`))
    await assertShortTurns('put, excluded', { share: 0.5 }, (run) => put(withExclusions(`${run}`, 5_000)))
    await assertShortTurns('patch, excluded', { share: 0.5 }, (run) => patch(`${run} times`))
    await assertShortTurns('put, long texts', { share: 0.25 }, (run) => put(withLongTexts(`${run}`, 20)))
    await assertShortTurns('patch, long texts', { share: 0.25 }, (run) => patch(`${run} times`))
  }),
)

forEachEngine('F46: an import of events at their limits yields to other requests', (engine) =>
  withWorld(engine, async ({ admin }) => {
    const send = async (text: string, query: string, result: string): Promise<void> => {
      const { body } = await admin.post(`/admin/import${query}`, text, { 'content-type': 'text/calendar' })
      assert.equal(body.data[result], 1, JSON.stringify(body))
    }
    assert.equal(
      (await admin.post('/admin/import', withEdits('none', 0), { 'content-type': 'text/calendar' })).status,
      200,
    )
    const texts = {
      edited: (run: number) => withEdits(`${run}`, 1_000),
      excluded: (run: number) => withExclusions(`${run}`, 5_000),
    }
    for (const [name, textOf] of Object.entries(texts)) {
      await assertShortTurns(`dry run, ${name}`, { share: 0.5 }, (run) => send(textOf(run), '?dry_run=true', 'updated'))
      await assertShortTurns(name, { share: 0.5 }, (run) => send(textOf(run), '', 'updated'))
    }
  }),
)

test('F46: an event with very many rows is deleted in parts', () =>
  withWorld('sqlite', async ({ writer, app }) => {
    const dav = davOf(writer)
    let id = ''
    const create = async (run: number): Promise<void> => {
      const { status } = await dav.put('/caldav/calendars/main/worst.ics', withWords(`${run}`, 400))
      assert.equal(status, 201)
      id = (await writer.get('/events?page=1')).body.data[0].id
    }
    const { result } = await assertShortTurns('delete', { share: 0.4 }, () => writer.delete(`/events/${id}`), create)
    assert.equal(result.status, 204)
    for (const table of ['exceptions', 'occurrences', 'public_words'] as const)
      assert.deepEqual(await app.ctx.storage.reads.selectFrom(table).selectAll().execute(), [])
  }))

/** As many words as characters. */
const HAN = Array.from({ length: 9_900 }, (_, i) => String.fromCharCode(0x4e00 + i)).join('')

test('a costly text is recognised by its rules and periods, not only by its length', () => {
  const isCostly = (...lines: string[]): boolean => isCostlyText(['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n'))
  const periods = Array.from({ length: 30 }, (_, day) => `2026080${day % 9}T100000Z/PT2H`).join()
  const costly = [
    ['RRULE:FREQ=MINUTELY;INTERVAL=751'],
    ['RRULE:FREQ=MINUTELY;X-A=1;INTERVAL=751'],
    ['RRULE:FREQ=DAILY; COUNT=10000'],
    ['RRULE:FREQ=DAI', ' LY;COUNT=10000'],
    ['RRULE:FREQ=DAILY', 'X-DAYBOOK-RRULE:FREQ=MINUTELY'],
    ['RRULE:FREQ=OFTEN'],
    ['RRULE:FREQ=DAILY;BYHOUR=9,12,15'],
    [`DESCRIPTION:${HAN.slice(0, 1_200)}`],
    [`DESCRIPTION:${'an egg '.repeat(600)}`],
    ['BEGIN:VTIMEZONE', 'END: VTIMEZONE', 'RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY', 'END:VTIMEZONE'],
    ['RDATE;TZ\u0001ID=Europe/London:20260801T100000'],
    ['RECURRENCE-ID;X-A="a:b";RANGE=THISANDFUTURE:20260801T100000Z'],
    Array.from({ length: 11 }, (_, i) => `X-A;TZID=Z${i}:20260801T100000`),
    [`DESCRIPTION:${'a'.repeat(500)}`, `RDATE;VALUE=PERIOD:${periods}`],
  ]
  for (const lines of costly) assert.ok(isCostly(...lines), lines.join())
  assert.ok(!isCostly('RRULE:FREQ=WEEKLY;COUNT=10', 'RDATE;VALUE=PERIOD:20260801T100000Z/PT2H'))
})

test('a light write that takes long is aborted, to be done with a permit', async () => {
  function* parts(): Steps<string> {
    for (let i = 0; i < 3; i++) yield useProcessor()
    return 'late'
  }
  assert.equal(await unlessOutdated(async () => runLight(inOneStep(() => 'done'))), 'done')
  assert.equal(await unlessOutdated(async () => runLight(parts())), OUTDATED)
})

forEachEngine('an event with many rows is written with a permit, however short its text is', (engine) =>
  withWorld(engine, async ({ app, writer }) => {
    const busy = Promise.withResolvers<void>()
    const caller: Caller = { key: 'other', isAccount: true, charge() {} }
    const held = withWritePermit(app.ctx, caller, () => busy.promise)
    const times = { start: '2026-07-14T09:00', end: '2026-07-14T10:00', visibility: 'public' }
    let isDone = false
    const created = writer.post('/events', { title: 'Words', ...times, description: HAN }).finally(() => {
      isDone = true
    })
    // A light write ends meanwhile.
    assert.equal((await writer.post('/events', { title: 'Light', ...times })).status, 201)
    assert.equal(isDone, false, 'it waits for the permit')
    busy.resolve()
    await held
    assert.equal((await created).status, 201)
  }),
)

/** For 30 ms of processor time, however busy the machine is. */
function useProcessor(): void {
  const before = process.threadCpuUsage()
  while (process.threadCpuUsage(before).user < 30_000);
}

/** Uses up all but some of the requests that the writer has in a minute. */
async function leaveRequests({ writer }: World, left: number): Promise<void> {
  for (let i = 0; i < 600 - left; i++) assert.equal((await writer.get('/events?page=1&per_page=1')).status, 200)
}

test('costly writes are charged by their time, and are refused where a light write would not be', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const { writer, reader, clock } = world
      const dav = davOf(writer)
      const put = (name: string, text: string, headers = {}) =>
        dav.put(`/caldav/calendars/main/${name}.ics`, text, headers)
      const known = { 'if-match': '*' }
      assert.equal((await put('light', withEdits('light', 1).replaceAll('UID:worst', 'UID:light'))).status, 201)
      await leaveRequests(world, 3)
      assert.equal((await put('light', withEdits('again', 1).replaceAll('UID:worst', 'UID:light'), known)).status, 204)
      assert.equal((await put('worst', withEdits('worst', 1_000))).status, 201)
      const refused = await put('worst', withEdits('again', 2_000), known)
      assert.equal(refused.status, 429)
      assert.match(String(refused.headers['ratelimit-policy']), /^"api-user"/)
      assert.equal((await writer.post('/events', {})).status, 429)
      assert.equal((await reader.get('/events?page=1')).status, 200)
      clock.at += 120_000
      assert.equal((await put('worst', withEdits('later', 100), known)).status, 204)
    },
    { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
  ))

forEachEngine('of a costly write and a write between its parts, the later one is refused', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const dav = davOf(writer)
    const url = '/caldav/calendars/main/worst.ics'
    const { headers } = await dav.put(url, withEdits('first', 200))
    const etag = String(headers.etag)
    const answers = await Promise.all([
      dav.put(url, withEdits('one', 200), { 'if-match': etag }),
      dav.put(url, withEdits('two', 1), { 'if-match': etag }),
      dav.put(url, withEdits('three', 200), { 'if-match': etag }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 412, 412])
    const { body } = await writer.get('/events?page=1')
    const [{ id, version }] = body.data
    const changes = await Promise.all(['a', 'b', 'c'].map((title) => writer.patch(`/events/${id}`, { title, version })))
    assert.deepEqual(changes.map(({ status }) => status).sort(), [200, 412, 412])
  }),
)

const HOURS = days(24).join()
const WEEKLY = { title: 'A', start: '2026-07-14T10:00', end: '2026-07-14T11:00', rrule: 'FREQ=WEEKLY' }
const HOURLY = { ...WEEKLY, rrule: `FREQ=DAILY;BYHOUR=${HOURS}` }
/** Pacific/Norfolk under another TZID, as Outlook defines it: it fits only since 2020. */
const definitionOf = (i: number): string =>
  lines(
    ...['BEGIN:VTIMEZONE', `TZID:Own ${i}`],
    ...['BEGIN:STANDARD', 'DTSTART:19700405T030000', 'TZOFFSETFROM:+1200', 'TZOFFSETTO:+1100'],
    ...['RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU', 'END:STANDARD'],
    ...['BEGIN:DAYLIGHT', 'DTSTART:19701004T020000', 'TZOFFSETFROM:+1100', 'TZOFFSETTO:+1200'],
    ...['RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU', 'END:DAYLIGHT', 'END:VTIMEZONE'],
  )

/** A series with so many VTIMEZONE definitions, each used by one excluded date. */
const withDefinitions = (title: string, count: number): string =>
  seriesText(
    title,
    days(count).map((i) => `EXDATE;TZID=Own ${i}:20260105T090000`),
  ).replace('BEGIN:VEVENT', `${days(count).map(definitionOf).join('')}BEGIN:VEVENT`)

const ZONES = Intl.supportedValuesOf('timeZone')
const exclusionsIn = (count: number): string[] =>
  ZONES.slice(0, count).map((zone) => `EXDATE;TZID=${zone}:20260105T090000`)
const keysOf = (count: number): string[] => days(count).map((day) => formatBasicLocal(FIRST + day * DAY_MS))

test('whether a write is costly depends on its work, and not on its length alone', () =>
  withWorld('sqlite', async ({ app: { ctx } }) => {
    const isCharged = async (act: (caller: Caller) => Promise<unknown>): Promise<boolean> => {
      const charges: number[] = []
      await act({ key: 'author', charge: (costMs) => void charges.push(costMs) })
      return charges.length > 0
    }
    const post = (fields: EventFields) => isCharged((caller) => createEvent(ctx, OPERATOR, fields, { caller }))
    const putText = (name: string, text: string) =>
      isCharged((caller) =>
        putObject(ctx, OPERATOR, `${name}.ics`, text.replace('UID:worst', `UID:${name}`), {}, caller),
      )
    const put = (name: string, rule: string, ...more: string[]) =>
      putText(name, seriesText(name, more).replace('RRULE:FREQ=DAILY', `RRULE:${rule}`))
    const putDefined = (name: string, count: number) => putText(name, withDefinitions(name, count))
    const create = async (fields: EventFields): Promise<string> => (await createEvent(ctx, OPERATOR, fields, {})).id
    const patch = async (fields: EventFields, change: FieldsPatch) => {
      const id = await create(fields)
      return isCharged((caller) => patchEvent(ctx, OPERATOR, id, change, undefined, {}, caller))
    }
    const replace = async (fields: EventFields, by: EventFields) => {
      const id = await create(fields)
      return isCharged((caller) => replaceEvent(ctx, OPERATOR, id, by, undefined, {}, caller))
    }
    const refused = (act: (caller: Caller) => Promise<unknown>) =>
      isCharged((caller) => assert.rejects(act(caller), { code: 'validation_failed' }))
    const wrong = { exdates: days(400).map(() => 'never') }
    const single = await create(WEEKLY)
    const remove = async (fields: EventFields) => {
      const id = await create(fields)
      return isCharged((caller) => deleteEvent(ctx, OPERATOR, id, {}, caller))
    }
    const store = async (name: string, rule: string): Promise<void> => void (await put(name, rule))
    const putOver = async (name: string, rule: string) => {
      await store(name, rule)
      const text = seriesText(name, []).replace('UID:worst', `UID:${name}`)
      return isCharged((caller) => putObject(ctx, OPERATOR, `${name}.ics`, text, { etags: ['*'] }, caller))
    }
    const deleteStored = async (name: string, rule: string) => {
      await store(name, rule)
      return isCharged((caller) => deleteObject(ctx, OPERATOR, `${name}.ics`, undefined, caller))
    }
    const moveStored = async (name: string, rule: string) => {
      await store(name, rule)
      const move = { overwrite: false }
      return isCharged((caller) => moveObject(ctx, OPERATOR, `${name}.ics`, `${name}-moved.ics`, move, caller))
    }
    assert.deepEqual(
      {
        light: {
          post: await post(WEEKLY),
          'post, some dates': await post({ ...WEEKLY, exdates: keysOf(50) }),
          put: await put('light', 'FREQ=WEEKLY;BYDAY=TU,WE'),
          'put, twice a day': await put('twice', 'FREQ=DAILY;BYHOUR=9,17;COUNT=700'),
          'put, some zones': await put('zones', 'FREQ=DAILY', ...exclusionsIn(9)),
          patch: await patch(WEEKLY, { title: 'B' }),
          replace: await replace(WEEKLY, { ...WEEKLY, title: 'B' }),
          delete: await remove(WEEKLY),
          'put over a light one': await putOver('light-put', 'FREQ=WEEKLY'),
          'delete over CalDAV': await deleteStored('light-delete', 'FREQ=WEEKLY'),
          'move of a light one': await moveStored('light-moved', 'FREQ=WEEKLY'),
        },
        costly: {
          post: await post(HOURLY),
          'post, many times': await post({ ...WEEKLY, rrule: 'FREQ=DAILY;COUNT=9000' }),
          'post, many dates': await post({ ...WEEKLY, exdates: keysOf(400) }),
          'post, refused': await refused((caller) => createEvent(ctx, OPERATOR, { ...WEEKLY, ...wrong }, { caller })),
          'put, each second': await put('seconds', 'FREQ=SECONDLY;INTERVAL=7'),
          'put, each hour in a folded line': await put(
            'hours',
            `FREQ=DAILY;BYHOUR=${HOURS.slice(0, 30)}\r\n ${HOURS.slice(30)}`,
          ),
          'put, many dates': await put('dates', 'FREQ=DAILY', `EXDATE;TZID=Europe/Berlin:${keysOf(400)}`),
          'put, four zones defined': await putDefined('definitions', 4),
          'put, many zones': await put('places', 'FREQ=DAILY', ...exclusionsIn(10)),
          'patch of hours': await patch(HOURLY, { title: 'B' }),
          'patch to hours': await patch(WEEKLY, { rrule: HOURLY.rrule }),
          'patch, many dates': await patch(WEEKLY, { exdates: keysOf(400) }),
          'patch, refused': await refused((caller) => patchEvent(ctx, OPERATOR, single, wrong, undefined, {}, caller)),
          'replace by hours': await replace(WEEKLY, HOURLY),
          'replace of hours': await replace(HOURLY, WEEKLY),
          'delete of hours': await remove(HOURLY),
          'put over hours': await putOver('put', HOURLY.rrule),
          'delete of hours over CalDAV': await deleteStored('delete', HOURLY.rrule),
          'move of hours': await moveStored('moved', HOURLY.rrule),
          'replace, refused': await refused((caller) =>
            replaceEvent(ctx, OPERATOR, single, { ...WEEKLY, ...wrong }, undefined, {}, caller),
          ),
          'put, three zones without a known name': await putDefined('defined', 3),
          import: await isCharged((caller) => importCalendar(ctx, OPERATOR, withEdits('import', 1), { caller })),
        },
      },
      {
        light: {
          post: false,
          'post, some dates': false,
          put: false,
          'put, twice a day': false,
          'put, some zones': false,
          patch: false,
          replace: false,
          delete: false,
          'put over a light one': false,
          'delete over CalDAV': false,
          'move of a light one': false,
        },
        costly: {
          post: true,
          'post, many times': true,
          'post, many dates': true,
          'post, refused': true,
          'put, each second': true,
          'put, each hour in a folded line': true,
          'put, many dates': true,
          'put, four zones defined': true,
          'put, many zones': true,
          'patch of hours': true,
          'patch to hours': true,
          'patch, many dates': true,
          'patch, refused': true,
          'replace by hours': true,
          'replace of hours': true,
          'delete of hours': true,
          'put over hours': true,
          'delete of hours over CalDAV': true,
          'move of hours': true,
          'replace, refused': true,
          'put, three zones without a known name': true,
          import: true,
        },
      },
    )
  }))

test('F46: a write or an import with many VTIMEZONE definitions yields to other requests', () =>
  withWorld('sqlite', async ({ app: { ctx } }) => {
    const textOf = (name: string): string => withDefinitions(name, 100).replace('UID:worst', `UID:${name}`)
    await assertShortTurns('put', { ms: 100 }, (run) => putObject(ctx, OPERATOR, `${run}.ics`, textOf(`put${run}`), {}))
    await assertShortTurns('import', { ms: 100 }, async (run) => {
      const { created, skipped } = await importCalendar(ctx, OPERATOR, textOf(`import${run}`))
      assert.deepEqual({ created, skipped }, { created: 1, skipped: 0 })
    })
  }))

forEachEngine('a costly event that is created twice under one idempotency key is stored once, as sent', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const send = () => writer.post('/events', { ...HOURLY, exdates: keysOf(3) }, { 'idempotency-key': 'once' })
    const answers = await Promise.all([send(), send()])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    )
    const [one, other] = answers.map(({ body }) => body.data)
    assert.equal(one.id, other.id)
    assert.equal(one.rrule, HOURLY.rrule)
    const { body } = await writer.get('/events?page=1')
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [one.id],
    )
  }),
)
