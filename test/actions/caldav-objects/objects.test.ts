// CalDAV objects for sync clients: stored as sent, read back, and every change listed once.
import assert from 'node:assert/strict'
import { type ChangesPage, readCollection, walkChanges } from '../../../src/actions/caldav-objects/changes.ts'
import { changeOwnProperties, readOwnProperties } from '../../../src/actions/caldav-objects/dav-properties.ts'
import { findObject } from '../../../src/actions/caldav-objects/objects.ts'
import { deleteObject, moveObject, putObject } from '../../../src/actions/caldav-objects/put-object.ts'
import { walkHeads, walkObjects } from '../../../src/actions/caldav-objects/walk-objects.ts'
import { type AccountViewer, createAccountViewer } from '../../../src/domain/privacy/viewer.ts'
import { runSteps } from '../../../src/domain/steps.ts'
import { requireZone } from '../../../src/domain/time/zone.ts'
import { findAccountByEmailKey } from '../../../src/storage/accounts/accounts.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { purgeTombstones } from '../../../src/storage/events/tombstones.ts'
import { rehearsal as event } from '../../caldav/support/events.ts'
import { listChanges } from '../../support/changes.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { copySeries } from '../../support/storage/many-events.ts'
import { type World, withWorld } from '../../support/world.ts'

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'done'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

async function personWith(world: World, role: 'reader' | 'writer'): Promise<AccountViewer> {
  await world.addPerson(`${role}2@example.org`, role)
  const found = await findAccountByEmailKey(world.app.ctx.storage.reads, `${role}2@example.org`)
  return createAccountViewer(found!.account, true, { proof: 'password', passwordHash: found!.passwordHash })
}

const collect = async <Item>(pages: AsyncGenerator<Item[]>): Promise<Item[]> => (await Array.fromAsync(pages)).flat()

forEachEngine('an object comes back byte for byte as the client sent it, until it is changed another way', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const writer = await personWith(world, 'writer')
    const sent = event('a@x', ['X-ODD;p="q":  kept ', 'BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT5M', 'END:VALARM'])
    const put = await putObject(ctx, writer, 'any name.ics', sent, { mustBeNew: true })
    assert.equal(put.isNew, true)
    const object = (await findObject(ctx, writer, 'any name.ics'))!
    assert.equal(object.text, sent)
    assert.equal(object.etag, put.head!.etag)
    assert.equal(runSteps(object.open(requireZone(ctx.config.timezone))).series.details.title, 'Rehearsal')
    const [listed] = (await world.writer.get('/events')).body.data
    assert.equal(listed.uid, 'a@x')
    await world.writer.patch(`/events/${listed.id}`, { title: 'Concert', version: 1 })
    const changed = (await findObject(ctx, writer, 'any name.ics'))!
    assert.notEqual(changed.etag, object.etag)
    assert.match(changed.text, /SUMMARY:Concert/)
    assert.match(changed.text, /X-ODD;p="q": {2}kept \r\n/)
    assert.match(changed.text, /BEGIN:VTIMEZONE\r\nTZID:Europe\/London[\s\S]*TRIGGER:-PT5M/)
  }),
)

forEachEngine('overwriting needs the current ETag; a name or a UID can be taken only once', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const writer = await personWith(world, 'writer')
    const reader = await personWith(world, 'reader')
    const { head } = await putObject(ctx, writer, 'a.ics', event('a@x'), {})
    const put = (name: string, uid: string, expected: Parameters<typeof putObject>[4]) =>
      codeOf(putObject(ctx, writer, name, event(uid), expected))
    assert.equal(await put('a.ics', 'a@x', {}), 'version_mismatch')
    assert.equal(await put('a.ics', 'a@x', { mustBeNew: true }), 'version_mismatch')
    assert.equal(await put('a.ics', 'a@x', { etags: ['"other"'] }), 'version_mismatch')
    assert.equal(await put('b.ics', 'b@x', { etags: ['*'] }), 'version_mismatch')
    assert.equal(await put('a.ics', 'other@x', { etags: [head!.etag] }), 'uid_conflict')
    assert.equal(await put('b.ics', 'a@x', {}), 'uid_conflict')
    assert.equal(await put('a.ics', 'a@x', { etags: [head!.etag] }), 'done')
    assert.equal(await codeOf(putObject(ctx, reader, 'c.ics', event('c@x'), {})), 'insufficient_capability')
    assert.equal(await codeOf(deleteObject(ctx, reader, 'a.ics')), 'insufficient_capability')
    assert.equal(await codeOf(deleteObject(ctx, writer, 'a.ics', [head!.etag])), 'version_mismatch')
    assert.equal(await codeOf(deleteObject(ctx, writer, 'a.ics')), 'done')
    assert.equal(await codeOf(deleteObject(ctx, writer, 'a.ics')), 'event_not_found')
  }),
)

forEachEngine('of fifty clients that create the same object at once one succeeds', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const writer = await personWith(world, 'writer')
    const codes = await Promise.all(
      Array.from({ length: 50 }, () => codeOf(putObject(ctx, writer, 'a.ics', event('a@x'), { mustBeNew: true }))),
    )
    assert.equal(codes.filter((code) => code === 'done').length, 1)
    assert.deepEqual(
      new Set(codes.filter((code) => code !== 'done' && code !== 'storage_unavailable')),
      new Set(codes.includes('uid_conflict') ? ['version_mismatch', 'uid_conflict'] : ['version_mismatch']),
    )
  }),
)

forEachEngine('changes are listed in order, deleted objects by their name', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const writer = await personWith(world, 'writer')
    const start = (await readCollection(ctx, writer)).syncToken
    for (let i = 0; i < 10; i++) await putObject(ctx, writer, `${i}.ics`, event(`${i}@x`), {})
    const { id } = await world.writer.creates({ title: 'By hand', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
    const all = await listChanges(ctx, writer, '', 100)
    assert.equal(all.changed.length, 11)
    assert.equal(all.isComplete, true)
    assert.equal(all.token, (await readCollection(ctx, writer)).syncToken)
    assert.deepEqual(await listChanges(ctx, writer, all.token, 100), { ...all, changed: [], gone: [] })
    const names: string[] = []
    for (let token = start, isComplete = false; !isComplete; ) {
      const part = await listChanges(ctx, writer, token, 3)
      assert.ok(part.changed.length <= 3 && part.changed.length > 0)
      names.push(...part.changed.map(({ name }) => name))
      ;({ token, isComplete } = part)
    }
    assert.deepEqual(names, [...Array.from({ length: 10 }, (_, i) => `${i}.ics`), `${id}.ics`])
    assert.equal((await world.writer.delete(`/events/${id}`)).status, 204)
    await deleteObject(ctx, writer, '3.ics')
    await moveObject(ctx, writer, '4.ics', 'four.ics', { overwrite: false })
    await deleteObject(ctx, writer, '5.ics')
    await putObject(ctx, writer, '5.ics', event('again@x'), { mustBeNew: true })
    const since = await listChanges(ctx, writer, all.token, 100)
    assert.deepEqual(since.changed.map(({ name }) => name).sort(), ['5.ics', 'four.ics'])
    assert.deepEqual(since.gone.sort(), ['3.ics', '4.ics', `${id}.ics`].sort())
    const { token } = all
    for (const bad of ['data:,0000000000000000-1', 'nonsense', `${token}9`, `${token}/%`, `${token}/%00`, `${token}/`])
      assert.equal(await codeOf(listChanges(ctx, writer, bad, 10)), 'sync_token_invalid', bad)
    assert.equal(await codeOf(listChanges(ctx, writer, token.replace(/\d+$/, '99/a.ics'), 10)), 'sync_token_invalid')
  }),
)

forEachEngine('a paged initial sync completes, even after old tombstones are purged', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const writer = await personWith(world, 'writer')
    for (let i = 0; i < 7; i++) await putObject(ctx, writer, `${i}.ics`, event(`${i}@x`), {})
    await deleteObject(ctx, writer, '3.ics')
    await inTransaction(ctx.storage, (db) => purgeTombstones(db, ctx.clock() + 1))
    const has = new Set<string>()
    let token = ''
    for (let page = 0, isComplete = false; !isComplete && page < 10; page++) {
      const part = await listChanges(ctx, writer, token, 2)
      for (const { name } of part.changed) has.add(name)
      for (const name of part.gone) has.delete(name)
      // An object of the first page is deleted, and one is added, before the last page is read.
      if (page === 0) {
        await deleteObject(ctx, writer, part.changed[0]!.name)
        await putObject(ctx, writer, 'late.ics', event('late@x'), {})
      }
      ;({ token, isComplete } = part)
    }
    assert.deepEqual([...has].sort(), (await collect(walkHeads(ctx, writer))).map(({ name }) => name).sort())
    assert.deepEqual((await listChanges(ctx, writer, token, 2)).changed, [])
  }),
)

/** A sync client with a page size: the objects it has, and its current token. */
function makeDevice(world: World, viewer: AccountViewer, limit: number) {
  const { ctx } = world.app
  const device = { has: new Set<string>(), token: '', listed: [] as string[], nextPage, catchUp }
  return device

  async function nextPage(): Promise<boolean> {
    const { changed, gone, token, isComplete } = await listChanges(ctx, viewer, device.token, limit)
    const count = changed.length + gone.length
    assert.ok(isComplete ? count <= limit : count === limit, `${count} of ${limit}`)
    for (const name of gone) device.has.delete(name)
    for (const { name } of changed) device.has.add(name)
    device.listed.push(...changed.map(({ name }) => name), ...gone.map((name) => `-${name}`))
    device.token = token
    return isComplete
  }

  async function catchUp(): Promise<void> {
    device.listed = []
    for (let page = 0; !(await nextPage()); page++) assert.ok(page < 1_000, 'it ends')
    assert.deepEqual([...device.has].sort(), (await collect(walkHeads(ctx, viewer))).map(({ name }) => name).sort())
    assert.equal(device.token, (await readCollection(ctx, viewer)).syncToken)
  }
}

const importOf = (world: World, uids: readonly string[]) => {
  const events = uids.map((uid) => event(uid).split('\r\n').slice(3, -2).join('\r\n'))
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...events, 'END:VCALENDAR', ''].join('\r\n')
  return world.admin.post('/admin/import', text, { 'content-type': 'text/calendar; charset=utf-8' })
}

forEachEngine('a page limit also holds inside one revision: of a move, and of many events from one file', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const writer = await personWith(world, 'writer')
    const device = makeDevice(world, writer, 1)
    // Their order by UTF-16 code units differs from their order by bytes.
    const [emoji, wide] = ['\u{1f600}.ics', '\uff5e.ics']
    await putObject(ctx, writer, emoji, event('a@x'), {})
    await device.catchUp()
    for (const [from, to, listed] of [
      [emoji, wide, [wide, `-${emoji}`]],
      [wide, emoji, [`-${wide}`, emoji]],
      [emoji, 'a b~%.ics', ['a b~%.ics', `-${emoji}`]],
    ] as const) {
      await moveObject(ctx, writer, from, to, { overwrite: false })
      await device.catchUp()
      assert.deepEqual(device.listed, listed)
    }
    const seven = makeDevice(world, writer, 7)
    await seven.catchUp()
    const uids = Array.from({ length: 30 }, (_, i) => `${i}@x`)
    assert.equal((await importOf(world, uids)).status, 200)
    const revisions = (await collect(walkHeads(ctx, writer))).map(({ revision }) => revision)
    assert.equal(new Set(revisions).size, 2, 'all thirty are of one revision')
    await seven.catchUp()
    assert.deepEqual([seven.listed.length, new Set(seven.listed).size], [30, 30], 'each is listed once')
    const fresh = makeDevice(world, writer, 7)
    await fresh.catchUp()
    assert.equal(fresh.listed.length, 31)
  }),
)

forEachEngine('whatever changes between two pages, no change is missed and the sync ends', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const writer = await personWith(world, 'writer')
    const names = async () => (await collect(walkHeads(ctx, writer))).map(({ name }) => name)
    assert.equal(
      (
        await importOf(
          world,
          Array.from({ length: 12 }, (_, i) => `old${i}@x`),
        )
      ).status,
      200,
    )
    const devices = [1, 2, 5].map((limit) => makeDevice(world, writer, limit))
    for (let round = 0; round < 40; round++) {
      const all = await names()
      const [one, other] = [all[(round * 7) % all.length]!, all[(round * 11 + 3) % all.length]!]
      if (round % 5 === 0) await importOf(world, [`i${round}@x`, `j${round}@x`, `k${round}@x`])
      else if (round % 5 === 1) await deleteObject(ctx, writer, one)
      else if (round % 5 === 2) await moveObject(ctx, writer, one, `${round % 3}-${one}`, { overwrite: true })
      else if (round % 5 === 3 && one !== other) {
        await deleteObject(ctx, writer, other)
        await moveObject(ctx, writer, one, other, { overwrite: true })
      } else await putObject(ctx, writer, `${round}.ics`, event(`new${round}@x`), {})
      for (const device of devices) await device.nextPage()
    }
    for (const device of devices) await device.catchUp()
  }),
)

forEachEngine('changes made between two pages are listed after the token of the first, and no name twice', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const writer = await personWith(world, 'writer')
    const { id } = await world.writer.creates({ title: 'One', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
    await copySeries(world, id, 1_200, 2_000)
    await putObject(ctx, writer, 'goes.ics', event('goes@x'), {})
    for (const limit of [10_000, 1_201]) {
      const pages = walkChanges(ctx, writer, '', limit)
      const first = (await pages.next()).value as ChangesPage
      assert.equal(first.changed.length, 500, 'the rest is not read before it is asked for')
      const [changed, gone] = first.changed.map(({ name }) => name) as [string, string]
      await moveObject(ctx, writer, changed, `moved${limit}.ics`, { overwrite: false })
      await deleteObject(ctx, writer, gone)
      await putObject(ctx, writer, `new${limit}.ics`, event(`new${limit}@x`), {})
      const names = first.changed.map(({ name }) => name)
      let end = first.end
      for await (const page of pages) {
        assert.equal(end, undefined)
        names.push(...page.changed.map(({ name }) => name))
        assert.deepEqual(page.gone, [])
        end = page.end
      }
      assert.equal(new Set(names).size, names.length)
      assert.ok(!names.some((name) => /^(moved|new)/.test(name) && name.includes(`${limit}`)))
      assert.equal(end!.isComplete, limit === 10_000)
      const has = new Set(names)
      const next = await listChanges(ctx, writer, end!.token, 10_000)
      for (const name of next.gone) has.delete(name)
      for (const { name } of next.changed) has.add(name)
      assert.deepEqual(next.gone.sort(), [changed, gone].sort())
      assert.deepEqual([...has].sort(), (await collect(walkHeads(ctx, writer))).map(({ name }) => name).sort())
    }
  }),
)

forEachEngine('sync tokens in the format of earlier versions still continue where they ended', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const writer = await personWith(world, 'writer')
    for (let i = 0; i < 4; i++) await putObject(ctx, writer, `${i}.ics`, event(`${i}@x`), {})
    await deleteObject(ctx, writer, '0.ics')
    const { token } = await listChanges(ctx, writer, '', 100)
    const [calendar, last] = token.split('-') as [string, string]
    const since = async (text: string) => {
      const { changed, gone } = await listChanges(ctx, writer, text, 100)
      return [...changed.map(({ name }) => name), ...gone.map((name) => `-${name}`)]
    }
    const second = Number(last) - 3
    assert.deepEqual(await since(`${calendar}-${second}`), ['2.ics', '3.ics', '-0.ics'])
    assert.deepEqual(await since(`${calendar}-${second}-${last}`), ['2.ics', '3.ics'], 'of the first pages')
  }),
)

forEachEngine('of two moves to one name one succeeds, and two moves that swap names do not deadlock', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const writer = await personWith(world, 'writer')
    for (let round = 0; round < 5; round++) {
      for (const name of ['a', 'b']) await putObject(ctx, writer, `${name}${round}.ics`, event(`${name}${round}@x`), {})
      const move = (from: string, to: string) =>
        codeOf(moveObject(ctx, writer, `${from}${round}.ics`, `${to}${round}.ics`, { overwrite: false }))
      assert.deepEqual((await Promise.all([move('a', 'c'), move('b', 'c')])).sort(), ['destination_taken', 'done'])
      assert.ok((await Promise.all([move('c', 'd'), move('d', 'c')])).includes('done'))
    }
  }),
)

forEachEngine('an edited occurrence that is on no date of its series stays when the title is changed', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const writer = await personWith(world, 'writer')
    const edited = [
      'BEGIN:VEVENT',
      'UID:a@x',
      'DTSTAMP:20260701T000000Z',
      'RECURRENCE-ID;TZID=Europe/London:20260715T080000',
      'DTSTART;TZID=Europe/London:20260715T200000',
      'DTEND;TZID=Europe/London:20260715T210000',
      'SUMMARY:Left behind',
      'X-KEPT:yes',
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n')
    const text = event('a@x', ['RRULE:FREQ=DAILY;COUNT=3']).replace('END:VCALENDAR', edited)
    await putObject(ctx, writer, 'a.ics', text, {})
    const [{ id }] = (await world.writer.get('/events')).body.data
    assert.equal((await world.writer.patch(`/events/${id}`, { title: 'Concert', version: 1 })).status, 200)
    const changed = (await findObject(ctx, writer, 'a.ics'))!.text
    assert.match(changed, /SUMMARY:Left behind/)
    assert.match(changed, /X-KEPT:yes/)
  }),
)

forEachEngine('objects are listed in pages, all of them or those in a time range', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const writer = await personWith(world, 'writer')
    for (let i = 0; i < 5; i++) await putObject(ctx, writer, `${i}.ics`, event(`${i}@x`), {})
    await putObject(ctx, writer, 'daily.ics', event('daily@x', ['RRULE:FREQ=DAILY']), {})
    assert.equal((await collect(walkHeads(ctx, writer))).length, 6)
    assert.equal((await collect(walkObjects(ctx, writer))).length, 6)
    const range = { from: Date.UTC(2026, 7, 1), to: Date.UTC(2026, 7, 2) }
    assert.deepEqual(
      (await collect(walkObjects(ctx, writer, { range }))).map(({ name }) => name),
      ['daily.ics'],
    )
    assert.deepEqual(
      (await collect(walkObjects(ctx, writer, { names: ['4.ics', 'none.ics', '0.ics', '4.ics'] }))).map(
        ({ name }) => name,
      ),
      ['4.ics', '0.ics', '4.ics'],
    )
  }),
)

forEachEngine('an object that is not a single event of a calendar is refused with a reason', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const writer = await personWith(world, 'writer')
    const whole = event('a@x')
    const two = whole.replace('END:VCALENDAR', event('b@x').split('\r\n').slice(3).join('\r\n').trim())
    const cases: [string, string, string | undefined][] = [
      ['nonsense', 'data_invalid', undefined],
      [whole + whole, 'data_invalid', undefined],
      [whole.replace('VERSION:2.0', 'VERSION:2.0\r\nno line of a calendar'), 'data_invalid', undefined],
      [whole.replace('VERSION:2.0', 'VERSION:1.0'), 'data_type_unsupported', undefined],
      [whole.replaceAll('VEVENT', 'VTODO'), 'component_unsupported', 'todo'],
      [two, 'object_invalid', 'several_events'],
      [whole.replace('VERSION:2.0', 'VERSION:2.0\r\nMETHOD:REQUEST'), 'object_invalid', 'method_given'],
      [whole.replace('UID:a@x\r\n', ''), 'object_invalid', 'uid_missing'],
      [event('a@x', ['RRULE:FREQ=SOMETIMES']), 'data_invalid', 'rrule_invalid'],
      [whole.replace('DTSTART;TZID=Europe/London', 'DTSTART;TZID=Mars/Base'), 'zone_unknown', 'timezone_unknown'],
    ]
    for (const [text, code, reason] of cases) {
      const error = await putObject(ctx, writer, 'a.ics', text, {}).then(
        () => undefined,
        (problem) => problem as { code: string; details?: { reason?: string } },
      )
      assert.equal(error?.code, code, text)
      assert.equal(error?.details?.reason, reason)
    }
  }),
)

forEachEngine(
  'P14, P19, P20, P23: a client that leaves CLASS out publishes nothing, and one private occurrence makes all private',
  (engine) =>
    withWorld(engine, async (world) => {
      const { ctx } = world.app
      const writer = await personWith(world, 'writer')
      const visibility = async () => (await world.writer.get('/events')).body.data[0].visibility
      let { etag } = (await putObject(ctx, writer, 'a.ics', event('a@x'), {})).head!
      const put = async (text: string) => {
        etag = (await putObject(ctx, writer, 'a.ics', text, { etags: [etag] })).head!.etag
        return visibility()
      }
      assert.equal(await visibility(), 'private', 'P23: the setting decides')
      assert.equal(await put(event('a@x', ['CLASS:PUBLIC'])), 'public')
      assert.equal(await put(event('a@x', ['LOCATION:Hall'])), 'public', 'P23: kept as it was')
      assert.equal(await put(event('a@x', ['CLASS:CONFIDENTIAL'])), 'private', 'P14')
      assert.equal(await put(event('a@x', ['LOCATION:Hall'])), 'private', 'P23')
      const edited = (rule: string) =>
        [
          'BEGIN:VEVENT',
          'UID:a@x',
          'DTSTAMP:20260701T000000Z',
          'RECURRENCE-ID;TZID=Europe/London:20260715T190000',
          'DTSTART;TZID=Europe/London:20260715T190000',
          'DTEND;TZID=Europe/London:20260715T210000',
          'SUMMARY:Secret meeting',
          rule,
          'END:VEVENT',
          'END:VCALENDAR',
        ].join('\r\n')
      const series = event('a@x', ['RRULE:FREQ=DAILY;COUNT=3', 'CLASS:PUBLIC'])
      assert.equal(await put(series.replace('END:VCALENDAR', edited('CLASS:PRIVATE'))), 'private', 'P20')
      const hidden = event('a@x', ['RRULE:FREQ=DAILY;COUNT=3', 'CLASS:PRIVATE'])
      assert.equal(await put(hidden.replace('END:VCALENDAR', edited('CLASS:PUBLIC'))), 'private', 'P19')
      for (const path of ['/public/events?from=2026-07-01&to=2026-08-01', '/public/calendar.ics'])
        assert.ok(!/Secret|Rehearsal/.test((await world.anonymous.get(path)).text))
    }),
)

forEachEngine('every account has its own dead properties, up to a limit', (engine) =>
  withWorld(engine, async (world) => {
    const { ctx } = world.app
    const writer = await personWith(world, 'writer')
    const reader = await personWith(world, 'reader')
    const [red, green] = [
      { value: '#ff0000', lang: null },
      { value: '#00ff00', lang: 'en' },
    ]
    await changeOwnProperties(ctx, writer, new Map([['{x}color', red]]))
    await changeOwnProperties(ctx, reader, new Map([['{x}color', green]]))
    assert.deepEqual([...(await readOwnProperties(ctx, writer))], [['{x}color', red]])
    await changeOwnProperties(ctx, writer, new Map([['{x}color', undefined]]))
    assert.equal((await readOwnProperties(ctx, writer)).size, 0)
    assert.equal((await readOwnProperties(ctx, reader)).get('{x}color')?.value, '#00ff00')
    const many = new Map(Array.from({ length: 51 }, (_, i) => [`{x}p${i}`, red]))
    assert.equal(await codeOf(changeOwnProperties(ctx, writer, many)), 'too_many_properties')
    assert.equal((await readOwnProperties(ctx, writer)).size, 0, 'all or none')
  }),
)
